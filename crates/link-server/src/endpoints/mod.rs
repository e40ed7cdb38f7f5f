//! One endpoint, one file: its types, its handler, what it documents.

pub mod accounts;
pub mod archives;
pub mod billing;
mod consent_named;
pub mod consent_templates;
pub mod data_points;
pub mod docs;
pub mod events;
pub mod exports;
pub mod forms;
pub mod health;
pub mod hosted;
pub mod invite_templates;
pub mod invites;
pub mod link;
pub mod link_templates;
pub mod openapi;
mod payload;
pub mod providers;
pub mod scenarios;
pub mod signals;
pub mod social_securities;
pub mod tasks;
pub mod tokens;
pub mod users;
pub mod webhooks;
pub mod widget_files;
