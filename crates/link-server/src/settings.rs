//! Settings from a file, the environment and flags. Flags override the environment, which overrides the file.
//!
//! [`SettingsInput`] has every setting as configured. [`SettingsInput::settle`] merges and checks them, which gives
//! [`Settings`].

mod backups;
mod checked;
mod connector;
mod environment;
mod input;
mod live;
#[cfg(test)]
mod tests;
mod urls;

use std::path::{Path, PathBuf};

use link_connectors::networks::InvalidNetworkError;

pub use backups::{BackupSettings, is_bucket_address};
pub use checked::{Settings, SharedOrigin};
pub use connector::{Connector, ConnectorInput};
pub use environment::{EnvironmentError, check_environment};
pub use input::{DEFAULT_DATA_DIR, SettingsInput};
pub use live::{Live, LiveSettings};

pub use self::checked::ConnectionLimits;
pub use self::urls::{DatabaseUrl, normalize_host};

/// Reason why settings are not valid.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the message of each variant describes it")]
pub enum SettingsError {
    #[error("the settings file {path} cannot be read: {source}")]
    Unreadable { path: PathBuf, source: std::io::Error },
    #[error("the settings file {path} is not valid: {message}")]
    Invalid { path: PathBuf, message: String },
    #[error("--database-url must be like postgres://user:password@host/database, or host=… user=… dbname=…")]
    DatabaseUrl,
    #[error("--{name} must be an http or https URL without a path")]
    Url { name: &'static str },
    #[error(
        "--console-url must be an https URL. Browsers do not let members sign in over http, except on this machine \
         (http://localhost)"
    )]
    ConsoleHttp,
    #[error("--console-url and --{name} have the same host. Give the developer portal another one")]
    ConsoleHost { name: &'static str },
    #[error("--ephemeral stores nothing on disk, so it cannot be used with --{name}. Remove one of the two")]
    Ephemeral { name: &'static str },
    #[error("--{with} requires --{name}")]
    Missing { name: &'static str, with: &'static str },
    #[error("connector {name:?}: {fault}")]
    Connector { name: String, fault: String },
    #[error("--{name}: {fault}")]
    Network { name: &'static str, fault: InvalidNetworkError },
    #[error(
        "--log: {part:?} is not a level (off, error, warn, info, debug, trace) or a target with a level. \
         Examples: debug, or info,link_server=debug"
    )]
    Log { part: String },
    #[error("--security-contact must be an email address or an https URL")]
    SecurityContact,
    #[error("--site-host-target must be a host name without scheme and port, such as sites.example.com")]
    SiteHostTarget,
    #[error("--{name} must be {range}")]
    Range { name: &'static str, range: &'static str },
    #[error("{0}")]
    Service(String),
    #[error("{} settings are not valid:{}", .0.len(), lines(.0))]
    Several(Vec<SettingsError>),
}

fn lines(faults: &[SettingsError]) -> String {
    faults.iter().map(|fault| format!("\n  {fault}")).collect()
}

/// All errors found in the settings. Reporting them together lets an operator fix them in one go.
#[derive(Default)]
struct SettingsErrors(Vec<SettingsError>);

impl SettingsErrors {
    /// Records an error.
    fn add(&mut self, fault: SettingsError) {
        self.0.push(fault);
    }

    /// Returns the value. On an error, records it and returns `instead`, so that the rest can be checked.
    fn or<T>(&mut self, settled: Result<T, SettingsError>, instead: T) -> T {
        settled.unwrap_or_else(|fault| {
            self.add(fault);
            instead
        })
    }

    /// Fails if an error was recorded.
    fn none(mut self) -> Result<(), SettingsError> {
        match self.0.len() {
            0 => Ok(()),
            1 => Err(self.0.remove(0)),
            _ => Err(SettingsError::Several(self.0)),
        }
    }
}

/// Reads the settings file. An error does not contain any value of the file.
fn read_file(path: &Path) -> Result<SettingsInput, SettingsError> {
    let text = std::fs::read_to_string(path)
        .map_err(|source| SettingsError::Unreadable { path: path.to_owned(), source })?;
    toml::from_str(&text).map_err(|error| SettingsError::Invalid {
        path: path.to_owned(),
        message: describe_error(&text, &error),
    })
}

/// The beginnings of a parser's messages that quote the value.
const QUOTING: [&str; 4] = ["invalid type", "invalid value", "invalid length", "unknown variant"];

/// Returns a parser's message without the value that it quotes, which may be a secret, also under the key of another setting.
fn hide_value(message: &str) -> String {
    let Some(fault) = QUOTING.into_iter().find(|it| message.starts_with(it)) else {
        return message.to_owned();
    };
    match message.rsplit_once(", expected ") {
        Some((_, expected)) => format!("{fault}, expected {expected}"),
        None => fault.to_owned(),
    }
}

/// Describes an error with its line number and key, but not the line itself, which may contain a password.
fn describe_error(text: &str, error: &toml::de::Error) -> String {
    let message = hide_value(error.message());
    let Some(before) = error.span().and_then(|span| text.get(..span.start)) else {
        return message;
    };
    let number = before.matches('\n').count() + 1;
    let line = text.lines().nth(number - 1).unwrap_or_default();
    let key = line.split_once('=').map(|(key, _)| key.trim());
    let is_key = |key: &&str| key.chars().all(|it| it.is_ascii_alphanumeric() || it == '-' || it == '_');
    match key.filter(is_key) {
        Some(key) => format!("line {number}, {key}: {message}"),
        None => format!("line {number}: {message}"),
    }
}
