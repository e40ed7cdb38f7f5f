//! Requests of the accounts screen and the survey. They are in the deferred chunk, so `Runner` itself has none of their
//! code.

use link_flow::effect::Given;
use link_flow::event::{Reply, RequestId};
use link_types::uploading::{ConfirmRevocation, EmployerSurvey};
use wasm_bindgen::JsValue;

use super::{Runner, request};
use crate::encode::encode;

/// Loads what the person has linked.
#[inline(never)]
pub fn linked(runner: &Runner, request: RequestId) {
    let sent = runner.send("GET", "/link/linked", &JsValue::NULL);
    runner.answer(request, sent, |reply| Reply::Linked(request::decoded(reply)));
}

/// Requests a confirmation token for a removal.
#[inline(never)]
pub fn ask_revocation(runner: &Runner, request: RequestId, given: &Given) {
    let sent = runner.send("POST", &path(given, "/revocation"), &JsValue::NULL);
    runner.answer(request, sent, |reply| Reply::Revocation(request::decoded(reply)));
}

/// Removes an account or archive.
#[inline(never)]
pub fn revoke(runner: &Runner, request: RequestId, given: &Given, body: &ConfirmRevocation) {
    post(runner, request, &path(given, "/revoke"), &encode(body));
}

/// Names an employer that is not listed.
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
