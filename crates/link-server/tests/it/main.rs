//! The service through its real router. Runs on both databases what depends on the database beyond the store's own tests.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod ambiguous;
mod archives;
#[path = "../../../../tests/documents/bad_files/mod.rs"]
mod bad_files;
mod billing;
mod computed;
mod conformance;
mod connections;
mod connectors;
mod credential_limits;
mod documents;
mod examples;
mod exchange;
mod exports;
mod external_calls;
mod fair_deliveries;
mod forms;
mod frame;
mod guess_limits;
mod guides;
mod held_files;
mod idempotency;
mod interface;
mod invites;
mod jobs;
mod limits;
mod link_templates;
mod linking;
mod lists;
mod matrix;
mod mfa;
mod openapi;
mod packaging;
#[path = "../../../../tests/faults/picture.rs"]
mod picture;
mod polls;
mod published_faults;
mod quotas;
mod reader;
mod receiver;
mod records;
mod restored_backups;
mod retention;
mod sandbox_complete;
mod scenarios;
mod sealed;
mod sealing;
mod secrets;
mod security_headers;
mod service;
mod signals;
mod tasks;
mod tenant_uploads;
mod uploads;
mod user_erasure;
mod users;
mod webhook_management;
mod webhooks;
mod widget_state;
