//! Data providers behind a connector of the operator's own: a program that speaks the HTTP protocol of
//! `docs/how-to/connectors.md`, signed both ways.
//!
//! # Where to start
//!
//! 1. [`message`]: what is asked and answered.
//! 2. [`signature`]: how both sides know each other.
//! 3. `exchange.rs`: one request and its answer, with limits; `fault.rs`: what becomes of what goes wrong.
//! 4. [`source::HttpSource`]: all of it as an `AccountSource`.

mod catalogue;
mod client;
mod exchange;
mod fault;
pub mod message;
mod protocol_document;
mod settings;
pub mod signature;
mod source;

pub use protocol_document::protocol_document;
pub use settings::ConnectorSettings;
pub use source::{ConnectorError, HttpSource};

/// The protocol's version: what the path of every operation begins with.
pub const BASE_PATH: &str = "/linchpin/v1";

#[cfg(test)]
mod tests;
