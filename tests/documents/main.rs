//! Documents, drawn and bad: what inspection and reading make of them, in this process.

#![expect(clippy::unwrap_used, clippy::expect_used, reason = "a test that cannot go on has failed")]

mod bad_files;
#[expect(dead_code, reason = "the bench, which shares the generator, draws photos and scans too")]
mod generator;
mod inspection;
mod pictures;
mod reading;
mod unusual;
