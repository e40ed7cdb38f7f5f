//! Metrics for the operator, in Prometheus' text format, on a separate listener.
//!
//! Every label has few values: routes, methods, statuses, queues and outcomes, but never a tenant, a person or an id.

mod counters;
mod gauges;
mod listener;

pub use counters::{JobOutcome, Metrics, OpenConnection};
pub use listener::{bind, serve};
