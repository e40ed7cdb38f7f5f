//! Builds the frame with Trunk, and compares it with the one that is built without Trunk.

use std::path::{Path, PathBuf};

use super::frame::{Build, RELOCATIONS, compile, finish, frame, frame_for_development, publish, staging};
use crate::env::Env;
use crate::failure::{Failure, OrFail, Outcome};
use crate::files;
use crate::stamp::Inputs;

/// Does for Trunk what [`frame`] does after wasm-bindgen: makes the frame of the files that Trunk has built, and replaces them.
/// Trunk calls it as a hook, and then publishes its staging folder.
///
/// # Errors
/// If Trunk has not called it, or if a part cannot be built.
pub fn finish_for_trunk(env: &Env) -> Outcome {
    let missing =
        || Failure::new("Trunk's folder is not known").advice("run `trunk build`, which runs this task");
    let of_trunk = std::env::var_os("TRUNK_STAGING_DIR").map(PathBuf::from).ok_or_else(missing)?;
    let build = match std::env::var("TRUNK_PROFILE").as_deref() {
        Ok("release") => Build::Release,
        _ => Build::Development,
    };
    let _alone = files::lock(&env.stamp("frame.lock"))?;
    let staging = staging(env);
    files::remove_dir(&staging)?;
    files::make_dir(&staging)?;
    if std::env::var_os("TRUNK_DIST_DIR").is_none_or(|dist| Path::new(&dist).ends_with("www/frame/dist")) {
        // The folder will have another frame than the one of the last `cargo xtask frame`.
        files::remove_file(&env.stamp("frame"))?;
    }
    if build == Build::Release {
        // Trunk cannot pass [`SMALL_LIBRARY`] to its cargo alone: its hooks would have it, too.
        println!(
            "frame: building the wasm again, with a smaller standard library (1 min, 3 min the first time) ..."
        );
        compile(env, "link-widget", &[RELOCATIONS], &staging)?;
    } else {
        for name in ["link-widget.js", "link-widget_bg.wasm"] {
            files::copy(&of_trunk.join(name), &staging.join(name))?;
        }
    }
    let fresh = finish(env, &staging, build)?;
    publish(&fresh, &of_trunk)
}

/// Builds the frame with and without Trunk, for development and for a release, and compares the files.
///
/// # Errors
/// If a file differs.
pub fn compare(env: &Env) -> Outcome {
    frame(env)?;
    let release = manifest(&env.at("www/frame/dist"))?;
    compare_with_trunk(env, &[], &manifest(&frame_for_development(env)?)?)?;
    // The release is last: it leaves in the staging folder what belongs to the frame in `dist`.
    compare_with_trunk(env, &["--release"], &release)
}

/// Builds the frame with Trunk, and compares it with the files of the one that was built without.
fn compare_with_trunk(env: &Env, flags: &[&str], own: &[(String, String)]) -> Outcome {
    let folder = env.cache.join("frame").join(format!("{}-trunk", env.checkout()));
    files::remove_dir(&folder)?;
    let trunk = env.program("trunk").args(["build", "--quiet", "--dist"]).arg(&folder).args(flags);
    trunk.env("CARGO_TARGET_DIR", env.wasm_target()).run()?;
    let of_trunk = manifest(&folder)?;
    files::remove_dir(&folder)?;
    let build = if flags.is_empty() { "development" } else { "a release" };
    let different: Vec<&str> =
        own.iter().filter(|file| !of_trunk.contains(file)).map(|(name, _)| name.as_str()).collect();
    if own.is_empty() || own.len() != of_trunk.len() || !different.is_empty() {
        return Err(Failure::new(format!("Trunk and xtask build different frames for {build}")).why(
            format!("{} and {} files; not the same: {}", of_trunk.len(), own.len(), different.join(", ")),
        ));
    }
    println!("frame: {} files for {build}, the same with and without Trunk", own.len());
    Ok(())
}

/// Returns the names and the hashes of the files in a folder.
fn manifest(dir: &Path) -> Outcome<Vec<(String, String)>> {
    let entry = |path: &PathBuf| -> Outcome<(String, String)> {
        let bytes = std::fs::read(path).or_fail(|| format!("Could not read {}", path.display()))?;
        Ok((files::name(path).to_owned(), Inputs::default().bytes(&bytes).fingerprint()))
    };
    files::walk(dir)?.iter().map(entry).collect()
}
