//! Tenants and what belongs to them: templates, brands, users, bills, quotas, and the scenarios and clock of a sandbox.

pub mod billing;
pub mod brand;
pub mod embedding_origin;
pub mod help_url;
pub mod idempotency;
pub mod logo;
pub mod logo_encoder;
pub mod own_scenarios;
pub mod own_texts;
pub mod quota;
pub mod revoked_by;
pub mod sandbox_clock;
pub mod scenario;
pub mod template;
pub mod tenant;
pub mod user;
pub mod wording;
