//! Compares the dependencies between crates with the list in ARCHITECTURE.md.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::env::Env;
use crate::failure::{Failure, OrFail, Outcome};
use crate::files;

type Arrows = BTreeMap<String, BTreeSet<String>>;

/// Packages on which a crate must not depend.
const UNKNOWN_TO: [(&str, &[&str]); 8] = [
    ("link-types", &["wasm-bindgen", "js-sys", "web-sys", "axum", "tokio", "rusqlite", "postgres"]),
    (
        "link-flow",
        &["yew", "web-sys", "js-sys", "wasm-bindgen", "wasm-bindgen-futures", "tokio", "getrandom"],
    ),
    ("link-domain", &["axum", "tokio", "hyper", "reqwest", "rusqlite", "postgres"]),
    ("link-store", &["axum", "hyper", "reqwest"]),
    ("link-connectors", &["axum", "rusqlite", "postgres"]),
    ("link-cli", &["axum", "rusqlite", "postgres"]),
    ("link-documents", &["axum", "hyper", "rusqlite", "postgres"]),
    ("link-server", &["rusqlite", "postgres"]),
];

/// The crate that only tests may use.
const FOR_TESTS: &str = "link-test-support";
/// The program of `faults nodes`, which is a test itself.
const TEST_PROGRAM: &str = "nodes";

/// Checks the dependencies of all crates.
///
/// # Errors
/// If ARCHITECTURE.md does not allow a dependency between crates, or if a crate depends on a forbidden package.
pub fn check(env: &Env) -> Outcome {
    let allowed = parse_arrows(&files::read(&env.at("ARCHITECTURE.md"))?);
    if allowed.is_empty() {
        return Err(Failure::new("ARCHITECTURE.md lists no dependencies between crates")
            .advice("write them as `link-widget -> { link-flow, link-types };  link-flow -> link-types`"));
    }
    let metadata = env.cargo(["metadata", "--format-version", "1", "--no-deps", "--locked"]).output()?;
    let metadata: Value = serde_json::from_str(&metadata).or_fail(|| "cargo metadata is not JSON".into())?;
    let faults = faults(&allowed, &metadata);
    if faults.is_empty() {
        return Ok(());
    }
    Err(Failure::new("Some crates have forbidden dependencies")
        .why(faults.join("\n"))
        .advice("move the code instead of changing the list in ARCHITECTURE.md"))
}

/// Parses `a -> b` and `a -> { b, c };  d -> e` from any line.
fn parse_arrows(map: &str) -> Arrows {
    let mut arrows = Arrows::new();
    for line in map.lines().filter(|line| line.trim_start().starts_with("link-")) {
        for arrow in line.split(';') {
            let Some((from, to)) = arrow.split_once("->") else { continue };
            let to = to
                .split(|c: char| !c.is_ascii_lowercase() && c != '-')
                .filter(|name| name.starts_with("link-"));
            arrows.entry(from.trim().to_owned()).or_default().extend(to.map(str::to_owned));
        }
    }
    arrows
}

fn faults(allowed: &Arrows, metadata: &Value) -> Vec<String> {
    let list = |value: &Value, name: &str| value[name].as_array().cloned().unwrap_or_default();
    let mut faults = Vec::new();
    for package in list(metadata, "packages") {
        let name = package["name"].as_str().unwrap_or_default();
        let unknown = UNKNOWN_TO
            .iter()
            .find(|(crate_name, _)| *crate_name == name)
            .map_or(&[][..], |(_, unknown)| unknown);
        for dependency in list(&package, "dependencies") {
            let to = dependency["name"].as_str().unwrap_or_default();
            // A crate may depend on itself to enable its own features in tests.
            let ours = to.starts_with("link-") && to != name;
            if ours && name.starts_with("link-") && !allowed.get(name).is_some_and(|may| may.contains(to)) {
                faults.push(format!("{name} -> {to} is not in ARCHITECTURE.md"));
            }
            if ours && name == "xtask" {
                faults.push(format!("xtask -> {to}: the task runner must build even if this crate does not"));
            }
            // Dev-dependencies do not reach the users of the crate.
            let reaches_users = dependency["kind"].as_str() != Some("dev");
            if reaches_users && unknown.contains(&to) {
                faults.push(format!("{name} must not depend on {to}"));
            }
            // The store enables it with a feature for tests.
            let is_optional = dependency["optional"].as_bool() == Some(true);
            if reaches_users && to == FOR_TESTS && !is_optional && name != TEST_PROGRAM {
                faults.push(format!("{name} -> {to}: only a dev-dependency or an optional one is allowed"));
            }
        }
    }
    faults
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn metadata(name: &str, dependency: &str, kind: Value) -> Value {
        json!({ "packages": [{ "name": name, "dependencies": [{ "name": dependency, "kind": kind }] }] })
    }

    #[test]
    fn dependencies_are_parsed_from_the_map() {
        let map = "# Map\nlink-widget -> { link-flow, link-types };  link-flow -> link-types\ntext -> more\n";
        let arrows = parse_arrows(map);
        assert_eq!(arrows.len(), 2);
        assert!(arrows["link-widget"].contains("link-flow") && arrows["link-widget"].contains("link-types"));
        assert!(arrows["link-flow"].contains("link-types"));
    }

    #[test]
    fn unlisted_dependency_is_a_fault_even_for_tests() {
        let allowed = parse_arrows("link-flow -> link-types\n");
        assert!(faults(&allowed, &metadata("link-flow", "link-types", Value::Null)).is_empty());
        assert_eq!(faults(&allowed, &metadata("link-flow", "link-domain", Value::Null)).len(), 1);
        assert_eq!(faults(&allowed, &metadata("link-types", "link-flow", json!("dev"))).len(), 1);
        assert_eq!(faults(&allowed, &metadata("xtask", "link-types", Value::Null)).len(), 1);
    }

    #[test]
    fn dependency_on_test_support_must_be_for_tests() {
        let allowed = parse_arrows("link-store -> link-test-support\n");
        let mut optional = metadata("link-store", FOR_TESTS, Value::Null);
        assert_eq!(faults(&allowed, &optional).len(), 1);
        optional["packages"][0]["dependencies"][0]["optional"] = json!(true);
        assert!(faults(&allowed, &optional).is_empty());
        assert!(faults(&allowed, &metadata("link-store", FOR_TESTS, json!("dev"))).is_empty());
    }

    #[test]
    fn forbidden_package_is_a_fault_except_for_tests() {
        let allowed = Arrows::new();
        assert_eq!(faults(&allowed, &metadata("link-flow", "web-sys", Value::Null)).len(), 1);
        assert!(faults(&allowed, &metadata("link-domain", "tokio", json!("dev"))).is_empty());
        assert!(faults(&allowed, &metadata("link-store", "rusqlite", Value::Null)).is_empty());
    }
}
