//! What the page around the widget lends it: requests with the session's bearer, texts, and the way to the host.

use wasm_bindgen::prelude::*;

#[wasm_bindgen]
extern "C" {
    /// The object that boot.ts (or a page of our own origin) passes to [`LinkModal`](crate::LinkModal).
    #[wasm_bindgen(typescript_type = "LinkHost")]
    #[derive(Clone, PartialEq)]
    pub type LinkHost;

    /// The environment as the page says: `SANDBOX` or `PRODUCTION`.
    #[wasm_bindgen(method, getter)]
    pub fn mode(this: &LinkHost) -> String;

    /// A name that no other opening of the widget has.
    #[wasm_bindgen(method, getter)]
    pub fn opening(this: &LinkHost) -> String;

    /// Number of the last UI event told in this opening; 0 unless the program was started again after a trap.
    #[wasm_bindgen(method, getter, js_name = lastSeq)]
    pub fn last_seq(this: &LinkHost) -> u32;

    /// Sends a request relative to the API base with the session's bearer: a promise of `{status, body}`. What `seal`
    /// names goes into a box first: `{holder, name, value, purpose, subject}`, or null.
    #[wasm_bindgen(method)]
    pub fn request(
        this: &LinkHost,
        method: &str,
        path: &str,
        body: &JsValue,
        seal: &JsValue,
    ) -> js_sys::Promise;

    /// Exchanges a link token for a session: a promise of `{status, body}`.
    #[wasm_bindgen(method)]
    pub fn exchange(this: &LinkHost, token: &str, template_id: &str) -> js_sys::Promise;

    /// A text of the message catalogue by its number, with its arguments in place.
    #[wasm_bindgen(method)]
    pub fn text(this: &LinkHost, number: u16, args: &js_sys::Array) -> String;

    /// Tells the host page of a callback, exactly once for each key.
    #[wasm_bindgen(method)]
    pub fn tell(this: &LinkHost, key: &str, callback: &JsValue);

    /// Has uploads.ts do something; what comes of it arrives by `LinkModal::file`.
    #[wasm_bindgen(method)]
    pub fn file(this: &LinkHost, order: &JsValue);

    /// Loads the rest of the program: a promise of `{status}`, which is 0 when it did not load.
    #[wasm_bindgen(method)]
    pub fn rest(this: &LinkHost) -> js_sys::Promise;

    /// The first view stands.
    #[wasm_bindgen(method)]
    pub fn ready(this: &LinkHost);

    /// The widget is over.
    #[wasm_bindgen(method)]
    pub fn close(this: &LinkHost, reason: &JsValue);

    /// What a request resolves to.
    pub type HostReply;

    /// The HTTP status; 0 when nothing came back.
    #[wasm_bindgen(method, getter)]
    pub fn status(this: &HostReply) -> u16;

    /// Seconds to wait before the next request, as a refusal for too many says; 0 when it does not.
    #[wasm_bindgen(method, getter, js_name = retryAfter)]
    pub fn retry_after(this: &HostReply) -> u32;

    /// The decoded JSON, or null.
    #[wasm_bindgen(method, getter)]
    pub fn body(this: &HostReply) -> JsValue;
}
