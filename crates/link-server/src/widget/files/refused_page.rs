//! The page in place of a frame that must not be shown: it names the reason to the bridge, and thereby to the person and the
//! developer. Any page may embed it, because it shows nothing and can do nothing.

use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use link_types::host::LoadFailure;
use serde_json::json;

use crate::http::middleware::request_id::Finished;
use crate::http::middleware::security_headers::REPORTED;
use crate::widget::files::frame_page::{fill, harden, inline};

/// Asks for a port as the frame does, and sends the failure over it. It never reads the token that a bridge sends with it.
const PAGE: &str = concat!(
    "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"linchpin-failed\" content=\"\">",
    "<title>Linchpin</title></head><body><script>onmessage=({source,ports:[port]})=>{if(source===parent&&port)",
    "port.postMessage({failed:JSON.parse(document.querySelector('[name=linchpin-failed]').content)})};",
    "parent.postMessage({linchpin:'p1'},'*')</script></body></html>",
);

/// Returns the page. `detail` is for developers.
pub(super) fn refused_page(status: StatusCode, cause: LoadFailure, detail: &str) -> Response {
    let page = fill(PAGE, "linchpin-failed", &json!({ "cause": cause, "detail": detail }).to_string());
    let scripts = inline(PAGE, "script");
    let policy =
        format!("default-src 'none'; script-src{scripts}; base-uri 'none'; {REPORTED}; frame-ancestors *");
    let mut response = (status, page).into_response();
    harden(response.headers_mut(), &policy);
    response.extensions_mut().insert(Finished);
    response
}
