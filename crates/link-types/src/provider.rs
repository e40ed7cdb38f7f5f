//! Data providers and the forms of their logins (`resources.md`: Provider).

use serde::{Deserialize, Serialize};

use crate::{data::DataPointKind, format::FieldFormat, id::ProviderId};

words! {
    /// What kind of source a provider is.
    ProviderType {
        /// Social security, health insurance, housing funds, pension agencies.
        Government = "GOVERNMENT",
        /// One employer's own portal.
        Employer = "EMPLOYER",
        /// A gig platform.
        Gig = "GIG",
        /// A payroll system.
        Payroll = "PAYROLL",
    }
}

words! {
    /// The input a field is drawn as.
    FieldType {
        /// One line of text.
        Text = "text",
        /// A secret: hidden, never kept in the widget's state.
        Password = "password",
        /// An e-mail address.
        Email = "email",
        /// A phone number.
        Tel = "tel",
        /// One of a list of choices.
        Select = "select",
        /// A day of the calendar.
        Date = "date",
    }
}

/// A choice of a select field, a login option or a challenge.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct Choice {
    /// What is sent.
    pub value: String,
    /// What is shown.
    pub label: String,
}

/// When a field is shown at all: another field has this value.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct VisibleWhen {
    /// The other field's name.
    pub field: String,
    /// The value it must have.
    pub equals: String,
}

/// One field of a login form.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct FieldSchema {
    /// The name under which the value is sent.
    pub name: String,
    /// The label a person reads.
    pub label: String,
    /// The input it is drawn as.
    #[serde(rename = "type")]
    pub field_type: FieldType,
    /// Whether it must be filled while visible.
    pub required: bool,
    /// What it accepts; `pattern`, `minLength` and `maxLength` are derived from it.
    pub format: FieldFormat,
    /// HTML pattern derived from `format`.
    pub pattern: Option<String>,
    /// Fewest characters, derived from `format`.
    pub min_length: Option<u16>,
    /// Most characters, derived from `format`.
    pub max_length: Option<u16>,
    /// Choices of a select field, otherwise empty.
    pub choices: Vec<Choice>,
    /// A sentence under the field.
    pub help: Option<String>,
    /// A fixed text in front of the value, like `+52`; not part of what is sent.
    pub prefix: Option<String>,
    /// The `autocomplete` token of the HTML standard, like `username`.
    pub autocomplete: Option<String>,
    /// Condition under which the field is shown; always, when null.
    pub visible_when: Option<VisibleWhen>,
}

impl FieldSchema {
    /// A required field with what is derived from its format filled in.
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

    /// Whether the field's text is a secret that no state may keep.
    pub const fn is_secret(&self) -> bool {
        matches!(self.field_type, FieldType::Password)
    }
}

/// One way of logging in to a provider.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct LoginOption {
    /// Sent back as `loginOption`.
    pub id: String,
    /// What a person chooses by, like "CURP and password".
    pub label: String,
    /// The form, in order; the first field that is no secret names the login.
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
    /// Address of its logo; a monogram is drawn when null.
    pub logo_url: Option<String>,
    /// Kind of source.
    #[serde(rename = "type")]
    pub provider_type: ProviderType,
    /// A finer kind, like `SOCIAL_SECURITY`.
    pub sub_type: String,
    /// ISO 3166-1 alpha-2 country.
    pub country: String,
    /// False while in maintenance.
    pub enabled: bool,
    /// False for a provider that needs no login.
    pub login_required: bool,
    /// Whether a multi-factor challenge may follow.
    pub mfa: bool,
    /// Whether continuous sync can watch its accounts.
    pub monitor_supported: bool,
    /// The data points it can give.
    pub supported: Vec<DataPointKind>,
    /// Ways to log in; empty when no login is required.
    pub login_options: Vec<LoginOption>,
}

/// What the provider list of the widget shows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct ProviderSummary {
    /// The provider.
    pub id: ProviderId,
    /// Short name.
    pub name: String,
    /// Full name.
    pub long_name: String,
    /// Address of its logo; a monogram is drawn when null.
    pub logo_url: Option<String>,
    /// Kind of source.
    #[serde(rename = "type")]
    pub provider_type: ProviderType,
    /// ISO 3166-1 alpha-2 country.
    pub country: String,
    /// False while in maintenance.
    pub enabled: bool,
    /// False for a provider that needs no login.
    pub login_required: bool,
    /// Lower case, accents removed, of name and full name: what search compares with.
    pub search_key: String,
}
