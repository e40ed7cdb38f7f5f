//! `release`: builds the released program, fully optimized and with the widget's files inside, and everything that is
//! published with it.

pub mod archive;
mod bill;
mod npm;

use std::path::PathBuf;

use crate::env::Env;
use crate::failure::Outcome;
use crate::setup::{cargo_tools, python};
use crate::{book, chart, files, packages, web};

/// The cargo profile of a release, and the name of its folder in the target folder.
pub const PROFILE: &str = "dist";

/// The arguments of cargo that select the released program. The default features are for code generation and tests.
pub const PROGRAM: [&str; 6] =
    ["--locked", "--package", "link-server", "--no-default-features", "--bin", "linchpin"];

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
    println!("release: building the service (usually 25 min on two cores) ...");
    let built = build(env)?;
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

/// Builds the service with this profile of cargo and returns the program. Requires the widget's files.
pub fn build_with(env: &Env, profile: &str) -> Outcome<PathBuf> {
    // The program lists its crates in a section, which scanners of images read.
    let auditable = cargo_tools::find_auditable(env)?;
    let build = env.program(&auditable.to_string_lossy()).args(["auditable", "build", "--quiet"]);
    build.args(["--profile", profile]).args(PROGRAM).run()?;
    Ok(env.target().join(profile).join("linchpin"))
}
