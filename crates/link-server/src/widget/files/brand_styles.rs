//! A link template's branding as the CSS properties that the frame sets on its root element.

use std::fmt::Write as _;

use link_domain::brand;
use link_domain::logo::LogoName;
use link_store::resources::LogoSize;
use link_types::template::{BrandFont, BrandTheme, DEFAULT_RADIUS, Theme};

/// The height of the logo's box in CSS pixels. A wider logo is as high as its width allows.
const LOGO_HEIGHT: f64 = 28.0;
/// The minimum and maximum width of the logo's box in CSS pixels.
const LOGO_WIDTHS: (f64, f64) = (8.0, 112.0);
/// A logo with at least this ratio of width and height is the written name, so the name is not shown next to it.
const WORDMARK_RATIO: f64 = 2.5;

/// Returns the properties of a branding. `logos` are the template's logos, and `sdk_url` is the base of their URLs.
pub(super) fn styles(brand: &BrandTheme, logos: &[LogoSize], sdk_url: &str) -> String {
    let Theme { accent_light, on_accent_light, accent_dark, on_accent_dark } = brand::theme(brand);
    let mut styles = format!(
        "--brand-light:{accent_light};--on-brand-light:{on_accent_light};--brand-dark:{accent_dark};\
         --on-brand-dark:{on_accent_dark}"
    );
    let mut add = |name: &str, value: &str| {
        // Writing to a string does not fail.
        let _ = write!(styles, ";--{name}:{value}");
    };
    if let Some(radius) = brand.radius.filter(|radius| *radius != DEFAULT_RADIUS) {
        add("radius", &format!("{radius}px"));
        add("radius-small", &format!("{}px", radius.div_ceil(2)));
    }
    if let Some(family) = brand.font.and_then(family) {
        add("font", family);
    }
    let Some(light) = found(brand.logo_light.as_deref(), logos) else { return styles };
    let dark = found(brand.logo_dark.as_deref(), logos);
    for (scheme, (path, size)) in [("light", light), ("dark", dark.unwrap_or(light))] {
        add(&format!("logo-{scheme}"), &format!("url(\"{sdk_url}{path}\")"));
        add(&format!("logo-{scheme}-width"), &format!("{}px", width(size)));
    }
    if dark.is_none() {
        add("logo-plate", "#fff");
    }
    if f64::from(light.1.width) >= WORDMARK_RATIO * f64::from(light.1.height) {
        add("logo-name", "0");
    }
    styles
}

fn found<'a>(path: Option<&'a str>, logos: &'a [LogoSize]) -> Option<(&'a str, &'a LogoSize)> {
    let name = LogoName::of_path(path?)?;
    logos.iter().find(|it| it.name == name).and_then(|size| Some((path?, size)))
}

/// Returns the width of a logo's box in CSS pixels. It is known before the logo loads, so that nothing moves then.
fn width(size: &LogoSize) -> f64 {
    let natural = f64::from(size.width) * LOGO_HEIGHT / f64::from(size.height.max(1));
    natural.clamp(LOGO_WIDTHS.0, LOGO_WIDTHS.1).round()
}

/// Returns the font families of a typeface, or `None` for the frame's own.
const fn family(font: BrandFont) -> Option<&'static str> {
    match font {
        BrandFont::System => None,
        BrandFont::Grotesque => {
            Some("Inter,Roboto,\"Helvetica Neue\",\"Arial Nova\",\"Nimbus Sans\",Arial,sans-serif")
        }
        BrandFont::Humanist => {
            Some("Seravek,\"Gill Sans Nova\",Ubuntu,Calibri,\"DejaVu Sans\",source-sans-pro,sans-serif")
        }
        BrandFont::Geometric => Some("Avenir,Montserrat,Corbel,\"URW Gothic\",source-sans-pro,sans-serif"),
        BrandFont::Rounded => Some(
            "ui-rounded,\"Hiragino Maru Gothic ProN\",Nunito,Quicksand,Comfortaa,Manjari,\"Arial Rounded MT\",\
             Calibri,source-sans-pro,sans-serif",
        ),
        BrandFont::Serif => Some("Charter,\"Bitstream Charter\",\"Sitka Text\",Cambria,serif"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SDK: &str = "https://sdk.example";

    fn logo(byte: u8, width: u16, height: u16) -> (String, LogoSize) {
        let name = LogoName::of_provider(&[byte]);
        (name.path(), LogoSize { name, width, height })
    }

    #[test]
    fn plain_branding_sets_only_colors() {
        let styles = styles(&BrandTheme::default(), &[], SDK);
        assert_eq!(styles.matches("--").count(), 4, "{styles}");
        assert!(styles.starts_with("--brand-light:#1f5fd6;--on-brand-light:#ffffff;"), "{styles}");
    }

    #[test]
    fn radius_and_font_override_the_tokens() {
        let brand = BrandTheme { radius: Some(3), font: Some(BrandFont::Serif), ..BrandTheme::default() };
        let styles = styles(&brand, &[], SDK);
        assert!(styles.contains(";--radius:3px;--radius-small:2px;--font:Charter,"), "{styles}");
    }

    #[test]
    fn single_logo_is_drawn_on_white_in_the_dark_theme() {
        let (path, size) = logo(1, 84, 84);
        let brand = BrandTheme { logo_light: Some(path.clone()), ..BrandTheme::default() };
        let styles = styles(&brand, &[size], SDK);
        let url = format!("url(\"{SDK}{path}\")");
        assert_eq!(styles.matches(&url).count(), 2, "{styles}");
        assert!(styles.contains("--logo-light-width:28px;--logo-dark:"), "{styles}");
        assert!(styles.contains("--logo-plate:#fff"), "{styles}");
        assert!(!styles.contains("--logo-name"), "{styles}");
    }

    #[test]
    fn wordmark_replaces_the_name() {
        let ((light, wide), (dark, square)) = (logo(1, 336, 60), logo(2, 84, 84));
        let brand = BrandTheme { logo_light: Some(light), logo_dark: Some(dark), ..BrandTheme::default() };
        let styles = styles(&brand, &[wide, square], SDK);
        assert!(styles.contains("--logo-light-width:112px"), "{styles}");
        assert!(styles.contains("--logo-dark-width:28px"), "{styles}");
        assert!(styles.ends_with("--logo-name:0"), "{styles}");
        assert!(!styles.contains("--logo-plate"), "{styles}");
    }

    #[test]
    fn missing_logo_leaves_the_monogram() {
        let (path, _) = logo(1, 84, 84);
        let brand = BrandTheme { logo_light: Some(path), ..BrandTheme::default() };
        assert!(!styles(&brand, &[], SDK).contains("logo"));
    }
}
