//! Persistence: migrations, encryption keys, files, and one SQL text per statement for SQLite and PostgreSQL.
//!
//! The SQL compares versions, times and leases, never statuses: `link-domain` decides what may happen.
//!
//! # Where to start
//!
//! 1. [`Store::write`] runs a unit of work, all or nothing. [`Store::read`] runs everything else.
//! 2. [`Tx::apply`] is the only writer of a `link_domain` `Change`.
//! 3. [`resources`] has the methods of each resource, such as `tx.accounts().get(..)`.
//! 4. [`resources::Deliveries::claim`] and [`resources::Jobs::claim`] give workers their work.
//! 5. `tables/` has one file per table, `migrations/` the schema, `keys/` the encryption keys and their life.
//! 6. `engine/` is group commit on SQLite and a connection pool on PostgreSQL.

#![expect(
    clippy::single_component_path_imports,
    reason = "the lint does not see that `columns!` declares the macros that these imports share"
)]

mod backup;
mod body;
mod callers;
mod commit_notice;
mod cursor;
mod engine;
mod error;
mod files;
mod keys;
mod migrations;
mod page;
mod page_cursors;
mod reader;
mod settings;
mod sql;
mod store;
mod tables;
#[cfg(any(test, feature = "test-support"))]
pub mod test_support;
mod tx;

pub use backup::{BackupError, back_up, restore};
pub use callers::Caller;
pub use commit_notice::{CommitNotice, Watched};
pub use cursor::ListFilters;
pub use error::StoreError;
pub use files::{FileSettings, ObjectFiles, S3Settings};
pub use keys::{Day, KeyFiles, Label};
pub use link_domain::notifications::delivery::DeliveryQueue;
pub use page::{Page, PageRequest, PageSize};
pub use page_cursors::{BoundCursors, ListCursors};
pub use reader::Reader;
pub use settings::{StoreSettings, check_address};
pub use store::Store;
pub use tables::accounts::AccountFilter;
pub use tables::archives::ArchiveFilter;
pub use tables::billing::BillingFilter;
pub use tables::data_points::DataPointFilter;
pub use tables::delivery::claims::{Claimed, ClaimedDelivery};
pub use tables::delivery::deliveries::DeliveryFilter;
pub use tables::delivery::loads::{DueDelivery, GiveBack, Loaded};
pub use tables::delivery::outcomes::EndedAttempt;
pub use tables::events::EventFilter;
pub use tables::file_segments::FileKey;
pub use tables::forms::FormFilter;
pub use tables::invites::{InviteFilter, MailKey};
pub use tables::jobs::{ClaimedJobs, Share};
pub use tables::lease::{Claim, Held, LEASE, Leased, RENEWAL, WorkerId};
pub use tables::list::Created;
pub use tables::scopes::{Erasure, LostDay};
pub use tables::tasks::TaskFilter;
pub use tables::templates::ConsentUse;
pub use tx::Tx;

/// The methods of each resource. [`Reader`] and [`Tx`] return these structs: `reader.accounts().list(..)`.
///
/// Methods that only read are the same in both sessions, except that the lookups of a [`Tx`] lock the row they find.
pub mod resources {
    pub use crate::reader::ReadSession;
    pub use crate::tables::account_links::AccountLinks;
    pub use crate::tables::accounts::Accounts;
    pub use crate::tables::api_keys::ApiKeys;
    pub use crate::tables::archives::Archives;
    pub use crate::tables::billing::BillingEvents;
    pub use crate::tables::clock_advances::ClockAdvances;
    pub use crate::tables::data_points::DataPoints;
    pub use crate::tables::delivery::breakers::Breakers;
    pub use crate::tables::delivery::deliveries::Deliveries;
    pub use crate::tables::delivery::delivery_attempts::DeliveryAttempts;
    pub use crate::tables::events::Events;
    pub use crate::tables::exports::Exports;
    pub use crate::tables::file_segments::Files;
    pub use crate::tables::forms::Forms;
    pub use crate::tables::guess_counts::GuessCounts;
    pub use crate::tables::idempotency::IdempotencyKeys;
    pub use crate::tables::invites::Invites;
    pub use crate::tables::jobs::Jobs;
    pub use crate::tables::link_attempts::LinkAttempts;
    pub use crate::tables::link_handoffs::LinkHandoffs;
    pub use crate::tables::link_sessions::LinkSessions;
    pub use crate::tables::link_tokens::LinkTokens;
    pub use crate::tables::login_tries::LoginTries;
    pub use crate::tables::logos::Logos;
    pub use crate::tables::mails::Mails;
    pub use crate::tables::provider_files::ProviderFiles;
    pub use crate::tables::quota_uses::QuotaUses;
    pub use crate::tables::records::Records;
    pub use crate::tables::retention_clock::RetentionClock;
    pub use crate::tables::scenarios::Scenarios;
    pub use crate::tables::scopes::Scopes;
    pub use crate::tables::signals::Signals;
    pub use crate::tables::surveys::Surveys;
    pub use crate::tables::tasks::Tasks;
    pub use crate::tables::templates::consent_templates::ConsentTemplates;
    pub use crate::tables::templates::invite_templates::InviteTemplates;
    pub use crate::tables::templates::link_templates::LinkTemplates;
    pub use crate::tables::tenants::Tenants;
    pub use crate::tables::ui_events::UiEvents;
    pub use crate::tables::upload_uses::UploadUses;
    pub use crate::tables::users::Users;
    pub use crate::tables::visits::Visits;
    pub use crate::tables::webhooks::Webhooks;
}
