//! Sets the branding of a link template, and decides which logos it has from then on.

use link_types::template::{BrandTheme, LinkTemplate};

use crate::change::{Change, Deletion, Row};
use crate::tenancy::logo::{EncodedLogo, Logo, LogoName};

/// A logo of a new branding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NewLogo {
    /// A new picture.
    Picture(EncodedLogo),
    /// A logo that the template already has.
    Kept(LogoName),
}

/// Branding to set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewBrand {
    /// Colors, radius and typeface. Its logos do not matter.
    pub theme: BrandTheme,
    /// Logo in the light theme.
    pub light: Option<NewLogo>,
    /// Logo in the dark theme.
    pub dark: Option<NewLogo>,
}

/// Logos of a branding that the template does not have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownLogosError {
    /// Whether the logo in the light theme is unknown.
    pub light: bool,
    /// Whether the logo in the dark theme is unknown.
    pub dark: bool,
}

/// Sets the branding. The change stores the new logos, and deletes those that the template no longer uses.
///
/// # Errors
///
/// [`UnknownLogosError`] if it keeps a logo that the template does not have.
pub fn brand_template(template: &mut LinkTemplate, brand: NewBrand) -> Result<Change, UnknownLogosError> {
    let (mut change, mut used) = (Change::default(), Vec::new());
    let had = [&template.theme.logo_light, &template.theme.logo_dark].map(Clone::clone);
    let mut unknown = [false; 2];
    let mut path_of = |at: usize, logo: Option<NewLogo>| {
        let name = match logo? {
            NewLogo::Picture(picture) => {
                let logo = Logo::new(&template.id, picture);
                let name = logo.name.clone();
                change.rows.push(Row::Logo(logo));
                name
            }
            NewLogo::Kept(name) => {
                unknown[at] = !had.iter().flatten().any(|path| *path == name.path());
                name
            }
        };
        let path = name.path();
        used.push(name);
        Some(path)
    };
    let (logo_light, logo_dark) = (path_of(0, brand.light), path_of(1, brand.dark));
    if unknown.contains(&true) {
        return Err(UnknownLogosError { light: unknown[0], dark: unknown[1] });
    }
    template.theme = BrandTheme { logo_light, logo_dark, ..brand.theme };
    change.deletions.push(Deletion::UnusedLogos { template_id: template.id.clone(), used });
    Ok(change)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn picture(byte: u8) -> EncodedLogo {
        EncodedLogo { png: vec![byte], width: 16, height: 16 }
    }

    fn brand(light: Option<NewLogo>, dark: Option<NewLogo>) -> NewBrand {
        NewBrand { theme: BrandTheme::default(), light, dark }
    }

    fn deleted_except(change: &Change) -> &[LogoName] {
        let [Deletion::UnusedLogos { used, .. }] = &change.deletions[..] else { panic!("{change:?}") };
        used
    }

    #[test]
    fn template_keeps_one_logo_and_replaces_the_other() {
        let mut template = crate::fixture::templates().0.template;
        let both = brand(Some(NewLogo::Picture(picture(1))), Some(NewLogo::Picture(picture(2))));
        assert_eq!(brand_template(&mut template, both).unwrap().rows.len(), 2);
        let light = LogoName::of_path(template.theme.logo_light.as_deref().unwrap()).unwrap();
        let next = brand(Some(NewLogo::Kept(light.clone())), Some(NewLogo::Picture(picture(3))));
        let change = brand_template(&mut template, next).unwrap();
        let dark = LogoName::of_path(template.theme.logo_dark.as_deref().unwrap()).unwrap();
        assert_eq!(deleted_except(&change), [light, dark]);
        assert_eq!(change.rows.len(), 1);
    }

    #[test]
    fn logo_that_the_template_does_not_have_is_rejected() {
        let mut template = crate::fixture::templates().0.template;
        let before = template.clone();
        let other = NewLogo::Kept(LogoName::of_provider(&[9]));
        let refused = brand_template(&mut template, brand(Some(NewLogo::Picture(picture(1))), Some(other)));
        assert_eq!(refused.unwrap_err(), UnknownLogosError { light: false, dark: true });
        assert_eq!(template, before);
    }
}
