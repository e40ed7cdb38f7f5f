//! Installs Chromium and its driver for the wasm tests and Playwright, Firefox, WebKitGTK with a virtual screen, and the
//! frameworks of the host pages.

use std::path::PathBuf;

use super::{apt, node};
use crate::env::Env;
use crate::failure::{Failure, Outcome};
use crate::process::is_on_path;

const BY_HAND: &str = "install Chromium and chromedriver so that `chromium` and `chromedriver` are on PATH\n\
    (macOS: brew install --cask chromium chromedriver; Fedora: dnf install chromium chromedriver)";

const FIREFOX_BY_HAND: &str = "install Firefox 121 or newer so that `firefox` is on PATH\n\
    (macOS: brew install --cask firefox; Fedora: dnf install firefox)";

const WEBKIT_BY_HAND: &str = "install WebKitGTK with its MiniBrowser and WebKitWebDriver, and Xvfb\n\
    (Debian: webkit2gtk-driver xvfb; Fedora: webkit2gtk4.1 xorg-x11-server-Xvfb)";

/// Chromium without the user interface. The same tests take a fifth less time with it.
const HEADLESS: &str = "chromium-headless-shell";

/// Installs the browser and its driver if they are missing.
pub fn ensure(env: &Env) -> Outcome {
    let is_installed = || browser(env).is_some() && is_on_path("chromedriver", &env.path());
    if !is_installed() {
        apt::install(env, "Chromium with its driver", &["chromium", "chromium-driver"], "30 s", BY_HAND)?;
    }
    if !is_installed() {
        return Err(Failure::new("Chromium is still missing").advice(BY_HAND));
    }
    if headless(env) == browser(env)
        && apt::is_known(env, HEADLESS)
        && let Err(failure) = apt::install(env, "Chromium without windows", &[HEADLESS], "20 s", BY_HAND)
    {
        println!("{failure}\nsetup: the browser tests run in Chromium with windows, which takes longer");
    }
    Ok(())
}

/// Installs Firefox if it is missing. Its driver is one of the cargo tools.
pub fn ensure_firefox(env: &Env) -> Outcome {
    if firefox(env).is_some() {
        return Ok(());
    }
    apt::install(env, "Firefox", &["firefox-esr"], "20 s", FIREFOX_BY_HAND)?;
    match firefox(env) {
        Some(_) => Ok(()),
        None => Err(Failure::new("Firefox is still missing").advice(FIREFOX_BY_HAND)),
    }
}

/// Returns the path of the browser: `LINCHPIN_CHROMIUM`, or the first one on the path.
pub fn browser(env: &Env) -> Option<String> {
    let names = ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome"];
    find(env, "LINCHPIN_CHROMIUM", &names).map(|program| program.to_string_lossy().into_owned())
}

/// Returns the path of the browser for tests that show no window: like [`browser`], but without the user interface if
/// this machine has such a build.
pub fn headless(env: &Env) -> Option<String> {
    find(env, "LINCHPIN_CHROMIUM", &[HEADLESS])
        .map(|program| program.to_string_lossy().into_owned())
        .or_else(|| browser(env))
}

/// Returns the path of Firefox: `LINCHPIN_FIREFOX`, or the first one on the path.
pub fn firefox(env: &Env) -> Option<PathBuf> {
    find(env, "LINCHPIN_FIREFOX", &["firefox-esr", "firefox"])
}

fn find(env: &Env, variable: &str, names: &[&str]) -> Option<PathBuf> {
    if let Some(chosen) = std::env::var_os(variable) {
        return Some(chosen.into());
    }
    let path = env.path();
    let dirs: Vec<_> = std::env::split_paths(&path).collect();
    names.iter().flat_map(|name| dirs.iter().map(move |dir| dir.join(name))).find(|program| program.is_file())
}

/// Installs the browser, its driver and the screen if one of them is missing.
pub fn ensure_webkit(env: &Env) -> Outcome {
    let is_installed = || {
        mini_browser().is_some()
            && is_on_path("WebKitWebDriver", &env.path())
            && is_on_path("Xvfb", &env.path())
    };
    if is_installed() {
        return Ok(());
    }
    apt::install(env, "WebKitGTK with its driver", &["webkit2gtk-driver", "xvfb"], "30 s", WEBKIT_BY_HAND)?;
    if is_installed() {
        Ok(())
    } else {
        Err(Failure::new("WebKitGTK is still missing").advice(WEBKIT_BY_HAND))
    }
}

/// Installs exactly the modules in `tests/matrix/package-lock.json`.
pub fn ensure_frameworks(env: &Env) -> Outcome {
    node::modules(env, "tests/matrix", "the frameworks of the host pages", "40 s")
}

/// Returns the browser of WebKitGTK: `LINCHPIN_WEBKIT`, or the one that the package installs outside of the path.
pub fn mini_browser() -> Option<PathBuf> {
    if let Some(chosen) = std::env::var_os("LINCHPIN_WEBKIT") {
        return Some(chosen.into());
    }
    let versions = ["webkit2gtk-4.1", "webkitgtk-6.0", "webkit2gtk-4.0"];
    let libraries = ["/usr/lib", "/usr/libexec", "/usr/lib64"].map(PathBuf::from);
    let nested = std::fs::read_dir("/usr/lib").into_iter().flatten().flatten().map(|entry| entry.path());
    libraries
        .into_iter()
        .chain(nested)
        .flat_map(|folder| versions.map(|version| folder.join(version).join("MiniBrowser")))
        .find(|program| program.is_file())
}
