//! Logos of link templates and providers: what is accepted, and the names under which they are served.

use link_types::id::LinkTemplateId;
use sha2::{Digest, Sha256};

use crate::kernel::digest::hex;
use crate::kernel::system::BoxFuture;
use crate::tenancy::route_code::ROUTE_DIGITS;

/// Maximum size of a logo's file, in bytes.
pub const MAX_LOGO_BYTES: usize = 128 * 1024;
/// Minimum length of a logo's sides, in pixels.
pub const MIN_LOGO_SIDE: u32 = 16;
/// Maximum length of a logo's sides, in pixels.
pub const MAX_LOGO_SIDE: u32 = 2_048;

/// Size of a stored logo of a link template, in pixels. The widget draws it at a third of this size, so that it is sharp
/// on every screen.
pub const BRAND_LOGO: LogoBounds = LogoBounds { width: 336, height: 84 };
/// Size of a provider's logo, in pixels. The widget draws it at a third of this size.
pub const PROVIDER_LOGO: LogoBounds = LogoBounds { width: 120, height: 120 };

/// The largest size of an encoded logo, in pixels. A larger picture is scaled down, and a smaller one is unchanged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LogoBounds {
    /// Maximum width.
    pub width: u16,
    /// Maximum height.
    pub height: u16,
}

/// A logo that was decoded and encoded again, so that it contains only pixels.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EncodedLogo {
    /// The picture, as a PNG file.
    pub png: Vec<u8>,
    /// Width in pixels.
    pub width: u16,
    /// Height in pixels.
    pub height: u16,
}

/// Name of a logo in its URL: 32 hexadecimal digits, derived from the picture and from what it belongs to.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LogoName(String);

impl LogoName {
    /// Names the logo of a link template. The same picture has another name in another template, so that a name does
    /// not reveal who else uses the picture. It ends with the digits that end the template's id: the
    /// [route code](crate::tenancy::route_code::RouteCode) of the tenant.
    pub fn of_template(template: &LinkTemplateId, png: &[u8]) -> Self {
        let (id, Self(name)) = (template.as_str(), Self::from_png(template.as_str(), png));
        Self(name[..name.len() - ROUTE_DIGITS].to_owned() + &id[id.len() - ROUTE_DIGITS..])
    }

    /// Names the logo of a provider.
    pub fn of_provider(png: &[u8]) -> Self {
        Self::from_png("provider", png)
    }

    /// Wraps a name from a URL or from the store. `None` if it does not have the form of a name.
    pub fn parse(text: &str) -> Option<Self> {
        let is_digit = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
        (text.len() == 32 && text.bytes().all(is_digit)).then(|| Self(text.to_owned()))
    }

    /// Returns the name of the logo at a path that [`LogoName::path`] returned.
    pub fn of_path(path: &str) -> Option<Self> {
        path.strip_prefix("/sdk/logos/")?.strip_suffix(".png").and_then(Self::parse)
    }

    /// Returns the digits.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the path at which the logo is served.
    pub fn path(&self) -> String {
        format!("/sdk/logos/{}.png", self.0)
    }

    fn from_png(owner: &str, png: &[u8]) -> Self {
        let digest = Sha256::new().chain_update(owner).chain_update([0]).chain_update(png).finalize();
        Self(hex(&digest[..16]))
    }
}

/// A logo of a link template.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Logo {
    /// Name in its URL.
    pub name: LogoName,
    /// Link template that it belongs to.
    pub template_id: LinkTemplateId,
    /// The picture.
    pub picture: EncodedLogo,
}

impl Logo {
    /// Names a picture as the logo of a link template.
    pub fn new(template_id: &LinkTemplateId, picture: EncodedLogo) -> Self {
        let name = LogoName::of_template(template_id, &picture.png);
        Self { name, template_id: template_id.clone(), picture }
    }
}

/// A logo's name and size in pixels, without the picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogoSize {
    /// Name in its URL.
    pub name: LogoName,
    /// Width.
    pub width: u16,
    /// Height.
    pub height: u16,
}

impl LogoSize {
    /// Returns the width at which a logo is drawn at a height, in CSS pixels. It is known before the logo loads, so that
    /// nothing moves then.
    pub fn width_at(&self, height: f64, widest: f64) -> f64 {
        let natural = f64::from(self.width) * height / f64::from(self.height.max(1));
        natural.clamp(MIN_WIDTH, widest).round()
    }
}

/// Minimum width of a logo's box, in CSS pixels.
const MIN_WIDTH: f64 = 8.0;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logo_name_depends_on_picture_and_template() {
        let [one, other] = [1, 2].map(|byte| LinkTemplateId::from_bytes([byte; 16]));
        let name = LogoName::of_template(&one, b"a");
        assert_eq!(name, LogoName::of_template(&one, b"a"));
        assert_ne!(name, LogoName::of_template(&one, b"b"));
        assert_ne!(name, LogoName::of_template(&other, b"a"));
        assert_ne!(name, LogoName::of_provider(b"a"));
        assert_eq!(name.as_str()[22..], one.as_str()[25..]);
        assert_eq!(LogoName::parse(name.as_str()), Some(name));
    }

    #[test]
    fn logo_path_contains_its_name() {
        let name = LogoName::of_provider(b"a");
        assert_eq!(LogoName::of_path(&name.path()), Some(name));
        for wrong in ["/sdk/logos/../v2.png", "/sdk/logos/0123.png", "https://h/sdk/logos/", ""] {
            assert_eq!(LogoName::of_path(wrong), None, "{wrong}");
        }
    }
}

/// Decodes pictures and encodes them again. It is stateless between calls.
pub trait LogoEncoder: Send + Sync {
    /// Encodes a PNG, JPEG or WebP file as a PNG within the bounds.
    ///
    /// # Errors
    /// [`LogoError`] if the file is rejected or could not be decoded.
    fn encode(&self, file: Vec<u8>, bounds: LogoBounds) -> BoxFuture<'_, Result<EncodedLogo, LogoError>>;
}

/// Reason why a logo was not encoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LogoError {
    /// The file has more than [`MAX_LOGO_BYTES`] bytes.
    #[error("a file of at most 131,072 bytes")]
    TooLarge,
    /// The content is in another format.
    #[error("a PNG, JPEG or WebP picture")]
    Format,
    /// A side is shorter or longer than allowed.
    #[error("a picture with sides of 16 to 2,048 pixels")]
    Dimensions,
    /// The picture cannot be decoded.
    #[error("a complete picture")]
    Damaged,
    /// The encoder is unavailable. The file may be valid.
    #[error("the encoder of logos is unavailable")]
    Unavailable,
}
