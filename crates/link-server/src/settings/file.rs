//! The settings file.

use std::path::Path;

use super::error::SettingsError;
use super::input::SettingsInput;

/// Reads the settings file. An error does not contain any value of the file.
pub(super) fn read_file(path: &Path) -> Result<SettingsInput, SettingsError> {
    let text = std::fs::read_to_string(path)
        .map_err(|source| SettingsError::Unreadable { path: path.to_owned(), source })?;
    toml::from_str(&text)
        .map_err(|error| SettingsError::Invalid { path: path.to_owned(), message: placed(&text, &error) })
}

/// Keys whose values contain secrets.
const SECRETS: [&str; 5] = ["database-url", "smtp-url", "s3-access-key-id", "s3-secret-access-key", "secret"];

/// Describes an error with its line number and key, but not the line itself, which may contain a password.
fn placed(text: &str, error: &toml::de::Error) -> String {
    let message = error.message();
    let Some(before) = error.span().and_then(|span| text.get(..span.start)) else {
        return message.to_owned();
    };
    let number = before.matches('\n').count() + 1;
    let line = text.lines().nth(number - 1).unwrap_or_default();
    let key = line.split_once('=').map(|(key, _)| key.trim());
    let is_key = |key: &&str| key.chars().all(|it| it.is_ascii_alphanumeric() || it == '-' || it == '_');
    match key.filter(is_key) {
        // The parser's message would quote the value.
        Some(key) if SECRETS.contains(&key) && message.starts_with("invalid type") => {
            format!("line {number}, {key}: must be a quoted string")
        }
        Some(key) => format!("line {number}, {key}: {message}"),
        None => format!("line {number}: {message}"),
    }
}
