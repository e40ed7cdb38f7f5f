//! Tenant configuration: link templates and consent templates (`resources.md`).

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::{
    archive::ArchiveType,
    data::DataPointKind,
    form_submission::LinkSiteForm,
    id::{ConsentTemplateId, LinkTemplateId, ProviderId},
    time::Timestamp,
};

/// A color, `#rrggbb`.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Color {
    /// Red channel, 0 to 255.
    pub red: u8,
    /// Green channel, 0 to 255.
    pub green: u8,
    /// Blue channel, 0 to 255.
    pub blue: u8,
}

/// Error for a text that is not a color of the form `#rrggbb`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("expected a color like #1f6feb")]
pub struct InvalidColorError;

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
    type Err = InvalidColorError;

    fn from_str(text: &str) -> Result<Self, InvalidColorError> {
        let digits =
            text.strip_prefix('#').filter(|d| d.len() == 6 && d.bytes().all(|b| b.is_ascii_hexdigit()));
        let channel = |range| {
            digits
                .and_then(|d: &str| d.get(range))
                .and_then(|d| u8::from_str_radix(d, 16).ok())
                .ok_or(InvalidColorError)
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
            // Compact formats hold only data that the service itself wrote, so an invalid color cannot occur.
            Err(InvalidColorError) if !checks => Ok(Self { red: 0, green: 0, blue: 0 }),
            parsed => parsed.map_err(serde::de::Error::custom),
        }
    }
}

#[cfg(feature = "schema")]
string_schema!(Color, "A color, `#rrggbb`.", Some("^#[0-9A-Fa-f]{6}$"), "#1f6feb");

/// Accent colors that the widget uses. They are the tenant's color, adjusted to a contrast of at least 4.5:1 for text
/// on the accent and for the accent on the surface.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct Theme {
    /// Accent on light surfaces.
    pub accent_light: Color,
    /// Text on `accentLight`.
    pub on_accent_light: Color,
    /// Accent on dark surfaces.
    pub accent_dark: Color,
    /// Text on `accentDark`.
    pub on_accent_dark: Color,
}

words! {
    /// Typeface of the widget. Every typeface is one that operating systems have, so no font is loaded.
    BrandFont {
        /// The system's own typeface.
        System = "SYSTEM",
        /// Neutral, like Helvetica.
        Grotesque = "GROTESQUE",
        /// Open and drawn by hand, like Gill Sans.
        Humanist = "HUMANIST",
        /// Built from circles, like Avenir.
        Geometric = "GEOMETRIC",
        /// With round ends, like Nunito.
        Rounded = "ROUNDED",
        /// With serifs, like Charter.
        Serif = "SERIF",
    }
}

/// Radius of the widget's controls, in CSS pixels, if the link template does not set one.
pub const DEFAULT_RADIUS: u8 = 10;
/// Maximum radius of the widget's controls, in CSS pixels.
pub const MAX_RADIUS: u8 = 16;

/// Branding of a tenant.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Default)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct BrandTheme {
    /// Brand color. Defaults to Linchpin's own color.
    pub accent: Option<Color>,
    /// Brand color in the dark theme. Defaults to `accent`.
    pub accent_dark: Option<Color>,
    /// Radius of buttons, fields and rows in CSS pixels, 0 to 16. Defaults to 10.
    #[cfg_attr(feature = "schema", schema(maximum = 16))]
    pub radius: Option<u8>,
    /// Typeface. Defaults to SYSTEM.
    pub font: Option<BrandFont>,
    /// URL of the logo. If null, a monogram of `companyName` is drawn.
    pub logo_light: Option<String>,
    /// URL of the logo in the dark theme. If null, `logoLight` is drawn on white.
    pub logo_dark: Option<String>,
}

words! {
    /// How often continuous sync reads an account again.
    SyncInterval {
        /// Every day.
        Daily = "DAILY",
        /// Every week.
        Weekly = "WEEKLY",
        /// Every month, on the day on which the account first connected. In a month without that day, it is the last
        /// day.
        Monthly = "MONTHLY",
    }
}

impl SyncInterval {
    /// Interval of a link template that does not set one.
    pub const DEFAULT: Self = Self::Monthly;
}

words! {
    /// Start of the 60 days after which the data of an account is erased and the account is disconnected.
    Retention {
        /// The last time that the person connected the account.
        FromConnection = "FROM_CONNECTION",
        /// The last reading that returned data. An account in sync stays connected as long as it can be read.
        FromLastSync = "FROM_LAST_SYNC",
    }
}

impl Retention {
    /// Returns the retention of a link template that does not set one.
    pub const fn default_of(sync_enabled: bool) -> Self {
        if sync_enabled { Self::FromLastSync } else { Self::FromConnection }
    }
}

/// Configuration of the widget for one use case of a tenant.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct LinkTemplate {
    /// Unique identifier of the link template, with the prefix `lt-`.
    pub id: LinkTemplateId,
    /// Time at which the link template was created.
    pub created_at: Timestamp,
    /// Your name for the link template.
    pub name: String,
    /// Origins of the pages that may embed the widget.
    pub allowed_origins: Vec<String>,
    /// Addresses to which a hosted link may return people.
    #[serde(default)]
    pub redirect_urls: Vec<String>,
    /// Name of the tenant, as shown to the person.
    pub company_name: String,
    /// Consent template with the consent text.
    pub consent_template_id: ConsentTemplateId,
    /// Whether the widget option `enableConsentPage: false` is allowed.
    pub allow_consent_skip: bool,
    /// Providers offered. If empty, all are offered.
    pub providers: Vec<ProviderId>,
    /// Providers shown first. At most 10.
    pub top_providers: Vec<ProviderId>,
    /// Whether documents can be uploaded.
    pub uploads_enabled: bool,
    /// Kinds of documents that can be uploaded. If empty, all are allowed.
    #[serde(default)]
    pub file_types: Vec<ArchiveType>,
    /// Kinds of data points that the person can decline. If empty, everything is shared.
    #[serde(default)]
    pub optional_data: Vec<DataPointKind>,
    /// Branding of the widget.
    pub theme: BrandTheme,
    /// Custom texts, by locale and then by text key.
    #[serde(default)]
    pub texts: BTreeMap<String, BTreeMap<String, String>>,
    /// Whether continuous sync is enabled for accounts.
    pub sync_enabled: bool,
    /// How often continuous sync reads an account.
    pub sync_interval: SyncInterval,
    /// Start of the 60 days after which the data of an account is erased.
    pub retention: Retention,
    /// Your page with help, an https URL. The widget links to it, unless it is null.
    #[serde(default)]
    pub help_url: Option<String>,
    /// Form that invitations show before the widget opens. If null, no form is shown.
    #[serde(default)]
    pub form: Option<LinkSiteForm>,
    /// Changes if anything above changes. An update with an older revision is rejected.
    #[serde(default)]
    pub revision: String,
}

/// Text that a person accepts on the consent page.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct ConsentTemplate {
    /// Unique identifier of the consent template, with the prefix `ct-`.
    pub id: ConsentTemplateId,
    /// Time at which the consent template was created.
    pub created_at: Timestamp,
    /// Label for the kind of consent, like `TERMS_AND_CONDITIONS`.
    #[serde(rename = "type")]
    pub consent_type: String,
    /// Heading of the consent page.
    pub title: String,
    /// Version of the text, at most 64 characters.
    pub version: String,
    /// Text as plain paragraphs, at most 65,535 characters.
    pub text: String,
    /// Language of the text, as a BCP 47 tag.
    pub locale: String,
    /// The same heading and text in other languages, by BCP 47 tag. The person sees the one in the widget's language, if
    /// there is one.
    #[serde(default)]
    pub translations: BTreeMap<String, ConsentTranslation>,
    /// Changes if anything above changes. An update with an older revision is rejected.
    #[serde(default)]
    pub revision: String,
}

/// Heading and text of a consent template in another language.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ConsentTranslation {
    /// Heading of the consent page.
    #[cfg_attr(feature = "schema", schema(min_length = 1, max_length = 200))]
    pub title: String,
    /// Text as plain paragraphs separated by blank lines.
    #[cfg_attr(feature = "schema", schema(min_length = 1, max_length = 65535))]
    pub text: String,
}
