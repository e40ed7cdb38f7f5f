//! Installs Chromium and its driver for the wasm tests and Playwright.

use super::apt;
use crate::env::Env;
use crate::failure::{Failure, Outcome};
use crate::process::is_on_path;

const BY_HAND: &str = "install Chromium and chromedriver so that `chromium` and `chromedriver` are on PATH\n\
    (macOS: brew install --cask chromium chromedriver; Fedora: dnf install chromium chromedriver)";

/// Installs the browser and its driver if they are missing.
pub fn ensure(env: &Env) -> Outcome {
    let is_installed = || browser(env).is_some() && is_on_path("chromedriver", &env.path());
    if is_installed() {
        return Ok(());
    }
    apt::install(env, "Chromium with its driver", &["chromium", "chromium-driver"], "30 s", BY_HAND)?;
    if is_installed() { Ok(()) } else { Err(Failure::new("Chromium is still missing").advice(BY_HAND)) }
}

/// Returns the path of the browser: `LINCHPIN_CHROMIUM`, or the first one on the path.
pub fn browser(env: &Env) -> Option<String> {
    if let Ok(chosen) = std::env::var("LINCHPIN_CHROMIUM") {
        return Some(chosen);
    }
    let path = env.path();
    let dirs: Vec<_> = std::env::split_paths(&path).collect();
    ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome"]
        .iter()
        .flat_map(|name| dirs.iter().map(move |dir| dir.join(name)))
        .find(|program| program.is_file())
        .map(|program| program.to_string_lossy().into_owned())
}
