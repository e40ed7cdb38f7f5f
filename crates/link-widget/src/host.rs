//! The interface to the page around the widget: requests with the session's bearer token, texts, and the host page.

use wasm_bindgen::prelude::*;
use web_sys::Element;

#[wasm_bindgen]
extern "C" {
    /// The object that boot.ts (or a page of our own origin) passes to [`LinkModal`](crate::LinkModal).
    #[wasm_bindgen(typescript_type = "LinkHost")]
    #[derive(Clone, PartialEq)]
    pub type LinkHost;

    /// Returns the environment: `SANDBOX` or `PRODUCTION`.
    #[wasm_bindgen(method, getter)]
    pub fn mode(this: &LinkHost) -> String;

    /// Returns whether the device is operated by touch, as phones are.
    #[wasm_bindgen(method, getter, js_name = isTouch)]
    pub fn is_touch(this: &LinkHost) -> bool;

    /// Returns a name that no other opening of the widget has.
    #[wasm_bindgen(method, getter)]
    pub fn opening(this: &LinkHost) -> String;

    /// Returns the number of the last UI event of this opening; 0 unless the program was restarted after a trap.
    #[wasm_bindgen(method, getter, js_name = lastSeq)]
    pub fn last_seq(this: &LinkHost) -> u32;

    /// Sends a request relative to the API base with the session's bearer token. Returns a promise of `{status, body}`.
    /// Seals what `seal` names first: `{holder, name, value, purpose, subject}`, or null.
    #[wasm_bindgen(method)]
    pub fn request(
        this: &LinkHost,
        method: &str,
        path: &str,
        body: &JsValue,
        seal: &JsValue,
    ) -> js_sys::Promise;

    /// Exchanges a link token for a session. Returns a promise of `{status, body}`.
    #[wasm_bindgen(method)]
    pub fn exchange(this: &LinkHost, token: &str, template_id: &str) -> js_sys::Promise;

    /// Returns a catalogue text by its number, with its arguments.
    #[wasm_bindgen(method)]
    pub fn text(this: &LinkHost, number: u16, args: &js_sys::Array) -> String;

    /// Calls a callback of the host page, once for each key.
    #[wasm_bindgen(method, js_name = tell)]
    pub fn emit(this: &LinkHost, key: &str, callback: &JsValue);

    /// Passes an order to uploads.ts, which reports results to `LinkModal::file`.
    #[wasm_bindgen(method)]
    pub fn file(this: &LinkHost, order: &JsValue);

    /// Loads the deferred chunk. Returns a promise of `{status}`, which is 0 if the load failed.
    #[wasm_bindgen(method, js_name = loadChunk)]
    pub fn load_chunk(this: &LinkHost) -> js_sys::Promise;

    /// Moves the focus. On the page that boot.ts drew first, focus and scroll positions stay where the person left them.
    #[wasm_bindgen(method)]
    pub fn focus(this: &LinkHost, element: &Element);

    /// Scrolls to the page's notice, which the person may not see.
    #[wasm_bindgen(method, js_name = showNotice)]
    pub fn show_notice(this: &LinkHost);

    /// Returns whether the person holds a button down. boot.ts redraws when they release it.
    #[wasm_bindgen(method, js_name = isHeld)]
    pub fn is_held(this: &LinkHost) -> bool;

    /// Reports that the first view is ready.
    #[wasm_bindgen(method)]
    pub fn ready(this: &LinkHost);

    /// Closes the widget. Takes the argument of `onClose`.
    #[wasm_bindgen(method)]
    pub fn close(this: &LinkHost, closed: &JsValue);

    /// The result of a request.
    #[derive(Clone)]
    pub type HostReply;

    /// Returns the HTTP status; 0 if there was no response.
    #[wasm_bindgen(method, getter)]
    pub fn status(this: &HostReply) -> u16;

    /// Seconds to wait before the next request, from the response to too many requests; 0 if it does not say.
    #[wasm_bindgen(method, getter, js_name = retryAfter)]
    pub fn retry_after(this: &HostReply) -> u32;

    /// Returns the decoded JSON, or null.
    #[wasm_bindgen(method, getter)]
    pub fn body(this: &HostReply) -> JsValue;
}
