//! The service's core: decides what happens to accounts, what is written, and which events a tenant receives.
//!
//! Every function is pure. Time and randomness are parameters ([`context::Context`]); everything that must be written is
//! returned as a [`change::Change`]. The crate does not depend on axum, SQL, tokio or HTTP clients.
//!
//! # Where to start
//!
//! 1. [`account::Account::apply`]: the life cycle of an account.
//! 2. [`archive::Archive::apply`]: the life cycle of an upload.
//! 3. [`use_cases`]: decisions that change several objects, such as opening a session.
//! 4. [`change::Change`]: the writes of a decision.
//! 5. [`event::EventRecord`] and [`webhook::deliveries_for`]: how tenants receive events.
//! 6. [`ports`]: traits that the service implements.
//!
//! # Layers
//!
//! Imports point down only. The lowest layer is data: each entity's file (`account.rs`), its inputs, and shared types
//! such as [`scope::ErasureScope`] and [`consent::Consent`]. [`change::Change`] is above them, because it contains
//! every entity. Decisions are above `Change`: `impl` blocks in the entity's `transition.rs`, built with one builder.
//! [`use_cases`] are on top.

pub mod account;
pub mod archive;
pub mod billing;
pub mod brand;
pub mod change;
pub mod clock;
pub mod consent;
pub mod consent_reading;
pub mod context;
pub mod data_point;
pub mod declined_data;
pub mod digest;
pub mod embedding_origin;
mod estimate;
pub mod event;
pub mod export;
pub mod extracted;
mod findings;
pub mod form;
pub mod form_submission;
pub mod generated;
mod guesses;
pub mod help_url;
pub mod idempotency;
mod insight;
pub mod invite;
pub mod job;
pub mod languages;
pub mod link;
pub mod link_history;
pub mod logo;
pub mod mail;
pub mod optional_data;
pub mod own_texts;
pub mod owner;
pub mod ports;
pub mod provider_file;
pub mod quota;
pub mod reach;
pub mod record;
pub mod retention;
pub mod revoked_by;
pub mod sandbox_clock;
pub mod scenario;
pub mod scope;
mod sealed;
pub mod sealing;
pub mod service_text;
pub mod signal;
pub mod source;
pub mod stored_at;
pub mod task;
pub mod template;
pub mod tenant;
pub mod terms;
mod transition;
pub mod use_cases;
pub mod user;
pub mod webhook;
pub mod wording;

#[cfg(test)]
mod fixture;
