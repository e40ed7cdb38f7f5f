//! Mails of a service without a mail server: encrypted files that exist as long as their invitation.

use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use link_domain::kernel::future::BoxFuture;
use link_domain::notifications::mail::Mail;
use link_domain::notifications::mailer::{MailError, Mailer};
use link_server::adapters::kept_mail::{self, NoMailError};
use link_server::service::Service;
use link_server::settings::SettingsInput;
use link_store::test_support::Backend;
use link_test_support::wait;
use rstest::rstest;
use serde_json::Value;
use tokio::sync::Notify;

use crate::service::{TestService, text};

impl TestService {
    /// Lists the stored mail files of an invitation.
    pub fn stored_mails(&self, invite: &Value) -> Vec<PathBuf> {
        let folder = self.app.settings().data_dir.join("files/mail").join(text(&invite["id"]));
        let entries = std::fs::read_dir(folder).map(|it| it.map(|it| it.unwrap().path()).collect());
        entries.unwrap_or_default()
    }

    /// Waits until the removal job of an invitation's mails is done, then checks that no files are left.
    pub async fn until_no_mail_is_stored(&self, invite: &Value) {
        self.until_no_job(&format!("forget/{}", text(&invite["id"]))).await;
        assert_eq!(self.stored_mails(invite), Vec::<PathBuf>::new());
    }

    async fn until_no_job(&self, key: &str) {
        wait::until(&format!("the job {key} is done"), async || {
            let (owner, key) = (self.owner(), key.to_owned());
            let job = self.app.store().read(move |reader| reader.jobs().get(&owner, &key)).await;
            job.unwrap().is_none()
        })
        .await;
    }

    /// Returns the last stored mail of an invitation.
    pub async fn last_mail(&self, invite: &Value) -> Result<String, NoMailError> {
        let id = text(&invite["id"]).parse().unwrap();
        kept_mail::last(self.app.store(), self.app.files().as_ref(), id).await
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn stored_mail_is_encrypted_and_readable_by_operators() {
    let service = TestService::start(Backend::Sqlite).await;
    let invite = service.invited().await;
    service.until_invite(&invite, "kept", |it| !it["invitedAt"].is_null()).await;
    let kept = service.stored_mails(&invite);
    assert_eq!(kept.len(), 1);
    let bytes = std::fs::read(&kept[0]).unwrap();
    for clear in ["ana@example.com", "Subject", "/invite/"] {
        assert!(!bytes.windows(clear.len()).any(|it| it == clear.as_bytes()), "{clear} is readable");
    }
    let mail = service.last_mail(&invite).await.unwrap();
    assert!(mail.contains("To: ") && mail.contains("ana@example.com"), "{mail}");
    // A copy from a backup cannot be decrypted once the invitation is erased.
    let path = format!("/invites/{}", text(&invite["id"]));
    assert_eq!(service.delete(&path).await.status, 204);
    service.until_no_mail_is_stored(&invite).await;
    std::fs::create_dir_all(kept[0].parent().unwrap()).unwrap();
    std::fs::write(&kept[0], bytes).unwrap();
    assert!(matches!(service.last_mail(&invite).await, Err(NoMailError::None)));
}

#[tokio::test]
async fn ephemeral_greeting_names_no_admin_socket_command() {
    let mut settings = SettingsInput::default().settle().unwrap();
    settings.listen = "127.0.0.1:0".parse().unwrap();
    settings.ephemeral = true;
    settings.files = link_store::FileSettings::Memory;
    let greeting = Service::start(settings).await.unwrap().greeting().join("\n");
    assert!(greeting.contains("sends no mail") && greeting.contains("landingPageUrl"), "{greeting}");
    assert!(!greeting.contains("mail show"), "{greeting}");
}

/// A mailer that waits for the test, then sends the mail a second time.
struct SlowMailer {
    inner: Arc<dyn Mailer>,
    asked: Arc<Notify>,
    go_on: Arc<Notify>,
}

impl Mailer for SlowMailer {
    fn send<'a>(&'a self, mail: &'a Mail) -> BoxFuture<'a, Result<(), MailError>> {
        Box::pin(async move {
            let sent = self.inner.send(mail).await;
            self.asked.notify_one();
            self.go_on.notified().await;
            // The second send recreates the file that was removed in between.
            sent.and(self.inner.send(mail).await)
        })
    }

    fn forget<'a>(&'a self, prefix: &'a str) -> BoxFuture<'a, Result<(), MailError>> {
        self.inner.forget(prefix)
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn mail_written_during_revocation_is_removed() {
    let (asked, go_on) = (Arc::new(Notify::new()), Arc::new(Notify::new()));
    let (was_asked, released) = (Arc::clone(&asked), Arc::clone(&go_on));
    let service = TestService::start_of(
        Backend::Sqlite,
        |_| {},
        move |parts| {
            let inner = Arc::clone(&parts.mailer);
            parts.mailer = Arc::new(SlowMailer { inner, asked: was_asked, go_on: released });
        },
    )
    .await;
    let invite = service.invited().await;
    asked.notified().await;
    assert_eq!(service.delete(&format!("/invites/{}", text(&invite["id"]))).await.status, 204);
    service.until_no_mail_is_stored(&invite).await;
    let key = format!("send/{}", text(&invite["id"]));
    wait::until("the job is done or retried", async || {
        go_on.notify_one();
        let (owner, key) = (service.owner(), key.clone());
        let job = service.app.store().read(move |reader| reader.jobs().get(&owner, &key)).await;
        job.unwrap().is_none_or(|job| job.attempts > 1)
    })
    .await;
    service.until_no_mail_is_stored(&invite).await;
}

/// A mailer that records the names of mails, each only when the test continues.
#[derive(Clone, Default)]
struct LateMailer {
    kept: Arc<Mutex<Vec<String>>>,
    asked: Arc<Notify>,
    go_on: Arc<Notify>,
}

impl Mailer for LateMailer {
    fn send<'a>(&'a self, mail: &'a Mail) -> BoxFuture<'a, Result<(), MailError>> {
        Box::pin(async move {
            self.asked.notify_one();
            self.go_on.notified().await;
            self.kept.lock().unwrap().push(mail.name.clone());
            Ok(())
        })
    }

    fn forget<'a>(&'a self, prefix: &'a str) -> BoxFuture<'a, Result<(), MailError>> {
        self.kept.lock().unwrap().retain(|name| !name.starts_with(prefix));
        Box::pin(std::future::ready(Ok(())))
    }
}

#[rstest]
#[tokio::test]
async fn mail_written_after_revocation_is_removed(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let mailer = LateMailer::default();
    let late = mailer.clone();
    let service = TestService::start_of(backend, |_| {}, move |parts| parts.mailer = Arc::new(late)).await;
    let invite = service.invited().await;
    mailer.asked.notified().await;
    assert_eq!(service.delete(&format!("/invites/{}", text(&invite["id"]))).await.status, 204);
    service.until_no_mail_is_stored(&invite).await;
    mailer.go_on.notify_one();
    service.until_no_job(&format!("send/{}", text(&invite["id"]))).await;
    service.until_no_job(&format!("forget/{}", text(&invite["id"]))).await;
    assert_eq!(*mailer.kept.lock().unwrap(), Vec::<String>::new());
}
