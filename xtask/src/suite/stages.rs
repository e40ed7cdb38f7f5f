//! The stages of `test`, in order: what fails fastest comes first.

use super::in_memory::InMemory;
use super::{Tally, counted};
use crate::codegen::{self, Mode};
use crate::failure::{Failure, Outcome};
use crate::machine::Machine;
use crate::process::is_on_path;
use crate::setup::browser;
use crate::{advisories, bench, clients, e2e, faults, fuzz, tidy, web};

type Stage = fn(&Machine, &mut Tally) -> Outcome;

/// Every stage by name.
pub const ALL: &[(&str, Stage)] = &[
    ("format", |machine, _| machine.cargo(["fmt", "--all", "--check"]).run()),
    ("tidy", |machine, _| tidy::run(machine)),
    ("texts", |machine, _| codegen::texts(machine, Mode::Check)),
    ("wasm tree", |machine, _| tidy::check_tree(machine)),
    ("licences and duplicates", |machine, _| {
        machine.cargo(["deny", "--all-features", "check", "bans", "licenses", "sources"]).run()
    }),
    ("advisories", |machine, tally| {
        match advisories::check(machine)? {
            advisories::Checked::Clean => tally.passed += 1,
            advisories::Checked::NoDatabase => tally.skipped += 1,
        }
        Ok(())
    }),
    ("types of the scripts", |machine, _| types(machine)),
    ("bridge and frame", |machine, _| web::build(machine)),
    ("wasm symbols", |machine, _| tidy::check_symbols(machine)),
    ("size", |machine, _| bench::size::gate(machine)),
    ("lints", |machine, _| lints(machine)),
    ("generated files", |machine, _| codegen::run(machine, Mode::Check)),
    ("native tests", native_tests),
    ("tests in the documentation", |machine, tally| {
        counted(machine.cargo(["test", "--doc", "--workspace", "--all-features", "--locked"]), tally)
    }),
    ("documentation", |machine, _| documentation(machine)),
    ("generated clients", clients::run),
    ("strangers' cases", |machine, tally| fuzz::run(machine, fuzz::Volume::Slice, tally)),
    ("wasm tests in the browser", wasm_tests),
    ("end to end in the browser", |machine, tally| e2e::run(machine, &[], tally)),
    ("faults", |machine, tally| faults::run(machine, faults::Volume::Slice, tally)),
    ("the release in the browser", e2e::with_release),
];

fn types(machine: &Machine) -> Outcome {
    for project in ["www/tsconfig.json", "tests/e2e/tsconfig.json", "tests/clients/tsconfig.json"] {
        machine.npm_bin("tsc").args(["--noEmit", "--project", project]).run()?;
    }
    Ok(())
}

fn lints(machine: &Machine) -> Outcome {
    machine
        .cargo([
            "clippy",
            "--workspace",
            "--all-targets",
            "--all-features",
            "--locked",
            "--",
            "-D",
            "warnings",
        ])
        .run()?;
    machine
        .cargo_wasm(["clippy", "--package", "link-widget", "--all-targets", "--locked"])
        .args(["--", "-D", "warnings"])
        .run()
}

fn native_tests(machine: &Machine, tally: &mut Tally) -> Outcome {
    let scope = ["--workspace", "--all-features", "--locked", "--no-fail-fast"];
    if !is_on_path("cargo-nextest", &machine.path()) {
        // And so are the documentation's.
        let tests = machine.cargo(["test"]).args(scope).args(["--lib", "--bins", "--tests", "--examples"]);
        return counted(tests, tally);
    }
    // The kill tests are a stage of their own.
    let tests = machine.cargo(["nextest", "run"]).args(scope).args(["--filterset", "not binary(faults)"]);
    let in_memory = InMemory::folder(machine)?;
    let tests = match &in_memory {
        Some(folder) => tests.env("TMPDIR", folder.path()),
        None => tests,
    };
    counted(tests, tally)
}

fn documentation(machine: &Machine) -> Outcome {
    machine
        .cargo(["doc", "--workspace", "--no-deps", "--all-features", "--locked"])
        .env("RUSTDOCFLAGS", "-Dwarnings")
        .run()
}

fn wasm_tests(machine: &Machine, tally: &mut Tally) -> Outcome {
    let driver = std::env::split_paths(&machine.path())
        .map(|dir| dir.join("chromedriver"))
        .find(|file| file.is_file());
    let driver = driver
        .ok_or_else(|| Failure::new("chromedriver is not on PATH").advice("run `cargo xtask setup`"))?;
    let browser = browser::browser(machine).unwrap_or_default();
    counted(
        machine
            .cargo_wasm(["test", "--package", "link-widget", "--locked"])
            .env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUNNER", "wasm-bindgen-test-runner")
            .env("WASM_BINDGEN_TEST_TIMEOUT", "120")
            .env("CHROMEDRIVER", driver)
            .env("CHROME", browser),
        tally,
    )
}
