//! Mails of a service without a mail server: files that nobody but the running service can read, while their
//! invitation stands.

use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use link_domain::mail::Mail;
use link_domain::ports::{Answer, MailFault, Mailer};
use link_server::kept_mail::{self, NoMail};
use link_server::service::Service;
use link_server::settings::SettingsInput;
use link_store::test_support::Backend;
use serde_json::Value;
use tokio::sync::Notify;

use crate::service::{TestService, text};

impl TestService {
    /// The files that are kept of an invitation's mails.
    pub fn kept_mails(&self, invite: &Value) -> Vec<PathBuf> {
        let folder = self.app.settings().data_dir.join("files/mail").join(text(&invite["id"]));
        let entries = std::fs::read_dir(folder).map(|it| it.map(|it| it.unwrap().path()).collect());
        entries.unwrap_or_default()
    }

    /// Waits until nothing is kept of an invitation's mails, and nobody is about to remove some.
    pub async fn until_no_mail_is_kept(&self, invite: &Value) {
        self.until_no_job(&format!("forget/{}", text(&invite["id"]))).await;
        assert_eq!(self.kept_mails(invite), Vec::<PathBuf>::new());
    }

    async fn until_no_job(&self, key: &str) {
        for _ in 0..400 {
            let (owner, key) = (self.owner(), key.to_owned());
            let job = self.app.store().read(move |reader| reader.job(&owner, &key)).await;
            if job.unwrap().is_none() {
                return;
            }
            tokio::time::sleep(std::time::Duration::from_millis(25)).await;
        }
        panic!("{key} is never done");
    }

    async fn last_mail(&self, invite: &Value) -> Result<String, NoMail> {
        let id = text(&invite["id"]).parse().unwrap();
        kept_mail::last(self.app.store(), self.app.files().as_ref(), id).await
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_kept_mail_is_sealed_and_shown_to_whoever_administers_the_service() {
    for backend in Backend::ALL {
        let service = TestService::start(backend).await;
        let invite = service.invited().await;
        service.until_invite(&invite, "kept", |it| !it["invitedAt"].is_null()).await;
        let kept = service.kept_mails(&invite);
        assert_eq!(kept.len(), 1);
        let bytes = std::fs::read(&kept[0]).unwrap();
        for clear in ["ana@example.com", "Subject", "/invite/"] {
            assert!(!bytes.windows(clear.len()).any(|it| it == clear.as_bytes()), "{clear} is readable");
        }
        let mail = service.last_mail(&invite).await.unwrap();
        assert!(mail.contains("To: ") && mail.contains("ana@example.com"), "{mail}");
        // What a back-up has of it is worth nothing once the invitation is erased.
        let path = format!("/invites/{}", text(&invite["id"]));
        assert_eq!(service.delete(&path).await.status, 204);
        service.until_no_mail_is_kept(&invite).await;
        std::fs::create_dir_all(kept[0].parent().unwrap()).unwrap();
        std::fs::write(&kept[0], bytes).unwrap();
        assert!(matches!(service.last_mail(&invite).await, Err(NoMail::None)));
    }
}

#[tokio::test]
async fn what_an_earlier_version_kept_in_clear_is_gone_after_the_start() {
    let own = std::fs::Permissions::from_mode(0o700);
    let data = tempfile::Builder::new().permissions(own).tempdir().unwrap();
    let mails = data.path().join("mail");
    std::fs::create_dir(&mails).unwrap();
    for name in ["iv-1.1.eml", "iv-1.2.eml", "iv-2.1.new"] {
        std::fs::write(mails.join(name), "To: Ana <ana@example.com>").unwrap();
    }
    let start = async || {
        let mut settings = SettingsInput::default().settle().unwrap();
        settings.listen = "127.0.0.1:0".parse().unwrap();
        settings.data_dir = data.path().to_owned();
        settings.keys_dir = data.path().to_owned();
        settings.files = link_store::FileSettings::Folder(data.path().join("files"));
        Service::start(settings).await.unwrap()
    };
    let service = start().await;
    assert!(!mails.exists());
    service.run(async {}).await.unwrap();
    // Whatever else somebody put there is none of the service's.
    std::fs::create_dir(&mails).unwrap();
    for name in ["notes.txt", "iv-3.1.eml"] {
        std::fs::write(mails.join(name), "To: Ana <ana@example.com>").unwrap();
    }
    drop(start().await);
    let left = std::fs::read_dir(&mails).unwrap().map(|it| it.unwrap().file_name());
    assert_eq!(left.collect::<Vec<_>>(), ["notes.txt"]);
}

#[tokio::test]
async fn who_starts_an_ephemeral_service_is_told_of_no_command_that_needs_its_socket() {
    let mut settings = SettingsInput::default().settle().unwrap();
    settings.listen = "127.0.0.1:0".parse().unwrap();
    settings.ephemeral = true;
    settings.files = link_store::FileSettings::Memory;
    let greeting = Service::start(settings).await.unwrap().greeting().join("\n");
    assert!(greeting.contains("no mail leaves") && greeting.contains("landingPageUrl"), "{greeting}");
    assert!(!greeting.contains("mail show"), "{greeting}");
}

/// Takes its time over a mail: until it is told to go on.
struct Slow {
    inner: Arc<dyn Mailer>,
    asked: Arc<Notify>,
    go_on: Arc<Notify>,
}

impl Mailer for Slow {
    fn send<'a>(&'a self, mail: &'a Mail) -> Answer<'a, Result<(), MailFault>> {
        Box::pin(async move {
            let sent = self.inner.send(mail).await;
            self.asked.notify_one();
            self.go_on.notified().await;
            // Late, and once more: what was removed meanwhile is written again.
            sent.and(self.inner.send(mail).await)
        })
    }

    fn forget<'a>(&'a self, prefix: &'a str) -> Answer<'a, Result<(), MailFault>> {
        self.inner.forget(prefix)
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_mail_that_is_written_while_its_invitation_is_revoked_does_not_stay() {
    let (asked, go_on) = (Arc::new(Notify::new()), Arc::new(Notify::new()));
    let (told, released) = (Arc::clone(&asked), Arc::clone(&go_on));
    let service = TestService::start_of(
        Backend::Sqlite,
        |_| {},
        move |parts| {
            let inner = Arc::clone(&parts.mailer);
            parts.mailer = Arc::new(Slow { inner, asked: told, go_on: released });
        },
    )
    .await;
    let invite = service.invited().await;
    asked.notified().await;
    assert_eq!(service.delete(&format!("/invites/{}", text(&invite["id"]))).await.status, 204);
    service.until_no_mail_is_kept(&invite).await;
    go_on.notify_one();
    let key = format!("send/{}", text(&invite["id"]));
    for _ in 0..400 {
        let (owner, key) = (service.owner(), key.clone());
        let job = service.app.store().read(move |reader| reader.job(&owner, &key)).await;
        if job.unwrap().is_none_or(|job| job.attempts > 1) {
            break;
        }
        go_on.notify_one();
        tokio::time::sleep(std::time::Duration::from_millis(25)).await;
    }
    service.until_no_mail_is_kept(&invite).await;
}

/// Keeps the names of mails: each only when it is told to go on.
#[derive(Clone, Default)]
struct Late {
    kept: Arc<Mutex<Vec<String>>>,
    asked: Arc<Notify>,
    go_on: Arc<Notify>,
}

impl Mailer for Late {
    fn send<'a>(&'a self, mail: &'a Mail) -> Answer<'a, Result<(), MailFault>> {
        Box::pin(async move {
            self.asked.notify_one();
            self.go_on.notified().await;
            self.kept.lock().unwrap().push(mail.name.clone());
            Ok(())
        })
    }

    fn forget<'a>(&'a self, prefix: &'a str) -> Answer<'a, Result<(), MailFault>> {
        self.kept.lock().unwrap().retain(|name| !name.starts_with(prefix));
        Box::pin(std::future::ready(Ok(())))
    }
}

#[tokio::test]
async fn what_a_mailer_writes_after_the_revocation_is_removed_once_more() {
    for backend in Backend::ALL {
        let mailer = Late::default();
        let late = mailer.clone();
        let service =
            TestService::start_of(backend, |_| {}, move |parts| parts.mailer = Arc::new(late)).await;
        let invite = service.invited().await;
        mailer.asked.notified().await;
        assert_eq!(service.delete(&format!("/invites/{}", text(&invite["id"]))).await.status, 204);
        service.until_no_mail_is_kept(&invite).await;
        mailer.go_on.notify_one();
        service.until_no_job(&format!("send/{}", text(&invite["id"]))).await;
        service.until_no_job(&format!("forget/{}", text(&invite["id"]))).await;
        assert_eq!(*mailer.kept.lock().unwrap(), Vec::<String>::new(), "on {backend:?}");
    }
}
