//! bubblewrap: a mount namespace around the child, for kernels without Landlock.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::FileWall;
use super::files::{Paths, is_supported};
use crate::tesseract::Tesseract;

const PROGRAMS: [&str; 2] = ["/usr/bin/bwrap", "/usr/local/bin/bwrap"];

/// Returns the program that starts a child, with its arguments, and what will block the child's access to files.
pub(crate) fn command(
    program: &Path,
    arguments: &[String],
    tesseract: &Tesseract,
) -> (FileWall, PathBuf, Vec<OsString>) {
    if !is_supported()
        && let Some(bubblewrap) = PROGRAMS.map(Path::new).into_iter().find(|it| works(it))
    {
        let arguments = wrap(program, arguments, tesseract);
        return (FileWall::Bubblewrap, bubblewrap.to_owned(), arguments);
    }
    (FileWall::Landlock, program.to_owned(), arguments.iter().map(OsString::from).collect())
}

/// Returns whether it can create its namespaces. A system may have it installed but forbid user namespaces.
fn works(bubblewrap: &Path) -> bool {
    let mut tried = Command::new(bubblewrap);
    tried.args(["--unshare-all", "--ro-bind", "/", "/", "--", "/bin/true"]).env_clear();
    let tried = tried.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status();
    tried.is_ok_and(|ended| ended.success())
}

fn wrap(program: &Path, arguments: &[String], tesseract: &Tesseract) -> Vec<OsString> {
    // `/proc/self/exe` would be bubblewrap itself.
    let program = program.canonicalize().unwrap_or_else(|_| program.to_owned());
    let Paths { libraries, data, programs } = Paths::for_tesseract(Some(tesseract));
    // Debian's links to BLAS and LAPACK go through `/etc/alternatives`.
    let alternatives = [program.clone(), PathBuf::from("/etc/alternatives")];
    let mut all: Vec<OsString> =
        ["--unshare-all", "--die-with-parent", "--cap-drop", "ALL", "--clearenv"].map(OsString::from).into();
    let mut bound: Vec<PathBuf> = Vec::new();
    for path in libraries.into_iter().chain(data).chain(programs).chain(alternatives) {
        // A loader is a link within a folder that is already bound. Nothing can be mounted on it.
        if !bound.iter().any(|folder| path.starts_with(folder)) {
            all.extend([
                "--ro-bind-try".into(),
                path.clone().into_os_string(),
                path.clone().into_os_string(),
            ]);
            bound.push(path);
        }
    }
    all.extend(
        ["--dev-bind", "/dev/null", "/dev/null", "--remount-ro", "/", "--chdir", "/", "--"]
            .map(OsString::from),
    );
    all.push(program.into_os_string());
    all.extend(arguments.iter().map(OsString::from));
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_listed_paths_are_in_the_mount_namespace() {
        let tesseract = Tesseract { program: "/opt/ocr/bin/tesseract".into(), languages: "eng".into() };
        let arguments = wrap(Path::new("/opt/linchpin"), &["extract".to_owned()], &tesseract);
        let words: Vec<_> = arguments.iter().map(|it| it.to_str().unwrap()).collect();
        assert!(words.ends_with(&["--", "/opt/linchpin", "extract"]), "{words:?}");
        let bound = words.windows(2).filter(|it| it[0] == "--ro-bind-try").map(|it| it[1]);
        for path in bound {
            assert!(!["/", "/usr", "/etc", "/home", "/tmp", "/var", "/opt"].contains(&path), "{path}");
        }
        assert!(!words.contains(&"/lib64/ld-linux-x86-64.so.2"), "already in /lib64: {words:?}");
        assert!(words.contains(&"--unshare-all") && words.contains(&"--remount-ro"));
    }
}
