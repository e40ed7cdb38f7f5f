//! Runs requests: sends them through the host, waits for its promise and reads the response.

use link_flow::event::{Event, Reply, RequestError, RequestId};
use link_types::problem::{Problem, ProblemCode};
use serde::de::DeserializeOwned;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::{JsFuture, spawn_local};
use yew::Callback;

use super::payload::Payload;
use crate::decode::decode;
use crate::host::{HostReply, LinkHost};

/// Runs effects: holds the page around the widget and the receiver of replies.
pub struct Runner {
    /// The page around the widget.
    pub host: LinkHost,
    /// Receives replies and timers.
    pub events: Callback<Event>,
    /// The link template that the widget was opened with.
    pub template_id: String,
}

impl Runner {
    /// Sends a request without sealed fields.
    pub(super) fn send(&self, method: &str, path: &str, body: &JsValue) -> js_sys::Promise {
        self.host.request(method, path, body, &JsValue::NULL)
    }

    /// Sends a POST with fields to seal.
    pub(super) fn submit(&self, path: &str, Payload { body, seal }: &Payload) -> js_sys::Promise {
        self.host.request("POST", path, body, seal)
    }

    /// Reports the reply to a request. `None` means that there was no response.
    pub(super) fn report(
        &self,
        request: RequestId,
        sent: js_sys::Promise,
        read: fn(Option<HostReply>) -> Reply,
    ) {
        let events = self.events.clone();
        spawn_local(async move {
            let reply = JsFuture::from(sent).await.ok().map(|reply| reply.unchecked_into());
            events.emit(Event::Replied { request, reply: read(reply) });
        });
    }
}

/// Decodes a success; otherwise returns why there is none.
pub fn decode_reply<T: DeserializeOwned>(reply: Option<HostReply>) -> Result<T, RequestError> {
    let body = accept(reply)?;
    decode(body.body()).map_err(|_| RequestError::Unreadable { status: body.status() })
}

/// Accepts a success without a body; otherwise returns why there is none.
pub fn check_done(reply: Option<HostReply>) -> Result<(), RequestError> {
    accept(reply).map(drop)
}

fn accept(reply: Option<HostReply>) -> Result<HostReply, RequestError> {
    let Some(reply) = reply else { return Err(RequestError::Unreachable) };
    let status = reply.status();
    match status {
        0 => Err(RequestError::Unreachable),
        200..=299 => Ok(reply),
        429 if reply.retry_after() > 0 => {
            let retry_in_ms = reply.retry_after().saturating_mul(1_000);
            Err(match decode::<Problem>(reply.body()) {
                Ok(Problem { code: ProblemCode::LoginLimitExceeded, .. }) => {
                    RequestError::LoginLimited { retry_in_ms }
                }
                Ok(_) | Err(_) => RequestError::Limited { retry_in_ms },
            })
        }
        _ => Err(decode(reply.body()).map_or(RequestError::Unreadable { status }, RequestError::Problem)),
    }
}
