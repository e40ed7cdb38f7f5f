//! The stages of `test`, in order.

use super::in_memory::InMemory;
use super::tally::{Tally, run_counted};
use crate::codegen::{self, Mode};
use crate::env::Env;
use crate::failure::{Failure, Outcome};
use crate::process::{Program, is_on_path};
use crate::setup::browser;
use crate::{
    advisories, bench, book, chart, clients, compat, e2e, faults, fuzz, matrix, packages, prometheus,
    receivers, release, screens, tidy, web,
};

type Stage = fn(&Env, &mut Tally) -> Outcome;

/// The stages that run one after the other, next to the stages before them: most of the time, each build in the first half
/// of the tests uses one processor. They share no folder of cargo with the other stages before "native tests".
pub const EARLY: [&str; 2] = [WIDGET, LINTS];
const WIDGET: &str = "bridge and frame";
const LINTS: &str = "lints";

/// The stages of `test quick`, without the tests that read many documents, which take a third of the native tests' time.
pub const QUICK: &[(&str, Stage)] = &[
    ("format", |env, _| format(env)),
    ("tidy", |env, _| tidy::run(env)),
    ("compatible interface", |env, _| compat::check(env)),
    ("texts", |env, _| codegen::texts(env, Mode::Check)),
    (LINTS, |env, _| lints(env)),
    ("native tests", |env, tally| native_tests(env, "not binary(faults) and not binary(documents)", tally)),
];

/// Every stage with its name.
pub const ALL: &[(&str, Stage)] = &[
    ("format", |env, _| format(env)),
    ("tidy", |env, _| tidy::run(env)),
    ("compatible interface", |env, _| compat::check(env)),
    ("texts", |env, _| codegen::texts(env, Mode::Check)),
    ("wasm tree", |env, _| tidy::check_tree(env)),
    ("licences and duplicates", |env, _| {
        env.cargo(["deny", "--all-features", "check", "bans", "licenses", "sources"]).run()
    }),
    ("unused dependencies", |env, _| env.cargo(["machete"]).run()),
    ("advisories", |env, tally| {
        match advisories::check(env)? {
            advisories::Checked::Clean => tally.passed += 1,
            advisories::Checked::NoDatabase => tally.skipped += 1,
        }
        Ok(())
    }),
    ("TypeScript types", |env, _| types(env)),
    ("generated files", |env, _| codegen::run(env, Mode::Check)),
    (WIDGET, |env, _| web::build(env)),
    ("wasm symbols", |env, _| tidy::check_symbols(env)),
    ("size", |env, _| bench::size::gate(env)),
    (LINTS, |env, _| lints(env)),
    // The kill tests have a separate stage.
    ("native tests", |env, tally| native_tests(env, "not binary(faults)", tally)),
    ("tests in the documentation", |env, tally| run_counted(env.cargo_whole(["test", "--doc"]), tally)),
    ("documentation", |env, _| documentation(env)),
    ("documentation site", |env, _| book::build(env).map(drop)),
    ("generated clients", clients::run),
    ("API fuzzing", |env, tally| fuzz::run(env, fuzz::Volume::Slice, tally)),
    ("wasm tests in the browser", wasm_tests),
    ("webhook receivers", receivers::run),
    ("Helm chart", chart::test),
    ("Prometheus rules", prometheus::test),
    ("Python package", packages::python::test),
    ("npm packages", |env, tally| packages::test(env, &[], tally)),
    ("end to end in the browser", |env, tally| e2e::run(env, &[], tally)),
    ("every screen in English", |env, tally| screens::run(env, &["en"], tally)),
    ("Firefox", matrix::smoke_in_firefox),
    ("pages in Firefox", e2e::pages_in_firefox),
    ("faults", |env, tally| faults::run(env, faults::Volume::Slice, tally)),
];

fn types(env: &Env) -> Outcome {
    for project in [
        "www/tsconfig.json",
        "www/packages/tsconfig.json",
        "tests/e2e/tsconfig.json",
        "tests/screens/tsconfig.json",
        "tests/matrix/tsconfig.json",
        "tests/clients/tsconfig.json",
        "tests/packages/tsconfig.json",
    ] {
        env.npm_bin("tsc").args(["--noEmit", "--project", project]).run()?;
    }
    Ok(())
}

fn lints(env: &Env) -> Outcome {
    let lint = |clippy: Program| {
        clippy.args(["--", "-D", "warnings"]).env("CARGO_TARGET_DIR", env.target().join("lints")).run()
    };
    lint(env.cargo_whole(["clippy", "--all-targets"]))?;
    lint(env.cargo(["clippy"]).args(release::PROGRAM))?;
    env.cargo_wasm([
        "clippy",
        "--package",
        "link-widget",
        "--package",
        "link-console",
        "--all-targets",
        "--locked",
    ])
    .args(["--", "-D", "warnings"])
    .run()
}

fn format(env: &Env) -> Outcome {
    env.cargo(["fmt", "--all", "--check"]).run()
}

/// Runs the tests that match a filter of nextest, or all of them if it is not installed.
fn native_tests(env: &Env, filter: &str, tally: &mut Tally) -> Outcome {
    if !is_on_path("cargo-nextest", &env.path()) {
        // The documentation tests have a separate stage.
        let kinds = ["--no-fail-fast", "--lib", "--bins", "--tests", "--examples"];
        let tests = env.cargo_whole(["test"]).args(kinds);
        return run_counted(tests, tally);
    }
    let tests = env
        .cargo_whole(["nextest", "run"])
        .args(["--no-fail-fast", "--filterset", filter])
        .args(["--test-threads", &threads().to_string()]);
    let tests = if env.repeats_failed_tests { tests.args(["--retries", "1"]) } else { tests };
    let in_memory = InMemory::folder(env)?;
    let tests = match &in_memory {
        Some(folder) => tests.env("TMPDIR", folder.path()),
        None => tests,
    };
    run_counted(tests, tally)
}

/// Returns the number of native tests to run at a time. Most of their time is waiting, for timers and databases: with three
/// tests for two processors, one of them was idle.
fn threads() -> usize {
    3 * std::thread::available_parallelism().map_or(1, std::num::NonZero::get)
}

fn documentation(env: &Env) -> Outcome {
    env.cargo_whole(["doc", "--no-deps"]).env("RUSTDOCFLAGS", "-Dwarnings").run()
}

fn wasm_tests(env: &Env, tally: &mut Tally) -> Outcome {
    let driver =
        std::env::split_paths(&env.path()).map(|dir| dir.join("chromedriver")).find(|file| file.is_file());
    let driver = driver
        .ok_or_else(|| Failure::new("`chromedriver` is not on PATH").advice("run `cargo xtask setup`"))?;
    let browser = browser::browser(env).unwrap_or_default();
    run_counted(
        env.cargo_wasm(["test", "--package", "link-widget", "--locked"])
            .env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUNNER", "wasm-bindgen-test-runner")
            .env("WASM_BINDGEN_TEST_TIMEOUT", "120")
            .env("CHROMEDRIVER", driver)
            .env("CHROME", browser),
        tally,
    )
}
