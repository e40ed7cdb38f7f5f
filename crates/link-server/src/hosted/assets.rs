//! `/hosted/…`: the styles and the script of the hosted pages, and a tenant's brand.

use axum::extract::Path;
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use link_domain::tenancy::brand::{Brand, DEFAULT_ACCENT};
use link_types::template::{BrandFont, BrandTheme, Color, MAX_RADIUS};

use crate::http::problem::{ApiResult, Problem};

const STYLES: &str = concat!(
    include_str!("../../../../www/hosted/page.css"),
    "\n",
    include_str!("../../../../www/hosted/me.css"),
    "\n",
    include_str!("../../../../www/hosted/proof.css"),
    "\n",
    include_str!("../../../../www/hosted/framed.css")
);
/// One module: the first file defines what the second uses at once.
const SCRIPT: &str = concat!(
    include_str!("../../../../www/hosted/framed.js"),
    "\n",
    include_str!("../../../../www/hosted/page.js")
);

/// Serves `GET /hosted/page.css`.
pub(super) async fn styles() -> Response {
    file("text/css; charset=utf-8", STYLES.to_owned())
}

/// Serves `GET /hosted/page.js`.
pub(super) async fn script() -> Response {
    file("text/javascript; charset=utf-8", SCRIPT.to_owned())
}

/// Returns the path of the styles of a brand. Every part of the brand that styles need is in the path, so that the response
/// never depends on anything else.
pub(super) fn styles_path(theme: &BrandTheme) -> String {
    let colors = [Some(theme.accent.unwrap_or(DEFAULT_ACCENT)), theme.accent_dark];
    let colors = colors.into_iter().flatten().map(|it| it.to_string().trim_start_matches('#').to_owned());
    let radius = theme.radius.map(|radius| format!("r{radius}"));
    let font = theme.font.map(|font| font.as_str().to_ascii_lowercase());
    let parts: Vec<String> = colors.chain(radius).chain(font).collect();
    format!("/hosted/theme/{}.css", parts.join("-"))
}

/// Parses the name in a path of [`styles_path`].
fn parse_theme(name: &str) -> Option<BrandTheme> {
    let mut parts = name.strip_suffix(".css")?.split('-').peekable();
    let color = |part: &str| format!("#{part}").parse::<Color>().ok();
    let accent = Some(color(parts.next()?)?);
    let accent_dark = parts.next_if(|part| color(part).is_some()).and_then(color);
    let radius = parts.next_if(|part| radius_of(part).is_some()).and_then(radius_of);
    let font = match parts.next() {
        Some(part) => Some(part.to_ascii_uppercase().parse::<BrandFont>().ok()?),
        None => None,
    };
    let theme = BrandTheme { accent, accent_dark, radius, font, ..BrandTheme::default() };
    parts.next().is_none().then_some(theme)
}

fn radius_of(part: &str) -> Option<u8> {
    part.strip_prefix('r')?.parse().ok().filter(|radius| *radius <= MAX_RADIUS)
}

/// Serves `GET /hosted/theme/{name}`: a brand color, such as `1f6feb.css`, adjusted for contrast. A second color for the
/// dark theme, the radius and the typeface may follow: `1f6feb-ffd166-r4-serif.css`.
///
/// It is a separate file because the pages' content security policy forbids inline styles.
pub(super) async fn theme(Path(name): Path<String>) -> ApiResult<Response> {
    let Brand { colors, radius, families, .. } =
        Brand::from_theme(&parse_theme(&name).ok_or_else(Problem::missing)?, &[]);
    let mut styles = format!(
        ":root {{\n  --accent: light-dark({}, {});\n  --on-accent: light-dark({}, {});\n  --radius: {radius}px;\n",
        colors.accent_light, colors.accent_dark, colors.on_accent_light, colors.on_accent_dark
    );
    if let Some(families) = families {
        styles.push_str(&format!("  --font: {families};\n"));
    }
    styles.push_str("}\n");
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

#[cfg(test)]
mod tests {
    use super::*;

    fn theme(accent_dark: Option<&str>, radius: Option<u8>, font: Option<BrandFont>) -> BrandTheme {
        BrandTheme {
            accent: "#1f6feb".parse().ok(),
            accent_dark: accent_dark.map(|it| it.parse().unwrap()),
            radius,
            font,
            ..BrandTheme::default()
        }
    }

    #[test]
    fn path_of_styles_contains_the_brand() {
        for (theme, name) in [
            (theme(None, None, None), "1f6feb.css"),
            (theme(Some("#ffd166"), None, None), "1f6feb-ffd166.css"),
            (theme(None, Some(0), None), "1f6feb-r0.css"),
            (theme(None, None, Some(BrandFont::Serif)), "1f6feb-serif.css"),
            (theme(Some("#ffd166"), Some(4), Some(BrandFont::Rounded)), "1f6feb-ffd166-r4-rounded.css"),
        ] {
            assert_eq!(styles_path(&theme), format!("/hosted/theme/{name}"));
            assert_eq!(parse_theme(name), Some(theme));
        }
    }

    #[test]
    fn name_that_is_not_of_a_brand_is_rejected() {
        for name in ["red.css", "1f6feb", "1f6feb-r17.css", "1f6feb-comic.css", "1f6feb-serif-r4.css", ".css"]
        {
            assert_eq!(parse_theme(name), None, "{name}");
        }
    }
}
