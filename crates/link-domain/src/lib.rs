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
pub mod data {
    //! Data points: how they are found, merged, computed, and left out if a person declined them; the files of documents.

    pub mod batch;
    pub mod data_point;
    pub mod declined_data;
    pub(crate) mod estimate;
    pub(crate) mod findings;
    pub(crate) mod insight;
    pub mod optional_data;
    pub mod payload;
    pub mod provider_file;
    pub mod task;
}

pub mod documents {
    //! Documents: uploaded archives, and the ports that read and store files.

    pub mod archive;
    pub mod document_reader;
    pub mod file_store;
}

pub mod invitations {
    //! Invitations, hosted links, link sites, visits of their pages, forms and their submissions.

    pub mod address_proof;
    pub mod form_submission;
    pub mod hosted_link;
    pub mod invite;
    pub mod invite_file;
    pub mod link_site;
    pub mod link_site_host;
    pub mod mailbox;
    pub mod visit;
}

pub mod kernel {
    //! Types that all neighbourhoods share: time, owners, digests, encrypted values, erasure scopes, sources of data, proofs
    //! of domains, and the placeholders of texts.

    pub mod browser;
    pub mod clock;
    pub mod context;
    pub mod digest;
    pub mod display_name;
    pub mod domain_proof;
    pub mod languages;
    pub mod master_key_source;
    pub mod owner;
    pub mod placeholders;
    pub mod retention;
    pub mod revision;
    pub mod scope;
    pub(crate) mod sealed;
    pub mod sealing;
    pub mod source;
    pub mod stored_at;
    pub mod subject;
    pub mod system;
}

pub mod linking {
    //! Linking accounts: sessions, consent, attempts, guesses, the life cycle of an account, and the port to its source.

    pub mod account;
    pub mod account_source;
    pub mod consent;
    pub mod consent_reading;
    pub mod export;
    pub mod funnel;
    pub mod guesses;
    pub mod link;
    pub mod link_history;
    pub mod login_form;
    pub mod reach;
    pub mod terms;
    pub mod withdrawal;
}

pub mod lookups {
    //! Queries without a person at the widget: records and signals.

    pub mod record;
    pub mod record_source;
    pub mod signal;
}

pub mod notifications {
    //! Messages to tenants and people: events, webhooks and their deliveries, mails, links in mails, and the texts of the
    //! service.

    pub mod delivery;
    pub mod event;
    pub mod event_feed;
    pub mod generated;
    pub mod mail;
    pub mod own_texts;
    pub mod page_link;
    pub mod service_text;
    pub mod webhook;
    pub mod webhook_sender;
}

pub mod person_page {
    //! A person's own page: the data that belongs to a mailbox, and the session.

    pub mod given_data;
    pub mod page_session;
}

pub mod tenancy {
    //! Tenants and what belongs to them: templates, brands, users, bills, quotas, and the scenarios and clock of a sandbox.

    pub mod audit;
    pub mod billing;
    pub mod brand;
    pub mod embedding_origin;
    pub mod help_url;
    pub mod idempotency;
    pub mod logo;
    pub mod quota;
    pub mod redirect_url;
    pub mod route_code;
    pub mod sandbox_clock;
    pub mod scenario;
    pub mod template;
    pub mod template_version;
    pub mod tenant;
    pub mod user;
    pub mod wording;
}

pub mod use_cases;

#[cfg(test)]
mod fixture;
