//! Mails of a service without a mail server: encrypted files that exist as long as their invitation.

use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use link_domain::kernel::system::BoxFuture;
use link_domain::notifications::mail::Mail;
use link_domain::notifications::mail::{MailError, Mailer};
use link_server::adapters::kept_mail::{self, NoMailError};
use link_server::service::Service;
use link_server::settings::SettingsInput;
use link_store::test_support::Backend;
use link_test_support::wait;
use rstest::rstest;
use serde_json::Value;
use tokio::sync::Notify;

use crate::service::{TestService, text};
use crate::uploads::find_installed_tool;

impl TestService {
    /// Lists the stored mail files of an invitation.
    pub fn list_stored_mails(&self, invite: &Value) -> Vec<PathBuf> {
        let folder = self.app.settings.data_dir.join("files/mail").join(text(&invite["id"]));
        let entries = std::fs::read_dir(folder).map(|it| it.map(|it| it.unwrap().path()).collect());
        entries.unwrap_or_default()
    }

    /// Waits until the removal job of an invitation's mails is done, then checks that no files are left.
    pub async fn until_no_mail_is_stored(&self, invite: &Value) {
        self.until_no_job(&format!("forget/{}", text(&invite["id"]))).await;
        assert_eq!(self.list_stored_mails(invite), Vec::<PathBuf>::new());
    }

    async fn until_no_job(&self, key: &str) {
        wait::until(&format!("the job {key} is done"), async || {
            let (owner, key) = (self.owner(), key.to_owned());
            let job = self.app.store.read(move |reader| reader.jobs().get(&owner, &key)).await;
            job.unwrap().is_none()
        })
        .await;
    }

    /// Returns the last stored mail of an invitation.
    pub async fn last_mail(&self, invite: &Value) -> Result<String, NoMailError> {
        let id = text(&invite["id"]).parse().unwrap();
        kept_mail::last(&self.app.store, self.app.ports.files.as_ref(), id).await
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn stored_mail_is_encrypted_and_readable_by_operators() {
    let service = TestService::start(Backend::Sqlite).await;
    let invite = service.invite_ana().await;
    service.until_invite(&invite, "kept", |it| !it["invitedAt"].is_null()).await;
    let kept = service.list_stored_mails(&invite);
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
            let inner = Arc::clone(&parts.ports.mailer);
            parts.ports.mailer = Arc::new(SlowMailer { inner, asked: was_asked, go_on: released });
        },
    )
    .await;
    let invite = service.invite_ana().await;
    asked.notified().await;
    assert_eq!(service.delete(&format!("/invites/{}", text(&invite["id"]))).await.status, 204);
    service.until_no_mail_is_stored(&invite).await;
    let key = format!("send/{}", text(&invite["id"]));
    wait::until("the job is done or retried", async || {
        go_on.notify_one();
        let (owner, key) = (service.owner(), key.clone());
        let job = service.app.store.read(move |reader| reader.jobs().get(&owner, &key)).await;
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
    let service =
        TestService::start_of(backend, |_| {}, move |parts| parts.ports.mailer = Arc::new(late)).await;
    let invite = service.invite_ana().await;
    mailer.asked.notified().await;
    assert_eq!(service.delete(&format!("/invites/{}", text(&invite["id"]))).await.status, 204);
    service.until_no_mail_is_stored(&invite).await;
    mailer.go_on.notify_one();
    service.until_no_job(&format!("send/{}", text(&invite["id"]))).await;
    service.until_no_job(&format!("forget/{}", text(&invite["id"]))).await;
    assert_eq!(*mailer.kept.lock().unwrap(), Vec::<String>::new());
}

// A real mail server: aiosmtpd in its own process, which stores mails in a Maildir. `cargo xtask setup` installs it.

/// A local port, and the server that listens there once it is started.
pub struct MailServer {
    port: u16,
    folder: tempfile::TempDir,
    process: Option<Child>,
}

impl MailServer {
    /// Reserves a port without starting a server.
    pub fn down() -> Self {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        Self { port, folder: tempfile::tempdir().unwrap(), process: None }
    }

    /// Starts a server that accepts every mail.
    pub fn up() -> Self {
        let mut server = Self::down();
        server.start(&[]);
        server
    }

    /// Starts a server that refuses mails larger than 64 bytes.
    pub fn that_refuses() -> Self {
        Self::with_limit(64)
    }

    /// Starts a server that refuses larger mails than this.
    pub fn with_limit(bytes: usize) -> Self {
        let mut server = Self::down();
        server.start(&["--size", &bytes.to_string()]);
        server
    }

    /// Starts the server and waits until it accepts connections.
    pub fn start(&mut self, options: &[&str]) {
        let program = std::env::var("LINCHPIN_SMTP_SERVER")
            .map_or_else(|_| find_installed_tool("smtp/bin/aiosmtpd"), PathBuf::from);
        let started = Command::new(&program)
            .args(["--nosetuid", "--smtputf8", "--listen", &format!("127.0.0.1:{}", self.port)])
            .args(options)
            .args(["--class", "aiosmtpd.handlers.Mailbox"])
            .arg(self.folder.path().join("mail"))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn();
        let process = started.unwrap_or_else(|error| {
            panic!("{}: {error}. Run `cargo xtask setup` to install it", program.display())
        });
        let process = self.process.insert(process);
        wait::blocking::until("the mail server listens", || {
            let ended = process.try_wait().unwrap();
            assert!(ended.is_none(), "{} ended without listening", program.display());
            std::net::TcpStream::connect(("127.0.0.1", self.port)).is_ok()
        });
    }

    /// Returns the server's URL for the settings.
    pub fn address(&self) -> String {
        format!("smtp://127.0.0.1:{}", self.port)
    }

    /// Returns the mails received so far, without the soft line breaks of quoted-printable.
    pub fn mails(&self) -> Vec<String> {
        let Ok(entries) = std::fs::read_dir(self.folder.path().join("mail/new")) else { return Vec::new() };
        let mut paths: Vec<PathBuf> = entries.map(|it| it.unwrap().path()).collect();
        paths.sort();
        let read = |path: &PathBuf| String::from_utf8(std::fs::read(path).unwrap()).unwrap();
        paths
            .iter()
            .map(|path| read(path).replace("\r\n", "\n").replace("=\n", "").replace("=3D", "="))
            .collect()
    }
}

impl Drop for MailServer {
    fn drop(&mut self) {
        if let Some(process) = &mut self.process {
            drop(process.kill());
            drop(process.wait());
        }
    }
}

/// More than any job queue has slots.
const INVITED: usize = 150;

#[tokio::test(flavor = "multi_thread")]
async fn hanging_mail_server_does_not_delay_linking() {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = format!("smtp://{}", listener.local_addr().unwrap());
    let connected = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&connected);
    tokio::spawn(async move {
        let mut held = Vec::new();
        while let Ok((stream, _)) = listener.accept().await {
            held.push(stream);
            counted.store(held.len(), Ordering::SeqCst);
        }
    });
    let service = TestService::start_with(Backend::Sqlite, move |settings| {
        settings.smtp_url = Some(address.into());
        settings.live.edit(|live| live.mails_per_recipient = 1_000.try_into().unwrap());
    })
    .await;
    service.allow_mail("ana@example.com").await;
    for _ in 0..INVITED {
        service.invite_ana().await;
    }
    wait::until("the service connects to the mail server", async || connected.load(Ordering::SeqCst) > 0)
        .await;
    let session = service.session().await;
    let progress = service.submit(&session, "mx_social_security", "good", "pass").await;
    service.until_settled(&session, &progress).await;
    service.until_event("TASK_FINISHED").await;
    let held = connected.load(Ordering::SeqCst);
    assert!(held < 64, "one tenant holds more than its share of the slots: {held}");
}
