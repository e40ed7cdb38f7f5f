//! A canary: a password and a login that must be found nowhere but where they belong.

use std::io::Write;
use std::path::Path;
use std::sync::{Arc, Mutex, OnceLock};

use link_store::test_support::Backend;
use tracing_subscriber::fmt::MakeWriter;

use crate::service::TestService;

const PASSWORD: &str = "canary-password-7f3a";

/// A log kept in memory.
#[derive(Clone, Default)]
pub struct Log(Arc<Mutex<Vec<u8>>>);

impl Write for Log {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

impl<'a> MakeWriter<'a> for Log {
    type Writer = Self;

    fn make_writer(&'a self) -> Self {
        self.clone()
    }
}

/// The log of this whole process: every test's service writes to it.
pub fn log() -> &'static Log {
    static LOG: OnceLock<Log> = OnceLock::new();
    LOG.get_or_init(|| {
        let log = Log::default();
        let subscriber =
            tracing_subscriber::fmt().with_max_level(tracing::Level::DEBUG).with_writer(log.clone()).finish();
        tracing::subscriber::set_global_default(subscriber).unwrap();
        log
    })
}

fn assert_absent(place: &str, bytes: &[u8], needle: &str) {
    let found = bytes.windows(needle.len()).any(|it| it == needle.as_bytes());
    assert!(!found, "{place} holds {needle}");
}

fn each_file(folder: &Path, look: &mut impl FnMut(&Path, Vec<u8>)) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            each_file(&path, look);
        } else if let Ok(bytes) = std::fs::read(&path) {
            look(&path, bytes);
        }
    }
}

#[tokio::test]
async fn a_password_and_a_login_are_in_no_log_no_problem_and_no_stored_byte() {
    let service = TestService::start(Backend::Sqlite).await;
    let session = service.session().await;
    // The sandbox takes what stands before the @ for the scenario, so the login itself can be a canary.
    let login = "good@canary-login-51bd.example";
    let failed = service.submit(&session, "mx_social_security", login, PASSWORD).await;
    let failed = service.settled(&session, &failed).await;
    assert_eq!(failed["phase"]["failed"]["errorCode"], "INVALID_CREDENTIALS");
    let asked = service.submit(&session, "mx_social_security", login, "pass").await;
    let linked = service.settled(&session, &asked).await;
    assert!(linked["phase"].get("connected").is_some(), "{linked}");
    service.until_event("TASK_FINISHED").await;
    let mut wrong = service.login("mx_social_security", login, PASSWORD);
    wrong["credentials"]["odd"] = PASSWORD.into();
    let problem = service
        .send(axum::http::Method::POST, "/link/accounts", crate::service::As::Session(&session), Some(&wrong))
        .await;
    assert_eq!(problem.status, 422);

    let log = log().0.lock().unwrap().clone();
    assert!(log.len() > 1_000, "the log was written");
    for needle in [PASSWORD, "canary-login", session.as_str()] {
        assert_absent("the log", &log, needle);
        assert_absent("a problem", &problem.bytes, needle);
        each_file(service.database.folder(), &mut |path, bytes| {
            assert_absent(&path.display().to_string(), &bytes, needle);
        });
    }
    let events = service.get("/events?size=150").await;
    assert_absent("an event", &events.bytes, PASSWORD);
}
