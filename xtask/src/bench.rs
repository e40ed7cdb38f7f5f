//! `bench`: benchmarks.
//!
//! Benchmarks of the service compare it with a minimal counterpart in the same run, because ratios are comparable
//! between machines and absolute figures are not.

mod attended;
pub mod growth;
mod hooks;
pub mod interaction;
pub mod open;
pub mod peers;
pub mod polls;
pub mod service;
pub mod size;
pub mod webhooks;

use std::path::PathBuf;

use crate::env::Env;
use crate::failure::Outcome;
use crate::files;
use crate::process::Program;

/// Builds one of the programs in `benches/`, and returns its path.
fn program(env: &Env, name: &str, profile: &str) -> Outcome<PathBuf> {
    env.cargo(["build", "--quiet", "--locked", "--package", "benches", "--bin", name, "--profile", profile])
        .run()?;
    Ok(env.target().join(profile).join(name))
}

/// Builds the programs in `benches/plain`, which is not in the workspace, and returns their folder.
fn plain(env: &Env) -> Outcome<PathBuf> {
    let target = env.target().join("plain");
    env.cargo(["build", "--quiet", "--locked", "--release", "--manifest-path", "benches/plain/Cargo.toml"])
        .env("CARGO_TARGET_DIR", &target)
        .run()?;
    Ok(target.join("release"))
}

/// Returns the benchmarks' folder for databases and logs, empty.
fn folder(env: &Env) -> Outcome<PathBuf> {
    let folder = env.cache.join("bench").join(env.checkout());
    files::remove_dir(&folder)?;
    files::make_dir(&folder)?;
    Ok(folder)
}

/// Simulates tenants on several cells: their placement, moves, and a tenant that grows.
pub fn cells(env: &Env) -> Outcome {
    Program::new(program(env, "cells", "release")?).run()
}

/// Measures how well generated documents are read, by kind and form. Takes the arguments of `documents bench`.
pub fn ocr(env: &Env, choices: &[&str]) -> Outcome {
    env.cargo(["run", "--release", "--locked", "--package", "link-documents", "--example", "documents"])
        .args(["--", "bench"])
        .args(choices)
        .run()
}
