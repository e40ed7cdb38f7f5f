//! Layers around endpoints.

pub mod cors;
pub mod drain_body;
pub mod host;
pub mod methods;
pub mod request_id;
pub mod same_origin;
pub mod security_headers;
pub mod unauthenticated;
