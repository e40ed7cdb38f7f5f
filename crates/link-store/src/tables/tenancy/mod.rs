//! Tables of tenants: their templates, users, bills, quotas and keys.

pub(crate) mod api_keys;
pub(crate) mod audit_events;
pub(crate) mod billing;
pub(crate) mod clock_advances;
pub(crate) mod idempotency;
pub(crate) mod key_requests;
pub(crate) mod logos;
pub(crate) mod quota_uses;
pub(crate) mod scenarios;
pub(crate) mod template_versions;
pub(crate) mod templates;
pub(crate) mod tenant_rows;
pub(crate) mod tenants;
pub(crate) mod upload_uses;
pub(crate) mod user_data;
pub(crate) mod users;
