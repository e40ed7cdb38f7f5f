//! The service: axum routes, workers, the command line; the binary `linchpin`.
//!
//! It knows no SQL, no transition rule and no sequence of writes: a handler reads, lets the domain decide, and has
//! the store apply the change.
//!
//! # Where to start
//!
//! 1. [`router::router`]: every address and the layers around it.
//! 2. [`endpoints`]: one endpoint, one file; [`http`]: what they share, the callers above all.
//! 3. [`workers`]: what runs beside the requests.
//! 4. [`connections::serve`]: the accept loop and its limits.
//! 5. [`service::Service`]: the whole, from settings to a graceful stop.

pub mod admin;
pub mod app;
pub mod assets;
pub mod cli;
pub mod connections;
pub mod endpoints;
mod exports;
mod guesses;
pub mod http;
mod invited;
pub mod kept_mail;
pub mod logs;
mod no_providers;
mod own_scenarios;
pub mod readiness;
pub mod router;
pub mod service;
pub mod settings;
mod sources;
pub mod system;
pub mod tenant_setup;
pub mod uploads;
pub mod workers;
