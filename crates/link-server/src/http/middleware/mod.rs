//! Layers around endpoints.

pub mod cors;
pub mod drain_body;
pub mod host;
pub mod request_id;
pub mod security_headers;
pub mod site_host;
