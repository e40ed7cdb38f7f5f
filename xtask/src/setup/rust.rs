//! Installs a Rust compiler for wasm, with the source of the standard library, which the frame's build compiles for
//! size.
//!
//! Uses rustup's wasm target, or Debian's `rustc-web` with a standard library that is built here.

use std::net::{TcpStream, ToSocketAddrs};
use std::path::Path;
use std::time::{Duration, Instant};

use super::apt;
use super::progress::{doing, print_done};
use crate::env::Env;
use crate::failure::{Failure, Outcome};
use crate::files;
use crate::process::{Program, is_on_path};

/// The name of the rustup toolchain that setup creates for Debian's Rust.
const DEBIAN: &str = "debian-web";
const WASM: &str = "wasm32-unknown-unknown";
/// `rust-web-llvm` contains `rust-lld` as a link to a program of `lld-22`, but does not depend on that package.
const PACKAGES: [&str; 7] =
    ["rustc-web", "cargo-web", "rust-web-src", "rust-web-llvm", "lld-22", "rust-web-clippy", "rustfmt-web"];

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

/// Chooses a toolchain, and installs what it needs to compile for wasm.
pub fn ensure(env: &mut Env) -> Outcome {
    if makes_wasm(env) {
        return Ok(());
    }
    if !is_on_path("rustup", &env.path()) {
        return Err(Failure::new("The Rust compiler cannot compile for wasm")
            .why("its wasm32-unknown-unknown library is missing and there is no rustup to add it")
            .advice(
                "install rustup from https://rustup.rs, then run `rustup target add wasm32-unknown-unknown`",
            ));
    }
    let debian = Env { toolchain: Some(DEBIAN.into()), ..env.clone() };
    if makes_wasm(&debian) {
        *env = debian;
        return Ok(());
    }
    let Err(refusal) = add_target(env) else { return Ok(()) };
    println!("setup: rustup could not add the wasm target; using Debian's Rust");
    from_debian(&debian).map_err(|failure| {
        Failure::new("Found no Rust compiler for wasm")
            .why(format!("{refusal}\n{failure}"))
            .advice("give this machine access to rustup's servers, then run `rustup target add wasm32-unknown-unknown`")
    })?;
    *env = debian;
    Ok(())
}

/// Returns whether the compiler has the library's source and can compile an empty file for wasm.
fn makes_wasm(env: &Env) -> bool {
    let sysroot = env.program("rustc").args(["--print", "sysroot"]).output().unwrap_or_default();
    if !Path::new(sysroot.trim()).join("lib/rustlib/src/rust/library/std/Cargo.toml").is_file() {
        return false;
    }
    let dir = env.cache.join("probe");
    let source = dir.join("nothing.rs");
    files::write(&source, "//! Nothing.\n").is_ok()
        && env
            .program("rustc")
            .args(["--target", WASM, "--crate-type", "cdylib", "--out-dir"])
            .arg(&dir)
            .arg(&source)
            .output()
            .is_ok()
}

fn add_target(env: &Env) -> Outcome {
    check_server()?;
    doing("adding the wasm target and the library's source with rustup", "20 s");
    let started = Instant::now();
    let components = ["component", "add", "rust-src", "rustfmt", "clippy"];
    for words in [&["target", "add", WASM][..], &components] {
        env.program("rustup")
            .args(words)
            .env("RUSTUP_MAX_RETRIES", "0")
            .limit(Duration::from_secs(180))
            .output()?;
    }
    print_done("the wasm target", started);
    Ok(())
}

/// Checks that rustup's server can be reached.
///
/// If a firewall drops packets, this fails within seconds, while rustup would wait for minutes.
fn check_server() -> Outcome {
    let proxied = ["https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"]
        .iter()
        .any(|name| std::env::var_os(name).is_some());
    if proxied {
        return Ok(());
    }
    let server =
        std::env::var("RUSTUP_DIST_SERVER").unwrap_or_else(|_| "https://static.rust-lang.org".into());
    let host = server.split("://").last().unwrap_or(&server).split('/').next().unwrap_or_default().to_owned();
    let address = if host.contains(':') { host.clone() } else { format!("{host}:443") };
    let reached = address.to_socket_addrs().is_ok_and(|mut found| {
        found.any(|one| TcpStream::connect_timeout(&one, Duration::from_secs(4)).is_ok())
    });
    if reached { Ok(()) } else { Err(Failure::new(format!("Could not reach rustup's server {host}"))) }
}

fn from_debian(debian: &Env) -> Outcome {
    let missing = PACKAGES.iter().any(|package| {
        Program::new("dpkg-query")
            .args(["-W", "-f=${Status}", package])
            .output()
            .map_or(true, |status| !status.contains("ok installed"))
    });
    if missing {
        apt::install(
            debian,
            "Debian's Rust for wasm",
            &PACKAGES,
            "20 s",
            "install rustup with access to its servers",
        )?;
    }
    debian.program("rustup").args(["toolchain", "link", DEBIAN, "/usr"]).output()?;
    if makes_wasm(debian) { Ok(()) } else { build_library(debian) }
}

/// Builds and installs the library for Debian's Rust.
fn build_library(env: &Env) -> Outcome {
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
    apt::as_root(prefix, "mkdir").args(["-p", LIBRARY]).output()?;
    install_library(&scratch, prefix)?;
    files::remove_dir(&scratch)?;
    print_done("the standard library for wasm", started);
    Ok(())
}

fn install_library(scratch: &Path, prefix: &[&str]) -> Outcome {
    // rustc would find a library of an older compiler first and reject it.
    for old in files::walk(Path::new(LIBRARY))?.iter().filter(|file| files::has_extension(file, "rlib")) {
        apt::as_root(prefix, "rm").arg(old).output()?;
    }
    let built = files::walk(&scratch.join("target/wasm32-unknown-unknown/release/deps"))?;
    let rlibs = built
        .iter()
        .filter(|file| files::has_extension(file, "rlib") && !files::name(file).starts_with("libscratch-"));
    apt::as_root(prefix, "cp").args(rlibs).arg(LIBRARY).output()?;
    Ok(())
}
