//! Documents, drawn and bad: what inspection and reading make of them, in this process.

mod bad_files;
#[expect(dead_code, reason = "the bench, which shares the generator, draws photos and scans too")]
mod generator;
mod inspection;
mod reading;
