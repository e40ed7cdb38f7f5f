//! Fails an optimized build without the widget's files, because the binary would respond with 503 for its own scripts.
//! Links the program so that it starts with less memory.

use std::path::Path;
use std::process::Command;

/// Files that the builds write last. A build for development compresses nothing. See `cargo xtask frame`,
/// `bridge` and `console`.
const WIDGET_FILES: [&str; 3] = [
    "../../www/frame/dist/index.html.br",
    "../../www/sdk/dist/v2/linchpin.v2.js",
    "../link-console/dist/index.html.br",
];

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    // A debug build reads the files from the checkout at run time, but only from folders that existed when it was compiled.
    if std::env::var("PROFILE").is_ok_and(|profile| profile == "debug") {
        for folder in ["../../www/frame/dist", "../../www/sdk/dist", "../link-console/dist"] {
            drop(std::fs::create_dir_all(folder));
        }
        return;
    }
    if packs_relocations() {
        // The loader reads the whole table of relocations at the start: 20 KB in this form, 1.2 MB otherwise.
        println!("cargo::rustc-link-arg-bins=-Wl,-z,pack-relative-relocs");
    }
    for file in WIDGET_FILES {
        println!("cargo::rerun-if-changed={file}");
        if !Path::new(file).is_file() {
            println!(
                "cargo::error=the widget's files are not built ({file} is missing), and a release embeds them. \
                 Run `cargo xtask release`, or `cargo xtask frame`, `bridge` and `console` before this build."
            );
        }
    }
}

/// Returns whether the C library of this machine loads packed relocations. Older ones reject the whole program.
fn packs_relocations() -> bool {
    let var = |name: &str| std::env::var(name).unwrap_or_default();
    let is_native = var("TARGET") == var("HOST");
    let is_gnu = var("CARGO_CFG_TARGET_OS") == "linux" && var("CARGO_CFG_TARGET_ENV") == "gnu";
    is_native && is_gnu && c_library().is_some_and(|version| version >= (2, 36))
}

/// Returns the version of glibc, from `glibc 2.36`.
fn c_library() -> Option<(u32, u32)> {
    let output = Command::new("getconf").arg("GNU_LIBC_VERSION").output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    let (major, minor) = text.trim().strip_prefix("glibc ")?.split_once('.')?;
    Some((major.parse().ok()?, minor.parse().ok()?))
}
