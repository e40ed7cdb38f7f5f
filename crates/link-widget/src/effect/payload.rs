//! Bodies of requests as JavaScript values. The two that carry secrets are written by hand: their types refuse to be
//! serialised, so that this file is the only place where a secret leaves.

use js_sys::Object;
use link_flow::submission::{Answer, AnswerSubmission, LoginSubmission};
use wasm_bindgen::JsValue;

use crate::encode::{encode, put};

/// The login.
pub fn start_link(body: &LoginSubmission) -> JsValue {
    let credentials = Object::new();
    for (name, text) in &body.credentials {
        put(&credentials, name, &text.expose().into());
    }
    let start = Object::new();
    put(&start, "providerId", &body.provider_id.as_str().into());
    put(&start, "loginOption", &body.login_option.as_deref().map_or(JsValue::NULL, JsValue::from));
    put(&start, "credentials", &credentials);
    put(&start, "consent", &encode(&body.consent));
    start.into()
}

/// The answer to a challenge.
pub fn answer(body: &AnswerSubmission) -> JsValue {
    let inner = Object::new();
    let kind = match &body.answer {
        Answer::Text { text } => {
            put(&inner, "text", &text.expose().into());
            "text"
        }
        Answer::Choice { value } => {
            put(&inner, "value", &value.as_str().into());
            "choice"
        }
    };
    let answer = Object::new();
    put(&answer, kind, &inner);
    let whole = Object::new();
    put(&whole, "challengeId", &body.challenge_id.as_str().into());
    put(&whole, "answer", &answer);
    whole.into()
}
