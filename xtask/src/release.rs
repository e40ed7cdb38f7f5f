//! `release`: builds the released program, fully optimized and with the widget's files inside.

use std::path::PathBuf;

use crate::env::Env;
use crate::failure::Outcome;
use crate::{files, web};

/// The cargo profile of a release, and the name of its folder in the target folder.
pub const PROFILE: &str = "dist";

/// Builds the widget's files and the service with them, copies the program to `dist/linchpin` and returns this path.
pub fn run(env: &Env) -> Outcome<PathBuf> {
    web::build(env)?;
    println!("release: building the service (usually 15 min on two cores) ...");
    let built = build(env)?;
    let program = env.at("dist/linchpin");
    files::copy(&built, &program)?;
    let bytes = std::fs::metadata(&program).map_or(0, |data| data.len());
    println!("release: {} ({} MB)", program.display(), bytes / 1_000_000);
    Ok(program)
}

/// Builds the service and returns the program. Requires the widget's files.
pub fn build(env: &Env) -> Outcome<PathBuf> {
    env.cargo(["build", "--quiet", "--locked", "--profile", PROFILE])
        .args(["--package", "link-server", "--bin", "linchpin"])
        .run()?;
    Ok(env.target().join(PROFILE).join("linchpin"))
}
