//! The code that the person scans: a QR code with the address of the phone's page.

use std::fmt::Write as _;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use link_types::Sensitive;
use link_types::handoff::CodePicture;
use link_types::id::LinkTemplateId;
use qrcode::{Color, EcLevel, QrCode};

use crate::http::problem::{ApiResult, Problem};

/// Width of the empty margin that scanners need, in modules.
const MARGIN: usize = 4;

/// Returns the code for the phone's page. The token is in the URL's fragment, which browsers send to no server.
pub(super) fn picture(
    hosted_url: &str,
    template: &LinkTemplateId,
    token: &Sensitive,
) -> ApiResult<CodePicture> {
    let address = Sensitive::new(format!("{hosted_url}/continue/{}#{}", template.as_str(), token.expose()));
    let code = QrCode::with_error_correction_level(address.expose(), EcLevel::M);
    let code = code.map_err(|_| Problem::system("the address of the hosted pages is too long for a code"))?;
    let url = format!("data:image/svg+xml;base64,{}", STANDARD.encode(svg(&code)));
    Ok(CodePicture::new(url))
}

/// Draws a code: the dark modules of each row as rectangles on a white background, in both themes.
fn svg(code: &QrCode) -> String {
    let (width, modules) = (code.width(), code.to_colors());
    let size = width + 2 * MARGIN;
    let mut path = String::new();
    for (y, row) in modules.chunks(width).enumerate() {
        let mut x = 0;
        for run in row.chunk_by(|a, b| a == b) {
            if run.first() == Some(&Color::Dark) {
                // Writing to a string cannot fail.
                let _ = write!(path, "M{} {}h{}v1h-{}z", x + MARGIN, y + MARGIN, run.len(), run.len());
            }
            x += run.len();
        }
    }
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {size} {size}\" shape-rendering=\"crispEdges\">\
         <path fill=\"#fff\" d=\"M0 0h{size}v{size}H0z\"/><path d=\"{path}\"/></svg>"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(url: &str) -> String {
        let encoded = url.strip_prefix("data:image/svg+xml;base64,").unwrap();
        String::from_utf8(STANDARD.decode(encoded).unwrap()).unwrap()
    }

    #[test]
    fn picture_has_every_dark_module() {
        let code = QrCode::with_error_correction_level("linchpin", EcLevel::M).unwrap();
        let dark = code.to_colors().iter().filter(|it| **it == Color::Dark).count();
        let svg = svg(&code);
        let runs =
            svg.split('M').filter_map(|it| it.split_once('h')?.1.split_once("v1")?.0.parse::<usize>().ok());
        assert_eq!(runs.sum::<usize>(), dark);
        let size = code.width() + 8;
        assert!(svg.contains(&format!("viewBox=\"0 0 {size} {size}\"")), "{svg}");
    }

    #[test]
    fn picture_of_a_code_is_a_small_svg() {
        let template = LinkTemplateId::from_bytes([1; 16]);
        let token = Sensitive::new("lph_canary");
        let picture = picture("https://link.example", &template, &token).unwrap();
        assert!(drawn(picture.expose()).starts_with("<svg "));
        assert!(picture.expose().len() < 16_000, "{}", picture.expose().len());
    }

    #[test]
    fn address_that_does_not_fit_is_an_error() {
        let template = LinkTemplateId::from_bytes([1; 16]);
        let long = format!("https://{}.example", "a".repeat(4_000));
        assert!(picture(&long, &template, &Sensitive::new("lph_canary")).is_err());
    }
}
