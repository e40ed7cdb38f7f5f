//! `/hosted/…`: the styles and the script of the hosted pages, and a tenant's colors.

use axum::extract::Path;
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use link_domain::brand;
use link_types::template::{BrandTheme, Color};

use crate::http::problem::{ApiResult, Problem};

const STYLES: &str = include_str!("../../../../www/hosted/page.css");
const SCRIPT: &str = include_str!("../../../../www/hosted/page.js");

/// Serves `GET /hosted/page.css`.
pub(super) async fn styles() -> Response {
    file("text/css; charset=utf-8", STYLES.to_owned())
}

/// Serves `GET /hosted/page.js`.
pub(super) async fn script() -> Response {
    file("text/javascript; charset=utf-8", SCRIPT.to_owned())
}

/// Serves `GET /hosted/theme/{colour}`: a brand color, such as `1f6feb.css`, adjusted for contrast. With a second color
/// for the dark theme, `1f6feb-ffd166.css`.
///
/// It is a separate file because the pages' content security policy forbids inline styles.
pub(super) async fn theme(Path(name): Path<String>) -> ApiResult<Response> {
    let digits = name.strip_suffix(".css").ok_or_else(Problem::missing)?;
    let color = |digits: &str| format!("#{digits}").parse::<Color>().map_err(|_| Problem::missing());
    let (light, dark) = match digits.split_once('-') {
        Some((light, dark)) => (color(light)?, Some(color(dark)?)),
        None => (color(digits)?, None),
    };
    let theme = brand::theme(&BrandTheme { accent: Some(light), accent_dark: dark, ..BrandTheme::default() });
    let styles = format!(
        ":root {{\n  --accent: light-dark({}, {});\n  --on-accent: light-dark({}, {});\n}}\n",
        theme.accent_light, theme.accent_dark, theme.on_accent_light, theme.on_accent_dark
    );
    Ok(file("text/css; charset=utf-8", styles))
}

fn file(media_type: &'static str, text: String) -> Response {
    let mut response = text.into_response();
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(media_type));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("public, max-age=300"));
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    response
}
