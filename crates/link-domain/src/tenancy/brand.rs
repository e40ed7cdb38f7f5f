//! A tenant's brand: readable accent colors, typefaces and logos. The widget, the hosted pages and the mails draw the same.
//!
//! Every pair of text and background has the 4.5:1 contrast of WCAG 2.2.

mod brand_logo;

pub use self::brand_logo::BrandLogo;

use link_types::template::{BrandFont, BrandTheme, Color, DEFAULT_RADIUS, Theme};

use crate::tenancy::logo::LogoSize;

/// Linchpin's own accent, for templates without a brand color.
pub const DEFAULT_ACCENT: Color = Color { red: 0x1f, green: 0x5f, blue: 0xd6 };
/// Minimum contrast of text in WCAG 2.2 AA.
pub const MIN_CONTRAST: f64 = 4.5;

const WHITE: Color = Color { red: 255, green: 255, blue: 255 };
/// Darkest text that the widget shows on an accent.
const INK: Color = Color { red: 0x0b, green: 0x0d, blue: 0x12 };
/// Darkest background of the light theme on which the accent is a text color: the frame's `--surface-hover`.
const LIGHT_GROUND: Color = Color { red: 0xee, green: 0xf0, blue: 0xf3 };
/// Lightest background of the dark theme on which the accent is a text color: the frame's `--surface-hover`.
const DARK_GROUND: Color = Color { red: 0x24, green: 0x29, blue: 0x30 };

/// The brand of a link template, as it is drawn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Brand {
    /// Accents of both themes, and the text on them.
    pub colors: Theme,
    /// Radius of buttons and fields, in CSS pixels.
    pub radius: u8,
    /// Font families of its typeface. `None` for the default.
    pub families: Option<&'static str>,
    /// Its logo.
    pub logo: Option<BrandLogo>,
}

impl Brand {
    /// Returns the brand of a theme. `logos` are the sizes of the link template's logos.
    pub fn from_theme(brand: &BrandTheme, logos: &[LogoSize]) -> Self {
        Self {
            colors: theme(brand),
            radius: brand.radius.unwrap_or(DEFAULT_RADIUS),
            families: brand.font.and_then(families),
            logo: BrandLogo::from_theme(brand, logos),
        }
    }
}

/// Returns the font families of a typeface, or `None` for the default. Operating systems have them, so no font is loaded.
pub const fn families(font: BrandFont) -> Option<&'static str> {
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

/// Derives the accents of both themes from a tenant's brand colors.
pub fn theme(brand: &BrandTheme) -> Theme {
    let light = brand.accent.unwrap_or(DEFAULT_ACCENT);
    let accent_light = readable_on(LIGHT_GROUND, light, Color { red: 0, green: 0, blue: 0 });
    let accent_dark = readable_on(DARK_GROUND, brand.accent_dark.unwrap_or(light), WHITE);
    Theme {
        accent_light,
        on_accent_light: text_on(accent_light),
        accent_dark,
        on_accent_dark: text_on(accent_dark),
    }
}

/// Returns the contrast ratio of two colors by the WCAG formula, 1 to 21.
pub fn contrast(a: Color, b: Color) -> f64 {
    let (a, b) = (luminance(a), luminance(b));
    (a.max(b) + 0.05) / (a.min(b) + 0.05)
}

/// Returns the color closest to `brand`, toward `end`, that is readable on `ground` and carries readable text.
fn readable_on(ground: Color, brand: Color, end: Color) -> Color {
    let fits =
        |color| contrast(color, ground) >= MIN_CONTRAST && contrast(color, text_on(color)) >= MIN_CONTRAST;
    (0..=100).map(|percent| mix(brand, end, percent)).find(|color| fits(*color)).unwrap_or(end)
}

fn text_on(accent: Color) -> Color {
    if contrast(accent, WHITE) >= MIN_CONTRAST { WHITE } else { INK }
}

fn mix(from: Color, to: Color, percent: u16) -> Color {
    let channel = |a: u8, b: u8| {
        let sum = u16::from(a) * (100 - percent) + u16::from(b) * percent;
        u8::try_from((sum + 50) / 100).unwrap_or(u8::MAX)
    };
    Color {
        red: channel(from.red, to.red),
        green: channel(from.green, to.green),
        blue: channel(from.blue, to.blue),
    }
}

fn luminance(color: Color) -> f64 {
    let linear = |channel: u8| {
        let value = f64::from(channel) / 255.0;
        if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
    };
    0.2126 * linear(color.red) + 0.7152 * linear(color.green) + 0.0722 * linear(color.blue)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn contrast_matches_the_wcag_formula() {
        assert!((contrast(WHITE, Color { red: 0, green: 0, blue: 0 }) - 21.0).abs() < 1e-9);
        assert!((contrast(WHITE, Color { red: 0x76, green: 0x76, blue: 0x76 }) - 4.54).abs() < 0.01);
    }

    #[test]
    fn readable_brand_colors_are_unchanged() {
        let light = Color { red: 0x1f, green: 0x3f, blue: 0x8f };
        let dark = Color { red: 0xff, green: 0xd1, blue: 0x66 };
        let brand = BrandTheme { accent: Some(light), accent_dark: Some(dark), ..BrandTheme::default() };
        let theme = theme(&brand);
        assert_eq!((theme.accent_light, theme.accent_dark), (light, dark));
    }

    proptest! {
        #[test]
        fn every_color_pair_is_readable_for_any_brand_color(red: u8, green: u8, blue: u8) {
            let color = Some(Color { red, green, blue });
            let theme = theme(&BrandTheme { accent: color, accent_dark: color, ..BrandTheme::default() });
            for (text, ground) in [
                (theme.accent_light, LIGHT_GROUND),
                (theme.accent_light, WHITE),
                (theme.on_accent_light, theme.accent_light),
                (theme.accent_dark, DARK_GROUND),
                (theme.on_accent_dark, theme.accent_dark),
            ] {
                prop_assert!(contrast(text, ground) >= MIN_CONTRAST, "{text} on {ground}");
            }
        }
    }
}
