//! `fuzz`: runs Schemathesis with every check against a sandbox, authenticated with a tenant's key.

use std::collections::HashSet;
use std::path::Path;

use crate::env::Env;
use crate::failure::{Failure, OrFail, Outcome};
use crate::files;
use crate::stack::{self, Ports, Stack};
use crate::suite::tally::Tally;

/// The extent of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Volume {
    /// The cases that every run of the tests includes.
    Slice,
    /// Some 10,000 cases.
    Full,
}

impl Volume {
    /// Returns the number of random cases per operation, in addition to those that cover its schema, and the minimum
    /// number of cases in total.
    const fn cases(self) -> (&'static str, u32) {
        match self {
            Self::Slice => ("1", 500),
            Self::Full => ("60", 10_000),
        }
    }
}

/// The keys of a path item that are operations.
const METHODS: [&str; 5] = ["GET", "POST", "PUT", "PATCH", "DELETE"];

/// The operation that needs a TXT record.
const NEEDS_RECORD: &str = "POST /alpha/linkSiteHosts/{id}/prove";

/// The seed of every run, so that two runs of a commit generate the same cases.
const SEED: &str = "20261120";

/// Fuzzes every operation of the OpenAPI document.
///
/// # Errors
/// If Schemathesis finds a defect or generates too few cases, or if no case of a tenant's operation succeeds.
pub fn run(env: &Env, volume: Volume, tally: &mut Tally) -> Outcome {
    stack::build(env)?;
    let ports = Ports::free()?;
    let folder = env.cache.join("fuzz").join(env.checkout());
    // With its defaults, the rate limiter would reject most cases, and the service would offer no own hosts.
    let flags = [
        "--site-host-target",
        "sites.example",
        "--rate-per-second",
        "1000000",
        "--rate-burst",
        "1000000",
        "--tenant-rate-per-second",
        "1000000",
        "--tenant-rate-burst",
        "1000000",
    ];
    let stack = Stack::start_service(env, ports.service, folder, &flags)?;
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
    let cases = count_cases(&log)
        .ok_or_else(|| Failure::new("Schemathesis did not print the number of generated cases"))?;
    if !ok {
        tally.failed += 1;
        return Err(Failure::new("Schemathesis found a defect, see above"));
    }
    if cases < least {
        return Err(Failure::new(format!("Schemathesis generated {cases} cases instead of {least} or more")));
    }
    let missing = without_success(
        &files::read(&env.at("docs/openapi.json"))?,
        &files::read(&succeeded).unwrap_or_default(),
    )?;
    if !missing.is_empty() {
        return Err(Failure::new("No case of some operations succeeded").why(missing.join("\n")));
    }
    println!("fuzz: {cases} cases without a defect, every operation succeeded at least once (seed {SEED})");
    tally.passed += 1;
    Ok(())
}

/// Creates one of every resource in the new sandbox at an origin, and returns the ids as JSON. Uses the folder for
/// build output.
pub fn sow(env: &Env, folder: &Path, origin: &str, keys: &Path) -> Outcome<String> {
    let bundle = folder.join("sow.mjs");
    env.esbuild()
        .args(["tests/fuzz/sow.ts", "--bundle", "--platform=node", "--format=esm"])
        .args(["--log-level=warning", &format!("--outfile={}", bundle.display())])
        .run()?;
    env.program("node").arg(&bundle).arg(origin).arg(keys).output()
}

/// Returns the operations without a success, as labels such as `GET /users`. Ignores the widget's operations, for which
/// almost no random case can succeed.
fn without_success(document: &str, succeeded: &str) -> Outcome<Vec<String>> {
    let document: serde_json::Value =
        serde_json::from_str(document).or_fail(|| "Could not read docs/openapi.json".into())?;
    let succeeded: HashSet<&str> = succeeded.lines().collect();
    let paths = document["paths"].as_object().into_iter().flatten();
    let operations = paths.filter(|(path, _)| !path.starts_with("/link/")).flat_map(|(path, item)| {
        let methods = item.as_object().into_iter().flatten().map(|(method, _)| method.to_uppercase());
        methods
            .filter(|method| METHODS.contains(&method.as_str()))
            .map(move |method| format!("{method} {path}"))
    });
    let is_missing = |label: &String| !succeeded.contains(label.as_str()) && label != NEEDS_RECORD;
    Ok(operations.filter(is_missing).collect())
}

/// Returns the number in the line `2635 generated, ...` of the summary.
fn count_cases(log: &str) -> Option<u32> {
    let line = log.lines().rev().find(|line| line.contains(" generated,"))?;
    line.split_whitespace().next()?.parse().ok()
}
