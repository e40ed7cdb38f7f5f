//! The Helm chart: its test, and the archive in a release.

use std::path::{Path, PathBuf};

use crate::env::Env;
use crate::failure::Outcome;
use crate::files;
use crate::release::archive;
use crate::setup::python;
use crate::suite::tally::{Tally, run_counted};

/// The chart's name, and that of its folder in its archive.
const NAME: &str = "linchpin";
const FOLDER: &str = "packaging/helm/linchpin";
/// The oldest and the newest version of Kubernetes whose schemas the chart is checked with.
const KUBERNETES: [&str; 2] = ["1.27", "1.37"];

/// Renders the chart with several sets of values, and checks the result.
///
/// # Errors
/// If a rule or a schema is violated, or Helm's library cannot be installed.
pub fn test(env: &Env, tally: &mut Tally) -> Outcome {
    if (std::env::consts::OS, std::env::consts::ARCH) == ("linux", "aarch64") {
        println!("skipped: Helm's library has no package for this machine");
        tally.skipped += 1;
        return Ok(());
    }
    python::ensure_helm(env)?;
    let program = env.program(&env.python(python::HELM).join("bin/python").to_string_lossy());
    let program = program.arg("tests/helm/check_chart.py").args([FOLDER, env!("CARGO_PKG_VERSION")]);
    run_counted(program.args(KUBERNETES), tally)
}

/// Packs the chart into a folder, as `helm package` does, and returns the archive.
///
/// # Errors
/// If a file cannot be read or written, or `tar` fails.
pub fn pack(env: &Env, folder: &Path) -> Outcome<PathBuf> {
    let (source, stage) = (env.at(FOLDER), folder.join(".chart"));
    files::remove_dir(&stage)?;
    for file in files::walk(&source)? {
        if let Ok(path) = file.strip_prefix(&source) {
            files::copy(&file, &stage.join(NAME).join(path))?;
        }
    }
    let archive = folder.join(format!("{NAME}-chart-{}.tgz", env!("CARGO_PKG_VERSION")));
    archive::pack_folder(env, &stage, NAME, &archive)?;
    files::remove_dir(&stage)?;
    Ok(archive)
}
