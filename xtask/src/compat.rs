//! `compat`: compares docs/openapi.json with the interface that tenants already use.
//!
//! Our own: the kept tools for OpenAPI 3.1 are written in Go, or miss a changed type of a response (ADR 256).

mod operations;
mod schemas;

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use crate::env::Env;
use crate::failure::{Failure, OrFail, Outcome};
use crate::files;

const DOCUMENT: &str = "docs/openapi.json";
/// The interface that tenants use, with the reason of its last move.
const BASELINE: &str = "tests/contract/interface-baseline.json";
const TEXTS: [&str; 5] = ["description", "summary", "example", "examples", "links"];

/// Compares the interface with the baseline.
///
/// # Errors
/// If a program that works with the baseline could fail, and the version does not say so.
pub fn check(env: &Env) -> Outcome {
    let (baseline, document) = (read(env, BASELINE)?, read(env, DOCUMENT)?);
    let breaks = operations::compare(&baseline["interface"], &document);
    let versions =
        [&baseline["version"], &document["info"]["version"]].map(|it| it.as_str().unwrap_or_default());
    if breaks.is_empty() || allows_breaks(versions[0], versions[1]) {
        return Ok(());
    }
    let listed: Vec<&str> = breaks.iter().map(String::as_str).collect();
    Err(Failure::new(format!("{DOCUMENT} breaks programs that use the version {}", versions[0]))
        .why(listed.join("\n"))
        .advice(
            "keep what tenants use, and add next to it; or increase the version; or, if no tenant can use it yet, commit \
             the reason: cargo xtask compat --move \"the reason\"",
        ))
}

/// Makes the present interface the baseline.
///
/// # Errors
/// If the document cannot be read.
pub fn move_baseline(env: &Env, reason: &str) -> Outcome {
    let document = read(env, DOCUMENT)?;
    if let Ok(baseline) = read(env, BASELINE) {
        for line in operations::compare(&baseline["interface"], &document) {
            println!("compat: accepted: {line}");
        }
    }
    files::write(&env.at(BASELINE), print(&document, reason))?;
    println!("compat: wrote {BASELINE}");
    Ok(())
}

fn read(env: &Env, path: &str) -> Outcome<Value> {
    serde_json::from_str(&files::read(&env.at(path))?).or_fail(|| format!("{path} is not JSON"))
}

/// Returns whether the later of two versions may break programs that use the earlier one, by the rules of SemVer.
fn allows_breaks(earlier: &str, later: &str) -> bool {
    let numbers = |version: &str| {
        let mut parts = version.split(['.', '-']).map(|part| part.parse::<u64>().unwrap_or_default());
        (parts.next().unwrap_or_default(), parts.next().unwrap_or_default())
    };
    let ((major, minor), (later_major, later_minor)) = (numbers(earlier), numbers(later));
    later_major > major || (major == 0 && later_major == 0 && later_minor > minor)
}

/// Returns the baseline of a document: what tenants use of it, without texts, and one path, event or schema a line.
fn print(document: &Value, reason: &str) -> String {
    let used = operations::select_used(document);
    let mut schemas = Map::new();
    collect_schemas(document, &used, &mut schemas);
    let sections =
        [("paths", &used["paths"]), ("webhooks", &used["webhooks"]), ("responses", &used["responses"])]
            .map(|(name, section)| format!("    {}: {}", json!(name), print_lines(section, "    ")));
    let schemas = format!("    \"schemas\": {}", print_lines(&Value::Object(schemas), "    "));
    let [paths, webhooks, responses] = sections;
    format!(
        "{{\n  \"version\": {},\n  \"reason\": {},\n  \"interface\": {{\n{paths},\n{webhooks},\n    \"components\": {{\n{responses},\n{schemas}\n    }}\n  }}\n}}\n",
        document["info"]["version"],
        json!(reason)
    )
}

fn print_lines(section: &Value, indent: &str) -> String {
    let lines: Vec<String> = section
        .as_object()
        .into_iter()
        .flatten()
        .map(|(name, value)| format!("{indent}  {}: {}", json!(name), without_texts(value)))
        .collect();
    format!("{{\n{}\n{indent}}}", lines.join(",\n"))
}

/// Adds every schema that a value refers to.
fn collect_schemas(document: &Value, value: &Value, found: &mut Map<String, Value>) {
    match value {
        Value::Object(members) => {
            let name =
                members.get("$ref").and_then(Value::as_str).and_then(|it| it.strip_prefix(schemas::PREFIX));
            if let Some(name) = name
                && !found.contains_key(name)
            {
                let schema = &document["components"]["schemas"][name];
                found.insert(name.to_owned(), schema.clone());
                collect_schemas(document, schema, found);
            }
            members.values().for_each(|member| collect_schemas(document, member, found));
        }
        Value::Array(items) => items.iter().for_each(|item| collect_schemas(document, item, found)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// Returns a value without what people read. A field of a body may have the name of a text, and then its schema.
fn without_texts(value: &Value) -> Value {
    match value {
        Value::Object(members) => {
            let kept = members.iter().filter(|(name, member)| {
                let is_text = TEXTS.contains(&name.as_str()) && !schemas::is_schema(member);
                !is_text && !name.starts_with("x-")
            });
            Value::Object(kept.map(|(name, member)| (name.clone(), without_texts(member))).collect())
        }
        Value::Array(items) => items.iter().map(without_texts).collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => value.clone(),
    }
}

/// The breaks, each with its place, in order and without repetitions.
type Breaks = BTreeSet<String>;

#[cfg(test)]
mod tests;
