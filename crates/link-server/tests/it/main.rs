//! The service through its real router, on both databases.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod exchange;
mod frame;
mod jobs;
mod limits;
mod linking;
mod lists;
mod matrix;
mod openapi;
mod receiver;
mod secrets;
mod service;
mod users;
mod webhooks;
