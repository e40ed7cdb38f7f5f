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
        Self(SecretString::from(text)).checked()
    }
}

/// Takes any text: what refuses a flag or a variable repeats it on the terminal, with its password. The settings check
/// it later.
impl std::str::FromStr for DatabaseUrl {
    type Err = std::convert::Infallible;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Ok(Self(SecretString::from(text)))
    }
}

impl DatabaseUrl {
    /// The address, once the driver has seen it too.
    ///
    /// # Errors
    ///
    /// [`SettingsError`] without any part of the address.
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
