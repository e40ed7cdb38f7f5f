//! Reads the schemas of request bodies from an OpenAPI document.

use std::collections::HashMap;
use std::sync::OnceLock;

use regex::Regex;
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use super::Schemas;

/// The parts of an OpenAPI document that define request bodies.
#[derive(Deserialize)]
struct Document<'a> {
    #[serde(borrow)]
    paths: HashMap<String, HashMap<String, Operation<'a>>>,
    #[serde(borrow)]
    components: Components<'a>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Operation<'a> {
    #[serde(borrow)]
    request_body: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct Components<'a> {
    #[serde(borrow)]
    schemas: HashMap<String, &'a RawValue>,
}

impl Schemas {
    /// Reads the schemas of all request bodies of an OpenAPI document, of the names in `more`, and of everything that
    /// they reference. Skips the rest of the document, which is mostly prose.
    ///
    /// # Errors
    /// If the text is not an OpenAPI document.
    pub fn of_requests(document: &str, more: &[&str]) -> Result<Self, serde_json::Error> {
        let Document { paths, components } = serde_json::from_str(document)?;
        let operations = paths.into_values().flat_map(HashMap::into_values);
        let mut names: Vec<String> = more.iter().map(|it| (*it).to_owned()).collect();
        for body in operations.filter_map(|it| it.request_body) {
            collect_names(&serde_json::from_str(body.get())?, &mut names);
        }
        let mut by_name = Map::new();
        while let Some(name) = names.pop() {
            if let Some(schema) = components.schemas.get(&name).filter(|_| !by_name.contains_key(&name)) {
                let checked = checked(&serde_json::from_str(schema.get())?);
                collect_names(&checked, &mut names);
                by_name.insert(name, checked);
            }
        }
        let mut patterns = HashMap::new();
        by_name.values().for_each(|schema| collect_patterns(schema, &mut patterns));
        Ok(Self { by_name, patterns })
    }
}

/// Collects the names of all schemas that a part of the document references.
fn collect_names(part: &Value, names: &mut Vec<String>) {
    if let Some(name) = part.get("$ref").and_then(Value::as_str).and_then(|it| it.rsplit('/').next()) {
        names.push(name.to_owned());
    }
    match part {
        Value::Object(fields) => fields.values().for_each(|it| collect_names(it, names)),
        Value::Array(items) => items.iter().for_each(|it| collect_names(it, names)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// Removes the prose from a schema, which is most of it. Keeps the examples of patterns, for the messages of faults.
fn checked(schema: &Value) -> Value {
    match schema {
        Value::Object(fields) => {
            let is_kept = |name: &str| match name {
                "description" | "title" => false,
                "example" | "examples" => fields.contains_key("pattern"),
                _ => true,
            };
            let fields = fields.iter().filter(|(name, _)| is_kept(name) && !name.starts_with("x-"));
            fields.map(|(name, it)| (name.clone(), checked_part(name, it))).collect()
        }
        Value::Array(items) => items.iter().map(checked).collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => schema.clone(),
    }
}

/// Processes the value of a keyword. The names inside `properties` are field names, not keywords.
fn checked_part(keyword: &str, part: &Value) -> Value {
    match part.as_object() {
        Some(fields) if keyword == "properties" => {
            fields.iter().map(|(name, it)| (name.clone(), checked(it))).collect()
        }
        _ => checked(part),
    }
}

fn collect_patterns(schema: &Value, patterns: &mut HashMap<String, OnceLock<Option<Regex>>>) {
    if let Some(pattern) = schema.get("pattern").and_then(Value::as_str) {
        patterns.entry(pattern.to_owned()).or_default();
    }
    match schema {
        Value::Object(fields) => fields.values().for_each(|it| collect_patterns(it, patterns)),
        Value::Array(items) => items.iter().for_each(|it| collect_patterns(it, patterns)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}
