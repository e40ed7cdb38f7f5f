//! Identities (interface: "Other data points", identity).

use serde::{Deserialize, Serialize};

use super::Body;
use crate::{id::IdentityId, time::Date};

/// An email address of a person.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct EmailAddress {
    /// Email address.
    pub address: String,
    /// Type of address, like PRIMARY or WORK.
    #[serde(rename = "type")]
    pub email_type: Option<String>,
}

/// A phone number of a person.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct PhoneNumber {
    /// Phone number with its country code.
    pub number: String,
    /// Type of number, like MOBILE or HOME.
    #[serde(rename = "type")]
    pub phone_type: Option<String>,
}

/// A social media profile of a person.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct SocialProfile {
    /// URL of the profile.
    pub social_url: String,
    /// Social network.
    #[serde(rename = "type")]
    pub profile_type: Option<String>,
}

/// A postal address of a person.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct Address {
    /// Full address in one line.
    pub full_address: Option<String>,
    /// Street and number.
    pub line1: Option<String>,
    /// Second address line.
    pub line2: Option<String>,
    /// City.
    pub city: Option<String>,
    /// State or province.
    pub region: Option<String>,
    /// Postal code.
    pub zip: Option<String>,
    /// Country, as an ISO 3166-1 alpha-2 code.
    pub country: Option<String>,
    /// Latitude in degrees north, from -90 to 90.
    #[cfg_attr(feature = "schema", schema(minimum = -90, maximum = 90))]
    pub latitude: Option<f64>,
    /// Longitude in degrees east, from -180 to 180.
    #[cfg_attr(feature = "schema", schema(minimum = -180, maximum = 180))]
    pub longitude: Option<f64>,
    /// Type of address, like HOME or WORK.
    #[serde(rename = "type")]
    pub address_type: Option<String>,
}

/// Identity of the person.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct Identity {
    /// Unique identifier of the identity, with the prefix `i-`.
    pub id: IdentityId,
    /// Full name.
    pub full_name: Option<String>,
    /// Given name.
    pub first_name: Option<String>,
    /// Middle name.
    pub middle_name: Option<String>,
    /// Family name.
    pub last_name: Option<String>,
    /// Suffix of the name, like Jr.
    pub suffix: Option<String>,
    /// Gender, as formatted by the provider.
    pub gender: Option<String>,
    /// Date of birth.
    pub dob: Option<Date>,
    /// Marital status, as formatted by the provider.
    pub marital_status: Option<String>,
    /// Country of residence, as an ISO 3166-1 alpha-2 code.
    pub country_residence: Option<String>,
    /// Citizenship, as an ISO 3166-1 alpha-2 code.
    pub citizenship: Option<String>,
    /// URL of a photo: an address at the provider, or a `data:` URL with the picture.
    pub photo_url: Option<String>,
    /// Reference number of the person at the provider.
    pub reference_id: Option<String>,
    /// URL of a profile.
    pub profile_url: Option<String>,
    /// Name of the most recent employer.
    pub latest_employer_name: Option<String>,
    /// Email addresses.
    pub emails: Vec<EmailAddress>,
    /// Phone numbers.
    pub phones: Vec<PhoneNumber>,
    /// Social media profiles.
    pub social_profiles: Vec<SocialProfile>,
    /// Postal addresses.
    pub addresses: Vec<Address>,
}

impl Body for Identity {
    #[cfg(feature = "schema")]
    const EXAMPLE: &str = r#"{
  "id": "i-01a2020583f47000800599e0d8c32449",
  "fullName": "Emiliano Rodrigo Olmedal Villaseca",
  "firstName": "Emiliano",
  "middleName": "Rodrigo",
  "lastName": "Olmedal Villaseca",
  "suffix": null,
  "gender": "MALE",
  "dob": "1986-07-19",
  "maritalStatus": null,
  "countryResidence": "MX",
  "citizenship": "MX",
  "photoUrl": null,
  "referenceId": "00000096564",
  "profileUrl": null,
  "latestEmployerName": "Servicios Nopal Dorado",
  "emails": [
    {
      "address": "emiliano.86@example.com",
      "type": "PRIMARY"
    }
  ],
  "phones": [
    {
      "number": "+52 55 0000 0186",
      "type": "MOBILE"
    }
  ],
  "socialProfiles": [],
  "addresses": [
    {
      "fullAddress": "Calle Sin Nombre 100, 00000 Ciudad Ejemplo, Jalisco, MX",
      "line1": "Calle Sin Nombre 100",
      "line2": null,
      "city": "Ciudad Ejemplo",
      "region": "Jalisco",
      "zip": "00000",
      "country": "MX",
      "latitude": null,
      "longitude": null,
      "type": "HOME"
    }
  ],
  "metadata": {
    "createdAt": "2026-11-22T06:50:45.512Z",
    "itemCreatedAt": "2026-11-22T06:50:45.620Z",
    "accountId": "a-01a20205838870008005ffa570fb2d04",
    "sourceId": "a-01a20205838870008005ffa570fb2d04",
    "sourceType": "ACCOUNT",
    "providerId": "mx_social_security",
    "userId": "demo-01a20205827370008007f9c82889d3e4"
  }
}"#;
}
