//! The developer portal: the members of a tenant, their roles, how they sign in, and their sessions.

pub mod mailed_link;
pub mod member;
pub mod passkey;
pub mod permission;
pub mod session;
pub mod sign_in;
pub mod single_sign_on;
pub mod webhook_health;
