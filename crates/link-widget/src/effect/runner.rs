//! The runner: the page around the widget and the receiver of replies, which every effect needs.

use link_flow::event::Event;
use wasm_bindgen::JsValue;
use yew::Callback;

use super::payload::Payload;
use crate::host::LinkHost;

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
}
