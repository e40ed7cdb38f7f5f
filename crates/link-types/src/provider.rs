//! Data providers and their login forms (`resources.md`: Provider).

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::{data::DataPointKind, format::FieldFormat, id::ProviderId};

/// Translations of a provider's texts, by BCP 47 tag and then by the default text.
pub type Translations = BTreeMap<String, BTreeMap<String, String>>;

words! {
    /// Kind of data provider.
    ProviderType {
        /// Social security, health insurance, housing funds and pension agencies.
        Government = "GOVERNMENT",
        /// Portal of a single employer.
        Employer = "EMPLOYER",
        /// Gig platform.
        Gig = "GIG",
        /// Payroll system.
        Payroll = "PAYROLL",
    }
}

words! {
    /// HTML input type of a field.
    FieldType {
        /// One line of text.
        Text = "text",
        /// Secret text: masked, and never stored in the widget's state.
        Password = "password",
        /// Email address.
        Email = "email",
        /// Phone number.
        Tel = "tel",
        /// One of a list of choices.
        Select = "select",
        /// Calendar date.
        Date = "date",
    }
}

/// A choice in a select field, a login option or a challenge.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct Choice {
    /// Value to send.
    pub value: String,
    /// Label to show.
    pub label: String,
}

/// Condition for showing a field: another field has this value.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct VisibleWhen {
    /// Name of the other field.
    pub field: String,
    /// Value that the other field must have.
    pub equals: String,
}

/// A field of a login form.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct FieldSchema {
    /// Key under which the value is sent.
    pub name: String,
    /// Label shown to the person.
    pub label: String,
    /// Input type.
    #[serde(rename = "type")]
    pub field_type: FieldType,
    /// Whether the field must be filled in while it is visible.
    pub required: bool,
    /// Format that the value must have. `pattern`, `minLength` and `maxLength` are derived from it.
    pub format: FieldFormat,
    /// HTML pattern, derived from `format`.
    pub pattern: Option<String>,
    /// Minimum number of characters, derived from `format`.
    pub min_length: Option<u16>,
    /// Maximum number of characters, derived from `format`.
    pub max_length: Option<u16>,
    /// Choices of a select field. Empty for other types.
    pub choices: Vec<Choice>,
    /// Help text shown below the field.
    pub help: Option<String>,
    /// Fixed text shown before the value, like `+52`. It is not sent.
    pub prefix: Option<String>,
    /// HTML `autocomplete` token, like `username`.
    pub autocomplete: Option<String>,
    /// Condition for showing the field. If null, the field is always shown.
    pub visible_when: Option<VisibleWhen>,
}

impl FieldSchema {
    /// Creates a required field and derives `pattern`, `min_length` and `max_length` from its format.
    pub fn new(name: &str, label: &str, field_type: FieldType, format: FieldFormat) -> Self {
        let (min_length, max_length) = format.lengths();
        Self {
            name: name.to_owned(),
            label: label.to_owned(),
            field_type,
            required: true,
            pattern: format.pattern(),
            min_length,
            max_length,
            format,
            choices: Vec::new(),
            help: None,
            prefix: None,
            autocomplete: None,
            visible_when: None,
        }
    }

    /// Returns whether the field's text is a secret that no state may store.
    pub const fn is_secret(&self) -> bool {
        matches!(self.field_type, FieldType::Password)
    }
}

/// One way of logging in to a provider.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct LoginOption {
    /// Identifier of the option, sent back as `loginOption`.
    pub id: String,
    /// Label that the person chooses by, like "CURP and password".
    pub label: String,
    /// Fields of the form, in order. The first field that is not a secret names the login.
    pub fields: Vec<FieldSchema>,
}

/// A data provider.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct Provider {
    /// Slug, like `mx_social_security`.
    pub id: ProviderId,
    /// Short name.
    pub name: String,
    /// Full name.
    pub long_name: String,
    /// URL of the logo. If null, a monogram is drawn.
    pub logo_url: Option<String>,
    /// Kind of provider.
    #[serde(rename = "type")]
    pub provider_type: ProviderType,
    /// More specific kind, like `SOCIAL_SECURITY`.
    pub sub_type: String,
    /// Country, as an ISO 3166-1 alpha-2 code.
    pub country: String,
    /// False during maintenance.
    pub enabled: bool,
    /// Whether the provider requires a login.
    pub login_required: bool,
    /// Whether a login can trigger a multi-factor challenge.
    pub mfa: bool,
    /// Whether continuous sync is available for accounts of this provider.
    pub monitor_supported: bool,
    /// Kinds of data points that the provider can return.
    pub supported: Vec<DataPointKind>,
    /// Ways to log in. Empty if no login is required.
    pub login_options: Vec<LoginOption>,
}

/// A provider as the widget's provider list shows it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct ProviderSummary {
    /// Slug, like `mx_social_security`.
    pub id: ProviderId,
    /// Short name.
    pub name: String,
    /// Full name.
    pub long_name: String,
    /// URL of the logo. If null, a monogram is drawn.
    pub logo_url: Option<String>,
    /// Kind of provider.
    #[serde(rename = "type")]
    pub provider_type: ProviderType,
    /// Country, as an ISO 3166-1 alpha-2 code.
    pub country: String,
    /// False during maintenance.
    pub enabled: bool,
    /// Whether the provider requires a login.
    pub login_required: bool,
    /// Short and full name in lowercase without accents. The search compares against it.
    pub search_key: String,
}
/// A page of the list of providers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct ProviderPage {
    /// Providers on this page.
    pub items: Vec<Provider>,
    /// Value to pass as `cursor` for the next page. Null on the last page.
    pub next_cursor: Option<String>,
    /// Whether the operator has configured a source of providers for this environment. If false, there are none, and
    /// nothing can be linked.
    pub source_configured: bool,
}
