//! The service is killed while a person has a code to type: the session, the challenge and the answer go on.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use link_store::test_support::Backend;
use serde_json::{Value, json};

use crate::process::{Client, Linchpin, text};

const ORIGIN: &str = "http://127.0.0.1:8788";

#[test]
fn a_link_goes_on_at_its_challenge_after_a_kill() {
    for backend in Backend::ALL {
        let mut service = Linchpin::start(backend);
        let widget = open_session(&service.client());
        let (_, provider) = widget.get("/link/providers/mx_social_security").unwrap();
        let (_, session) = widget.get("/link/session").unwrap();
        let started = widget.post(
            "/link/accounts",
            &json!({
                "providerId": "mx_social_security",
                "loginOption": provider["loginOptions"][0]["id"],
                "credentials": {"username": "mfa-otp", "password": "pass"},
                "consent": {
                    "consentTemplateId": session["template"]["consent"]["consentTemplateId"],
                    "version": "1.0", "locale": "en", "givenBy": "PERSON",
                },
            }),
        );
        let (status, account) = started.unwrap();
        assert_eq!(status, 201, "{account}");
        // Nobody waited for the login to be tried: the job outlives the process.
        service.kill();
        service.restart();
        let asked = until(&widget, &account, "challenge");
        service.kill();
        service.restart();
        let answer = json!({
            "challengeId": asked["phase"]["challenge"]["challenge"]["id"], "answer": {"text": {"text": "1234"}},
        });
        let path = format!("/link/accounts/{}/answer", text(&account["accountId"]));
        assert_eq!(widget.post(&path, &answer).unwrap().0, 200, "on {backend:?}");
        until(&widget, &account, "connected");
    }
}

fn open_session(tenant: &Client) -> Client {
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

/// Polls until the account is in this phase. On PostgreSQL a dead process's lease has to run out first.
fn until(widget: &Client, account: &Value, phase: &str) -> Value {
    let path = format!("/link/accounts/{}", text(&account["accountId"]));
    for _ in 0..300 {
        let (_, progress) = widget.get(&path).unwrap();
        if progress["phase"].get(phase).is_some() {
            return progress;
        }
        std::thread::sleep(std::time::Duration::from_millis(100));
    }
    panic!("the account never came to {phase}");
}
