//! `bench`: figures. A bench of the service compares with a bare counterpart in the same run: ratios travel between
//! machines, absolute figures do not.

pub mod service;
pub mod size;

use crate::env::Env;
use crate::failure::Outcome;

/// The store's figures on both databases, beside bare rusqlite; then a page of every list by each filter, found among
/// 1,000 rows and among so many, without being opened (microseconds).
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

/// How well documents are read, by kind and form, over drawn documents; as `documents bench` takes the choices.
pub fn ocr(env: &Env, choices: &[&str]) -> Outcome {
    env.cargo(["run", "--release", "--locked", "--package", "link-connectors", "--example", "documents"])
        .args(["--", "bench"])
        .args(choices)
        .run()
}
