//! Shared test support. Only tests, examples and benchmarks use it.
//!
//! # Where to start
//! [`wait`] waits for a condition: tests never sleep. [`receiver`] is a tenant's webhook receiver and [`sealing`] seals
//! credentials as the frame does. [`relay`] is a network to a server that can fall silent. [`documents`] generates documents, [`bad_files`] files that inspection rejects, and
//! [`picture`] images of noise and logos.
#![expect(clippy::unwrap_used, clippy::expect_used, reason = "a test that cannot go on has failed")]

pub mod bad_files;
pub mod documents;
pub mod picture;
pub mod receiver;
pub mod relay;
pub mod sealing;
pub mod wait;
