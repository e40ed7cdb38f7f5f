//! One endpoint, one file: its types, its handler, what it documents.

pub mod accounts;
pub mod archives;
pub mod billing;
pub mod consent_templates;
pub mod data_points;
pub mod events;
pub mod health;
pub mod link;
pub mod link_templates;
pub mod openapi;
mod payload;
pub mod providers;
pub mod tokens;
pub mod users;
pub mod webhooks;
pub mod widget_files;
