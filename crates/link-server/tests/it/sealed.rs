//! Rejects credentials and answers that are not sealed, or sealed for something else.

use std::io::Write;
use std::path::Path;
use std::sync::{Arc, Mutex, OnceLock};

use axum::http::Method;
use link_store::test_support::Backend;
use link_test_support::sealing::Sealer;
use serde_json::{Value, json};
use tracing_subscriber::fmt::MakeWriter;

use crate::service::{As, TestResponse, TestService, text};

const PROVIDER: &str = "mx_social_security";

fn form() -> Value {
    json!({"username": "good", "password": "pass"})
}

async fn start(service: &TestService, session: &str, body: &Value) -> TestResponse {
    service.send(Method::POST, "/link/accounts", As::Session(session), Some(body)).await
}

async fn failure(service: &TestService, session: &str, body: &Value) -> String {
    let started = start(service, session, body).await;
    assert_eq!(started.status, 201, "{:?}", started.body);
    let settled = service.until_settled(session, &started.body).await;
    text(&settled["phase"]["failed"]["errorCode"])
}

#[tokio::test]
async fn unsealed_or_foreign_credentials_are_rejected() {
    let service = TestService::start(Backend::Sqlite).await;
    let (session, other) = (service.session().await, service.session().await);
    let mut body = service.login(&session, PROVIDER, "good", "pass").await;
    body["credentials"] = form();
    let refused = start(&service, &session, &body).await;
    assert_eq!(refused.status, 422);
    let named = refused.body["errors"].as_array().unwrap();
    assert!(named.iter().all(|it| text(&it["field"]).starts_with("credentials")), "{:?}", refused.body);

    body["credentials"] = service.sealer(&other).await.credentials(PROVIDER, &form());
    let refused = start(&service, &session, &body).await;
    assert_eq!(
        (refused.status.as_u16(), &refused.body["errors"][0]["field"]),
        (422, &json!("credentials.keyId"))
    );

    for name in ["credentials", "loginName"] {
        let mut body = service.login(&session, PROVIDER, "good", "pass").await;
        body[name] = Value::Null;
        let refused = start(&service, &session, &body).await;
        assert_eq!((refused.status.as_u16(), &refused.body["errors"][0]["field"]), (422, &json!(name)));
    }
    assert_eq!(service.get("/accounts").await.body["items"], json!([]), "no account was created");
}

#[tokio::test]
async fn mismatched_sealed_credentials_fail_the_link() {
    let service = TestService::start(Backend::Sqlite).await;
    let session = service.session().await;
    let mine = service.sealer(&session).await;
    let elsewhere = Sealer { attempt_id: format!("at-{}", "0".repeat(32)), ..mine.clone() };
    let damaged = |mut sealed: Value| {
        let ciphertext = text(&sealed["ciphertext"]);
        let first = if ciphertext.starts_with('A') { "B" } else { "A" };
        sealed["ciphertext"] = format!("{first}{}", &ciphertext[1..]).into();
        sealed
    };
    for (credentials, code) in [
        (elsewhere.credentials(PROVIDER, &form()), "INVALID_AUTH"),
        (mine.credentials("ph_social_security", &form()), "INVALID_AUTH"),
        (damaged(mine.credentials(PROVIDER, &form())), "INVALID_AUTH"),
        (mine.credentials(PROVIDER, &json!({"username": "many", "password": "pass"})), "INVALID_AUTH"),
        (mine.credentials(PROVIDER, &json!({"username": "good"})), "AUTH_REQUIRED"),
    ] {
        let mut body = service.login(&session, PROVIDER, "good", "pass").await;
        body["credentials"] = credentials;
        assert_eq!(failure(&service, &session, &body).await, code);
    }
    let right = service.submit(&session, PROVIDER, "good", "pass").await;
    assert!(service.until_settled(&session, &right).await["phase"].get("connected").is_some());
}

#[tokio::test]
async fn sealed_answer_must_match_challenge_and_format() {
    let service = TestService::start(Backend::Sqlite).await;
    let other_challenge = json!({"id": format!("ch-{}", "0".repeat(32))});
    for (sealed_for, answer, code) in
        [(Some(other_challenge), "1234", "INVALID_AUTH"), (None, "not a code", "INVALID_MFA")]
    {
        let session = service.session().await;
        let progress = service.submit(&session, PROVIDER, "mfa-otp", "pass").await;
        let asked = service.until_settled(&session, &progress).await;
        let challenge = sealed_for.unwrap_or(asked["phase"]["challenge"]["challenge"].clone());
        let sealed = service.sealer(&session).await.answer(&challenge, answer);
        let failed = service.answer_with(&session, &asked, sealed).await;
        assert_eq!(failed["phase"]["failed"]["errorCode"], code, "{failed}");
    }
}

#[tokio::test]
async fn unsealed_answer_is_rejected() {
    let service = TestService::start(Backend::Sqlite).await;
    let session = service.session().await;
    let progress = service.submit(&session, PROVIDER, "mfa-otp", "pass").await;
    let asked = service.until_settled(&session, &progress).await;
    let path = format!("/link/accounts/{}/answer", text(&asked["accountId"]));
    let id = &asked["phase"]["challenge"]["challenge"]["id"];
    let body = json!({"challengeId": id, "answer": {"text": {"text": "1234"}}});
    let refused = service.send(Method::POST, &path, As::Session(&session), Some(&body)).await;
    assert_eq!(refused.status, 422, "{:?}", refused.body);
    let linked = service.answer(&session, &asked, "1234").await;
    assert!(linked["phase"].get("connected").is_some(), "{linked}");
}

const CANARY_PROVIDER: &str = "mx_social_security";
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
    let failed = service.submit(&session, CANARY_PROVIDER, login, PASSWORD).await;
    let failed = service.until_settled(&session, &failed).await;
    assert_eq!(failed["phase"]["failed"]["errorCode"], "INVALID_CREDENTIALS");
    let asked = service.submit(&session, CANARY_PROVIDER, login, "pass").await;
    let asked = service.until_settled(&session, &asked).await;
    let asked = service.answer(&session, &asked, ANSWER).await;
    assert_eq!(asked["phase"]["challenge"]["challenge"]["wrongAnswer"], true, "{asked}");
    let linked = service.answer(&session, &asked, "aurora").await;
    assert!(linked["phase"].get("connected").is_some(), "{linked}");
    service.until_event("TASK_FINISHED").await;
    let shown = service.send(Method::GET, "/link/linked", As::Session(&session), None).await;
    let events = service.get("/events?size=150").await;
    let captured = service.captured.lock().unwrap().clone();
    let mut wrong = service.login(&session, CANARY_PROVIDER, login, PASSWORD).await;
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
