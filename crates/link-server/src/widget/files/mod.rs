//! `/sdk/…`: the bridge's scripts, the frame page of a link template, the frame's assets, and logos.

mod brand_styles;
pub mod embedded;
pub mod frame_page;
pub mod preview_page;

use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use link_domain::notifications::own_texts;
use link_domain::tenancy::embedding_origin::lists;
use link_domain::tenancy::logo::LogoName;
use link_types::Mode;
use link_types::host::LoadFailure;
use link_types::id::LinkTemplateId;
use rust_embed::RustEmbed;
use sha2::{Digest as _, Sha256};

use self::frame_page::refused_page;
use crate::app::App;
use crate::app::packed_pages::BEST;
use crate::app::refused_origins::origin_of;
use crate::http::limits::network::Network;
use crate::http::middleware::request_id::Finished;
use crate::http::problem::{ApiResult, Problem};
use crate::widget::files::embedded::{
    FrameFiles, SdkFiles, accepts, entity_tag, is_known, respond_without_build, serve, set_headers,
};
use crate::widget::files::frame_page::{FrameFacts, FramePage};

/// The policy of error pages. No page may embed them.
const ERROR_PAGE_POLICY: &str =
    "default-src 'none'; report-uri /csp-reports; report-to csp; frame-ancestors 'none'";

/// Returns the routes of the widget's files.
pub fn routes() -> Router<App> {
    Router::new()
        .route("/sdk/frame/p1/{template_id}", get(frame))
        .route("/sdk/assets/{*path}", get(asset))
        .route("/sdk/logos/{name}", get(logo))
        .route("/sdk/{*path}", get(script))
}

/// Returns the page inside the iframe.
async fn frame(
    State(app): State<App>,
    Path(template_id): Path<String>,
    network: Network,
    headers: HeaderMap,
) -> ApiResult<Response> {
    network.loads_frame(&app)?;
    let destination = headers.get("sec-fetch-dest").and_then(|it| it.to_str().ok());
    if destination.is_some_and(|it| it != "iframe") {
        return Ok(error_page(
            StatusCode::FORBIDDEN,
            "This page works only inside the frame that the widget creates.",
        ));
    }
    let Ok(id) = template_id.parse::<LinkTemplateId>() else {
        return Ok(no_template(&template_id));
    };
    let (wanted, has_own_hosts) = (id.clone(), app.settings.site_host_target.is_some());
    let found = app
        .store
        .read(move |reader| -> ApiResult<_> {
            let template = reader.link_templates().get_of_any_owner(&wanted)?;
            let Some(template) = template else { return Ok(None) };
            let logos = reader.logos().sizes(&template.template)?;
            let own_hosts = match has_own_hosts {
                true => reader.link_site_hosts().list_proven_of(&template.owner)?,
                false => Vec::new(),
            };
            Ok(Some((template, logos, own_hosts)))
        })
        .await?;
    let Some((template, logos, own_hosts)) = found else {
        return Ok(no_template(&template_id));
    };
    let embedder = headers.get(header::REFERER).and_then(|it| it.to_str().ok()).and_then(origin_of);
    let mut allowed_origins = template.embedders();
    // Our own pages embed the frame as well: the landing page of an invitation, and the page of a hand-off's phone.
    allowed_origins.push(app.settings.hosted_url.clone());
    // And those of link sites on the tenant's own hosts.
    let urls = app.settings.site_urls();
    allowed_origins.extend(own_hosts.iter().map(|it| urls.origin(it)));
    if let Some(origin) = embedder.filter(|it| !lists(&allowed_origins, it)) {
        app.reports.refused_origins.remember(&id, &origin);
        let detail = format!("{origin} is not in allowedOrigins of {id}");
        return Ok(refused_page(StatusCode::FORBIDDEN, LoadFailure::Origin, &detail));
    }
    let Some(file) = FrameFiles::get("index.html") else { return Ok(respond_without_build()) };
    let html = String::from_utf8_lossy(&file.data);
    let mode = template.owner.mode;
    let page = FramePage::new(
        &html,
        &FrameFacts {
            // The widget's requests have the session's secret, which does not name the tenant.
            api_base: &app.cell_base(mode),
            sdk_url: &app.settings.sdk_url,
            mode: mode.as_str(),
            allowed_origins: &allowed_origins,
            company: &template.template.company_name,
            styles: brand_styles::styles(&template.template.theme, &logos, &app.settings.sdk_url),
            texts: own_texts::of_widget(&template.template.texts)
                .map(|texts| serde_json::to_string(&texts).unwrap_or_default()),
        },
    );
    Ok(page.response(&headers, &app.caches.packed_pages).await)
}

/// Returns a file of the frame: script, wasm, styles or texts. The page has its policy only as the page of a template.
async fn asset(
    State(app): State<App>,
    network: Network,
    Path(path): Path<String>,
    headers: HeaderMap,
) -> ApiResult<Response> {
    if path.starts_with("index.html") {
        return Err(Problem::missing());
    }
    if let Some(response) = serve::<FrameFiles>(&path, &headers) {
        return Ok(response);
    }
    network.count(&app)?;
    match embedded::serve_kept(&app, &path, &headers).await? {
        Some(response) => Ok(response),
        None => serve_found::<FrameFiles>(&path, &headers),
    }
}

/// Returns a file of the bridge, for example `v2/linchpin.v2.js`.
async fn script(State(app): State<App>, Path(path): Path<String>, headers: HeaderMap) -> ApiResult<Response> {
    match serve_addressed_script(&app, &path, &headers).await {
        Some(response) => Ok(response),
        None => serve_found::<SdkFiles>(&path, &headers),
    }
}

/// Returns the page in place of a frame whose link template does not exist.
fn no_template(id: &str) -> Response {
    let shown: String = id.chars().filter(char::is_ascii_graphic).take(40).collect();
    let detail = format!("{shown} is not a link template");
    refused_page(StatusCode::NOT_FOUND, LoadFailure::Template, &detail)
}

fn serve_found<F: RustEmbed>(path: &str, headers: &HeaderMap) -> ApiResult<Response> {
    match serve::<F>(path, headers) {
        Some(response) => Ok(response),
        None if F::iter().next().is_none() => Ok(respond_without_build()),
        None => Err(Problem::missing()),
    }
}

fn error_page(status: StatusCode, message: &'static str) -> Response {
    let page = format!("<!doctype html><html lang=\"en\"><title>Linchpin</title><p>{message}</p></html>");
    let mut response = (status, page).into_response();
    frame_page::harden(response.headers_mut(), ERROR_PAGE_POLICY);
    response.extensions_mut().insert(Finished);
    response
}

/// The text that the address replaces (`www/sdk/src/address.ts`).
const PLACEHOLDER: &str = "__LINCHPIN_SDK__";

/// Serves a script that contains the placeholder. Returns `None` for any other file.
async fn serve_addressed_script(app: &App, path: &str, request: &HeaderMap) -> Option<Response> {
    let file = SdkFiles::get(path)?;
    let built = str::from_utf8(&file.data).ok().filter(|it| it.contains(PLACEHOLDER))?;
    let script: Arc<str> = write_address(built, &app.settings.sdk_url).into();
    let hash: [u8; 32] = Sha256::digest(script.as_bytes()).into();
    let tag = entity_tag(&hash);
    let mut encoding = None;
    let mut response = if is_known(&tag, request) {
        StatusCode::NOT_MODIFIED.into_response()
    } else {
        let packed = match accepts(request, "br") {
            true => app.caches.packed_pages.get(hash, &script, BEST).await,
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
fn write_address(built: &str, sdk_url: &str) -> String {
    built.replace(PLACEHOLDER, &format!("{sdk_url}/sdk/v2/"))
}

/// Returns a logo. Its name depends on its content, so the response never changes.
async fn logo(State(app): State<App>, network: Network, Path(file): Path<String>) -> ApiResult<Response> {
    if let Some(name) = file.strip_suffix(".png").and_then(LogoName::parse)
        && let Some(png) = serve_logo(&app, name).await?
    {
        return Ok(picture(png));
    }
    network.count(&app)?;
    Err(Problem::missing())
}

async fn serve_logo(app: &App, name: LogoName) -> ApiResult<Option<Body>> {
    for mode in [Mode::Sandbox, Mode::Production] {
        if let Some(png) = app.ports.source(mode).logo(&name) {
            return Ok(Some(Body::from(png.to_vec())));
        }
    }
    let logo = app.store.read(move |reader| -> ApiResult<_> { Ok(reader.logos().get(&name)?) }).await?;
    Ok(logo.map(|logo| Body::from(logo.picture.png)))
}

fn picture(png: Body) -> Response {
    let mut response = Response::new(png);
    let headers = response.headers_mut();
    let value = HeaderValue::from_static;
    headers.insert(header::CONTENT_TYPE, value("image/png"));
    headers.insert(header::CACHE_CONTROL, value("public, max-age=31536000, immutable"));
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, value("nosniff"));
    headers.insert(header::CONTENT_SECURITY_POLICY, value("default-src 'none'; sandbox"));
    let policy = HeaderName::from_static("cross-origin-resource-policy");
    headers.insert(policy, value("cross-origin"));
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn script_contains_the_address_of_the_service() {
        let script = write_address("const a=\"__LINCHPIN_SDK__\";", "https://link.example");
        assert_eq!(script, "const a=\"https://link.example/sdk/v2/\";");
    }
}
