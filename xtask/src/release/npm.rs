//! The npm package `@linchpin/cli`: the released program, for machines of a tenant's developers.

use std::path::{Path, PathBuf};

use crate::env::Env;
use crate::failure::{Failure, Outcome};
use crate::files;

/// The folder of the package in the checkout.
const SOURCE: &str = "www/packages/cli";
/// The folder of the package while it is packed.
const STAGE: &str = ".cli";

/// Packs the program, and returns the tarball in `folder`.
///
/// # Errors
/// If the package does not name the platform of this machine, a file cannot be read or written, or `npm` fails.
pub fn pack(env: &Env, program: &Path, folder: &Path) -> Outcome<PathBuf> {
    let source = env.at(SOURCE);
    let manifest = files::read(&source.join("package.json"))?;
    // npm's name of the processor.
    let processor = match std::env::consts::ARCH {
        "x86_64" => "x64",
        "aarch64" => "arm64",
        other => return Err(Failure::new(format!("npm has no name for the processor {other}"))),
    };
    let stage = folder.join(STAGE);
    files::remove_dir(&stage)?;
    let manifest = manifest.replace(r#""cpu": ["x64"]"#, &format!(r#""cpu": ["{processor}"]"#));
    files::write(&stage.join("package.json"), manifest)?;
    files::copy(&source.join("README.md"), &stage.join("README.md"))?;
    for licence in ["LICENSE-MIT", "LICENSE-APACHE"] {
        files::copy(&env.at(licence), &stage.join(licence))?;
    }
    files::copy(program, &stage.join("linchpin"))?;
    let name = env
        .program("npm")
        .args(["pack", "--ignore-scripts", "--loglevel=error", "--pack-destination", ".."])
        .dir(&stage)
        .output()?;
    files::remove_dir(&stage)?;
    println!("packages: {}", name.trim());
    Ok(folder.join(name.trim()))
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    #[test]
    fn installed_package_runs_the_program() {
        let (env, folder) = (Env::find().unwrap(), tempfile::tempdir().unwrap());
        let program = folder.path().join("built");
        std::fs::write(&program, "#!/bin/sh\necho linchpin \"$@\"\n").unwrap();
        std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
        let tarball = pack(&env, &program, folder.path()).unwrap();
        let version = env!("CARGO_PKG_VERSION");
        assert_eq!(files::name(&tarball), format!("linchpin-cli-{version}.tgz"));
        let project = folder.path().join("project");
        std::fs::create_dir(&project).unwrap();
        let npm = |words: &[&str]| env.program("npm").args(words.iter().copied()).dir(&project).output();
        let install = ["install", "--offline", "--no-audit", "--no-fund", "--prefix", "."];
        npm(&[&install[..], &[&tarball.to_string_lossy()]].concat()).unwrap();
        let said = env.program("node_modules/.bin/linchpin").arg("--version").dir(&project).output().unwrap();
        assert_eq!(said.trim(), "linchpin --version");
    }
}
