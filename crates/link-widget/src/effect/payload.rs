//! Bodies of requests with secrets, written by hand. Their types cannot be serialized, so a secret leaves the program
//! only in this file. The page around it seals the secret before it leaves the frame.

use js_sys::Object;
use link_flow::submission::{Answer, AnswerSubmission, LoginSubmission};
use link_types::sealing::SealedPurpose;
use wasm_bindgen::JsValue;

use crate::encode::{encode, put};

/// A body and the part of it to seal.
pub struct Payload {
    /// The body without its secret.
    pub body: JsValue,
    /// Secrets that `LinkHost::request` seals into the body; null if there are none.
    pub seal: JsValue,
}

/// Builds the body of a login.
pub fn start_link(login: &LoginSubmission) -> Payload {
    let start = Object::new();
    let provider = login.provider_id.as_str();
    put(&start, "providerId", &provider.into());
    put(&start, "loginOption", &login.login_option.as_deref().map_or(JsValue::NULL, JsValue::from));
    put(&start, "accountId", &login.account_id.as_ref().map_or(JsValue::NULL, |it| it.as_str().into()));
    put(&start, "consent", &login.consent.as_ref().map_or(JsValue::NULL, encode));
    if let Some(name) = &login.login_name {
        put(&start, "loginName", &name.expose().into());
    }
    let mut seal = JsValue::NULL;
    if !login.credentials.is_empty() {
        let credentials = Object::new();
        for (name, text) in &login.credentials {
            put(&credentials, name, &text.expose().into());
        }
        seal = seal_entry(&start, "credentials", &credentials, SealedPurpose::Credentials, provider);
    }
    Payload { body: start.into(), seal }
}

/// Builds the body of an answer to a challenge.
pub fn answer(submission: &AnswerSubmission) -> Payload {
    let challenge = submission.challenge_id.as_str();
    let inner = Object::new();
    let mut seal = JsValue::NULL;
    let kind = match &submission.answer {
        Answer::Text { text } => {
            seal = seal_entry(&inner, "sealed", &text.expose().into(), SealedPurpose::Answer, challenge);
            "text"
        }
        Answer::Choice { value } => {
            put(&inner, "value", &value.as_str().into());
            "choice"
        }
    };
    let answer = Object::new();
    put(&answer, kind, &inner);
    let body = Object::new();
    put(&body, "challengeId", &challenge.into());
    put(&body, "answer", &answer);
    Payload { body: body.into(), seal }
}

fn seal_entry(
    holder: &Object,
    name: &str,
    value: &JsValue,
    purpose: SealedPurpose,
    subject: &str,
) -> JsValue {
    let seal = Object::new();
    put(&seal, "holder", holder);
    put(&seal, "name", &name.into());
    put(&seal, "value", value);
    put(&seal, "purpose", &purpose.as_str().into());
    put(&seal, "subject", &subject.into());
    seal.into()
}
