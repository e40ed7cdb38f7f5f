//! Bundles the bridge, `www/sdk/src`, for script tags (one file per version) and as an ES module.

use std::path::PathBuf;

use super::pack;
use crate::env::Env;
use crate::failure::Outcome;
use crate::files;
use crate::stamp::{Inputs, Stamp};

/// Entry file, bundle, and format.
const BUNDLES: [(&str, &str, &str); 3] = [
    ("www/sdk/src/v1.ts", "v1/linchpin.v1.js", "iife"),
    ("www/sdk/src/v2.ts", "v2/linchpin.v2.js", "iife"),
    ("www/sdk/src/index.ts", "esm/index.js", "esm"),
];

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
            .args([entry, "--bundle", "--minify", "--target=es2022", "--charset=utf8", "--log-level=warning"])
            .arg(format!("--format={format}"))
            .arg(format!("--outfile={}", bundle.display()))
            .output()?;
    }
    for packed in pack(env, &bundles)? {
        println!("bridge: {} {} bytes, {} brotli", files::name(&packed.path), packed.raw, packed.brotli);
    }
    stamp.set()
}
