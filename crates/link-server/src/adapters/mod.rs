//! Implementations of the domain's ports that need the machine, the settings or the store. All others are in
//! `link-connectors`.

pub(crate) mod child_reader;
pub mod kept_mail;
pub(crate) mod key_command;
pub mod openid;
pub(crate) mod provider_logos;
pub(crate) mod sources;
pub mod system;
