//! Canaries: a password, an answer and a login name that must not leak.

use std::io::Write;
use std::path::Path;
use std::sync::{Arc, Mutex, OnceLock};

use axum::http::Method;
use link_store::test_support::Backend;
use tracing_subscriber::fmt::MakeWriter;

use crate::service::{As, TestService};

const PROVIDER: &str = "mx_social_security";
const PASSWORD: &str = "canary-password-7f3a";
const ANSWER: &str = "canary-answer-c3d8";

/// A log kept in memory.
#[derive(Clone, Default)]
pub struct Log(Arc<Mutex<Vec<u8>>>);

impl Log {
    /// Returns the log so far.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.0.lock().unwrap()).into_owned()
    }
}

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

/// Returns the log of the test process: the services of all tests write to it.
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

/// Checks that bytes do not contain a text.
pub fn assert_absent(place: &str, bytes: &[u8], needle: &str) {
    let found = bytes.windows(needle.len()).any(|it| it == needle.as_bytes());
    assert!(!found, "{place} contains {needle}");
}

/// Calls `look` for every file below a folder.
pub fn each_file(folder: &Path, look: &mut impl FnMut(&Path, Vec<u8>)) {
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
async fn credentials_never_reach_logs_problems_or_storage() {
    let service = TestService::start(Backend::Sqlite).await;
    let session = service.session().await;
    // The sandbox ignores the part after the @ to choose the scenario, so the login name can be a canary.
    let login = "mfa-question@canary-login-51bd.example";
    let failed = service.submit(&session, PROVIDER, login, PASSWORD).await;
    let failed = service.settled(&session, &failed).await;
    assert_eq!(failed["phase"]["failed"]["errorCode"], "INVALID_CREDENTIALS");
    let asked = service.submit(&session, PROVIDER, login, "pass").await;
    let asked = service.settled(&session, &asked).await;
    let asked = service.answer(&session, &asked, ANSWER).await;
    assert_eq!(asked["phase"]["challenge"]["challenge"]["wrongAnswer"], true, "{asked}");
    let linked = service.answer(&session, &asked, "aurora").await;
    assert!(linked["phase"].get("connected").is_some(), "{linked}");
    service.until_event("TASK_FINISHED").await;
    let shown = service.send(Method::GET, "/link/linked", As::Session(&session), None).await;
    let events = service.get("/events?size=150").await;
    let captured = service.captured.lock().unwrap().clone();
    let mut wrong = service.login(&session, PROVIDER, login, PASSWORD).await;
    wrong["credentials"] = serde_json::json!({"username": login, "password": PASSWORD});
    let problem = service.send(Method::POST, "/link/accounts", As::Session(&session), Some(&wrong)).await;
    assert_eq!(problem.status, 422);

    let log = log().0.lock().unwrap().clone();
    assert!(log.len() > 1_000, "the log is empty");
    for needle in [PASSWORD, ANSWER, "canary-login", session.as_str()] {
        assert_absent("the log", &log, needle);
        assert_absent("a problem", &problem.bytes, needle);
        each_file(service.database.folder(), &mut |path, bytes| {
            assert_absent(&path.display().to_string(), &bytes, needle);
        });
    }
    assert_absent("the linked accounts", &shown.bytes, "canary-login");
    for needle in [PASSWORD, ANSWER] {
        assert_absent("an event", &events.bytes, needle);
        assert_absent("the bodies that a proxy sees", &captured, needle);
    }
    assert!(captured.len() > 10_000, "no bodies were captured");
}
