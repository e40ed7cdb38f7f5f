//! Errors in the settings.

use std::path::PathBuf;

use link_connectors::networks::InvalidNetworkError;

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
pub(super) struct Faults(Vec<SettingsError>);

impl Faults {
    /// Records an error.
    pub(super) fn add(&mut self, fault: SettingsError) {
        self.0.push(fault);
    }

    /// Returns the value. On an error, records it and returns `instead`, so that the rest can be checked.
    pub(super) fn or<T>(&mut self, settled: Result<T, SettingsError>, instead: T) -> T {
        settled.unwrap_or_else(|fault| {
            self.add(fault);
            instead
        })
    }

    /// Fails if an error was recorded.
    pub(super) fn none(mut self) -> Result<(), SettingsError> {
        match self.0.len() {
            0 => Ok(()),
            1 => Err(self.0.remove(0)),
            _ => Err(SettingsError::Several(self.0)),
        }
    }
}
