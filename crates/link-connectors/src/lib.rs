//! Everything that leaves the process: data providers, the webhook sender.
//!
//! The crate implements the ports of `link-domain`. It knows nothing of the store and of axum.
//!
//! # Where to start
//!
//! 1. [`sandbox::SandboxSource`]: providers with published logins and invented data.
//! 2. [`http_source::HttpSource`]: providers behind a connector of the operator's own; [`routed::RoutedSource`] joins them.
//! 3. [`webhook::HttpSender`]: the way out, and what guards it.

pub mod documents;
pub mod http_source;
pub mod mail;
pub mod mfa_image;
pub mod networks;
pub mod routed;
pub mod sandbox;
pub mod webhook;
