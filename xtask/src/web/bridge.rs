//! Bundles the bridge, `www/sdk/src`, for script tags (one file per version) and as an ES module, the script that the
//! bridge loads later, and the script that embeds link sites. Also makes the files of the release, whose addresses never change (ADR 239).

use std::path::{Path, PathBuf};

use super::{minify, pack};
use crate::env::Env;
use crate::failure::Outcome;
use crate::files;
use crate::stamp::{Inputs, Stamp};

/// Entry file, bundle, and format.
const BUNDLES: [(&str, &str, &str); 5] = [
    ("www/sdk/src/v1.ts", "v1/linchpin.v1.js", "iife"),
    ("www/sdk/src/v2.ts", "v2/linchpin.v2.js", "iife"),
    ("www/sdk/src/index.ts", "esm/index.js", "esm"),
    ("www/sdk/src/help.ts", "help/p1.js", "esm"),
    ("www/sdk/src/embed.ts", "embed.js", "iife"),
];

/// For texts in seven languages. The bridge itself is ASCII, because a page may have another encoding.
const UTF8: &str = "--charset=utf8";

/// Shortens the names of what only files of the bridge call. Saves 30 bytes (brotli).
const SHORT_NAMES: &str = "--mangle-props=^(reveal|translate|loadFrame|showDialog|coverFrame|removeAll|element|send|stop|\
    restored)$";

/// Leaves out the parts that only the bridge in `@linchpin/link` has (ADR 238).
const NOT_PACKAGED: &str = "--define:PACKAGED=false";

/// The files of a release: entry file, name, and format.
const RELEASE: [(&str, &str, &str); 2] =
    [("www/sdk/src/v2.ts", "linchpin.js", "iife"), ("www/sdk/src/index.ts", "index.js", "esm")];

/// The folder of the releases that were published. Their files are never changed.
const PUBLISHED: &str = "www/sdk/releases";

/// Bundles, minifies and compresses the bridge. Does nothing if no input has changed.
pub fn bridge(env: &Env) -> Outcome {
    let _alone = files::lock(&env.stamp("bridge.lock"))?;
    let inputs = Inputs::default()
        .path(&env.at("www/sdk/src"), |_| true)?
        .path(&env.at("www/generated"), |_| true)?
        .path(&env.at(PUBLISHED), |_| true)?
        .path(&env.at("package-lock.json"), |_| true)?
        .path(&env.at("xtask/src/web"), |_| true)?;
    let stamp = Stamp::new(env.stamp("bridge"), inputs);
    let dist = env.at("www/sdk/dist");
    let mut bundles: Vec<PathBuf> = BUNDLES.iter().map(|(_, bundle, _)| dist.join(bundle)).collect();
    if stamp.is_current() && bundles.iter().all(|bundle| bundle.is_file()) {
        return Ok(());
    }
    files::remove_dir(&dist)?;
    for ((entry, _, format), bundle) in BUNDLES.iter().zip(&bundles) {
        build(env, entry, format, bundle, "--define:RELEASED=false")?;
    }
    bundles.extend(releases(env, &dist.join("releases"))?);
    for packed in pack(env, &bundles)? {
        println!("bridge: {} {} bytes, {} brotli", files::name(&packed.path), packed.raw, packed.brotli);
    }
    stamp.set()
}

/// Bundles and minifies one file. `released` defines whether its bytes never change.
fn build(env: &Env, entry: &str, format: &str, bundle: &Path, released: &str) -> Outcome {
    env.esbuild()
        .args([entry, "--bundle", "--minify", "--target=es2022", "--log-level=warning", NOT_PACKAGED])
        .args([released, &format!("--format={format}")])
        .arg(format!("--outfile={}", bundle.display()))
        .args(Some(if entry.ends_with("help.ts") { UTF8 } else { SHORT_NAMES }))
        .output()?;
    let module = (format == "esm").then_some("--module");
    let ascii = (!entry.ends_with("help.ts")).then_some("--format=ascii_only=true");
    minify(env, bundle, module.into_iter().chain(ascii))
}

/// Copies the published releases, makes the one of this version unless it is published, and lists their hashes in
/// `manifest.json`. Returns the files.
fn releases(env: &Env, folder: &Path) -> Outcome<Vec<PathBuf>> {
    let published = env.at(PUBLISHED);
    for file in files::walk(&published)? {
        if let Ok(inside) = file.strip_prefix(&published) {
            files::copy(&file, &folder.join(inside))?;
        }
    }
    let own = folder.join(env!("CARGO_PKG_VERSION"));
    if !own.is_dir() {
        for (entry, name, format) in RELEASE {
            build(env, entry, format, &own.join(name), "--define:RELEASED=true")?;
        }
    }
    let manifest = folder.join("manifest.json");
    env.program("node").arg("xtask/node/manifest.mjs").arg(folder).arg(&manifest).output()?;
    let files = files::walk(folder)?.into_iter();
    Ok(files.filter(|file| files::has_extension(file, "js") || *file == manifest).collect())
}
