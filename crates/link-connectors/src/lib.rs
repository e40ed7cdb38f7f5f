//! Everything that communicates with the outside: data providers, the webhook sender and mail.
//!
//! The crate implements the ports of `link-domain`. It does not depend on the store or axum.
//!
//! # Where to start
//!
//! 1. [`sandbox::SandboxSource`]: providers with published logins and invented data.
//! 2. [`http_source::HttpSource`]: providers behind an operator's own connector. [`routed::RoutedSource`] combines
//!    them, and [`routed_records::RoutedRecords`] does so for records and signals.
//! 3. [`webhook::HttpSender`]: sends webhooks, protected against requests to internal networks.

pub mod http_source;
pub mod mail;
pub mod mfa_recording;
pub mod networks;
pub mod reach;
pub mod rest;
pub mod routed;
pub mod routed_records;
pub mod sandbox;
pub mod webhook;
