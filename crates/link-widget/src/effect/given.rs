//! What the accounts screen and the survey ask for. Loaded with the rest of the program, so that nothing of it is in
//! `Runner` itself.

use link_flow::effect::Given;
use link_flow::event::{Reply, RequestId};
use link_types::uploading::{ConfirmRevocation, EmployerSurvey};
use wasm_bindgen::JsValue;

use super::{Runner, request};
use crate::encode::encode;

/// What the person has given so far.
#[inline(never)]
pub fn linked(runner: &Runner, request: RequestId) {
    let sent = runner.send("GET", "/link/linked", &JsValue::NULL);
    runner.answer(request, sent, |reply| Reply::Linked(request::decoded(reply)));
}

/// The right to take something back.
#[inline(never)]
pub fn ask_revocation(runner: &Runner, request: RequestId, given: &Given) {
    let sent = runner.send("POST", &path(given, "/revocation"), &JsValue::NULL);
    runner.answer(request, sent, |reply| Reply::Revocation(request::decoded(reply)));
}

/// Takes it back.
#[inline(never)]
pub fn revoke(runner: &Runner, request: RequestId, given: &Given, body: &ConfirmRevocation) {
    post(runner, request, &path(given, "/revoke"), &encode(body));
}

/// An employer that is not listed.
#[inline(never)]
pub fn survey(runner: &Runner, request: RequestId, body: &EmployerSurvey) {
    post(runner, request, "/link/survey", &encode(body));
}

fn post(runner: &Runner, request: RequestId, path: &str, body: &JsValue) {
    let sent = runner.send("POST", path, body);
    runner.answer(request, sent, |reply| Reply::Done(request::done(reply)));
}

fn path(given: &Given, end: &str) -> String {
    let (kind, id) = match given {
        Given::Account(id) => ("/link/accounts/", id.as_str()),
        Given::Archive(id) => ("/link/archives/", id.as_str()),
    };
    [kind, id, end].concat()
}
