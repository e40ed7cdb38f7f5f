//! Identities (interface: "Other data points", identity).

use serde::{Deserialize, Serialize};

use crate::{id::IdentityId, time::Date};

/// An e-mail address of a person.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct EmailAddress {
    /// The address.
    pub address: String,
    /// Like PRIMARY or WORK.
    #[serde(rename = "type")]
    pub email_type: Option<String>,
}

/// A phone number of a person.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct PhoneNumber {
    /// The number with its country code.
    pub number: String,
    /// Like MOBILE or HOME.
    #[serde(rename = "type")]
    pub phone_type: Option<String>,
}

/// A social profile of a person.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct SocialProfile {
    /// Its address.
    pub social_url: String,
    /// The network.
    #[serde(rename = "type")]
    pub profile_type: Option<String>,
}

/// A postal address of a person.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct Address {
    /// The whole address in one line.
    pub full_address: Option<String>,
    /// Street and number.
    pub line1: Option<String>,
    /// What does not fit in the first line.
    pub line2: Option<String>,
    /// City.
    pub city: Option<String>,
    /// State or province.
    pub region: Option<String>,
    /// Postal code.
    pub zip: Option<String>,
    /// ISO 3166-1 alpha-2 country.
    pub country: Option<String>,
    /// Degrees north, as the provider writes them.
    pub latitude: Option<String>,
    /// Degrees east, as the provider writes them.
    pub longitude: Option<String>,
    /// Like HOME or WORK.
    #[serde(rename = "type")]
    pub address_type: Option<String>,
}

/// Who the person is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct Identity {
    /// Prefix `i-`.
    pub id: IdentityId,
    /// Full name.
    pub full_name: Option<String>,
    /// Given name.
    pub first_name: Option<String>,
    /// Middle name.
    pub middle_name: Option<String>,
    /// Family name.
    pub last_name: Option<String>,
    /// Like Jr.
    pub suffix: Option<String>,
    /// As the provider writes it.
    pub gender: Option<String>,
    /// Date of birth.
    pub dob: Option<Date>,
    /// As the provider writes it.
    pub marital_status: Option<String>,
    /// ISO 3166-1 alpha-2 country.
    pub country_residence: Option<String>,
    /// ISO 3166-1 alpha-2 country.
    pub citizenship: Option<String>,
    /// Address of a photo.
    pub photo_url: Option<String>,
    /// The provider's own number of the person.
    pub reference_id: Option<String>,
    /// Address of a profile.
    pub profile_url: Option<String>,
    /// The latest employer.
    pub latest_employer_name: Option<String>,
    /// E-mail addresses.
    pub emails: Vec<EmailAddress>,
    /// Phone numbers.
    pub phones: Vec<PhoneNumber>,
    /// Social profiles.
    pub social_profiles: Vec<SocialProfile>,
    /// Postal addresses.
    pub addresses: Vec<Address>,
}
