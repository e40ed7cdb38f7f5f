//! Tests of the store, each run on both databases.
//!
//! Where to start: [`sample`] creates the test data. Each other module tests one guarantee of the store.

#![expect(clippy::unwrap_used, clippy::expect_used, reason = "a failed setup fails the test")]

mod sample;

mod archives;
mod backup_places;
mod backup_schedule;
mod backups;
mod breakers;
mod callers;
mod claims;
mod clocks;
mod console;
mod erased_users;
mod erasure;
mod erasure_ledger;
mod exchange;
mod faults;
mod files;
mod funnel;
mod handoffs;
mod idempotency;
mod job_shares;
mod jobs;
mod key_buckets;
mod lists;
mod mails;
mod master_keys;
mod opening;
mod openings;
mod outages;
mod outcomes;
mod poolers;
mod portable_backups;
mod quotas;
mod retention;
mod schema_versions;
mod sync_claims;
mod tls;
mod units;
mod walks;
