//! Installs the Python programs of the tests, each in a separate environment: an S3 server, a mail server, and the
//! tools for API fuzzing, generated clients and the Python package.

use std::time::Instant;

use super::apt;
use super::progress::{doing, print_done};
use crate::env::Env;
use crate::failure::{Failure, Outcome};
use crate::files;
use crate::process::is_on_path;
use crate::stamp::{Inputs, Stamp};

/// A Python environment.
struct Environment {
    /// The name of its folder among the tools, and of its pinned packages: `xtask/python/<name>.txt`, in the format of
    /// `pip freeze`.
    name: &'static str,
    /// Its content, for messages.
    what: &'static str,
    /// The programs that it must contain.
    programs: &'static [&'static str],
}

const ENVIRONMENTS: [Environment; 3] = [
    Environment { name: "moto", what: "the S3 server of the tests (moto)", programs: &["moto_server"] },
    Environment { name: "smtp", what: "the mail server of the tests (aiosmtpd)", programs: &["aiosmtpd"] },
    Environment {
        name: API_TOOLS,
        what: "Schemathesis and the tools of Python packages",
        programs: &["st", "openapi-python-client", "ruff", "mypy"],
    },
];
/// The environment of [`HELM`]. Only the test of the chart installs it, because Helm's library has 75 MB.
const HELM_ENVIRONMENT: Environment =
    Environment { name: HELM, what: "Helm's library and Kubernetes' schemas", programs: &["python"] };
/// The name of the environment for the Helm chart.
pub const HELM: &str = "helm";
/// The name of the environment for API fuzzing and Python packages.
const API_TOOLS: &str = "api-tools";
/// The packages that a tenant's project needs for the Python package.
const PROJECT_PINS: &str = "tests/packages/python/requirements.txt";
const BY_HAND: &str = "install Python 3.10 or newer with its venv module\n\
    (macOS: brew install python; Fedora: dnf install python3)";

/// Creates every missing or outdated environment at [`Env::python`].
pub fn ensure(env: &Env) -> Outcome {
    ENVIRONMENTS.iter().try_for_each(|environment| environment.ensure(env))?;
    ensure_wheels(env)
}

/// Downloads what a tenant's project needs to [`Env::python_wheels`], so that tests do not ask the package index.
fn ensure_wheels(env: &Env) -> Outcome {
    let folder = env.python_wheels();
    let inputs = Inputs::default().bytes(files::read(&env.at(PROJECT_PINS))?.as_bytes());
    let stamp = Stamp::new(folder.join("linchpin-stamp"), inputs);
    if stamp.is_current() {
        return Ok(());
    }
    files::remove_dir(&folder)?;
    env.program(&env.api_tool("python").to_string_lossy())
        .args(["-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--only-binary", ":all:"])
        .args(["--requirement", PROJECT_PINS, "--dest"])
        .arg(&folder)
        .output()?;
    stamp.set()
}

/// Creates only the environment of [`Env::api_tool`] if it is missing or outdated.
pub fn ensure_api_tools(env: &Env) -> Outcome {
    ENVIRONMENTS.iter().filter(|it| it.name == API_TOOLS).try_for_each(|environment| environment.ensure(env))
}

/// Creates only the environment of [`HELM`] if it is missing or outdated.
pub fn ensure_helm(env: &Env) -> Outcome {
    HELM_ENVIRONMENT.ensure(env)
}

impl Environment {
    fn ensure(&self, env: &Env) -> Outcome {
        let pins = format!("xtask/python/{}.txt", self.name);
        let folder = env.python(self.name);
        // The stamp ignores the path of the list, because all checkouts of a machine share the environment.
        let inputs = Inputs::default().bytes(files::read(&env.at(&pins))?.as_bytes());
        // The stamp is in the environment so that removing the environment removes it.
        let stamp = Stamp::new(folder.join("linchpin-stamp"), inputs);
        if stamp.is_current() && self.missing(env).is_none() {
            return Ok(());
        }
        if !has_venv(env) {
            apt::install(env, "Python with venv", &["python3", "python3-venv"], "20 s", BY_HAND)?;
        }
        doing(&format!("installing {}", self.what), "30 s");
        let started = Instant::now();
        files::remove_dir(&folder)?;
        env.program("python3").args(["-m", "venv"]).arg(&folder).output()?;
        env.program(&folder.join("bin/python").to_string_lossy())
            .args([
                "-m",
                "pip",
                "install",
                "--quiet",
                "--disable-pip-version-check",
                "--no-deps",
                "--requirement",
            ])
            .arg(&pins)
            .output()?;
        if let Some(program) = self.missing(env) {
            return Err(Failure::new(format!("{} was installed without {program}", self.what))
                .advice(format!("add the missing packages to {pins}")));
        }
        stamp.set()?;
        print_done(self.what, started);
        Ok(())
    }

    fn missing(&self, env: &Env) -> Option<&'static str> {
        let bin = env.python(self.name).join("bin");
        self.programs.iter().copied().find(|program| !bin.join(program).is_file())
    }
}

/// Returns whether Python can create environments. Debian packages the required modules separately.
fn has_venv(env: &Env) -> bool {
    is_on_path("python3", &env.path())
        && env.program("python3").args(["-c", "import venv, ensurepip"]).output().is_ok()
}
