//! `receivers`: runs the webhook receivers of docs/how-to/verify-webhooks.md with the vectors of tests/contract, and installs
//! their languages.

use crate::env::Env;
use crate::failure::{Failure, Outcome};
use crate::process::is_on_path;
use crate::setup::apt;
use crate::suite::tally::{Tally, run_counted};

/// Runs the receiver of each language.
pub fn run(env: &Env, tally: &mut Tally) -> Outcome {
    let folder = env.cache.join("receivers").join(env.checkout());
    run_counted(env.program("node").arg("tests/receivers/run.mjs").arg(&folder), tally)
}

const PACKAGES: [&str; 5] = ["php-cli", "ruby", "ruby-webrick", "golang-go", "default-jdk-headless"];
const BY_HAND: &str = "install PHP, Ruby with the gem webrick, Go, and a JDK, 17 or newer\n\
    (macOS: brew install php ruby go openjdk; Fedora: dnf install php-cli rubygem-webrick golang java-17-openjdk-devel)";

/// Installs the missing languages: PHP, Ruby, Go and Java.
pub fn ensure_languages(env: &Env) -> Outcome {
    if missing(env).is_none() {
        return Ok(());
    }
    apt::install(env, "PHP, Ruby, Go and Java", &PACKAGES, "1 min", BY_HAND)?;
    match missing(env) {
        None => Ok(()),
        Some(program) => Err(Failure::new(format!("{program} is still missing")).advice(BY_HAND)),
    }
}

fn missing(env: &Env) -> Option<&'static str> {
    let path = env.path();
    let program = ["php", "ruby", "go", "javac"].into_iter().find(|program| !is_on_path(program, &path));
    let has_webrick = || env.program("ruby").args(["-rwebrick", "-e", ""]).output().is_ok();
    program.or_else(|| (!has_webrick()).then_some("the gem webrick"))
}
