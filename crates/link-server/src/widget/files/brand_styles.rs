//! A link template's branding as the CSS properties that the frame sets on its root element.

use std::fmt::Write as _;

use link_domain::tenancy::brand::Brand;
use link_domain::tenancy::logo::LogoSize;
use link_types::template::{BrandTheme, DEFAULT_RADIUS, Theme};

/// The height of the logo's box in CSS pixels. A wider logo is as high as its width allows.
const LOGO_HEIGHT: f64 = 28.0;
/// The maximum width of the logo's box in CSS pixels.
const MAX_LOGO_WIDTH: f64 = 112.0;

/// Returns the properties of a branding. `logos` are the template's logos, and `sdk_url` is the base of their URLs.
pub(super) fn styles(brand: &BrandTheme, logos: &[LogoSize], sdk_url: &str) -> String {
    let Brand { colors, radius, families, logo } = Brand::from_theme(brand, logos);
    let Theme { accent_light, on_accent_light, accent_dark, on_accent_dark } = colors;
    let mut styles = format!(
        "--brand-light:{accent_light};--on-brand-light:{on_accent_light};--brand-dark:{accent_dark};\
         --on-brand-dark:{on_accent_dark}"
    );
    let mut add = |name: &str, value: &str| {
        // Writing to a string does not fail.
        let _ = write!(styles, ";--{name}:{value}");
    };
    if radius != DEFAULT_RADIUS {
        add("radius", &format!("{radius}px"));
        add("radius-small", &format!("{}px", radius.div_ceil(2)));
    }
    if let Some(families) = families {
        add("font", families);
    }
    let Some(logo) = logo else { return styles };
    for (scheme, size) in [("light", &logo.light), ("dark", logo.in_the_dark())] {
        add(&format!("logo-{scheme}"), &format!("url(\"{sdk_url}{}\")", size.name.path()));
        add(&format!("logo-{scheme}-width"), &format!("{}px", size.width_at(LOGO_HEIGHT, MAX_LOGO_WIDTH)));
    }
    if logo.dark.is_none() {
        add("logo-plate", "#fff");
    }
    if logo.is_wordmark() {
        add("logo-name", "0");
    }
    styles
}

#[cfg(test)]
mod tests {
    use link_domain::tenancy::logo::LogoName;
    use link_types::template::BrandFont;

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
