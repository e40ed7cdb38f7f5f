//! What a tenant configures: link templates and consent templates (`resources.md`).

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::{
    archive::ArchiveType,
    form_submission::LinkSiteForm,
    id::{ConsentTemplateId, LinkTemplateId, ProviderId},
    time::Timestamp,
};

/// A colour, `#rrggbb`.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Color {
    /// Red, 0 to 255.
    pub red: u8,
    /// Green, 0 to 255.
    pub green: u8,
    /// Blue, 0 to 255.
    pub blue: u8,
}

/// A text that is not a colour of the form `#rrggbb`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("expected a colour like #1f6feb")]
pub struct InvalidColor;

impl core::fmt::Display for Color {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "#{:02x}{:02x}{:02x}", self.red, self.green, self.blue)
    }
}

impl core::fmt::Debug for Color {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        core::fmt::Display::fmt(self, f)
    }
}

impl core::str::FromStr for Color {
    type Err = InvalidColor;

    fn from_str(text: &str) -> Result<Self, InvalidColor> {
        let digits =
            text.strip_prefix('#').filter(|d| d.len() == 6 && d.bytes().all(|b| b.is_ascii_hexdigit()));
        let channel = |range| {
            digits
                .and_then(|d: &str| d.get(range))
                .and_then(|d| u8::from_str_radix(d, 16).ok())
                .ok_or(InvalidColor)
        };
        Ok(Self { red: channel(0..2)?, green: channel(2..4)?, blue: channel(4..6)? })
    }
}

impl serde::Serialize for Color {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> serde::Deserialize<'de> for Color {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let checks = deserializer.is_human_readable();
        match String::deserialize(deserializer)?.parse() {
            // A compact reader reads only what the service itself wrote, and cannot refuse.
            Err(InvalidColor) if !checks => Ok(Self { red: 0, green: 0, blue: 0 }),
            parsed => parsed.map_err(serde::de::Error::custom),
        }
    }
}

#[cfg(feature = "schema")]
string_schema!(Color, "A colour.", Some("^#[0-9A-Fa-f]{6}$"), "#1f6feb");

/// The accent colours the widget paints with: the tenant's colour corrected so that text on it, and it on the
/// surface, have a contrast of at least 4.5:1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct Theme {
    /// Accent on light surfaces.
    pub accent_light: Color,
    /// Text on that accent.
    pub on_accent_light: Color,
    /// Accent on dark surfaces.
    pub accent_dark: Color,
    /// Text on that accent.
    pub on_accent_dark: Color,
}

/// What a tenant says of its brand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Default)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct BrandTheme {
    /// The brand colour; Linchpin's own when null.
    pub accent: Option<Color>,
}

/// A link template: how the widget behaves for one use of a tenant.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct LinkTemplate {
    /// Prefix `lt-`.
    pub id: LinkTemplateId,
    /// Creation.
    pub created_at: Timestamp,
    /// Label for the tenant.
    pub name: String,
    /// Origins of pages that may embed the widget.
    pub allowed_origins: Vec<String>,
    /// The tenant's name as a person sees it.
    pub company_name: String,
    /// The consent text.
    pub consent_template_id: ConsentTemplateId,
    /// Whether `enableConsentPage: false` is honoured.
    pub allow_consent_skip: bool,
    /// Providers offered; all, when empty.
    pub providers: Vec<ProviderId>,
    /// Providers shown first, at most 10.
    pub top_providers: Vec<ProviderId>,
    /// Whether documents may be uploaded.
    pub uploads_enabled: bool,
    /// The kinds of documents that may be uploaded; all, when empty.
    #[serde(default)]
    pub file_types: Vec<ArchiveType>,
    /// The tenant's brand.
    pub theme: BrandTheme,
    /// The tenant's own texts: by locale, then by the key of the text.
    #[serde(default)]
    pub texts: BTreeMap<String, BTreeMap<String, String>>,
    /// Whether accounts are kept in sync.
    pub sync_enabled: bool,
    /// The form that invitations ask before the widget opens; none when null.
    #[serde(default)]
    pub form: Option<LinkSiteForm>,
}

/// A consent template: the text a person accepts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct ConsentTemplate {
    /// Prefix `ct-`.
    pub id: ConsentTemplateId,
    /// Creation.
    pub created_at: Timestamp,
    /// A label of the kind of consent, like `TERMS_AND_CONDITIONS`.
    #[serde(rename = "type")]
    pub consent_type: String,
    /// Heading.
    pub title: String,
    /// Version, at most 64 characters.
    pub version: String,
    /// Plain paragraphs, at most 65,535 characters.
    pub text: String,
    /// Language, a BCP 47 tag.
    pub locale: String,
}
