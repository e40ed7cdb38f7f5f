//! `packages`: builds the npm packages of `www/packages` as tarballs, and tests them as a tenant installs them, also in
//! the pages of `examples`.

pub mod python;

use std::path::{Path, PathBuf};

use crate::env::Env;
use crate::failure::{Failure, Outcome};
use crate::files;
use crate::release::archive;
use crate::setup::browser;
use crate::stamp::{Inputs, Stamp};
use crate::suite::tally::{Tally, run_counted};
use crate::web;

/// The folder of the tests, with the lock file of the tenant's project.
const TESTS: &str = "tests/packages";

/// The pages of a tenant, each of which Vite builds. `next` is a separate project.
const EXAMPLES: [&str; 5] = ["plain", "react", "vue", "svelte", "angular"];

/// Builds the tarballs if one of their files has changed, and returns their folder.
pub fn build(env: &Env) -> Outcome<PathBuf> {
    let _alone = files::lock(&env.stamp("packages.lock"))?;
    let folder = folder(env).join("built");
    let version = env!("CARGO_PKG_VERSION");
    let mut inputs = Inputs::default().fact(version);
    for path in ["www/packages", "www/sdk/src", "www/generated", "package-lock.json"] {
        inputs = inputs.path(&env.at(path), |_| true)?;
    }
    let stamp = Stamp::new(env.stamp("packages"), inputs);
    if !stamp.is_current() || tarballs(&folder)?.is_empty() {
        let built = env.program("node").arg("www/packages/build.mjs").arg(&folder).arg(version).output()?;
        print!("{built}");
        stamp.set()?;
    }
    Ok(folder)
}

/// Builds the tarballs, and writes them to `dist`.
///
/// # Errors
/// If a package cannot be built, or `dist` cannot be written.
pub fn write(env: &Env) -> Outcome {
    for tarball in tarballs(&build(env)?)? {
        let copy = env.at("dist").join(files::name(&tarball));
        files::copy(&tarball, &copy)?;
        println!("packages: {}", copy.display());
    }
    Ok(())
}

/// Packs the collection for Bruno, and returns its tarball.
///
/// # Errors
/// If Bruno could not read a request, or no response has an id that a request needs.
pub fn pack_collection(env: &Env) -> Outcome<PathBuf> {
    let name = format!("linchpin-bruno-{}", env!("CARGO_PKG_VERSION"));
    let (parent, tarball) = (folder(env).join("bruno"), folder(env).join(format!("{name}.tar.gz")));
    let out = parent.join(&name);
    print!("{}", env.program("node").arg("www/packages/bruno/build.mjs").arg(out).output()?);
    archive::pack_folder(env, &parent, &name, &tarball)?;
    Ok(tarball)
}

/// Lists the tarballs in a folder.
pub fn tarballs(folder: &Path) -> Outcome<Vec<PathBuf>> {
    let found = files::walk(folder)?.into_iter();
    Ok(found.filter(|path| path.parent() == Some(folder) && files::has_extension(path, "tgz")).collect())
}

/// Runs the tests with the arguments of `playwright test`. They need no service.
///
/// # Errors
/// If a test fails, or if two builds of the same sources differ.
pub fn test(env: &Env, arguments: &[&str], tally: &mut Tally) -> Outcome {
    let browser = browser::headless(env)
        .ok_or_else(|| Failure::new("Found no Chromium").advice("run `cargo xtask setup`"))?;
    pack_collection(env)?;
    web::bridge(env)?;
    let built = build(env)?;
    check_reproducibility(env, &built)?;
    let project = folder(env).join("project");
    files::remove_dir(&project)?;
    for name in ["package.json", "package-lock.json", ".npmrc"] {
        files::copy(&env.at(TESTS).join(name), &project.join(name))?;
    }
    install(env, &built, &project)?;
    let examples = examples(env, &built)?;
    let config = format!("{TESTS}/playwright.config.ts");
    let tests = env.npm_bin("playwright").args(["test", "--config", &config]).args(arguments);
    run_counted(
        tests
            .env("LINCHPIN_PACKAGES", &built)
            .env("LINCHPIN_PROJECT", &project)
            .env("LINCHPIN_EXAMPLES", &examples)
            .env("LINCHPIN_CHROMIUM", browser),
        tally,
    )
}

/// Builds the tarballs in another folder, and compares them.
fn check_reproducibility(env: &Env, built: &Path) -> Outcome {
    let again = folder(env).join("again");
    let version = env!("CARGO_PKG_VERSION");
    env.program("node").arg("www/packages/build.mjs").arg(&again).arg(version).output()?;
    for tarball in tarballs(built)? {
        let hash = |path: &Path| Inputs::default().path(path, |_| true).map(Inputs::fingerprint);
        let copy = again.join(files::name(&tarball));
        // The path is part of the hash.
        let moved = folder(env).join("compared.tgz");
        files::copy(&tarball, &moved)?;
        let first = hash(&moved)?;
        files::copy(&copy, &moved)?;
        if first != hash(&moved)? {
            return Err(Failure::new(format!("Two builds of {} differ", files::name(&tarball)))
                .why(format!("{} and {}", tarball.display(), copy.display())));
        }
    }
    Ok(())
}

/// Builds the examples outside the checkout, with the tarballs, if a file has changed. Returns their folder.
///
/// # Errors
/// If an example cannot be built.
pub fn examples(env: &Env, built: &Path) -> Outcome<PathBuf> {
    let (source, target) = (env.at("examples"), folder(env).join("examples"));
    let is_source = |path: &Path| {
        !path
            .iter()
            .any(|part| ["node_modules", "dist", ".next"].iter().any(|name| part.eq_ignore_ascii_case(name)))
    };
    let inside = |path: PathBuf| path.strip_prefix(&source).map(Path::to_path_buf).unwrap_or_default();
    let inputs = Inputs::default()
        .path(&source, |path| is_source(&inside(path.to_path_buf())))?
        .path(built, |_| true)?;
    let stamp = Stamp::new(env.stamp("examples"), inputs);
    if stamp.is_current() && target.is_dir() {
        return Ok(target);
    }
    let sources: Vec<PathBuf> = files::walk(&source)?.into_iter().map(inside).collect();
    files::remove_dir(&target)?;
    for path in sources.iter().filter(|path| is_source(path)) {
        files::copy(&source.join(path), &target.join(path))?;
    }
    install(env, built, &target)?;
    for example in EXAMPLES {
        let vite = target.join("node_modules/vite/bin/vite.js");
        env.program("node").arg(vite).args(["build", example, "--logLevel", "warn"]).dir(&target).output()?;
    }
    let next = target.join("next");
    install(env, built, &next)?;
    let build = env.program("node").arg(next.join("node_modules/next/dist/bin/next")).args(["build"]);
    build.dir(&next).env("NEXT_TELEMETRY_DISABLED", "1").output()?;
    stamp.set()?;
    Ok(target)
}

/// Installs the modules of a project's lock file, and next to them the tarballs.
fn install(env: &Env, built: &Path, project: &Path) -> Outcome {
    let npm = |words: &[&str]| env.program("npm").args(words.iter().copied()).dir(project);
    npm(&["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline"]).output()?;
    // Offline, because a tarball must need nothing that the project has not installed.
    let tarballs = tarballs(built)?;
    let install = npm(&["install", "--no-save", "--offline", "--ignore-scripts", "--no-audit", "--no-fund"]);
    tarballs.iter().fold(install, |install, tarball| install.arg(tarball)).output().map(drop)
}

fn folder(env: &Env) -> PathBuf {
    env.cache.join("packages").join(env.checkout())
}
