//! Inspection and reading of generated documents and bad files, in the test's process.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod encodings;
mod inspection;
mod pictures;
mod reading;
mod trusted;
