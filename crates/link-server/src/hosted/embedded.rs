//! `/s/{slug}/embed`: a link site in a frame on pages of its tenant (ADR 282).
//!
//! Browsers do not send cookies in frames of other sites, so the pages here use none. The page itself has the visit's
//! secret: its forms send it as their first field, and its script in a header. Nothing that another page can cause has it.
//! The pages with a cookie cannot be in a frame.

use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::extract::{Path, Request, State};
use axum::http::{HeaderMap, HeaderValue, Uri};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Redirect, Response};
use futures_util::{StreamExt as _, stream};
use link_domain::invitations::link_site::embedders;
use tokio::time::{Instant, timeout_at};

use super::embedding::{Embedding, SECRET_FIELD, SECRET_HEADER};
use super::link_sites::{SitePages, begin, first_page, is_slug, unknown_page};
use super::show::{show_step, submit_answers};
use super::show_problem;
use super::visitor::{Browser, Visitor};
use crate::app::App;
use crate::http::limits::body::late;
use crate::http::limits::network::Network;
use crate::http::problem::{ApiResult, Problem};

/// The beginning of a visit's secret, and the number of hexadecimal digits after it.
const SECRET: (&str, usize) = ("lpv_", 64);
/// In how many bytes of a body the secret must be. A boundary has up to 70 bytes.
const SECRET_WITHIN: usize = 400;
/// How long the first bytes of a body may take.
const SECRET_TIMEOUT: Duration = Duration::from_secs(5);

/// Finds the pages that may contain the frame, so that the page that explains a later failure is in the frame, too. Moves
/// the visit's secret from the body to its header.
pub(super) async fn prepare(
    State(app): State<App>,
    Path(slug): Path<String>,
    request: Request,
    next: Next,
) -> Response {
    let mut browser = Browser::from_headers(request.headers());
    if is_slug(&slug) {
        let path = format!("/s/{slug}/embed");
        match find_origins(&app, slug).await {
            Ok(origins) => browser.embedding = Some(Embedding::new(origins, path, request.uri().query())),
            // Without its origins, the next page would be blank in the frame, so the request must not change anything.
            Err(problem) => return show_problem(&app, &browser, None, problem.into_response()),
        }
    }
    let mut request = match receive_secret(request).await {
        Ok(request) => request,
        Err(problem) => return show_problem(&app, &browser, None, problem.into_response()),
    };
    if let Some(embedding) = browser.embedding {
        request.extensions_mut().insert(embedding);
    }
    next.run(request).await
}

async fn find_origins(app: &App, slug: String) -> ApiResult<Vec<String>> {
    app.store
        .read(move |reader| -> ApiResult<_> {
            let Some(site) = reader.link_sites().by_slug(&slug)? else { return Ok(Vec::new()) };
            let template = reader.link_templates().get(&site.owner, &site.site.link_template_id)?;
            Ok(template.map(|it| embedders(&site.site, &it)).unwrap_or_default())
        })
        .await
}

/// Reads the first bytes of a form. Its rest is read once the visit is known.
async fn receive_secret(request: Request) -> ApiResult<Request> {
    let (mut parts, body) = request.into_parts();
    parts.headers.remove(SECRET_HEADER);
    let (mut chunks, mut pieces, mut beginning) = (body.into_data_stream(), Vec::new(), Vec::new());
    let until = Instant::now() + SECRET_TIMEOUT;
    while beginning.len() < SECRET_WITHIN {
        let Some(chunk) = timeout_at(until, chunks.next()).await.map_err(|_| late())? else { break };
        let chunk: Bytes = chunk.map_err(|_| Problem::unparseable("The body ended early."))?;
        beginning.extend(chunk.iter().take(SECRET_WITHIN));
        pieces.push(chunk);
    }
    if let Some(secret) = find_secret(&beginning) {
        parts.headers.insert(SECRET_HEADER, secret);
    }
    let whole = stream::iter(pieces.into_iter().map(Ok)).chain(chunks);
    Ok(Request::from_parts(parts, Body::from_stream(whole)))
}

/// Returns the secret if it is the first field of a form, in either of a form's encodings.
fn find_secret(beginning: &[u8]) -> Option<HeaderValue> {
    let text = String::from_utf8_lossy(beginning);
    let (_, rest) = text.split_once(SECRET_FIELD)?;
    let value = rest.strip_prefix('=').or_else(|| rest.strip_prefix("\"\r\n\r\n"))?;
    let digits = value.strip_prefix(SECRET.0)?.get(..SECRET.1)?;
    let is_hex = digits.bytes().all(|it| it.is_ascii_hexdigit());
    is_hex.then(|| HeaderValue::from_str(&format!("{}{digits}", SECRET.0)).ok()).flatten()
}

/// Shows the first page.
pub(super) async fn show(
    State(app): State<App>,
    Path(slug): Path<String>,
    network: Network,
    browser: Browser,
) -> ApiResult<Response> {
    match SitePages::by_slug(&app, slug, network, &browser).await? {
        Some(pages) => first_page(&app, &pages).await,
        None => Ok(unknown_page(&app, &browser)),
    }
}

/// Shows the next step of a visit. Without a secret, starts the visit; with the secret of one that is over, shows the first
/// page.
pub(super) async fn enter(
    State(app): State<App>,
    Path(slug): Path<String>,
    network: Network,
    mut browser: Browser,
    mut headers: HeaderMap,
    address: Uri,
) -> ApiResult<Response> {
    let is_known = headers.contains_key(SECRET_HEADER);
    if !is_known {
        let secret = match begin(&app, slug.clone(), network, &browser, &address).await? {
            Ok(secret) => HeaderValue::from_str(secret.expose()).map_err(Problem::system)?,
            Err(page) => return Ok(page),
        };
        headers.insert(SECRET_HEADER, secret);
    }
    match Visitor::find_for(&app, &headers, network, &browser).await? {
        Some(visitor) => show_step(&app, &visitor, &browser, false).await,
        None => {
            browser.embedding = browser.embedding.map(Embedding::after_end);
            show(State(app), Path(slug), network, browser).await
        }
    }
}

/// Redirects to the first page, so that reloading the URL of a rejected submission works.
pub(super) async fn back_to_site(State(app): State<App>, browser: Browser) -> Response {
    match &browser.embedding {
        Some(embedding) => Redirect::to(&embedding.address()).into_response(),
        None => unknown_page(&app, &browser),
    }
}

/// Submits the form, and shows the next step. The visit is not found again after the form is stored: a limit could refuse it.
pub(super) async fn submit(
    State(app): State<App>,
    network: Network,
    mut browser: Browser,
    headers: HeaderMap,
    body: Body,
) -> ApiResult<Response> {
    browser.embedding = browser.embedding.map(Embedding::after_submission);
    match submit_answers(&app, network, &browser, &headers, body).await? {
        Ok(sent) => show_step(&app, &sent.visitor, &browser, false).await,
        Err(page) => Ok(page),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn find_text(body: &str) -> Option<String> {
        find_secret(body.as_bytes()).map(|it| it.to_str().unwrap().to_owned())
    }

    #[test]
    fn secret_is_found_in_both_encodings_of_a_form() {
        let secret = format!("lpv_{}", "0a".repeat(32));
        assert_eq!(find_text(&format!("_visit={secret}&purpose=Car")), Some(secret.clone()));
        let part = format!("--b\r\nContent-Disposition: form-data; name=\"_visit\"\r\n\r\n{secret}\r\n--b");
        assert_eq!(find_text(&part), Some(secret.clone()));
        assert_eq!(find_text(&format!("note=_visit {secret}")), None);
        assert_eq!(find_text(&format!("_visit={}", &secret[..60])), None);
        assert_eq!(find_text(&format!("_visit=lpv_{}", "zz".repeat(32))), None);
    }
}
