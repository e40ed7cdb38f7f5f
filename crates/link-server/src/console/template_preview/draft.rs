//! The form of the portal with the draft of a template. Parts of the draft that are not valid yet are left out.

use std::collections::BTreeMap;

use link_domain::kernel::context::Context;
use link_domain::kernel::owner::Owner;
use link_domain::notifications::own_texts::remove_faulty;
use link_domain::tenancy::template::LinkTemplate as OwnedTemplate;
use link_types::archive::ArchiveType;
use link_types::data::DataPointKind;
use link_types::id::{ConsentTemplateId, LinkTemplateId, ProviderId};
use link_types::problem::FaultCode;
use link_types::template::{
    BrandFont, BrandTheme, Color, ConsentTemplate, ConsentTranslation, LinkTemplate, MAX_RADIUS, Retention,
    SyncInterval,
};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer};
use serde_json::Value;
use serde_json::value::RawValue;

use crate::http::problem::{ApiResult, Problem};

/// Maximum number of items of a list, as many as a link template has.
pub(super) const MAX_ITEMS: usize = 200;

/// The kind of the draft.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub(super) enum Kind {
    Link,
    Consent,
}

/// The page of the widget with which the preview begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub(super) enum Start {
    Consent,
    Providers,
    Login,
}

/// The fields of the form.
#[derive(Debug)]
pub(super) struct Asked {
    pub kind: Kind,
    /// The template that the draft will change. `None` for a new one.
    pub id: Option<String>,
    /// The body that the portal would send to the REST interface.
    pub draft: Draft,
    pub start: Start,
    pub language: String,
    pub is_dark: bool,
}

impl Asked {
    /// Reads the form. Other fields than these are dropped.
    pub fn parse(body: &[u8]) -> ApiResult<Self> {
        let (mut kind, mut id, mut draft, mut start) = (None, None, None, None);
        let (mut language, mut is_dark) = (String::new(), false);
        for (name, text) in form_urlencoded::parse(body) {
            match name.as_ref() {
                "kind" => kind = word(&text),
                "id" => id = Some(text.into_owned()),
                // A list would be read as the fields in their order.
                "draft" => {
                    let object = Some(text).filter(|it| it.starts_with('{'));
                    draft = object.and_then(|it| serde_json::from_str(&it).ok());
                }
                "page" => start = word(&text),
                "language" => language = text.into_owned(),
                "scheme" => is_dark = text == "dark",
                _ => {}
            }
        }
        let invalid = |name, expected| Problem::invalid_field(name, FaultCode::Invalid, expected);
        Ok(Self {
            kind: kind.ok_or_else(|| invalid("kind", "LINK or CONSENT"))?,
            start: start.ok_or_else(|| invalid("page", "CONSENT, PROVIDERS or LOGIN"))?,
            draft: draft.ok_or_else(|| invalid("draft", "the draft of a template"))?,
            id,
            language,
            is_dark,
        })
    }
}

fn word<T: DeserializeOwned>(text: &str) -> Option<T> {
    serde_json::from_value(Value::from(text)).ok()
}

/// A value, if it is valid. Its text is only skipped until its type is known, so nothing else is built from it.
#[derive(Debug)]
pub(super) struct Valid<T>(pub Option<T>);

impl<T> Default for Valid<T> {
    fn default() -> Self {
        Self(None)
    }
}

impl<'de, T: DeserializeOwned> Deserialize<'de> for Valid<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = Box::<RawValue>::deserialize(deserializer)?;
        Ok(Self(serde_json::from_str(text.get()).ok()))
    }
}

/// The valid items of a list, at most [`MAX_ITEMS`].
#[derive(Debug)]
pub(super) struct ValidItems<T>(pub Vec<T>);

impl<T> Default for ValidItems<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<'de, T: DeserializeOwned> Deserialize<'de> for ValidItems<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = Box::<RawValue>::deserialize(deserializer)?;
        let items = serde_json::from_str::<Vec<&RawValue>>(text.get()).unwrap_or_default();
        let items = items.into_iter().take(MAX_ITEMS);
        Ok(Self(items.filter_map(|it| serde_json::from_str(it.get()).ok()).collect()))
    }
}

/// The draft of a link or consent template. Other fields than these are dropped.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Draft {
    company_name: Valid<String>,
    pub consent_template_id: Valid<ConsentTemplateId>,
    providers: ValidItems<ProviderId>,
    top_providers: ValidItems<ProviderId>,
    uploads_enabled: Valid<bool>,
    file_types: ValidItems<ArchiveType>,
    optional_data: ValidItems<DataPointKind>,
    pub theme: Valid<ThemeDraft>,
    texts: Valid<BTreeMap<String, BTreeMap<String, String>>>,
    sync_enabled: Valid<bool>,
    sync_interval: Valid<SyncInterval>,
    retention: Valid<Retention>,
    help_url: Valid<String>,
    #[serde(rename = "type")]
    consent_type: Valid<String>,
    title: Valid<String>,
    version: Valid<String>,
    text: Valid<String>,
    locale: Valid<String>,
    translations: Valid<BTreeMap<String, ConsentTranslation>>,
}

impl Draft {
    /// Returns the link template. Its theme is the stored one.
    pub fn link(self, owner: &Owner, stored: Option<OwnedTemplate>, context: &mut Context) -> LinkTemplate {
        let (id, theme) = match stored {
            Some(OwnedTemplate { template, .. }) => (template.id, template.theme),
            None => (LinkTemplateId::from_bytes(context.uuid()), BrandTheme::default()),
        };
        let company = self.company_name.0.filter(|it| !it.is_empty());
        let sync_enabled = self.sync_enabled.0.unwrap_or(true);
        let mut texts = self.texts.0.unwrap_or_default();
        remove_faulty(&mut texts);
        LinkTemplate {
            id,
            created_at: context.now().tenant().into(),
            name: String::new(),
            allowed_origins: Vec::new(),
            redirect_urls: Vec::new(),
            company_name: company.unwrap_or_else(|| owner.tenant.as_str().to_owned()),
            consent_template_id: self
                .consent_template_id
                .0
                .unwrap_or_else(|| ConsentTemplateId::from_bytes(context.uuid())),
            allow_consent_skip: false,
            providers: self.providers.0,
            top_providers: self.top_providers.0,
            uploads_enabled: self.uploads_enabled.0.unwrap_or(true),
            file_types: self.file_types.0,
            optional_data: self.optional_data.0,
            theme,
            texts,
            sync_enabled,
            sync_interval: self.sync_interval.0.unwrap_or(SyncInterval::DEFAULT),
            retention: self.retention.0.unwrap_or(Retention::default_of(sync_enabled)),
            help_url: self.help_url.0.filter(|it| !it.is_empty()),
            form: None,
            revision: String::new(),
        }
    }

    /// Returns the consent template.
    pub fn consent(self, context: &mut Context) -> ConsentTemplate {
        ConsentTemplate {
            id: ConsentTemplateId::from_bytes(context.uuid()),
            created_at: context.now().tenant().into(),
            consent_type: self.consent_type.0.unwrap_or_default(),
            title: self.title.0.unwrap_or_default(),
            version: self.version.0.unwrap_or_default(),
            text: self.text.0.unwrap_or_default(),
            locale: self.locale.0.unwrap_or_default(),
            translations: self.translations.0.unwrap_or_default(),
            revision: String::new(),
        }
    }
}

/// The brand in a draft.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct ThemeDraft {
    accent: Valid<Color>,
    accent_dark: Valid<Color>,
    radius: Valid<u8>,
    font: Valid<BrandFont>,
    pub logo_light: Valid<String>,
    pub logo_dark: Valid<String>,
}

impl ThemeDraft {
    /// Returns the theme without its logos.
    pub fn theme(&self) -> BrandTheme {
        BrandTheme {
            accent: self.accent.0,
            accent_dark: self.accent_dark.0,
            radius: self.radius.0.filter(|it| *it <= MAX_RADIUS),
            font: self.font.0,
            logo_light: None,
            logo_dark: None,
        }
    }
}
