//! Bundles the bridge, `www/sdk/src`, for script tags (one file per version) and as an ES module, and the
//! script that the bridge loads later.

use std::path::PathBuf;

use super::{minify, pack};
use crate::env::Env;
use crate::failure::Outcome;
use crate::files;
use crate::stamp::{Inputs, Stamp};

/// Entry file, bundle, and format.
const BUNDLES: [(&str, &str, &str); 4] = [
    ("www/sdk/src/v1.ts", "v1/linchpin.v1.js", "iife"),
    ("www/sdk/src/v2.ts", "v2/linchpin.v2.js", "iife"),
    ("www/sdk/src/index.ts", "esm/index.js", "esm"),
    ("www/sdk/src/help.ts", "help/p1.js", "esm"),
];

/// For texts in seven languages. The bridge itself is ASCII, because a page may have another encoding.
const UTF8: &str = "--charset=utf8";

/// Shortens the names of what only files of the bridge call. Saves 30 bytes (brotli).
const SHORT_NAMES: &str = "--mangle-props=^(reveal|translate|loadFrame|showDialog|coverFrame|removeAll|element|send|stop|\
    restored)$";

/// Leaves out the parts that only the bridge in `@linchpin/link` has (ADR 238).
const SERVED: &str = "--define:PACKAGED=false";

/// Bundles, minifies and compresses the bridge. Does nothing if no input has changed.
pub fn bridge(env: &Env) -> Outcome {
    let _alone = files::lock(&env.stamp("bridge.lock"))?;
    let inputs = Inputs::default()
        .path(&env.at("www/sdk/src"), |_| true)?
        .path(&env.at("www/generated"), |_| true)?
        .path(&env.at("package-lock.json"), |_| true)?
        .path(&env.at("xtask/src/web"), |_| true)?;
    let stamp = Stamp::new(env.stamp("bridge"), inputs);
    let dist = env.at("www/sdk/dist");
    let bundles: Vec<PathBuf> = BUNDLES.iter().map(|(_, bundle, _)| dist.join(bundle)).collect();
    if stamp.is_current() && bundles.iter().all(|bundle| bundle.is_file()) {
        return Ok(());
    }
    files::remove_dir(&dist)?;
    for ((entry, _, format), bundle) in BUNDLES.iter().zip(&bundles) {
        env.npm_bin("esbuild")
            .args([entry, "--bundle", "--minify", "--target=es2022", "--log-level=warning", SERVED])
            .arg(format!("--format={format}"))
            .arg(format!("--outfile={}", bundle.display()))
            .args(Some(if entry.ends_with("help.ts") { UTF8 } else { SHORT_NAMES }))
            .output()?;
        let module = (*format == "esm").then_some("--module");
        let ascii = (!entry.ends_with("help.ts")).then_some("--format=ascii_only=true");
        minify(env, bundle, module.into_iter().chain(ascii))?;
    }
    for packed in pack(env, &bundles)? {
        println!("bridge: {} {} bytes, {} brotli", files::name(&packed.path), packed.raw, packed.brotli);
    }
    stamp.set()
}
