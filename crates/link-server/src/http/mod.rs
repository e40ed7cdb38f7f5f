//! What every endpoint shares: problem documents, request ids, checked input, callers, limits.

pub mod body;
pub mod caller;
pub mod client;
pub mod conventions;
pub mod cors;
pub mod endpoints;
pub mod export_address;
pub mod file_address;
pub mod host;
pub mod idempotency;
pub mod json;
pub mod later;
pub mod list;
pub mod long_polls;
pub mod methods;
pub mod news;
pub mod problem;
pub mod query;
pub mod rate_limit;
pub mod refusals;
pub mod request_id;
pub mod schema;
pub mod turns;
pub mod tus;
pub mod unread;
