//! `bench size`: what a person's browser loads, against the limits and the figure checked in.

use std::path::Path;

use serde_json::{Value, json};

use crate::failure::{Failure, OrFail, Outcome};
use crate::files;
use crate::machine::Machine;
use crate::web::{self, Packed};

const FIGURES: &str = "tests/contract/size.json";
const BRIDGE_LIMIT: u64 = 2_500;
const FIRST_OPEN_LIMIT: u64 = 100_000;
/// More than this above the checked-in figure needs a reason.
const FIRST_OPEN_SLACK: u64 = 1_000;
const BRIDGE_SLACK: u64 = 100;

/// Brotli bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Figures {
    bridge: u64,
    first_open: u64,
}

/// Builds, prints every part, and gates.
pub fn run(machine: &Machine) -> Outcome {
    web::build(machine)?;
    gate(machine)
}

/// Prints what is built and fails when it has outgrown a limit or the checked-in figure.
pub fn gate(machine: &Machine) -> Outcome {
    let figures = measure(machine)?;
    let stored = files::read(&machine.at(FIGURES))?;
    let stored: Value = serde_json::from_str(&stored).or_fail(|| format!("{FIGURES} is not JSON"))?;
    let stored = Figures {
        bridge: stored["bridge"].as_u64().unwrap_or_default(),
        first_open: stored["firstOpen"].as_u64().unwrap_or_default(),
    };
    let faults = faults(figures, stored);
    if faults.is_empty() {
        return Ok(());
    }
    Err(Failure::new("the widget has outgrown its size").why(faults.join("\n")).advice(
        "make it smaller; or, within the limits and with a reason: cargo xtask bench size --update \"the reason\"",
    ))
}

/// Builds and stores the figures with the reason for what they are.
pub fn update(machine: &Machine, reason: &str) -> Outcome {
    web::build(machine)?;
    let Figures { bridge, first_open } = measure(machine)?;
    let stored = json!({ "bridge": bridge, "firstOpen": first_open, "reason": reason });
    let stored = serde_json::to_string_pretty(&stored).or_fail(|| "could not write JSON".into())?;
    files::write(&machine.at(FIGURES), format!("{stored}\n"))?;
    println!("size: wrote {FIGURES}");
    Ok(())
}

fn measure(machine: &Machine) -> Outcome<Figures> {
    let bridge = web::packed_below(&machine.at("www/sdk/dist/v2"))?;
    // One locale: a person loads the one in use. And nothing that is imported when it is first needed.
    let frame: Vec<Packed> = web::packed_below(&machine.at("www/frame/dist"))?
        .into_iter()
        .filter(|part| !is_other_locale(&part.path) && !is_later(&part.path))
        .collect();
    if bridge.is_empty() || frame.len() < 6 {
        return Err(Failure::new("bridge or frame are not built").advice("run `cargo xtask bench size`"));
    }
    println!("{:>8}  {:>8}  part", "brotli", "raw");
    for Packed { path, raw, brotli } in bridge.iter().chain(&frame) {
        println!("{brotli:>8}  {raw:>8}  {}", files::name(path));
    }
    let sum = |parts: &[Packed]| parts.iter().map(|part| part.brotli).sum::<u64>();
    let figures = Figures { bridge: sum(&bridge), first_open: sum(&bridge) + sum(&frame) };
    println!("{:>8}  bridge (limit {BRIDGE_LIMIT})", figures.bridge);
    println!("{:>8}  full first open (limit {FIRST_OPEN_LIMIT})", figures.first_open);
    Ok(figures)
}

fn is_other_locale(path: &Path) -> bool {
    files::has_extension(path, "json") && !files::name(path).starts_with("en-")
}

fn is_later(path: &Path) -> bool {
    web::LATER.iter().any(|name| files::name(path).starts_with(&format!("{name}-")))
}

fn faults(now: Figures, stored: Figures) -> Vec<String> {
    let mut faults = Vec::new();
    for (what, now, stored, limit, slack) in [
        ("the bridge", now.bridge, stored.bridge, BRIDGE_LIMIT, BRIDGE_SLACK),
        ("the full first open", now.first_open, stored.first_open, FIRST_OPEN_LIMIT, FIRST_OPEN_SLACK),
    ] {
        if now > limit {
            faults.push(format!("{what} has {now} bytes, the limit is {limit}"));
        } else if now > stored + slack {
            faults
                .push(format!("{what} has {now} bytes, {} more than the {stored} checked in", now - stored));
        }
    }
    faults
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn growth_within_the_slack_passes_and_beyond_it_or_a_limit_fails() {
        let stored = Figures { bridge: 2_300, first_open: 90_000 };
        let count = |bridge, first_open| faults(Figures { bridge, first_open }, stored).len();
        assert_eq!(count(2_300, 90_000), 0);
        assert_eq!(count(2_400, 91_000), 0);
        assert_eq!(count(2_401, 91_001), 2);
        assert_eq!(count(2_501, 90_000), 1);
        assert_eq!(count(2_300, 100_001), 1);
    }

    #[test]
    fn what_is_imported_when_it_is_needed_does_not_count() {
        assert!(is_later(Path::new("dist/seal-0123.js")));
        assert!(!is_later(Path::new("dist/boot-0123.js")));
    }

    #[test]
    fn only_the_english_catalogue_counts() {
        assert!(is_other_locale(Path::new("dist/es-mx-0123.json")));
        assert!(!is_other_locale(Path::new("dist/en-0123.json")));
        assert!(!is_other_locale(Path::new("dist/boot-0123.js")));
    }
}
