//! `GET /linchpin/v1/providers`: the providers of a connector.

use std::collections::{BTreeMap, BTreeSet};

use link_domain::kernel::languages::is_tag;
use link_domain::linking::login_form::names_its_login;
use link_types::data::DataPointKind;
use link_types::format::FieldFormat;
use link_types::id::ProviderId;
use link_types::provider::{
    Choice, FieldSchema, FieldType, LoginOption, Provider, ProviderType, Translations, VisibleWhen,
};
use link_types::record::RecordType;
use link_types::signal::SignalKind;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Response of `providers`.
#[derive(Clone, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CatalogueResponse {
    /// The providers.
    pub providers: Vec<OfferedProvider>,
    /// The types of record that it answers. A word that the service does not know is ignored.
    #[serde(default)]
    #[schema(value_type = Vec<RecordType>)]
    pub records: Vec<String>,
    /// The kinds of signal that it answers. A word that the service does not know is ignored.
    #[serde(default)]
    #[schema(value_type = Vec<SignalKind>)]
    pub signals: Vec<String>,
}

/// A provider.
#[derive(Clone, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OfferedProvider {
    /// One of the ids that the settings list for the connector.
    pub id: ProviderId,
    /// Short name, 1 to 100 characters.
    pub name: String,
    /// Full name. If null, the short name.
    pub long_name: Option<String>,
    /// Its logo as a `data:` URL. If null, a monogram is drawn.
    pub logo_url: Option<String>,
    /// Kind of source.
    #[serde(rename = "type")]
    pub provider_type: ProviderType,
    /// A more specific kind of your own, like `EMPLOYEE_PORTAL`.
    #[serde(default)]
    pub sub_type: String,
    /// ISO 3166-1 alpha-2 country.
    pub country: String,
    /// False during maintenance.
    #[serde(default = "yes")]
    pub enabled: bool,
    /// Whether a challenge may follow the login.
    #[serde(default)]
    pub mfa: bool,
    /// Whether the provider supports `refresh`, so that continuous sync can monitor its accounts.
    #[serde(default)]
    pub monitor_supported: bool,
    /// The data points it provides, including EINCOMES if they can be estimated from the others.
    pub supported: Vec<DataPointKind>,
    /// Your texts in other languages, by BCP 47 tag and then by the text as sent here: names, labels, helps, choices, and
    /// the questions of challenges. At most 20 languages with 500 texts of 1 to 500 characters each.
    #[serde(default)]
    pub translations: BTreeMap<String, BTreeMap<String, String>>,
    /// Login options. A provider without any needs no login, and the service calls `fetch` immediately.
    #[serde(default)]
    pub login_options: Vec<OfferedLogin>,
}

/// A login option.
#[derive(Clone, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OfferedLogin {
    /// Returned as `loginOption`.
    pub id: String,
    /// The text by which a user chooses the option.
    pub label: String,
    /// The form, 1 to 20 fields. The first field that is not a password identifies the login.
    pub fields: Vec<OfferedField>,
}

/// A field of a login form.
#[derive(Clone, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OfferedField {
    /// The name with which the value is sent.
    pub name: String,
    /// The label that the user sees.
    pub label: String,
    /// The type of input.
    #[serde(rename = "type")]
    pub field_type: FieldType,
    /// Whether it must be filled in.
    #[serde(default = "yes")]
    pub required: bool,
    /// Accepted values. If null, depends on the type: 1 to 256 characters, an email address, a phone number, a date, or
    /// one of the choices.
    pub format: Option<FieldFormat>,
    /// Choices of a select field.
    #[serde(default)]
    pub choices: Vec<Choice>,
    /// A sentence under the field.
    pub help: Option<String>,
    /// A fixed text before the value. It is not sent.
    pub prefix: Option<String>,
    /// The `autocomplete` token of the HTML standard, like `username`.
    pub autocomplete: Option<String>,
    /// The condition under which the field is shown. If null, always.
    pub visible_when: Option<VisibleWhen>,
}

const fn yes() -> bool {
    true
}

impl OfferedProvider {
    /// Converts the provider to the service's form.
    ///
    /// # Errors
    ///
    /// The name of the invalid field.
    pub(crate) fn provider(self) -> Result<(Provider, Translations), &'static str> {
        check(are_translations(&self.translations), "translations")?;
        check((1..=100).contains(&self.name.chars().count()), "name")?;
        check(self.country.len() == 2 && self.country.bytes().all(|it| it.is_ascii_uppercase()), "country")?;
        let is_drawn = |url: &String| url.starts_with("data:image/");
        check(self.logo_url.as_ref().is_none_or(is_drawn), "logoUrl")?;
        let ids: BTreeSet<_> = self.login_options.iter().map(|it| it.id.as_str()).collect();
        check(ids.len() == self.login_options.len() && !ids.contains(""), "loginOptions.id")?;
        let login_required = !self.login_options.is_empty();
        let login_options = self.login_options.into_iter().map(OfferedLogin::option);
        let provider = Provider {
            id: self.id,
            long_name: self.long_name.unwrap_or_else(|| self.name.clone()),
            name: self.name,
            logo_url: self.logo_url,
            provider_type: self.provider_type,
            sub_type: self.sub_type,
            country: self.country,
            enabled: self.enabled,
            login_required,
            mfa: self.mfa,
            monitor_supported: self.monitor_supported,
            supported: self.supported,
            login_options: login_options.collect::<Result<_, _>>()?,
        };
        Ok((provider, self.translations))
    }
}

fn are_translations(translations: &Translations) -> bool {
    let is_text = |text: &String| (1..=500).contains(&text.chars().count());
    let fits = |words: &BTreeMap<String, String>| {
        words.len() <= 500 && words.iter().all(|(text, translation)| is_text(text) && is_text(translation))
    };
    translations.len() <= 20 && translations.iter().all(|(locale, words)| is_tag(locale) && fits(words))
}

impl OfferedLogin {
    fn option(self) -> Result<LoginOption, &'static str> {
        check((1..=20).contains(&self.fields.len()), "loginOptions.fields")?;
        check(!self.label.is_empty(), "loginOptions.label")?;
        let names: BTreeSet<_> = self.fields.iter().map(|it| it.name.as_str()).collect();
        check(names.len() == self.fields.len() && !names.contains(""), "loginOptions.fields.name")?;
        let depends_on_known = |field: &OfferedField| {
            field.visible_when.as_ref().is_none_or(|when| names.contains(when.field.as_str()))
        };
        check(self.fields.iter().all(depends_on_known), "loginOptions.fields.visibleWhen")?;
        let fields: Vec<_> = self.fields.into_iter().map(OfferedField::schema).collect::<Result<_, _>>()?;
        let option = LoginOption { id: self.id, label: self.label, fields };
        // Guesses are counted by the login's name.
        check(names_its_login(&option), "loginOptions.fields")?;
        Ok(option)
    }
}

impl OfferedField {
    fn schema(self) -> Result<FieldSchema, &'static str> {
        check(!self.label.is_empty(), "loginOptions.fields.label")?;
        let is_select = self.field_type == FieldType::Select;
        check(is_select != self.choices.is_empty(), "loginOptions.fields.choices")?;
        let values = self.choices.iter().map(|it| it.value.clone()).collect();
        let format = match (self.field_type, self.format) {
            (FieldType::Select, _) => FieldFormat::OneOf { values },
            (_, Some(format)) => format,
            (FieldType::Text | FieldType::Password, None) => FieldFormat::Text { min: 1, max: 256 },
            (FieldType::Email, None) => FieldFormat::Email {},
            (FieldType::Tel, None) => FieldFormat::Phone {},
            (FieldType::Date, None) => FieldFormat::Date {},
        };
        Ok(FieldSchema {
            required: self.required,
            choices: self.choices,
            help: self.help,
            prefix: self.prefix,
            autocomplete: self.autocomplete,
            visible_when: self.visible_when,
            ..FieldSchema::new(&self.name, &self.label, self.field_type, format)
        })
    }
}

fn check(fits: bool, field: &'static str) -> Result<(), &'static str> {
    if fits { Ok(()) } else { Err(field) }
}
