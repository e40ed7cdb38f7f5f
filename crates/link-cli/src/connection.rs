//! Which service a command talks to, and with which API key.

use std::env::VarError;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use clap::Args;
use link_domain::kernel::digest::{Digest32, hex};
use link_types::Sensitive;

use crate::failure::TenantCommandError;
use crate::profiles::{self, DEFAULT_PROFILE};
use crate::rest::Rest;
use crate::terminal::CommandError;
use crate::{address, shown};

/// The variable with the base address of an environment.
pub const URL_VARIABLE: &str = "LINCHPIN_URL";
/// The variable with `KEY:SECRET`.
pub const KEY_VARIABLE: &str = "LINCHPIN_API_KEY";

/// The profile that a command uses.
#[derive(Args, Clone)]
pub struct Connection {
    /// The profile that `linchpin login --profile` stored. LINCHPIN_URL and LINCHPIN_API_KEY together replace the default.
    #[arg(long, value_parser = profiles::name, global = true)]
    pub profile: Option<String>,
}

/// The profile that a command uses, and the format of its output.
#[derive(Args, Clone)]
pub struct Access {
    /// The profile.
    #[command(flatten)]
    pub connection: Connection,
    /// Print JSON, for programs.
    #[arg(long, global = true)]
    pub json: bool,
}

/// An API key and its secret.
#[derive(Clone)]
pub struct ApiKey {
    key: String,
    secret: Sensitive,
}

/// The address of an environment, and an API key.
#[derive(Clone)]
pub struct Credentials {
    /// The base address.
    pub base: String,
    /// The API key.
    pub key: ApiKey,
}

impl ApiKey {
    /// Reads `KEY:SECRET`. The text is never repeated.
    ///
    /// # Errors
    /// [`TenantCommandError::Credentials`] if it has another form.
    pub fn parse(text: &str, given_as: &str) -> Result<Self, TenantCommandError> {
        let pair = text.trim().split_once(':');
        let is_plain = |it: &str| !it.is_empty() && it.chars().all(|it| it.is_ascii_graphic());
        match pair {
            Some((key, secret))
                if key.starts_with("lpk_")
                    && secret.starts_with("lps_")
                    && is_plain(key)
                    && is_plain(secret) =>
            {
                Ok(Self { key: key.to_owned(), secret: Sensitive::new(secret) })
            }
            Some(_) | None => Err(TenantCommandError::Credentials(format!(
                "{given_as} is not an API key and its secret. Write both with a colon in between, like lpk_…:lps_…"
            ))),
        }
    }

    /// Returns the header `Authorization`.
    #[must_use]
    pub fn authorization(&self) -> Sensitive {
        let pair = Sensitive::new(format!("{}:{}", self.key, self.secret.expose()));
        Sensitive::new(format!("Basic {}", STANDARD.encode(pair.expose())))
    }

    pub(crate) fn parts(&self) -> (&str, &Sensitive) {
        (&self.key, &self.secret)
    }
}

impl Credentials {
    /// Returns a name of the environment that reveals no secret, for its files.
    #[must_use]
    pub fn name(&self) -> String {
        let digest = Digest32::from_text(&format!("{}\n{}", self.base, self.key.key));
        hex(&digest.as_bytes()[..8])
    }
}

impl Connection {
    /// Finds the address and the API key: of the profile that is named, in the environment, or of the default profile.
    ///
    /// # Errors
    /// [`TenantCommandError`] if there are none, or if they are not valid.
    pub fn credentials(&self) -> Result<Credentials, TenantCommandError> {
        if let Some(name) = &self.profile {
            return read_stored(name)?.ok_or_else(|| missing_profile(name));
        }
        let from_environment = match (variable(URL_VARIABLE)?, variable(KEY_VARIABLE)?) {
            (Some(url), Some(key)) => Some((url, key)),
            (None, None) => None,
            (Some(_), None) => return Err(lone(URL_VARIABLE, KEY_VARIABLE)),
            (None, Some(_)) => return Err(lone(KEY_VARIABLE, URL_VARIABLE)),
        };
        if let Some((url, key)) = from_environment {
            let base = address::check(&url, URL_VARIABLE)?;
            if address::is_origin(&base) {
                return Err(TenantCommandError::Usage(format!(
                    "{URL_VARIABLE} names no environment. Add /sandbox/v1 for the sandbox, or /v1 for production"
                )));
            }
            return Ok(Credentials { base, key: ApiKey::parse(&key, KEY_VARIABLE)? });
        }
        read_stored(DEFAULT_PROFILE)?.ok_or_else(|| {
            let known = profiles::profile_names();
            if !known.is_empty() {
                return missing_profile(DEFAULT_PROFILE);
            }
            TenantCommandError::Credentials(format!(
                "no API key. Run `linchpin login --url https://link.example.com/sandbox/v1`, or set {URL_VARIABLE} and \
                 {KEY_VARIABLE} (KEY:SECRET). On the service's own machine, name a tenant with --tenant instead"
            ))
        })
    }

    /// Prepares requests.
    ///
    /// # Errors
    /// Like [`Self::credentials`].
    pub fn rest(&self) -> Result<Rest, TenantCommandError> {
        Rest::new(&self.credentials()?)
    }
}

impl Access {
    /// Formats a response.
    ///
    /// # Errors
    /// Never in practice: a value is always JSON.
    pub fn show(&self, response: &serde_json::Value, shown: &shown::Shown) -> Result<String, CommandError> {
        Ok(shown::show(response, shown, self.json)?)
    }
}

fn read_stored(name: &str) -> Result<Option<Credentials>, TenantCommandError> {
    let Some(profile) = profiles::read_profile(name)? else { return Ok(None) };
    let base = address::check(&profile.url, "the address of the profile")?;
    let key = ApiKey { key: profile.api_key, secret: Sensitive::new(profile.api_secret) };
    Ok(Some(Credentials { base, key }))
}

fn variable(name: &str) -> Result<Option<String>, TenantCommandError> {
    match std::env::var(name) {
        Ok(value) if value.is_empty() => Ok(None),
        Ok(value) => Ok(Some(value)),
        Err(VarError::NotPresent) => Ok(None),
        Err(VarError::NotUnicode(_)) => Err(TenantCommandError::Usage(format!("{name} is not UTF-8"))),
    }
}

fn lone(set: &str, absent: &str) -> TenantCommandError {
    TenantCommandError::Usage(format!(
        "{set} is set and {absent} is not. Set both, or neither to use the profile of `linchpin login`"
    ))
}

fn missing_profile(name: &str) -> TenantCommandError {
    let known = profiles::profile_names();
    let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
    TenantCommandError::Credentials(format!(
        "the profile {name} does not exist. Stored profiles: {known}. To store it, run `linchpin login --profile {name}`"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn malformed_api_key_is_not_repeated() {
        for text in ["", "lpk_1", "lpk_1:canary", "canary:lps_1", "lpk_1:lps_can ary", "lpk_:"] {
            let Err(error) = ApiKey::parse(text, "LINCHPIN_API_KEY") else { panic!("{text}") };
            assert!(error.to_string().starts_with("LINCHPIN_API_KEY is not an API key"), "{error}");
            assert!(!error.to_string().contains("canary"), "{error}");
        }
        let key = ApiKey::parse(" lpk_1:lps_2\n", "x").unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(key.authorization().expose(), "Basic bHBrXzE6bHBzXzI=");
    }
}
