//! The store's stories, each told on both databases.
//!
//! Where to start: [`sample`] makes what the stories are about; each further module is one promise of the store.

#![expect(clippy::unwrap_used, clippy::expect_used, reason = "a story that cannot be told fails")]

mod sample;

mod archives;
mod breakers;
mod callers;
mod claims;
mod erased_users;
mod erasure;
mod exchange;
mod faults;
mod files;
mod idempotency;
mod jobs;
mod key_buckets;
mod lists;
mod mails;
mod opening;
mod openings;
mod quotas;
mod retention;
mod tls;
mod units;
mod walks;
