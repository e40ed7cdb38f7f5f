//! The Python package of `www/packages/python`: builds its wheel and sdist, and tests it as a tenant installs it.

use std::path::{Path, PathBuf};

use super::folder;
use crate::env::Env;
use crate::failure::{Failure, OrFail, Outcome};
use crate::files;
use crate::stamp::{Inputs, Stamp};
use crate::suite::tally::{Tally, run_counted};

/// The folder of the tests, with the pinned packages of the tenant's project.
const TESTS: &str = "tests/packages/python";

/// Builds the wheel and the sdist if one of their files has changed, and returns their paths.
pub fn build(env: &Env) -> Outcome<[PathBuf; 2]> {
    let _alone = files::lock(&env.stamp("packages-python.lock"))?;
    let out = folder(env).join("python");
    let version = env!("CARGO_PKG_VERSION");
    let mut inputs = Inputs::default().fact(version);
    for path in ["www/packages/python", "docs/openapi.json", "xtask/python/api-tools.txt"] {
        inputs = inputs.path(&env.at(path), |file| !file.iter().any(|part| part == "__pycache__"))?;
    }
    let stamp = Stamp::new(env.stamp("packages-python"), inputs);
    let built = find_built_files(&out);
    if !stamp.is_current() || !built.iter().all(|file| file.is_file()) {
        print!("{}", run_build(env, &out)?);
        stamp.set()?;
    }
    Ok(built)
}

/// Runs the tests with the package installed from its wheel.
///
/// # Errors
/// If a test fails, or if two builds of the same sources differ.
pub fn test(env: &Env, tally: &mut Tally) -> Outcome {
    let built = build(env)?;
    check_reproducibility(env, &built)?;
    check_sdist(env, &built)?;
    for (folder, command) in [("www/packages/python", "check"), ("www/packages/python", "format")] {
        let ruff = env.program(&env.api_tool("ruff").to_string_lossy()).args([command, "--quiet"]);
        let ruff = if command == "format" { ruff.arg("--check") } else { ruff };
        ruff.args(["build.py", "generate.py", "src"]).dir(&env.at(folder)).run()?;
    }
    let python = install(env)?;
    let tests = env.program(&python.to_string_lossy()).arg("-B").arg(env.at(TESTS).join("run.py"));
    run_counted(
        tests
            .dir(&folder(env))
            .env("LINCHPIN_VECTORS", env.at("tests/contract/webhook-vectors.json"))
            .env("LINCHPIN_MYPY", env.api_tool("mypy")),
        tally,
    )
}

/// Installs the wheel in a new environment outside the checkout, and returns its interpreter.
pub fn install(env: &Env) -> Outcome<PathBuf> {
    let [wheel, _] = build(env)?;
    let project = folder(env).join("python-project");
    files::remove_dir(&project)?;
    env.program("python3").args(["-m", "venv"]).arg(&project).output()?;
    let python = project.join("bin/python");
    let pip = |words: &[&str]| {
        let pip = env.program(&python.to_string_lossy()).args(["-m", "pip", "install", "--quiet"]);
        pip.arg("--disable-pip-version-check").args(words.iter().copied())
    };
    let wheels = env.python_wheels();
    let requirements = env.at(TESTS).join("requirements.txt");
    pip(&["--no-index", "--find-links"]).arg(wheels).arg("--requirement").arg(requirements).output()?;
    // Without wheels, because the package must need nothing that the project has not installed.
    pip(&["--no-index"]).arg(wheel).output()?;
    Ok(python)
}

/// Builds a wheel from the sdist with the pinned backend, which the sdist must allow, as pip does without a wheel.
fn check_sdist(env: &Env, [wheel, sdist]: &[PathBuf; 2]) -> Outcome {
    let out = folder(env).join("python-from-sdist");
    files::remove_dir(&out)?;
    env.program(&env.api_tool("python").to_string_lossy())
        .args(["-m", "pip", "wheel", "--quiet", "--disable-pip-version-check", "--no-index", "--no-deps"])
        .args(["--no-build-isolation", "--check-build-dependencies", "--wheel-dir"])
        .arg(&out)
        .arg(sdist)
        .output()?;
    let again = out.join(files::name(wheel));
    if again.is_file() {
        return Ok(());
    }
    Err(Failure::new(format!("{} has another name or version than the wheel", files::name(sdist))))
}

fn run_build(env: &Env, out: &Path) -> Outcome<String> {
    env.program(&env.api_tool("python").to_string_lossy())
        .args(["-B", "www/packages/python/build.py"])
        .arg(out)
        .arg(env!("CARGO_PKG_VERSION"))
        .output()
}

fn find_built_files(out: &Path) -> [PathBuf; 2] {
    let version = env!("CARGO_PKG_VERSION");
    [format!("linchpin-{version}-py3-none-any.whl"), format!("linchpin-{version}.tar.gz")]
        .map(|name| out.join(name))
}

fn check_reproducibility(env: &Env, built: &[PathBuf; 2]) -> Outcome {
    let again = folder(env).join("python-again");
    run_build(env, &again)?;
    for (first, second) in built.iter().zip(find_built_files(&again)) {
        let read = |path: &Path| std::fs::read(path).or_fail(|| format!("Could not read {}", path.display()));
        if read(first)? != read(&second)? {
            return Err(Failure::new(format!("Two builds of {} differ", files::name(first))).why(format!(
                "{} and {}",
                first.display(),
                second.display()
            )));
        }
    }
    Ok(())
}
