//! `GET /sdk/logos/{name}.png`: the logos of link templates and providers.

use axum::body::Body;
use axum::extract::{Path, State};
use axum::http::{HeaderName, HeaderValue, header};
use axum::response::Response;
use link_domain::tenancy::logo::LogoName;
use link_types::Mode;

use crate::app::App;
use crate::http::extract::client::Network;
use crate::http::problem::{ApiResult, Problem};

/// Returns a logo. Its name depends on its content, so the response never changes.
pub(super) async fn logo(
    State(app): State<App>,
    network: Network,
    Path(file): Path<String>,
) -> ApiResult<Response> {
    if let Some(name) = file.strip_suffix(".png").and_then(LogoName::parse)
        && let Some(png) = found(&app, name).await?
    {
        return Ok(picture(png));
    }
    network.count(&app)?;
    Err(Problem::missing())
}

async fn found(app: &App, name: LogoName) -> ApiResult<Option<Body>> {
    for mode in [Mode::Sandbox, Mode::Production] {
        if let Some(png) = app.source(mode).logo(&name) {
            return Ok(Some(Body::from(png.to_vec())));
        }
    }
    let logo = app.store().read(move |reader| -> ApiResult<_> { Ok(reader.logos().get(&name)?) }).await?;
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
