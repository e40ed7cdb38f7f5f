//! Data providers behind an operator's own connector: a program that implements the HTTP protocol of
//! `docs/how-to/connectors.md`, signed in both directions.
//!
//! # Where to start
//!
//! 1. [`message`] defines the requests and responses.
//! 2. [`signature`] authenticates both sides.
//! 3. `exchange.rs` sends one request within limits, and `fault.rs` handles errors.
//! 4. [`source::HttpSource`] combines them to an `AccountSource`, and `record_source.rs` to a `RecordSource`.

mod catalogue;
mod client;
mod exchange;
mod fault;
pub mod message;
mod picture;
mod protocol_document;
mod record_source;
mod settings;
pub mod signature;
mod source;

pub use self::client::{HttpClient, plain_client};
pub use exchange::BASE_PATH;
pub use protocol_document::protocol_document;
pub use settings::{ConnectorError, ConnectorSettings, Serves};
pub use source::HttpSource;

#[cfg(test)]
mod tests;
