//! `bench`: benchmarks.
//!
//! Benchmarks of the service compare it with a minimal counterpart in the same run, because ratios are comparable
//! between machines and absolute figures are not.

pub mod growth;
pub mod open;
pub mod polls;
pub mod service;
pub mod size;
pub mod webhooks;

use crate::env::Env;
use crate::failure::Outcome;

/// Measures the store on both databases and compares it with bare rusqlite. Then measures, in microseconds, how long
/// a page of every list takes with each filter, without decryption, among 1,000 rows and among `rows`.
pub fn store(env: &Env, rows: &str) -> Outcome {
    let example = |words: &[&str]| {
        env.cargo(["run", "--release", "--locked", "--package", "link-store", "--features", "test-support"])
            .args(["--example"])
            .args(words)
            .run()
    };
    example(&["figures", "--", rows])?;
    example(&["peers", "--", "lists", rows])
}

/// Measures how well generated documents are read, by kind and form. Takes the arguments of `documents bench`.
pub fn ocr(env: &Env, choices: &[&str]) -> Outcome {
    env.cargo(["run", "--release", "--locked", "--package", "link-documents", "--example", "documents"])
        .args(["--", "bench"])
        .args(choices)
        .run()
}
