//! Inspection and reading of generated documents and bad files, in the test's process.

#![expect(clippy::unwrap_used, clippy::expect_used, reason = "a test that cannot go on has failed")]

mod bad_files;
#[expect(dead_code, reason = "the bench, which shares the generator, also makes photos and scans")]
mod generator;
mod inspection;
mod pictures;
mod reading;
mod unusual;
