//! The languages of the portal.

use super::texts::Words;

/// A language of the portal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// English.
    English,
    /// Spanish, as in Mexico.
    Spanish,
}

impl Language {
    /// Returns the language for a browser's preferred one.
    pub fn from_tag(tag: &str) -> Self {
        if tag == "es" || tag.starts_with("es-") { Self::Spanish } else { Self::English }
    }

    /// Returns the tag of the language.
    pub const fn tag(self) -> &'static str {
        match self {
            Self::English => "en",
            Self::Spanish => "es-MX",
        }
    }

    /// Returns a text with a value in place of `{}`.
    pub fn fill(self, text: impl Words, value: &str) -> String {
        text.words_in(self).replace("{}", value)
    }
}
