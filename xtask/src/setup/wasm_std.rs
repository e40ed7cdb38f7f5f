//! Builds the standard library for wasm32 from Debian's source package, and installs it where rustc finds it.

use std::path::Path;
use std::time::Instant;

use super::apt;
use super::progress::{doing, done};
use crate::env::Env;
use crate::failure::{Failure, Outcome};
use crate::files;
use crate::process::Program;

const LIBRARY: &str = "/usr/lib/rustlib/wasm32-unknown-unknown/lib";
const MANIFEST: &str = "\
[package]
name = \"scratch\"
version = \"0.0.0\"
edition = \"2021\"

[workspace]

[profile.release]
opt-level = \"s\"
codegen-units = 1
";

/// Builds and installs the library for Debian's Rust.
pub fn build(env: &Env) -> Outcome {
    let Some(prefix) = apt::privileges(env) else {
        return Err(Failure::new(format!("Cannot write to {LIBRARY}"))
            .why("the wasm library for Debian's Rust belongs to root")
            .advice("run `cargo xtask setup` once as root"));
    };
    doing("building Rust's standard library for wasm", "30 s");
    let started = Instant::now();
    let scratch = env.cache.join("wasm-std");
    files::remove_dir(&scratch)?;
    files::write(&scratch.join("Cargo.toml"), MANIFEST)?;
    files::write(&scratch.join("src/lib.rs"), "")?;
    Program::new("/usr/bin/cargo")
        .args(["build", "--release", "--target", "wasm32-unknown-unknown"])
        .args(["-Z", "build-std=std,panic_abort,panic_unwind,test"])
        .dir(&scratch)
        .env("RUSTC", "/usr/bin/rustc")
        .env("RUSTC_BOOTSTRAP", "1")
        .env("RUSTFLAGS", "-Cembed-bitcode=yes")
        .env("CARGO_TARGET_DIR", scratch.join("target"))
        .without_env("RUSTUP_TOOLCHAIN")
        .without_env("CARGO_BUILD_TARGET")
        .output()?;
    apt::privileged(prefix, "mkdir").args(["-p", LIBRARY]).output()?;
    install(&scratch, prefix)?;
    files::remove_dir(&scratch)?;
    done("the standard library for wasm", started);
    Ok(())
}

fn install(scratch: &Path, prefix: &[&str]) -> Outcome {
    // rustc would find a library of an older compiler first and reject it.
    for old in files::walk(Path::new(LIBRARY))?.iter().filter(|file| files::has_extension(file, "rlib")) {
        apt::privileged(prefix, "rm").arg(old).output()?;
    }
    let built = files::walk(&scratch.join("target/wasm32-unknown-unknown/release/deps"))?;
    let rlibs = built
        .iter()
        .filter(|file| files::has_extension(file, "rlib") && !files::name(file).starts_with("libscratch-"));
    apt::privileged(prefix, "cp").args(rlibs).arg(LIBRARY).output()?;
    Ok(())
}
