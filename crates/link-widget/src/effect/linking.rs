//! Requests about an account that is being linked. They are in the deferred chunk, so `Runner` itself has none of their
//! code.

use link_flow::event::{Reply, RequestId};
use link_flow::submission::AnswerSubmission;
use link_types::challenge::{ExtendChallenge, ResendChallenge};
use link_types::id::AccountId;
use wasm_bindgen::JsValue;

use super::{Runner, payload, request};
use crate::encode::encode;

/// Waits for news of an account.
#[inline(never)]
pub fn poll(runner: &Runner, request: RequestId, account: &AccountId, after: u32, wait_ms: u32) {
    let path = path(account, &format!("?after={after}&wait={wait_ms}"));
    progress(runner, request, runner.send("GET", &path, &JsValue::NULL));
}

/// Answers a challenge.
#[inline(never)]
pub fn answer(runner: &Runner, request: RequestId, account: &AccountId, body: &AnswerSubmission) {
    let sent = runner.submit(&path(account, "/answer"), &payload::answer(body));
    progress(runner, request, sent);
}

/// Requests a new one-time code.
#[inline(never)]
pub fn resend(runner: &Runner, request: RequestId, account: &AccountId, body: &ResendChallenge) {
    let sent = runner.send("POST", &path(account, "/resend"), &encode(body));
    progress(runner, request, sent);
}

/// Requests more time for a challenge.
#[inline(never)]
pub fn extend(runner: &Runner, request: RequestId, account: &AccountId, body: &ExtendChallenge) {
    let sent = runner.send("POST", &path(account, "/extend"), &encode(body));
    progress(runner, request, sent);
}

fn progress(runner: &Runner, request: RequestId, sent: js_sys::Promise) {
    runner.answer(request, sent, |reply| Reply::Account(request::decoded(reply)));
}

fn path(account: &AccountId, end: &str) -> String {
    ["/link/accounts/", account.as_str(), end].concat()
}
