//! The service's core: decides what happens to accounts, what is written, and which events a tenant receives.
//!
//! Every function is pure. Time and randomness are parameters ([`kernel::context::Context`]); everything that must be written is
//! returned as a [`change::Change`]. The crate does not depend on axum, SQL, tokio or HTTP clients.
//!
//! # Where to start
//!
//! 1. [`linking::account::Account::apply`]: the life cycle of an account.
//! 2. [`documents::archive::Archive::apply`]: the life cycle of an upload.
//! 3. [`use_cases`]: decisions that change several objects, such as opening a session.
//! 4. [`change::Change`]: the writes of a decision.
//! 5. [`notifications::event::EventRecord`] and [`notifications::delivery::deliveries_for`]: how tenants receive events.
//! 6. Ports are traits that the service implements. Each is next to the decisions that use it, for example
//!    [`linking::account_source`], [`documents::document_reader`] and [`notifications::webhook_sender`].
//!
//! # Layers
//!
//! Imports point down only. The lowest layer is data: each entity's file (`account.rs`), its inputs, and shared types
//! such as [`kernel::scope::ErasureScope`] and [`linking::consent::Consent`]. [`change::Change`] is above them, because it contains
//! every entity. Decisions are above `Change`: `impl` blocks in the entity's `transition.rs`, built with one builder.
//! [`use_cases`] are on top.

pub mod change;
pub mod console;
pub mod data;
pub mod documents;
pub mod invitations;
pub mod kernel;
pub mod linking;
pub mod lookups;
pub mod notifications;
pub mod tenancy;
pub mod use_cases;

#[cfg(test)]
mod fixture;
