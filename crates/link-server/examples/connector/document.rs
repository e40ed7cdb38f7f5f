//! Returns the file of a document that a reading offered.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use super::portal::Portal;

/// The certificate of contributions at the portal.
pub const CERTIFICATE: &str = "/constancia";

/// Handles `POST /linchpin/v1/document`. The reference starts with the file's path, and ends with its version.
pub fn file(portal: &Portal, message: &Value) -> Option<Value> {
    let (path, _version) = message["file"].as_str()?.split_once('#')?;
    // The service sends back only what a reading offered. Opening nothing else costs one line.
    let is_known = path == CERTIFICATE;
    let mut visit = portal.visit(message["state"].as_str()?);
    let content = is_known.then(|| visit.open_file(path).ok()).flatten();
    Some(json!({"content": content.map(|bytes| STANDARD.encode(bytes))}))
}
