//! Builds the developer portal: wasm with cargo and wasm-bindgen, script and styles with esbuild. It is one module: a
//! member loads it once, so splitting it would gain nothing.

use std::path::{Path, PathBuf};

use super::assets::Assets;
use super::frame::{Build, COMPRESSIBLE, DENSE, STRIP, WASM_FEATURES, bundle, compile, publish};
use super::pack;
use crate::env::Env;
use crate::failure::{Failure, Outcome};
use crate::files;
use crate::stamp::{Inputs, Stamp};

const PROGRAM: &str = "link-console";
/// The path below which the service serves the files.
const ADDRESS: &str = "/console/assets/";
const DIST: &str = "crates/link-console/dist";

/// Builds, minifies and compresses the portal. Does nothing if no input has changed.
pub fn console(env: &Env) -> Outcome {
    let _alone = files::lock(&env.stamp("console.lock"))?;
    let stamp = Stamp::new(env.stamp("console"), inputs(env)?);
    let dist = env.at(DIST);
    if stamp.is_current() && dist.join("index.html.br").is_file() {
        return Ok(());
    }
    println!("console: building the wasm (usually 1 min, 3 min the first time) ...");
    let staging = empty_staging(env)?;
    compile(env, PROGRAM, &[], &staging)?;
    let fresh = finish(env, &staging, Build::Release)?;
    publish(&fresh, &dist)?;
    stamp.set()
}

/// Does for Trunk what [`console`] does after wasm-bindgen. Trunk calls it as a hook, and then publishes its staging folder.
///
/// # Errors
/// If Trunk has not called it, or if a part cannot be built.
pub fn finish_for_trunk(env: &Env) -> Outcome {
    let missing =
        || Failure::new("Trunk's folder is not known").advice("run `trunk build`, which runs this task");
    let of_trunk = std::env::var_os("TRUNK_STAGING_DIR").map(PathBuf::from).ok_or_else(missing)?;
    let _alone = files::lock(&env.stamp("console.lock"))?;
    let staging = empty_staging(env)?;
    // The folder will have another program than the one of the last `cargo xtask console`.
    files::remove_file(&env.stamp("console"))?;
    let build = if std::env::var("TRUNK_PROFILE").as_deref() == Ok("release") {
        compile(env, PROGRAM, &[], &staging)?;
        Build::Release
    } else {
        for name in ["link-console.js", "link-console_bg.wasm"] {
            files::copy(&of_trunk.join(name), &staging.join(name))?;
        }
        Build::Development
    };
    let fresh = finish(env, &staging, build)?;
    publish(&fresh, &of_trunk)
}

/// Makes the portal of `link-console.js` and `link-console_bg.wasm` in the staging folder. Returns the folder with it.
fn finish(env: &Env, staging: &Path, build: Build) -> Outcome<PathBuf> {
    let source = |name: &str| env.at("crates/link-console").join(name);
    let built = staging.join("link-console_bg.wasm");
    let wasm = staging.join("small/link-console.wasm");
    files::make_dir(&staging.join("small"))?;
    match build {
        Build::Release => {
            let dense = staging.join("dense.wasm");
            // Keeps the names, by which the second run sorts the functions.
            wasm_opt(env, &built, &dense, &[&DENSE[..], &["-g"]].concat())?;
            wasm_opt(env, &dense, &wasm, &[&COMPRESSIBLE[..], &STRIP].concat())?;
        }
        Build::Development => files::copy(&built, &wasm)?,
    }
    // Next to the glue, which it imports.
    files::copy(&source("boot.js"), &staging.join("boot.js"))?;
    let boot = bundle(env, &staging.join("boot.js"), &staging.join("small/boot.js"), &["--bundle"], build)?;
    let styles = source("styles/console.css");
    let styles = bundle(env, &styles, &staging.join("small/console.css"), &["--bundle"], build)?;
    let fresh = staging.join("dist");
    let mut assets = Assets::new(fresh.clone(), files::read(&source("index.html"))?, ADDRESS)?;
    for (place, part) in [("STYLES", &styles), ("WASM", &wasm), ("BOOT", &boot)] {
        assets.add(place, part)?;
    }
    let written = assets.finish()?;
    if build == Build::Release {
        for packed in pack(env, &written)? {
            println!("console: {} {} bytes, {} brotli", files::name(&packed.path), packed.raw, packed.brotli);
        }
    }
    Ok(fresh)
}

fn wasm_opt(env: &Env, from: &Path, to: &Path, flags: &[&str]) -> Outcome {
    env.npm_bin("wasm-opt").args(WASM_FEATURES).args(flags).arg("-o").arg(to).arg(from).output().map(drop)
}

fn empty_staging(env: &Env) -> Outcome<PathBuf> {
    let staging = env.cache.join("console").join(env.checkout());
    files::remove_dir(&staging)?;
    files::make_dir(&staging)?;
    Ok(staging)
}

fn inputs(env: &Env) -> Outcome<Inputs> {
    let mut inputs = Inputs::default()
        .fact(&env.program("rustc").arg("--version").output()?)
        .path(&env.at("crates/link-console"), |file| !file.starts_with(env.at(DIST)))?;
    for path in [
        "Cargo.toml",
        "Cargo.lock",
        "package-lock.json",
        "xtask/src/web",
        "xtask/node",
        "crates/link-types/src",
    ] {
        inputs = inputs.path(&env.at(path), |_| true)?;
    }
    Ok(inputs)
}
