//! A database's address among the settings.

use secrecy::SecretString;
use serde::Deserialize;

use super::SettingsError;

/// A database address: its password is never shown.
#[derive(Clone, Deserialize)]
#[serde(try_from = "String")]
pub struct DatabaseUrl(SecretString);

impl DatabaseUrl {
    /// The address itself, for the driver alone.
    pub fn expose(&self) -> &str {
        secrecy::ExposeSecret::expose_secret(&self.0)
    }
}

impl std::fmt::Debug for DatabaseUrl {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("DatabaseUrl(..)")
    }
}

impl TryFrom<String> for DatabaseUrl {
    type Error = SettingsError;

    fn try_from(text: String) -> Result<Self, SettingsError> {
        text.parse()
    }
}

impl std::str::FromStr for DatabaseUrl {
    type Err = SettingsError;

    fn from_str(text: &str) -> Result<Self, SettingsError> {
        let known = ["postgres://", "postgresql://", "host="].iter().any(|it| text.starts_with(it));
        known.then(|| Self(SecretString::from(text))).ok_or(SettingsError::DatabaseUrl)
    }
}
