//! Kills during challenges: session, challenge and answers survive.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use link_store::test_support::Backend;
use link_test_support::sealing::Sealer;
use link_test_support::wait;
use rstest::rstest;
use serde_json::{Value, json};

use crate::process::{Client, Linchpin, text};

const ORIGIN: &str = "http://127.0.0.1:8788";
const PROVIDER: &str = "mx_social_security";

#[rstest]
fn challenge_survives_a_kill(#[values(Backend::Sqlite, Backend::Postgres)] backend: Backend) {
    let mut service = Linchpin::start(backend);
    let widget = Widget::open(&service.client());
    let account = widget.submit("mfa-otp");
    // The kill may come before the login is tried: the job and the credentials must survive the restart.
    service.kill();
    service.restart();
    let asked = widget.until(&account, "challenge");
    service.kill();
    service.restart();
    widget.answer(&asked, "1234");
    widget.until(&account, "connected");
}

#[rstest]
fn consecutive_challenges_survive_kills(#[values(Backend::Sqlite, Backend::Postgres)] backend: Backend) {
    let mut service = Linchpin::start(backend);
    let widget = Widget::open(&service.client());
    let account = widget.submit("mfa-many");
    let choice = widget.until(&account, "challenge");
    service.kill();
    service.restart();
    widget.answer_with(&choice, json!({"choice": {"value": "aurora"}}));
    let code = widget.until_other(&account, &choice);
    service.kill();
    service.restart();
    widget.answer(&code, "9999");
    let code = widget.until_other(&account, &code);
    assert_eq!(code["phase"]["challenge"]["challenge"]["triesLeft"], 2, "the remaining tries survive too");
    widget.answer(&code, "1234");
    let question = widget.until_other(&account, &code);
    service.kill();
    service.restart();
    widget.answer(&question, "aurora");
    widget.until(&account, "connected");
}

#[rstest]
fn approval_during_downtime_is_seen_after_restart(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let mut service = Linchpin::start(backend);
    let widget = Widget::open(&service.client());
    let account = widget.submit("mfa-push");
    widget.until(&account, "challenge");
    service.kill();
    service.restart();
    widget.until(&account, "connected");
}

/// Links an account in continuous sync, and returns its id when its data has been read.
pub fn link_account(tenant: &Client) -> String {
    let widget = Widget::open(tenant);
    let id = text(&widget.submit("good")["accountId"]);
    wait::blocking::until_ok("the account is read", || match tenant.get(&format!("/accounts/{id}")) {
        Some((200, account)) if account["monitor"]["nextSyncAt"].is_string() => Ok(()),
        other => Err(format!("{other:?}")),
    });
    id
}

/// A widget whose session is open.
struct Widget {
    client: Client,
    sealer: Sealer,
    session: Value,
}

impl Widget {
    fn open(tenant: &Client) -> Self {
        let client = open_session(tenant);
        let (_, session) = client.get("/link/session").unwrap();
        let (_, key) = client.get("/link/sealingKey").unwrap();
        Self { sealer: Sealer::new(&key, &session), client, session }
    }

    fn submit(&self, login: &str) -> Value {
        let started = self.client.post(
            "/link/accounts",
            &json!({
                "providerId": PROVIDER,
                "loginOption": "username",
                "loginName": login,
                "credentials": self.sealer.credentials(PROVIDER, &json!({"username": login, "password": "pass"})),
                "consent": {
                    "consentTemplateId": self.session["template"]["consent"]["consentTemplateId"],
                    "version": "1.0", "locale": "en", "givenBy": "PERSON",
                    "syncInterval": "MONTHLY",
                    "retention": "FROM_LAST_SYNC",
                },
            }),
        );
        let (status, account) = started.unwrap();
        assert_eq!(status, 201, "{account}");
        account
    }

    fn answer(&self, asked: &Value, answer: &str) {
        self.answer_with(asked, self.sealer.answer(&asked["phase"]["challenge"]["challenge"], answer));
    }

    fn answer_with(&self, asked: &Value, answer: Value) {
        let body = json!({"challengeId": asked["phase"]["challenge"]["challenge"]["id"], "answer": answer});
        let path = format!("/link/accounts/{}/answer", text(&asked["accountId"]));
        let (status, progress) = self.client.post(&path, &body).unwrap();
        assert_eq!(status, 200, "{progress}");
    }

    /// Polls until the account is in this phase. On PostgreSQL, the lease of the killed process must expire first.
    fn until(&self, account: &Value, phase: &str) -> Value {
        self.until_so(account, |progress| progress["phase"].get(phase).is_some())
    }

    /// Polls until the account has another challenge than `asked`.
    fn until_other(&self, account: &Value, asked: &Value) -> Value {
        let id = |progress: &Value| progress["phase"]["challenge"]["challenge"]["id"].clone();
        self.until_so(account, |progress| id(progress).is_string() && id(progress) != id(asked))
    }

    fn until_so(&self, account: &Value, is_so: impl Fn(&Value) -> bool) -> Value {
        let path = format!("/link/accounts/{}", text(&account["accountId"]));
        wait::blocking::until_ok("the account reaches the phase", || match self.client.get(&path) {
            Some((200, progress)) if is_so(&progress) => Ok(progress),
            Some((_, other)) => Err(other),
            None => Err(Value::Null),
        })
    }
}

pub fn open_session(tenant: &Client) -> Client {
    let (_, templates) = tenant.get("/linkTemplates").unwrap();
    let template = text(&templates["items"][0]["id"]);
    tenant.patch(&format!("/linkTemplates/{template}"), &json!({"allowedOrigins": [ORIGIN]})).unwrap();
    let (_, user) = tenant.post("/users", &json!({})).unwrap();
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes).unwrap();
    let secret = URL_SAFE_NO_PAD.encode(bytes);
    let exchange = json!({
        "token": user["token"]["accessToken"], "secret": secret, "templateId": template, "hostOrigin": ORIGIN,
    });
    assert_eq!(tenant.post("/link/sessions", &exchange).unwrap().0, 201);
    tenant.with_session(&secret)
}
