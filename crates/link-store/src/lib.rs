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
mod check;
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

pub use backup::{
    BackupError, BackupForm, BackupPlace, BackupTarget, ExportedTenant, FetchObject, ImportedTenant,
    PutObject, RestoreFlags, Restored, RestoredTable, SegmentSample, StoredBackup, TableSum, Verified,
    VerifiedColumn, back_up, check_export_target, check_file_space, check_target, fetch_backup,
    import_tenant, is_marked, on_thread, restore, verify,
};
pub use callers::Caller;
pub use check::{DatabaseCheck, check_database};
pub use commit_notice::{CommitNotice, Watched};
pub use cursor::ListFilters;
pub use engine::PoolHealth;
pub use error::StoreError;
pub use files::{FileSettings, ObjectFiles, S3Settings};
pub use keys::{Day, KeyFiles, Label};
pub use link_domain::notifications::delivery::DeliveryQueue;
pub use page::{Page, PageRequest, PageSize};
pub use page_cursors::{BoundCursors, ListCursors};
pub use reader::Reader;
pub use settings::{StoreSettings, check_address};
pub use store::{RotatedMasterKey, Store};
pub use tables::jobs::{ClaimedJobs, Share};
pub use tables::lease::{Claim, Held, LEASE, Leased, RENEWAL, WorkerId};
pub use tables::list::Created;
pub use tx::Tx;

pub use self::engine::folder::DATABASE_FILE;
pub use self::tables::backlog::{Backlog, Due, MAX_COUNTED};
pub use self::tables::data::data_points::DataPointFilter;
pub use self::tables::data::tasks::TaskFilter;
pub use self::tables::documents::archives::ArchiveFilter;
pub use self::tables::documents::file_segments::FileKey;
pub use self::tables::invitations::forms::FormFilter;
pub use self::tables::invitations::invites::{InviteFilter, MailKey};
pub use self::tables::invitations::visits::code_mail_name;
pub use self::tables::kernel::master_keys::MasterKeyRecord;
pub use self::tables::kernel::scheduled_backups::{BackupFault, BackupLease, BackupTimes, ScheduledBackup};
pub use self::tables::kernel::scopes::{Erasure, LostDay};
pub use self::tables::linking::accounts::AccountFilter;
pub use self::tables::linking::funnel::FunnelFilter;
pub use self::tables::notifications::delivery::claims::{Claimed, ClaimedDelivery};
pub use self::tables::notifications::delivery::deliveries::DeliveryFilter;
pub use self::tables::notifications::delivery::loads::{DueDelivery, GiveBack, Loaded};
pub use self::tables::notifications::delivery::outcomes::EndedAttempt;
pub use self::tables::notifications::events::EventFilter;
pub use self::tables::notifications::page_links::page_mail_name;
pub use self::tables::tenancy::audit_events::AuditFilter;
pub use self::tables::tenancy::billing::BillingFilter;
pub use self::tables::tenancy::templates::ConsentUse;

/// The methods of each resource. [`Reader`] and [`Tx`] return these structs: `reader.accounts().list(..)`.
///
/// Methods that only read are the same in both sessions, except that the lookups of a [`Tx`] lock the row they find.
pub mod resources {
    pub use crate::reader::ReadSession;
    pub use crate::tables::console::addresses::ConsoleAddresses;
    pub use crate::tables::console::identities::ConsoleIdentities;
    pub use crate::tables::console::identity_providers::IdentityProviders;
    pub use crate::tables::console::members::ConsoleMembers;
    pub use crate::tables::console::passkeys::ConsolePasskeys;
    pub use crate::tables::console::sessions::ConsoleSessions;
    pub use crate::tables::data::data_points::DataPoints;
    pub use crate::tables::data::provider_files::ProviderFiles;
    pub use crate::tables::data::tasks::Tasks;
    pub use crate::tables::documents::archives::Archives;
    pub use crate::tables::documents::file_segments::Files;
    pub use crate::tables::invitations::forms::Forms;
    pub use crate::tables::invitations::hosted_links::HostedLinks;
    pub use crate::tables::invitations::invited_rows::InvitedRows;
    pub use crate::tables::invitations::invites::Invites;
    pub use crate::tables::invitations::link_site_hosts::LinkSiteHosts;
    pub use crate::tables::invitations::link_sites::LinkSites;
    pub use crate::tables::invitations::visits::Visits;
    pub use crate::tables::jobs::Jobs;
    pub use crate::tables::kernel::master_keys::MasterKeys;
    pub use crate::tables::kernel::retention_clock::RetentionClock;
    pub use crate::tables::kernel::scheduled_backups::ScheduledBackups;
    pub use crate::tables::kernel::scopes::Scopes;
    pub use crate::tables::linking::account_links::AccountLinks;
    pub use crate::tables::linking::accounts::Accounts;
    pub use crate::tables::linking::exports::Exports;
    pub use crate::tables::linking::funnel::Funnel;
    pub use crate::tables::linking::guess_counts::GuessCounts;
    pub use crate::tables::linking::link_attempts::LinkAttempts;
    pub use crate::tables::linking::link_handoffs::LinkHandoffs;
    pub use crate::tables::linking::link_sessions::LinkSessions;
    pub use crate::tables::linking::link_tokens::LinkTokens;
    pub use crate::tables::linking::login_tries::LoginTries;
    pub use crate::tables::linking::surveys::Surveys;
    pub use crate::tables::linking::ui_events::UiEvents;
    pub use crate::tables::linking::withdrawals::Withdrawals;
    pub use crate::tables::lookups::records::Records;
    pub use crate::tables::lookups::signals::Signals;
    pub use crate::tables::notifications::delivery::breakers::Breakers;
    pub use crate::tables::notifications::delivery::deliveries::Deliveries;
    pub use crate::tables::notifications::delivery::delivery_attempts::DeliveryAttempts;
    pub use crate::tables::notifications::events::Events;
    pub use crate::tables::notifications::mails::Mails;
    pub use crate::tables::notifications::page_links::PageLinks;
    pub use crate::tables::notifications::webhooks::Webhooks;
    pub use crate::tables::person_page::given_data::GivenDataOf;
    pub use crate::tables::person_page::page_sessions::PageSessions;
    pub use crate::tables::tenancy::api_keys::ApiKeys;
    pub use crate::tables::tenancy::audit_events::AuditEvents;
    pub use crate::tables::tenancy::billing::BillingEvents;
    pub use crate::tables::tenancy::clock_advances::ClockAdvances;
    pub use crate::tables::tenancy::idempotency::IdempotencyKeys;
    pub use crate::tables::tenancy::key_requests::KeyRequests;
    pub use crate::tables::tenancy::logos::Logos;
    pub use crate::tables::tenancy::quota_uses::QuotaUses;
    pub use crate::tables::tenancy::scenarios::Scenarios;
    pub use crate::tables::tenancy::template_versions::TemplateVersions;
    pub use crate::tables::tenancy::templates::consent_templates::ConsentTemplates;
    pub use crate::tables::tenancy::templates::invite_templates::InviteTemplates;
    pub use crate::tables::tenancy::templates::link_templates::LinkTemplates;
    pub use crate::tables::tenancy::tenants::Tenants;
    pub use crate::tables::tenancy::upload_uses::UploadUses;
    pub use crate::tables::tenancy::users::Users;
}
