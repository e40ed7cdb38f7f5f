//! Installs WebKitGTK with its driver and a virtual screen, and the frameworks of the host pages, for `matrix`.

use std::path::PathBuf;

use super::{apt, node};
use crate::env::Env;
use crate::failure::{Failure, Outcome};
use crate::process::is_on_path;

const BY_HAND: &str = "install WebKitGTK with its MiniBrowser and WebKitWebDriver, and Xvfb\n\
    (Debian: webkit2gtk-driver xvfb; Fedora: webkit2gtk4.1 xorg-x11-server-Xvfb)";

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
    apt::install(env, "WebKitGTK with its driver", &["webkit2gtk-driver", "xvfb"], "30 s", BY_HAND)?;
    if is_installed() { Ok(()) } else { Err(Failure::new("WebKitGTK is still missing").advice(BY_HAND)) }
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
