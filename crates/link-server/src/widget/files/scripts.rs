//! The bridge's scripts, with the address of the service written into them: a copy, an inline script or a bundle then still
//! finds the service.

use std::sync::Arc;

use axum::body::Body;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use sha2::{Digest as _, Sha256};

use crate::app::App;
use crate::widget::files::embedded::{SdkFiles, accepts, entity_tag, is_known, set_headers};
use crate::widget::files::packed_pages::BEST;

/// The text that the address replaces (`www/sdk/src/address.ts`).
const PLACEHOLDER: &str = "__LINCHPIN_SDK__";

/// Serves a script that contains the placeholder. Returns `None` for any other file.
pub(super) async fn script(app: &App, path: &str, request: &HeaderMap) -> Option<Response> {
    let file = SdkFiles::get(path)?;
    let built = str::from_utf8(&file.data).ok().filter(|it| it.contains(PLACEHOLDER))?;
    let script: Arc<str> = addressed(built, &app.settings().sdk_url).into();
    let hash: [u8; 32] = Sha256::digest(script.as_bytes()).into();
    let tag = entity_tag(&hash);
    let mut encoding = None;
    let mut response = if is_known(&tag, request) {
        StatusCode::NOT_MODIFIED.into_response()
    } else {
        let packed = match accepts(request, "br") {
            true => app.packed_pages().packed(hash, &script, BEST).await,
            false => None,
        };
        encoding = packed.is_some().then_some("br");
        Response::new(packed.map_or_else(|| Body::from(script.to_string()), Body::from))
    };
    set_headers(response.headers_mut(), path, tag);
    if let Some(encoding) = encoding {
        response.headers_mut().insert(header::CONTENT_ENCODING, HeaderValue::from_static(encoding));
    }
    Some(response)
}

/// Returns a script with the address of the scripts of version 2, to which the bridge's other addresses are relative.
fn addressed(built: &str, sdk_url: &str) -> String {
    built.replace(PLACEHOLDER, &format!("{sdk_url}/sdk/v2/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn script_contains_the_address_of_the_service() {
        let script = addressed("const a=\"__LINCHPIN_SDK__\";", "https://link.example");
        assert_eq!(script, "const a=\"https://link.example/sdk/v2/\";");
    }
}
