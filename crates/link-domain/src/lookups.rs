//! Queries without a person at the widget: records and signals.

pub mod record;
pub mod record_source;
pub mod signal;
