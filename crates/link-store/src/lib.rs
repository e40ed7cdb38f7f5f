//! Persistence: migrations, encryption keys, files, and one SQL text per statement for SQLite and PostgreSQL.
//!
//! The SQL compares versions, times and leases, never statuses: `link-domain` decides what may happen.
//!
//! # Where to start
//!
//! 1. [`Store::write`] runs a unit of work, all or nothing. [`Store::read`] runs everything else.
//! 2. [`Tx::apply`] is the only writer of a `link_domain` `Change`.
//! 3. [`Tx::claim_deliveries`] and [`Tx::claim_jobs`] give workers their work.
//! 4. `tables/` has one file per table, `migrations/` the schema, `keys/` who can read what and until when.
//! 5. `engine/` is group commit on SQLite and a connection pool on PostgreSQL.

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
mod sql;
mod store;
mod tables;
#[cfg(any(test, feature = "test-support"))]
pub mod test_support;
mod tx;

pub use callers::Caller;
pub use commit_notice::{CommitNotice, Watched};
pub use error::StoreError;
pub use files::{FileSettings, ObjectFiles, S3Settings};
pub use keys::{Day, KeyFiles, Label};
pub use link_domain::webhook::Lane;
pub use page::{Page, PageRequest, PageSize};
pub use page_cursors::{BoundCursors, ListCursors};
pub use reader::Reader;
pub use store::{Store, StoreSettings, check_address};
pub use tables::accounts::AccountFilter;
pub use tables::archives::ArchiveFilter;
pub use tables::billing::BillingFilter;
pub use tables::claims::DueDelivery;
pub use tables::data_points::DataPointFilter;
pub use tables::deliveries::DeliveryFilter;
pub use tables::events::EventFilter;
pub use tables::file_segments::FileKey;
pub use tables::forms::FormFilter;
pub use tables::invites::{InviteFilter, MailKey};
pub use tables::jobs::Share;
pub use tables::lease::{Claim, Held, LEASE, Leased, RENEWAL, WorkerId};
pub use tables::list::Created;
pub use tables::scopes::{Erasure, LostDay};
pub use tables::tasks::TaskFilter;
pub use tables::templates::ConsentUse;
pub use tx::Tx;
