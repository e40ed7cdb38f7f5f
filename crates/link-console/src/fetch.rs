//! Sends requests. This is the only place that knows HTTP: every HTTP response becomes a [`Response`] or a failure.

use js_sys::JSON;
use link_types::console::Items;
use serde::Serialize;
use serde::de::DeserializeOwned;
use wasm_bindgen::{JsCast as _, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{Headers, RequestInit};

use crate::core::failure::Problem;
use crate::core::{Body, Failure, Request, Response};

/// Sends a request. `code` is the code of the page's one-time address.
///
/// # Errors
/// The failure that the response reports, or that there was none.
pub async fn send(request: &Request, code: Option<&str>) -> Result<Response, Failure> {
    let (method, path, body) = request.parts();
    let response = exchange(method, &path, text_of(&body, code)).await.map_err(|_| Failure::Offline)?;
    let wait = response.headers().get("retry-after").ok().flatten().and_then(|it| it.parse().ok());
    let value = parse_json(&response).await;
    if !response.ok() {
        let problem = serde_wasm_bindgen::from_value::<Problem>(value).unwrap_or_default();
        return Err(Failure::from_response(response.status(), problem, wait));
    }
    let known = match request {
        Request::WhoIsThere | Request::SignIn => read(value).map(|it| Response::SignedIn(Box::new(it))),
        Request::ListKeys(_) => read::<Items<_>>(value).map(|it| Response::Keys(it.items)),
        Request::ListMembers => read::<Items<_>>(value).map(|it| Response::Members(it.items)),
        Request::ListAudit(..) => read(value).map(Response::Audit),
        Request::ListSessions => read::<Items<_>>(value).map(|it| Response::Sessions(it.items)),
        Request::CreateKey(..) | Request::RotateKey(..) => {
            read(value).map(|it| Response::CreatedKey(Box::new(it)))
        }
        Request::InviteMember(_) | Request::CreateAddress(_) => {
            read(value).map(|it| Response::Address(Box::new(it)))
        }
        Request::SignOut
        | Request::RevokeKey(..)
        | Request::ChangeRole(..)
        | Request::RemoveMember(_)
        | Request::EndSession(_) => Some(Response::Done),
    };
    known.ok_or_else(|| Failure::Broken(String::new()))
}

async fn exchange(method: &str, path: &str, body: Option<String>) -> Result<web_sys::Response, JsValue> {
    let init = RequestInit::new();
    init.set_method(method);
    if let Some(body) = body {
        let headers = Headers::new()?;
        headers.set("content-type", "application/json")?;
        init.set_headers(&headers);
        init.set_body(&body.into());
    }
    let window = web_sys::window().ok_or(JsValue::NULL)?;
    let fetched = window.fetch_with_str_and_init(&format!("/console/api{path}"), &init);
    JsFuture::from(fetched).await?.dyn_into()
}

/// Returns the JSON of a response, or null.
async fn parse_json(response: &web_sys::Response) -> JsValue {
    let Ok(text) = response.text() else { return JsValue::NULL };
    let text = JsFuture::from(text).await.ok().and_then(|it| it.as_string()).unwrap_or_default();
    JSON::parse(&text).unwrap_or(JsValue::NULL)
}

fn read<T: DeserializeOwned>(value: JsValue) -> Option<T> {
    serde_wasm_bindgen::from_value(value).ok()
}

fn text_of(body: &Body<'_>, code: Option<&str>) -> Option<String> {
    #[derive(Serialize)]
    struct Code<'c> {
        code: &'c str,
    }
    match body {
        Body::None => None,
        Body::Code => json(&Code { code: code.unwrap_or_default() }),
        Body::Key(draft) => json(draft),
        Body::Rotation(rotation) => json(rotation),
        Body::Member(draft) => json(draft),
        Body::Role(change) => json(change),
    }
}

fn json(value: &impl Serialize) -> Option<String> {
    let value = serde_wasm_bindgen::to_value(value).ok()?;
    JSON::stringify(&value).ok()?.as_string()
}
