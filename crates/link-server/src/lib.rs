//! The service: axum routes, background workers and the command line. Builds the binary `linchpin`.
//!
//! This crate contains no SQL, no transition rules and no sequences of writes. A handler reads, lets the domain decide,
//! and lets the store apply the change.
//!
//! # Where to start
//!
//! 1. [`router::router`]: all routes and their layers.
//! 2. [`endpoints`]: one file for each endpoint. [`http`]: the code that they share, above all authenticated callers.
//! 3. [`workers`]: the background workers.
//! 4. [`connections::serve`]: the accept loop and its limits.
//! 5. [`service::Service`]: the whole service, from its settings to a graceful stop.

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
pub mod known_jump;
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
