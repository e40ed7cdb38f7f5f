//! The logo of a link template, as it is drawn.

use link_types::template::BrandTheme;

use crate::tenancy::logo::{LogoName, LogoSize};

/// A logo with at least this ratio of width and height is the written name, so the name is not shown next to it.
const WORDMARK_RATIO: f64 = 2.5;

/// The logo of a link template in both themes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BrandLogo {
    /// Logo in the light theme.
    pub light: LogoSize,
    /// Logo in the dark theme. `None` if the light one is drawn on white there.
    pub dark: Option<LogoSize>,
}

impl BrandLogo {
    /// Returns the logo of a theme. `logos` are the sizes of the link template's logos. `None` if it is not among them.
    pub fn from_theme(brand: &BrandTheme, logos: &[LogoSize]) -> Option<Self> {
        let found = |path: Option<&str>| {
            let name = LogoName::of_path(path?)?;
            logos.iter().find(|it| it.name == name).cloned()
        };
        let light = found(brand.logo_light.as_deref())?;
        Some(Self { light, dark: found(brand.logo_dark.as_deref()) })
    }

    /// Returns the logo in the dark theme.
    pub fn in_the_dark(&self) -> &LogoSize {
        self.dark.as_ref().unwrap_or(&self.light)
    }

    /// Returns whether the logo replaces the written name.
    pub fn is_wordmark(&self) -> bool {
        f64::from(self.light.width) >= WORDMARK_RATIO * f64::from(self.light.height)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn logo(byte: u8, width: u16, height: u16) -> LogoSize {
        LogoSize { name: LogoName::of_provider(&[byte]), width, height }
    }

    #[test]
    fn logo_that_the_template_does_not_have_is_not_drawn() {
        let light = logo(1, 84, 84);
        let brand = BrandTheme { logo_light: Some(light.name.path()), ..BrandTheme::default() };
        assert_eq!(BrandLogo::from_theme(&brand, &[]), None);
        assert_eq!(BrandLogo::from_theme(&BrandTheme::default(), std::slice::from_ref(&light)), None);
        assert_eq!(
            BrandLogo::from_theme(&brand, &[logo(2, 9, 9), light.clone()]),
            Some(BrandLogo { light, dark: None })
        );
    }

    #[test]
    fn wide_logo_is_the_written_name() {
        let is_wordmark =
            |width, height| BrandLogo { light: logo(1, width, height), dark: None }.is_wordmark();
        assert!(is_wordmark(250, 100) && !is_wordmark(249, 100));
    }

    #[test]
    fn drawn_width_has_bounds() {
        let width = |width, height| logo(1, width, height).width_at(36.0, 144.0);
        assert_eq!((width(84, 84), width(336, 20), width(1, 84)), (36.0, 144.0, 8.0));
    }
}
