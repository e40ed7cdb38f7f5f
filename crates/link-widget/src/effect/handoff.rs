//! Requests about the hand-off to a phone. They are in the deferred chunk, so `Runner` itself has none of their code.

use link_flow::effect::HandoffAsk;
use link_flow::event::{Reply, RequestId};
use link_types::handoff::CreateHandoff;
use wasm_bindgen::JsValue;

use super::request;
use super::runner::Runner;
use crate::encode::encode;

/// Sends a request about the hand-off.
#[inline(never)]
pub fn handoff(runner: &Runner, request: RequestId, ask: HandoffAsk) {
    let (method, body) = match ask {
        HandoffAsk::Create(subject) => ("POST", encode(&CreateHandoff { subject })),
        HandoffAsk::Poll => ("GET", JsValue::NULL),
        HandoffAsk::End => ("DELETE", JsValue::NULL),
    };
    let sent = runner.send(method, "/link/handoff", &body);
    runner.answer(request, sent, |reply| Reply::Handoff(request::decoded(reply)));
}
