//! `fuzz`: Schemathesis against a running sandbox, authenticated, with every check it has.

use std::collections::HashSet;
use std::path::Path;

use crate::env::Env;
use crate::failure::{Failure, OrFail, Outcome};
use crate::files;
use crate::stack::{self, Ports, Stack};
use crate::suite::tally::Tally;

/// How much of it to run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Volume {
    /// For every submission.
    Slice,
    /// Some 10,000 cases.
    Full,
}

impl Volume {
    /// Drawn cases of each operation, beside those that cover its schema; and the least there must be in all.
    const fn cases(self) -> (&'static str, u32) {
        match self {
            Self::Slice => ("1", 500),
            Self::Full => ("60", 10_000),
        }
    }
}

/// The methods that an operation of the document may have; what else stands beside them describes the path.
const METHODS: [&str; 5] = ["GET", "POST", "PUT", "PATCH", "DELETE"];

/// The seed of every run, so that two runs of one commit draw alike.
const SEED: &str = "20261120";

/// What a tenant's key and a widget's session open, tried out from their description alone.
pub fn run(env: &Env, volume: Volume, tally: &mut Tally) -> Outcome {
    stack::build(env)?;
    let ports = Ports::free()?;
    let folder = env.cache.join("fuzz").join(env.checkout());
    // What is tried out is the API, not its limiter.
    let unlimited = [
        "--rate-per-second",
        "1000000",
        "--rate-burst",
        "1000000",
        "--tenant-rate-per-second",
        "1000000",
        "--tenant-rate-burst",
        "1000000",
    ];
    let stack = Stack::start_service(env, ports.service, folder, &unlimited)?;
    let (key, secret) = stack.sandbox_credentials()?;
    let origin = format!("http://localhost:{}", ports.service);
    let known = stack.folder.join("known.json");
    files::write(&known, sow(env, &stack.folder, &origin, &stack.keys())?)?;
    let succeeded = stack.folder.join("succeeded.txt");
    let (drawn, least) = volume.cases();
    let report = stack.folder.join("schemathesis.json");
    let mut log = String::new();
    let ok = env
        .program(&env.api_tool("st").to_string_lossy())
        .args(["--config-file", "tests/fuzz/schemathesis.toml", "run"])
        .arg(format!("{origin}/openapi.json"))
        .args(["--auth", &format!("{key}:{secret}"), "--seed", SEED, "--max-examples", drawn])
        .args(["--no-color", "--continue-on-failure", "--report-json-path"])
        .arg(&report)
        .env("PYTHONPATH", env.at("tests/fuzz"))
        .env("SCHEMATHESIS_HOOKS", "hooks")
        .env("LINCHPIN_FUZZ_KNOWN", &known)
        .env("LINCHPIN_FUZZ_SUCCEEDED", &succeeded)
        .watch(|line| {
            log.push_str(line);
            log.push('\n');
        })?;
    files::write(&stack.folder.join("schemathesis.log"), &log)?;
    let cases = generated(&log)
        .ok_or_else(|| Failure::new("Schemathesis did not say how many cases it generated"))?;
    if !ok {
        tally.failed += 1;
        return Err(Failure::new("Schemathesis found something, see above"));
    }
    if cases < least {
        return Err(Failure::new(format!("only {cases} cases were generated, {least} are owed")));
    }
    let missing = without_success(
        &files::read(&env.at("docs/openapi.json"))?,
        &files::read(&succeeded).unwrap_or_default(),
    )?;
    if !missing.is_empty() {
        return Err(Failure::new("no case of these operations succeeded").why(missing.join("\n")));
    }
    println!("fuzz: {cases} cases, no finding, every operation with a success (seed {SEED})");
    tally.passed += 1;
    Ok(())
}

/// Gives the new sandbox at an origin one of everything; tells the ids as JSON. The folder is for what is built on the way.
pub fn sow(env: &Env, folder: &Path, origin: &str, keys: &Path) -> Outcome<String> {
    let bundle = folder.join("sow.mjs");
    env.npm_bin("esbuild")
        .args(["tests/fuzz/sow.ts", "--bundle", "--platform=node", "--format=esm"])
        .args(["--log-level=warning", &format!("--outfile={}", bundle.display())])
        .run()?;
    env.program("node").arg(&bundle).arg(origin).arg(keys).output()
}

/// The operations of a tenant's key that are not among these labels (`GET /users`), a line each. Nearly nothing that
/// is drawn for a widget can succeed.
fn without_success(document: &str, succeeded: &str) -> Outcome<Vec<String>> {
    let document: serde_json::Value =
        serde_json::from_str(document).or_fail(|| "could not read docs/openapi.json".into())?;
    let succeeded: HashSet<&str> = succeeded.lines().collect();
    let paths = document["paths"].as_object().into_iter().flatten();
    let operations = paths.filter(|(path, _)| !path.starts_with("/link/")).flat_map(|(path, item)| {
        let methods = item.as_object().into_iter().flatten().map(|(method, _)| method.to_uppercase());
        methods
            .filter(|method| METHODS.contains(&method.as_str()))
            .map(move |method| format!("{method} {path}"))
    });
    Ok(operations.filter(|label| !succeeded.contains(label.as_str())).collect())
}

/// The count in `2635 generated, ...`, the summary's line of test cases.
fn generated(log: &str) -> Option<u32> {
    let line = log.lines().rev().find(|line| line.contains(" generated,"))?;
    line.split_whitespace().next()?.parse().ok()
}
