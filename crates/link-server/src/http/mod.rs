//! Shared HTTP code for all endpoints.
//!
//! # Where to start
//!
//! 1. [`endpoints`]: how an endpoint is routed and documented.
//! 2. [`extract`]: what a handler takes, above all authenticated callers. [`validation`]: checks of bodies.
//! 3. [`problem`]: error responses of handlers. [`idempotency`]: runs each POST once.
//! 4. [`middleware`]: the layers around all endpoints. [`limits`]: what they and the extractors count.

pub mod endpoints;
pub mod extract;
pub mod idempotency;
pub mod limits;
pub mod list;
pub mod middleware;
pub mod polling;
pub mod prefix;
pub mod problem;
pub mod tus;
pub mod validation;
