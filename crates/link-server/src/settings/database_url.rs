//! The `--database-url` setting.

use secrecy::SecretString;
use serde::Deserialize;

use super::error::SettingsError;

/// A database URL. `Debug` does not show it, because it contains a password.
#[derive(Clone, Deserialize)]
#[serde(try_from = "String")]
pub struct DatabaseUrl(SecretString);

impl DatabaseUrl {
    /// Returns the URL, for the database driver only.
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
        Self(SecretString::from(text)).checked()
    }
}

/// Accepts any text. If parsing failed here, clap would print the value, including its password.
/// `checked` checks it later.
impl std::str::FromStr for DatabaseUrl {
    type Err = std::convert::Infallible;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Ok(Self(SecretString::from(text)))
    }
}

impl DatabaseUrl {
    /// Checks the URL, also with the database driver.
    ///
    /// # Errors
    ///
    /// [`SettingsError`], which does not contain any part of the URL.
    pub(super) fn checked(self) -> Result<Self, SettingsError> {
        let known = ["postgres://", "postgresql://", "host="].iter().any(|it| self.expose().starts_with(it));
        if !known {
            return Err(SettingsError::DatabaseUrl);
        }
        match link_store::check_address(self.expose()) {
            Ok(()) => Ok(self),
            Err(error) => Err(SettingsError::Service(format!("--database-url: {error}"))),
        }
    }
}
