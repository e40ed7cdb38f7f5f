//! Asks the browser for a passkey, as the WebAuthn standard defines it. `web-sys` has no bindings for the JSON methods.

use js_sys::{Function, JSON, Object, Promise, Reflect};
use wasm_bindgen::{JsCast as _, JsValue};
use wasm_bindgen_futures::JsFuture;

use crate::core::{ceremony::Ceremony, failure::BrowserError};

/// Asks the browser, which asks the person. Returns the credential as a JSON text. `options` is the service's JSON text.
///
/// # Errors
/// Why the browser returned no credential.
pub async fn ask(ceremony: Ceremony, options: &str) -> Result<String, BrowserError> {
    let unsupported = |_: JsValue| BrowserError::Unsupported;
    let promise = begin(ceremony, options).map_err(unsupported)?;
    let credential = JsFuture::from(promise).await.map_err(|error| reason(&error))?;
    let json = call(&credential, "toJSON", None).map_err(unsupported)?;
    JSON::stringify(&json).map_err(unsupported)?.as_string().ok_or(BrowserError::Unsupported)
}

fn begin(ceremony: Ceremony, options: &str) -> Result<Promise, JsValue> {
    let (parse, method) = match ceremony {
        Ceremony::Add => ("parseCreationOptionsFromJSON", "create"),
        Ceremony::SignIn | Ceremony::Confirm => ("parseRequestOptionsFromJSON", "get"),
    };
    let window = web_sys::window().ok_or(JsValue::NULL)?;
    let class = Reflect::get(&window, &"PublicKeyCredential".into())?;
    let public_key = call(&class, parse, Some(&JSON::parse(options)?))?;
    let argument = Object::new();
    Reflect::set(&argument, &"publicKey".into(), &public_key)?;
    let credentials = Reflect::get(&window.navigator(), &"credentials".into())?;
    call(&credentials, method, Some(&argument))?.dyn_into()
}

fn call(object: &JsValue, method: &str, argument: Option<&JsValue>) -> Result<JsValue, JsValue> {
    let function: Function = Reflect::get(object, &method.into())?.dyn_into()?;
    match argument {
        Some(argument) => function.call1(object, argument),
        None => function.call0(object),
    }
}

fn reason(error: &JsValue) -> BrowserError {
    let name = Reflect::get(error, &"name".into()).ok().and_then(|it| it.as_string());
    match name.as_deref() {
        Some("InvalidStateError") => BrowserError::Exists,
        Some("NotSupportedError" | "SecurityError") => BrowserError::Unsupported,
        Some(_) | None => BrowserError::NotAllowed,
    }
}
