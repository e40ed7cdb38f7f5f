//! `release`: builds the released program, fully optimized and with the widget's files inside, and everything that is
//! published with it.

pub mod archive;
mod bill;
mod npm;

use std::path::PathBuf;
use std::process::{Child, Stdio};

use crate::env::Env;
use crate::failure::Outcome;
use crate::setup::{cargo_tools, python};
use crate::{book, chart, files, packages, web};

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

/// Builds the widget's files, the packages and the service. Replaces the files of `dist` by the program, a tarball for operators,
/// the npm and Python packages, one of them with the program, the collection for Bruno, the Helm chart, the site of the documentation, the
/// bill of materials and the hashes of all. Returns the path of the
/// program.
pub fn run(env: &Env) -> Outcome<PathBuf> {
    let version = env!("CARGO_PKG_VERSION");
    let dist = env.at("dist");
    web::build(env)?;
    python::ensure_api_tools(env)?;
    let npm = packages::tarballs(&packages::build(env)?)?;
    let packages =
        npm.into_iter().chain(packages::python::build(env)?).chain([packages::pack_collection(env)?]);
    println!("release: building the service (usually 15 min on two cores) ...");
    // The program lists its crates in a section, which scanners of images read.
    let auditable = cargo_tools::find_auditable(env)?;
    env.program(&auditable.to_string_lossy()).arg("auditable").args(arguments(PROFILE)).run()?;
    let built = env.target().join(PROFILE).join("linchpin");
    // Folders stay: a service that was started there keeps its data in one.
    for old in files::walk(&dist)?.iter().filter(|it| it.parent() == Some(dist.as_path())) {
        files::remove_file(old)?;
    }
    for package in packages {
        files::copy(&package, &dist.join(files::name(&package)))?;
    }
    let (program, bill) = (dist.join("linchpin"), dist.join("linchpin.cdx.json"));
    files::copy(&built, &program)?;
    npm::pack(env, &program, &dist)?;
    chart::pack(env, &dist)?;
    book::pack(env, &dist)?;
    files::write(&bill, bill::write(env, version)?)?;
    let name = format!("linchpin-{version}-{}-linux-gnu", std::env::consts::ARCH);
    let tarball = archive::pack(env, &program, &bill, &name, &dist)?;
    archive::write_sums(env, &dist)?;
    let bytes = std::fs::metadata(&program).map_or(0, |data| data.len());
    println!("release: {} ({} MB), also in {}", program.display(), bytes / 1_000_000, tarball.display());
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
