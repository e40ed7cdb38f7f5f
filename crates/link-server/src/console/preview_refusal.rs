//! A refused preview as a small page: a frame shows the response to the member as it is.

use axum::extract::Request;
use axum::http::{HeaderMap, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};

use crate::http::middleware::request_id::Finished;
use crate::http::problem::Problem;
use crate::widget::files::frame_page::harden;

/// The policy of the page: it has only text. Only the portal's pages can embed it.
const POLICY: &str =
    "default-src 'none'; form-action 'none'; base-uri 'none'; sandbox; frame-ancestors 'self'";

/// Replaces a problem by a page in the portal's language.
pub(super) async fn show(request: Request, next: Next) -> Response {
    let is_spanish = prefers_spanish(request.headers());
    let mut refused = next.run(request).await;
    let Some(problem) = refused.extensions_mut().remove::<Problem>() else { return refused };
    problem.log();
    let (english, spanish) = sentences(problem.status());
    let (language, sentence) = if is_spanish { ("es-MX", spanish) } else { ("en", english) };
    let page = format!(
        "<!doctype html><html lang=\"{language}\"><meta charset=\"utf-8\"><meta name=\"color-scheme\" \
         content=\"light dark\"><title>{sentence}</title><p role=\"alert\">{sentence}</p></html>"
    );
    let mut response = (problem.status(), page).into_response();
    harden(response.headers_mut(), POLICY);
    response.extensions_mut().insert(Finished);
    response
}

/// The browser's first language is the one that the portal reads too.
fn prefers_spanish(headers: &HeaderMap) -> bool {
    let accepted = headers.get(header::ACCEPT_LANGUAGE).and_then(|it| it.to_str().ok()).unwrap_or_default();
    let first = accepted.split([',', ';']).next().unwrap_or_default().trim();
    first == "es" || first.starts_with("es-")
}

const fn sentences(status: StatusCode) -> (&'static str, &'static str) {
    match status {
        StatusCode::UNAUTHORIZED => (
            "Your session has ended. Reload this page, and sign in again.",
            "Tu sesión terminó. Vuelve a cargar esta página e inicia sesión de nuevo.",
        ),
        StatusCode::FORBIDDEN => (
            "You may not see this preview. Ask an owner for another role.",
            "No puedes ver esta vista previa. Pide otro rol a un propietario.",
        ),
        StatusCode::PAYLOAD_TOO_LARGE => (
            "The draft is too large for the preview.",
            "El borrador es demasiado grande para la vista previa.",
        ),
        StatusCode::REQUEST_TIMEOUT | StatusCode::TOO_MANY_REQUESTS | StatusCode::SERVICE_UNAVAILABLE => (
            "The preview is busy. Start it again in a moment.",
            "La vista previa está ocupada. Vuelve a empezarla en un momento.",
        ),
        _ => (
            "The preview cannot show this draft now. Start it again.",
            "La vista previa no puede mostrar ahora este borrador. Vuelve a empezarla.",
        ),
    }
}
