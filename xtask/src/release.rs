//! `release`: builds the released program, fully optimized and with the widget's files inside, and the packages.

use std::path::PathBuf;
use std::process::{Child, Stdio};

use crate::env::Env;
use crate::failure::Outcome;
use crate::{files, packages, setup, web};

/// The cargo profile of a release, and the name of its folder in the target folder.
pub const PROFILE: &str = "dist";

/// The cargo profile of the program that every run of the tests builds: a release without LTO, whose incremental builds
/// take a third of the processor time.
const OPTIMIZED_PROFILE: &str = "release";

/// Returns the arguments of cargo for a build with this profile.
fn arguments(profile: &str) -> [&str; 10] {
    // The default features are for code generation and tests.
    let features = "--no-default-features";
    [
        "build",
        "--quiet",
        "--locked",
        "--profile",
        profile,
        "--package",
        "link-server",
        features,
        "--bin",
        "linchpin",
    ]
}

/// Builds the widget's files, the packages and the service. Copies the program to `dist/linchpin`, next to the tarballs of
/// the npm packages, the wheel of the Python package and the collection for Bruno, and returns its path.
pub fn run(env: &Env) -> Outcome<PathBuf> {
    web::build(env)?;
    setup::python::ensure_api_tools(env)?;
    let tarballs = packages::tarballs(&packages::build(env)?)?;
    for package in tarballs.into_iter().chain(packages::python::build(env)?) {
        files::copy(&package, &env.at("dist").join(files::name(&package)))?;
    }
    let (collection, copy) = (packages::build_collection(env)?, env.at("dist/bruno"));
    files::remove_dir(&copy)?;
    for file in files::walk(&collection)? {
        files::copy(&file, &copy.join(file.strip_prefix(&collection).unwrap_or(&file)))?;
    }
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
    build_with(env, PROFILE)
}

/// Builds the widget's files and the same program without LTO, and returns its path. Leaves `dist/` as it is.
pub fn build_optimized(env: &Env) -> Outcome<PathBuf> {
    web::build(env)?;
    println!("release: building the service without LTO (usually 2 min, 10 min the first time) ...");
    build_with(env, OPTIMIZED_PROFILE)
}

/// Builds the service with this profile of cargo and returns the program. Requires the widget's files.
pub fn build_with(env: &Env, profile: &str) -> Outcome<PathBuf> {
    env.cargo(arguments(profile)).run()?;
    Ok(env.target().join(profile).join("linchpin"))
}

/// A build in the background. Dropping it stops it.
pub struct Building(Child);

/// Starts the build of [`build_optimized`] with the processor time that nothing else uses, or returns `None` if that is
/// not possible. A later [`build_optimized`] waits for its end, and builds again if it failed.
pub fn begin(env: &Env) -> Option<Building> {
    let mut build =
        env.program("nice").args(["-n", "19", "cargo"]).args(arguments(OPTIMIZED_PROFILE)).into_command();
    build.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    build.spawn().ok().map(Building)
}

impl Building {
    /// Waits for its end. If it failed, the next build prints the errors.
    pub fn wait(mut self) {
        drop(self.0.wait());
    }
}

impl Drop for Building {
    fn drop(&mut self) {
        drop(self.0.kill());
        drop(self.0.wait());
    }
}
