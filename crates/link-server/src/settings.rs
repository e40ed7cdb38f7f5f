//! Settings from a file, the environment and flags. Flags override the environment, which overrides the file.
//!
//! [`SettingsInput`] has every setting as configured. [`SettingsInput::settle`] merges and checks them, which gives
//! [`Settings`].

mod checked;
mod connections;
mod connector;
mod database_url;
mod error;
mod file;
mod input;
mod log_filter;
mod mail;
mod objects;
mod origin;
mod security_contact;
mod urls;

#[cfg(test)]
mod tests;

pub use checked::{Settings, SharedOrigin};
pub use connections::ConnectionLimits;
pub use connector::{Connector, ConnectorInput};
pub use database_url::DatabaseUrl;
pub use error::SettingsError;
pub use input::{DEFAULT_DATA_DIR, SettingsInput};
