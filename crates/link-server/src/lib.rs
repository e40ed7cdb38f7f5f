//! The service: axum routes, background workers and the command line. Builds the binary `linchpin`.
//!
//! This crate contains no SQL, no transition rules and no sequences of writes. A handler reads, lets the domain decide,
//! and lets the store apply the change.
//!
//! # Where to start
//!
//! 1. [`router::router`]: all routes and their layers.
//! 2. [`api`], [`widget`], [`hosted`], [`public`]: the endpoints by who calls them: tenants' servers, the widget, people
//!    with an invitation, anyone. Each endpoint has one file.
//! 3. [`http`]: the code that they share, above all authenticated callers. [`openapi`]: the document of the endpoints.
//! 4. [`workers`]: the background workers.
//! 5. [`connections::serve`]: the accept loop and its limits.
//! 6. [`metrics`]: what an operator measures.
//! 7. [`service::Service`]: the whole service, from its settings to a graceful stop.

pub mod adapters;
pub mod admin;
pub mod api;
pub mod app;
pub mod cli;
pub mod connections;
pub mod console;
pub mod dependencies;
mod exports;
pub mod hosted;
pub mod http;
pub mod logs;
pub mod metrics;
pub mod openapi;
pub mod public;
pub mod router;
pub mod service;
pub mod settings;
pub mod traces;
pub mod uploads;
pub mod widget;
pub mod workers;
