//! `bench open`: measures in Chromium how long the widget takes from `open()` to its first screen, next to React and Preact
//! with the same work and to MX's widget as an integrator embeds it (`tests/bench/open`), and where that time is spent.

use crate::env::Env;
use crate::failure::{Failure, OrFail, Outcome};
use crate::process::Program;
use crate::setup::browser;
use crate::stack::{self, Ports, Stack};
use crate::stamp::{Inputs, Stamp};
use crate::{release, web};

const FOLDER: &str = "tests/bench/open";

/// The arguments of the task.
#[derive(Debug, PartialEq, Eq)]
pub struct Choices {
    /// Each figure is the median of this number of rounds.
    rounds: u32,
    /// Uses the service of the tests, whose responses are slower than those of the released one.
    debug: bool,
}

/// Reads the arguments: the number of rounds, and `--debug`.
///
/// # Errors
/// If an argument is neither.
pub fn choices(words: &[&str]) -> Outcome<Choices> {
    let mut choices = Choices { rounds: 7, debug: false };
    for word in words {
        match *word {
            "--debug" => choices.debug = true,
            rounds => {
                choices.rounds =
                    rounds.parse().or_fail(|| format!("`{rounds}` is neither a number nor --debug"))?;
            }
        }
    }
    Ok(choices)
}

/// Runs the benchmark, and prints every figure with its goal.
pub fn run(env: &Env, Choices { rounds, debug }: &Choices) -> Outcome {
    Stage::start(env, *debug)?.script(env, "run.mjs").arg(rounds.to_string()).run()
}

/// A browser with the widget and its peers, and a service that runs until this is dropped.
pub(super) struct Stage {
    browser: String,
    port: u16,
    stack: Stack,
}

impl Stage {
    /// Builds the released service or, with `debug`, that of the tests, and starts it.
    ///
    /// # Errors
    /// If there is no Chromium, something does not build, or the service is not ready in time.
    pub(super) fn start(env: &Env, debug: bool) -> Outcome<Self> {
        let browser = browser::browser(env)
            .ok_or_else(|| Failure::new("Found no Chromium").advice("run `cargo xtask setup`"))?;
        web::build(env)?;
        let service = if debug {
            stack::build(env)?;
            stack::debug_service(env)
        } else {
            release::build(env)?
        };
        peers(env)?;
        let port = Ports::free()?.service;
        let folder = env.cache.join("bench-open").join(env.checkout());
        let stack = Stack::start_only(env, &service, port, folder)?;
        Ok(Self { browser, port, stack })
    }

    /// Returns a script of the folder with the arguments that all of them take.
    pub(super) fn script(&self, env: &Env, name: &str) -> Program {
        env.program("node")
            .arg(format!("{FOLDER}/{name}"))
            .arg(&self.browser)
            .arg(format!("http://localhost:{}", self.port))
            .arg(self.stack.keys())
    }
}

/// Installs what the widget is compared with.
fn peers(env: &Env) -> Outcome {
    let lock = env.at(FOLDER).join("package-lock.json");
    let stamp = Stamp::new(
        env.at(FOLDER).join("node_modules/.linchpin-stamp"),
        Inputs::default().path(&lock, |_| true)?,
    );
    if stamp.is_current() {
        return Ok(());
    }
    println!("bench: installing React, Preact and MX's package (usually 30 s) ...");
    env.program("npm")
        .args(["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--legacy-peer-deps", "--prefix", FOLDER])
        .output()?;
    stamp.set()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounds_and_debug_are_read_in_any_order() {
        assert_eq!(choices(&[]).unwrap(), Choices { rounds: 7, debug: false });
        assert_eq!(choices(&["3", "--debug"]).unwrap(), Choices { rounds: 3, debug: true });
        assert!(choices(&["many"]).is_err());
    }
}
