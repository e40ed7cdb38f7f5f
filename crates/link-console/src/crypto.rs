//! Secrets and digests, from the browser's `crypto`.

use js_sys::{Array, Object, Reflect, Uint8Array};
use wasm_bindgen::{JsCast as _, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{Crypto, CryptoKey};

use crate::core::developer::verify::Digests;

/// The length of a new secret in bytes.
const SECRET: usize = 32;

/// Returns a new secret, in hex.
///
/// # Errors
/// If the browser has no `crypto`.
pub fn new_secret() -> Result<String, JsValue> {
    let mut bytes = [0; SECRET];
    crypto()?.get_random_values_with_u8_array(&mut bytes)?;
    Ok(hex(&bytes))
}

/// Returns a secret in the form that the libraries of Standard Webhooks take. `None` if it has letters outside of Latin-1.
pub fn standard_secret(secret: &str) -> Option<String> {
    let encoded = web_sys::window()?.btoa(secret).ok()?;
    Some(format!("whsec_{encoded}"))
}

/// Returns the digests of a received body, keyed with a secret.
///
/// # Errors
/// If the browser cannot compute them, for example because the secret is empty.
pub async fn digests(secret: &str, body: &str) -> Result<Digests, JsValue> {
    let algorithm = Object::new();
    Reflect::set(&algorithm, &"name".into(), &"HMAC".into())?;
    Reflect::set(&algorithm, &"hash".into(), &"SHA-512".into())?;
    let subtle = crypto()?.subtle();
    let bytes = Uint8Array::from(secret.as_bytes());
    let uses = Array::of1(&"sign".into());
    let key = subtle.import_key_with_object("raw", &bytes, &algorithm, false, &uses)?;
    let key: CryptoKey = JsFuture::from(key).await?.dyn_into()?;
    let digest = async |text: &str| -> Result<String, JsValue> {
        let text = Uint8Array::from(text.as_bytes());
        let signed = subtle.sign_with_str_and_js_u8_array("HMAC", &key, &text)?;
        Ok(hex(&Uint8Array::new(&JsFuture::from(signed).await?).to_vec()))
    };
    Ok(Digests {
        exact: digest(body).await?,
        trimmed: digest(body.trim()).await?,
        with_line_break: digest(&format!("{body}\n")).await?,
    })
}

fn crypto() -> Result<Crypto, JsValue> {
    web_sys::window().ok_or(JsValue::NULL)?.crypto()
}

fn hex(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let digits = |byte: &u8| [DIGITS[usize::from(byte >> 4)], DIGITS[usize::from(byte & 15)]];
    bytes.iter().flat_map(digits).map(char::from).collect()
}
