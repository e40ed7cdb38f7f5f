//! Requests about accounts and uploads, the survey and the hand-off to a phone. The build moves this module into the
//! deferred chunk, so `Runner` itself has none of its code.

use link_flow::effect::{ArchiveAsk, HandoffAsk, ItemId};
use link_flow::event::{Event, Reply, RequestId};
use link_flow::submission::{AnswerSubmission, LoginSubmission};
use link_types::challenge::{ExtendChallenge, ResendChallenge};
use link_types::handoff::CreateHandoff;
use link_types::id::AccountId;
use link_types::uploading::{ConfirmRevocation, EmployerSurvey, FileOrder};
use wasm_bindgen::JsValue;

use super::payload;
use super::runner::{Runner, check_done, decode_reply};
use crate::decode::decode;
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
    runner.report(request, sent, |reply| Reply::Account(decode_reply(reply)));
}

fn account_path(account: &AccountId, end: &str) -> String {
    ["/link/accounts/", account.as_str(), end].concat()
}

/// Loads what the person has linked.
#[inline(never)]
pub fn load_linked(runner: &Runner, request: RequestId) {
    let sent = runner.send("GET", "/link/linked", &JsValue::NULL);
    runner.report(request, sent, |reply| Reply::Linked(decode_reply(reply)));
}

/// Requests a confirmation token for a removal.
#[inline(never)]
pub fn ask_revocation(runner: &Runner, request: RequestId, item: &ItemId) {
    let sent = runner.send("POST", &path(item, "/revocation"), &JsValue::NULL);
    runner.report(request, sent, |reply| Reply::Revocation(decode_reply(reply)));
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
    runner.report(request, sent, |reply| Reply::Done(check_done(reply)));
}

fn path(item: &ItemId, end: &str) -> String {
    let (kind, id) = match item {
        ItemId::Account(id) => ("/link/accounts/", id.as_str()),
        ItemId::Archive(id) => ("/link/archives/", id.as_str()),
    };
    [kind, id, end].concat()
}

/// Sends a request about an archive.
#[inline(never)]
pub fn archive(runner: &Runner, request: RequestId, ask: ArchiveAsk) {
    let mut body = JsValue::NULL;
    let (method, path) = match ask {
        ArchiveAsk::Create(archive) => {
            body = encode(&archive);
            ("POST", "/link/archives".to_owned())
        }
        ArchiveAsk::Submit(archive, submission) => {
            body = encode(&submission);
            ("POST", path(&ItemId::Archive(archive), "/submit"))
        }
        ArchiveAsk::Poll { archive, after, wait_ms } => {
            ("GET", path(&ItemId::Archive(archive), &format!("?after={after}&wait={wait_ms}")))
        }
        ArchiveAsk::Remove(archive) => {
            let sent = runner.send("DELETE", &path(&ItemId::Archive(archive), ""), &body);
            return runner.report(request, sent, |reply| Reply::Done(check_done(reply)));
        }
    };
    let sent = runner.send(method, &path, &body);
    runner.report(request, sent, |reply| Reply::Archive(decode_reply(reply)));
}

/// Passes an order to uploads.ts.
#[inline(never)]
pub fn file(runner: &Runner, order: &FileOrder) {
    runner.host.file(&encode(order));
}

/// Reads a report of uploads.ts. Returns `None` if it is unknown.
#[inline(never)]
pub fn fact(fact: JsValue) -> Option<Event> {
    decode(fact).ok().map(Event::File)
}

/// Sends a request about the hand-off.
#[inline(never)]
pub fn handoff(runner: &Runner, request: RequestId, ask: HandoffAsk) {
    let (method, body) = match ask {
        HandoffAsk::Create(subject) => ("POST", encode(&CreateHandoff { subject })),
        HandoffAsk::Poll => ("GET", JsValue::NULL),
        HandoffAsk::End => ("DELETE", JsValue::NULL),
    };
    let sent = runner.send(method, "/link/handoff", &body);
    runner.report(request, sent, |reply| Reply::Handoff(decode_reply(reply)));
}
