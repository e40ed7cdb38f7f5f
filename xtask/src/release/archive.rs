//! The tarball of a release: the program with what an operator installs and reads next to it.

use std::path::{Path, PathBuf};

use crate::env::Env;
use crate::failure::{OrFail, Outcome};
use crate::files;

/// Files and folders of the checkout that the tarball has, under the same names, so that links between documents work.
const INCLUDED: [&str; 7] =
    ["README.md", "CHANGELOG.md", "SECURITY.md", "LICENSE-APACHE", "LICENSE-MIT", "docs", "packaging"];
/// The time of every file in the tarball, so that two builds give the same bytes.
const EPOCH: &str = "@1700000000";

/// Packs the program and the bill of materials into `folder`, and returns the tarball.
///
/// # Errors
/// If a file cannot be read or written, or `tar` fails.
pub fn pack(env: &Env, program: &Path, bill: &Path, name: &str, folder: &Path) -> Outcome<PathBuf> {
    let stage = folder.join(".stage");
    files::remove_dir(&stage)?;
    let root = stage.join(name);
    files::copy(program, &root.join("linchpin"))?;
    files::copy(bill, &root.join(files::name(bill)))?;
    for included in INCLUDED {
        let source = env.at(included);
        let found = if source.is_dir() { files::walk(&source)? } else { vec![source] };
        for file in found {
            let path = file.strip_prefix(&env.root).or_fail(|| "A file is outside the checkout".into())?;
            files::copy(&file, &root.join(path))?;
        }
    }
    let tarball = folder.join(format!("{name}.tar.gz"));
    pack_folder(env, &stage, name, &tarball)?;
    files::remove_dir(&stage)?;
    Ok(tarball)
}

/// Packs the folder `name` of `parent` into a tarball. Two tarballs of the same files are equal.
///
/// # Errors
/// If `tar` fails.
pub fn pack_folder(env: &Env, parent: &Path, name: &str, tarball: &Path) -> Outcome {
    env.program("tar")
        .args(["--create", "--sort=name", "--owner=0", "--group=0", "--numeric-owner", "--format=gnu"])
        // The group and others must be able to read what the umask of the build may have withheld.
        .args(["--mode=u+rw,go+r,go-w,a+X,ug-s", "--use-compress-program=gzip -n -9"])
        .arg(format!("--mtime={EPOCH}"))
        .arg("--file")
        .arg(tarball)
        .arg("--directory")
        .arg(parent)
        .arg(name)
        .output()
        .map(drop)
}

/// Writes `SHA256SUMS` with all files of the folder, as `sha256sum --check` reads it.
///
/// # Errors
/// If a file cannot be read or written, or `sha256sum` fails.
pub fn write_sums(env: &Env, folder: &Path) -> Outcome {
    let sums = folder.join("SHA256SUMS");
    files::remove_file(&sums)?;
    let files = files::walk(folder)?;
    // A release writes no folders.
    let names = files.iter().filter(|it| it.parent() == Some(folder)).map(|it| files::name(it));
    let hash = env.program("sha256sum").arg("--").args(names);
    files::write(&sums, hash.dir(folder).output()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pack_into(env: &Env, folder: &Path) -> PathBuf {
        let (program, bill) = (folder.join("built"), folder.join("linchpin.cdx.json"));
        std::fs::write(&program, "#!/bin/sh\necho linchpin 0.1.0\n").unwrap();
        std::fs::write(&bill, "{}").unwrap();
        let make_executable = std::os::unix::fs::PermissionsExt::from_mode(0o755);
        std::fs::set_permissions(&program, make_executable).unwrap();
        pack(env, &program, &bill, "linchpin-0.1.0-test", folder).unwrap()
    }

    #[test]
    fn tarball_holds_the_program_the_unit_and_the_guides() {
        let (env, folder) = (Env::find().unwrap(), tempfile::tempdir().unwrap());
        let tarball = pack_into(&env, folder.path());
        let run =
            |words: &[&str]| env.program("tar").args(words.iter().copied()).arg(&tarball).output().unwrap();
        let listed = run(&["--list", "--verbose", "--file"]);
        for file in [
            "linchpin",
            "linchpin.cdx.json",
            "packaging/linchpin.service",
            "docs/how-to/operating.md",
            "LICENSE-MIT",
        ] {
            assert!(listed.contains(&format!(" linchpin-0.1.0-test/{file}\n")), "{file} is missing");
        }
        let program = listed.lines().find(|line| line.ends_with("/linchpin")).unwrap();
        assert!(program.starts_with("-rwxr-xr-x 0/0"), "{program}");
        assert!(!folder.path().join(".stage").exists());
    }

    #[test]
    fn two_tarballs_of_one_program_are_the_same_bytes() {
        let (env, first, second) =
            (Env::find().unwrap(), tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let bytes = |folder: &Path| std::fs::read(pack_into(&env, folder)).unwrap();
        // New folders inherit this in a checkout that a group shares.
        let shared = std::os::unix::fs::PermissionsExt::from_mode(0o2755);
        std::fs::set_permissions(second.path(), shared).unwrap();
        assert!(bytes(first.path()) == bytes(second.path()));
    }

    #[test]
    fn sums_are_those_that_sha256sum_checks() {
        let (env, folder) = (Env::find().unwrap(), tempfile::tempdir().unwrap());
        std::fs::write(folder.path().join("a.tgz"), "a").unwrap();
        std::fs::create_dir(folder.path().join("linchpin-data")).unwrap();
        std::fs::write(folder.path().join("linchpin-data/linchpin.db"), "a").unwrap();
        write_sums(&env, folder.path()).unwrap();
        // Written again, it does not list itself.
        write_sums(&env, folder.path()).unwrap();
        let check = || {
            env.program("sha256sum").args(["--check", "--strict", "SHA256SUMS"]).dir(folder.path()).output()
        };
        assert_eq!(check().unwrap().trim(), "a.tgz: OK");
        std::fs::write(folder.path().join("a.tgz"), "b").unwrap();
        assert!(check().is_err());
    }
}
