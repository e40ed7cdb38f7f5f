//! The bill of materials of a release (CycloneDX 1.5): every crate in the program, in the widget and in the portal inside it.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use crate::env::Env;
use crate::failure::{Failure, Outcome};

/// Packages of the program and of the WebAssembly inside it. `cargo metadata` alone would also list what only tests use.
const BUILDS: [&[&str]; 2] = [
    &["--package", "link-server", "--no-default-features"],
    &["--package", "link-widget", "--package", "link-console", "--target", "wasm32-unknown-unknown"],
];

/// Lists the crates of this checkout's program, as a CycloneDX document without times and random numbers.
///
/// # Errors
/// If cargo fails, or the workspace has no Cargo.lock that fits.
pub fn write(env: &Env, version: &str) -> Outcome<String> {
    let mut included = BTreeSet::new();
    for build in BUILDS {
        let tree = ["tree", "--locked", "--edges", "normal", "--prefix", "none", "--format", "{p}"];
        let printed = env.cargo(tree).args(build).output()?;
        included.extend(printed.lines().filter_map(read_package));
    }
    let metadata = env.cargo(["metadata", "--locked", "--format-version", "1"]).output()?;
    let metadata: Value = serde_json::from_str(&metadata)
        .map_err(|error| Failure::new("cargo metadata printed no JSON").why(error.to_string()))?;
    Ok(format!("{:#}\n", describe(&metadata, &included, version)))
}

/// Reads the name and the version from a line such as `serde v1.0.228 (proc-macro)`.
fn read_package(line: &str) -> Option<(String, String)> {
    let mut words = line.split(' ');
    Some((words.next()?.to_owned(), words.next()?.strip_prefix('v')?.to_owned()))
}

fn describe(metadata: &Value, included: &BTreeSet<(String, String)>, version: &str) -> Value {
    let packages: BTreeMap<&str, &Value> = list(&metadata["packages"])
        .filter(|package| {
            included.contains(&(text(&package["name"]).to_owned(), text(&package["version"]).to_owned()))
        })
        .map(|package| (text(&package["id"]), package))
        .collect();
    let mut components: Vec<Value> = packages.values().map(|package| describe_package(package)).collect();
    components.sort_by_key(|component| text(&component["bom-ref"]).to_owned());
    let mut dependencies: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for node in list(&metadata["resolve"]["nodes"]) {
        let Some(package) = packages.get(text(&node["id"])) else { continue };
        let needed = list(&node["deps"])
            // Those with a kind are for builds or tests.
            .filter(|dependency| list(&dependency["dep_kinds"]).any(|it| it["kind"].is_null()))
            .filter_map(|dependency| packages.get(text(&dependency["pkg"])))
            .map(|it| purl(it));
        dependencies.entry(purl(package)).or_default().extend(needed);
    }
    let dependencies: Vec<Value> =
        dependencies.iter().map(|(of, on)| json!({"ref": of, "dependsOn": on})).collect();
    json!({
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {"component": {
            "type": "application", "bom-ref": "linchpin", "name": "linchpin", "version": version,
        }},
        "components": components,
        "dependencies": dependencies,
    })
}

fn describe_package(package: &Value) -> Value {
    let mut component = json!({
        "type": "library",
        "bom-ref": purl(package),
        "name": package["name"],
        "version": package["version"],
    });
    // Packages of the workspace are published nowhere, so they have no address.
    if !package["source"].is_null() {
        component["purl"] = purl(package).into();
    }
    if let Some(license) = package["license"].as_str() {
        // "/" is the old way to write OR.
        component["licenses"] = json!([{"expression": license.replace('/', " OR ")}]);
    }
    component
}

fn purl(package: &Value) -> String {
    format!("pkg:cargo/{}@{}", text(&package["name"]), text(&package["version"]))
}

fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bill_lists_what_is_in_the_program_and_nothing_else() {
        let env = Env::find().unwrap();
        let bill: Value = serde_json::from_str(&write(&env, "1.2.3").unwrap()).unwrap();
        let names: BTreeSet<&str> = list(&bill["components"]).map(|it| text(&it["name"])).collect();
        for inside in
            ["link-server", "link-store", "axum", "link-widget", "yew", "link-console", "yew-router"]
        {
            assert!(names.contains(inside), "{inside} is missing");
        }
        for outside in ["link-test-support", "xtask", "proptest", "rstest"] {
            assert!(!names.contains(outside), "{outside} is listed");
        }
        let axum = list(&bill["components"]).find(|it| it["name"] == "axum").unwrap();
        assert_eq!(axum["licenses"], json!([{"expression": "MIT"}]));
        assert!(text(&axum["purl"]).starts_with("pkg:cargo/axum@"), "{axum}");
        let needs = list(&bill["dependencies"]).find(|it| it["ref"] == axum["bom-ref"]).unwrap();
        assert!(list(&needs["dependsOn"]).any(|it| text(it).starts_with("pkg:cargo/hyper@")), "{needs}");
        assert_eq!(bill["metadata"]["component"]["version"], "1.2.3");
        assert!(!bill.to_string().contains(&*env.root.to_string_lossy()), "names the folder of the build");
    }

    #[test]
    fn every_reference_of_the_bill_is_a_component() {
        let bill: Value = serde_json::from_str(&write(&Env::find().unwrap(), "1.2.3").unwrap()).unwrap();
        let known: BTreeSet<&str> = list(&bill["components"]).map(|it| text(&it["bom-ref"])).collect();
        assert_eq!(known.len(), list(&bill["components"]).count(), "two components have one reference");
        for dependency in list(&bill["dependencies"]) {
            let needs_itself = list(&dependency["dependsOn"]).any(|it| *it == dependency["ref"]);
            assert!(!needs_itself, "{dependency}");
            let on = list(&dependency["dependsOn"]).map(text).chain([text(&dependency["ref"])]);
            for reference in on {
                assert!(known.contains(reference), "{reference}");
            }
        }
    }
}
