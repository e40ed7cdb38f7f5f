//! `release`: builds the released program, fully optimized and with the widget's files inside.

use std::path::PathBuf;
use std::process::{Child, Stdio};

use crate::env::Env;
use crate::failure::Outcome;
use crate::{files, web};

/// The cargo profile of a release, and the name of its folder in the target folder.
pub const PROFILE: &str = "dist";

// The default features are for code generation and tests.
const BUILD: [&str; 10] = [
    "build",
    "--quiet",
    "--locked",
    "--profile",
    PROFILE,
    "--package",
    "link-server",
    "--no-default-features",
    "--bin",
    "linchpin",
];

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
    env.cargo(BUILD).run()?;
    Ok(env.target().join(PROFILE).join("linchpin"))
}

/// A build in the background. Dropping it stops it.
pub struct Building(Child);

/// Starts to build the service with the processor time that nothing else uses, or returns `None` if that is not
/// possible. A later [`build`] waits for its end, and builds again if it failed.
pub fn begin(env: &Env) -> Option<Building> {
    let mut build = env.program("nice").args(["-n", "19", "cargo"]).args(BUILD).into_command();
    build.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    build.spawn().ok().map(Building)
}

impl Drop for Building {
    fn drop(&mut self) {
        drop(self.0.kill());
        drop(self.0.wait());
    }
}
