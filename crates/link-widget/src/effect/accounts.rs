//! Requests about accounts and uploads, and the survey. They are in the deferred chunk, so `Runner` itself has none of
//! their code.

use link_flow::effect::ItemId;
use link_flow::event::{Reply, RequestId};
use link_flow::submission::{AnswerSubmission, LoginSubmission};
use link_types::challenge::{ExtendChallenge, ResendChallenge};
use link_types::id::AccountId;
use link_types::uploading::{ConfirmRevocation, EmployerSurvey};
use wasm_bindgen::JsValue;

use super::runner::Runner;
use super::{payload, request};
use crate::encode::encode;

/// Starts to link an account.
#[inline(never)]
pub fn start(runner: &Runner, request: RequestId, body: &LoginSubmission) {
    progress(runner, request, runner.submit("/link/accounts", &payload::start_link(body)));
}

/// Polls an account for a newer version.
#[inline(never)]
pub fn poll(runner: &Runner, request: RequestId, account: &AccountId, after: u32, wait_ms: u32) {
    let path = account_path(account, &format!("?after={after}&wait={wait_ms}"));
    progress(runner, request, runner.send("GET", &path, &JsValue::NULL));
}

/// Answers a challenge.
#[inline(never)]
pub fn answer(runner: &Runner, request: RequestId, account: &AccountId, body: &AnswerSubmission) {
    let sent = runner.submit(&account_path(account, "/answer"), &payload::answer(body));
    progress(runner, request, sent);
}

/// Requests a new one-time code.
#[inline(never)]
pub fn resend(runner: &Runner, request: RequestId, account: &AccountId, body: &ResendChallenge) {
    let sent = runner.send("POST", &account_path(account, "/resend"), &encode(body));
    progress(runner, request, sent);
}

/// Requests more time for a challenge.
#[inline(never)]
pub fn extend(runner: &Runner, request: RequestId, account: &AccountId, body: &ExtendChallenge) {
    let sent = runner.send("POST", &account_path(account, "/extend"), &encode(body));
    progress(runner, request, sent);
}

fn progress(runner: &Runner, request: RequestId, sent: js_sys::Promise) {
    runner.answer(request, sent, |reply| Reply::Account(request::decoded(reply)));
}

fn account_path(account: &AccountId, end: &str) -> String {
    ["/link/accounts/", account.as_str(), end].concat()
}

/// Loads what the person has linked.
#[inline(never)]
pub fn linked(runner: &Runner, request: RequestId) {
    let sent = runner.send("GET", "/link/linked", &JsValue::NULL);
    runner.answer(request, sent, |reply| Reply::Linked(request::decoded(reply)));
}

/// Requests a confirmation token for a removal.
#[inline(never)]
pub fn ask_revocation(runner: &Runner, request: RequestId, item: &ItemId) {
    let sent = runner.send("POST", &path(item, "/revocation"), &JsValue::NULL);
    runner.answer(request, sent, |reply| Reply::Revocation(request::decoded(reply)));
}

/// Removes an account or archive.
#[inline(never)]
pub fn revoke(runner: &Runner, request: RequestId, item: &ItemId, body: &ConfirmRevocation) {
    post(runner, request, &path(item, "/revoke"), &encode(body));
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

fn path(item: &ItemId, end: &str) -> String {
    let (kind, id) = match item {
        ItemId::Account(id) => ("/link/accounts/", id.as_str()),
        ItemId::Archive(id) => ("/link/archives/", id.as_str()),
    };
    [kind, id, end].concat()
}
