//! Checks JSON bodies against the schemas of the published OpenAPI document, and reports all faults at once.
//!
//! Our own: `jsonschema` collects every error of a body before it returns one. 249 KB then take 100 MB (ADR 113).

#[cfg(test)]
mod tests;
mod visit;

use std::collections::HashMap;
use std::sync::OnceLock;

use link_types::problem::{FaultCode, FieldFault};
use link_types::{Date, Timestamp};
use regex::Regex;
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use crate::http::problem::{ApiResult, Problem, fault};

/// The published schemas that bodies are checked against, by name.
#[derive(Debug, Default)]
pub struct Schemas {
    by_name: Map<String, Value>,
    /// Compiled on first use: a pattern with a long repetition takes megabytes, and most processes never need it.
    patterns: HashMap<String, OnceLock<Option<Regex>>>,
}

impl Schemas {
    /// Returns the faults of `body` under the schema `name`. Stops when there are more than a problem document can
    /// hold.
    pub fn check(&self, name: &str, body: &Value) -> Vec<FieldFault> {
        self.check_part(name, body, "")
    }

    /// Checks a part of a body. `path` is the part's place in the body, for the faults.
    pub fn check_part(&self, name: &str, part: &Value, path: &str) -> Vec<FieldFault> {
        let mut faults = Vec::new();
        match self.by_name.get(name) {
            Some(schema) => self.visit(schema, part, path, &mut faults),
            None => tracing::error!(name, "Request body has no published schema"),
        }
        faults
    }
}

/// The schemas of the published OpenAPI document. The first use reads them.
pub struct PublishedSchemas {
    document: &'static str,
    further: &'static [&'static str],
    read: OnceLock<Schemas>,
}

impl PublishedSchemas {
    /// Names the document, and the schemas that no request body refers to but handlers check against.
    pub fn new(document: &'static str, further: &'static [&'static str]) -> Self {
        Self { document, further, read: OnceLock::new() }
    }

    /// Returns the schemas.
    ///
    /// # Errors
    /// 500 if the published document is not valid, which a test rules out.
    pub fn get(&self) -> ApiResult<&Schemas> {
        if let Some(schemas) = self.read.get() {
            return Ok(schemas);
        }
        let read = Schemas::of_requests(self.document, self.further).map_err(Problem::system)?;
        Ok(self.read.get_or_init(|| read))
    }
}

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
                let checked = strip_prose(&serde_json::from_str(schema.get())?);
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
fn strip_prose(schema: &Value) -> Value {
    match schema {
        Value::Object(fields) => {
            let is_kept = |name: &str| match name {
                "description" | "title" => false,
                "example" | "examples" => fields.contains_key("pattern"),
                _ => true,
            };
            let fields = fields.iter().filter(|(name, _)| is_kept(name) && !name.starts_with("x-"));
            fields.map(|(name, it)| (name.clone(), strip_prose_of_part(name, it))).collect()
        }
        Value::Array(items) => items.iter().map(strip_prose).collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => schema.clone(),
    }
}

/// Processes the value of a keyword. The names inside `properties` are field names, not keywords.
fn strip_prose_of_part(keyword: &str, part: &Value) -> Value {
    match part.as_object() {
        Some(fields) if keyword == "properties" => {
            fields.iter().map(|(name, it)| (name.clone(), strip_prose(it))).collect()
        }
        _ => strip_prose(part),
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

fn types(schema: &Value) -> Vec<&str> {
    match schema.get("type") {
        Some(Value::String(one)) => vec![one],
        Some(Value::Array(many)) => many.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    }
}

fn type_fits(schema: &Value, value: &Value) -> bool {
    let types = types(schema);
    types.is_empty()
        || types.iter().any(|it| match *it {
            "null" => value.is_null(),
            "boolean" => value.is_boolean(),
            "string" => value.is_string(),
            "array" => value.is_array(),
            "object" => value.is_object(),
            "number" => value.is_number(),
            "integer" => value.is_i64() || value.is_u64(),
            _ => false,
        })
}

/// Returns the expected form if the schema requires a date or date-time and the text is not one.
fn expected_time(schema: &Value, text: &str) -> Option<&'static str> {
    let error = match schema.get("format").and_then(Value::as_str) {
        Some("date-time") => text.parse::<Timestamp>().err(),
        Some("date") => text.parse::<Date>().err(),
        _ => None,
    };
    error.map(|it| it.expected)
}

/// Describes a pattern, with an example if the schema has one.
fn form_words(schema: &Value, pattern: &str) -> String {
    let example = schema.get("example").or_else(|| schema.pointer("/examples/0")).and_then(Value::as_str);
    match example {
        Some(example) => format!("like {example}, of the form {pattern}"),
        None => format!("of the form {pattern}"),
    }
}

fn type_words(schema: &Value) -> String {
    types(schema).join(" or ")
}

/// Checks a length. Returns false if it exceeds the maximum, so that the caller does not examine the contents.
fn check_length(
    schema: &Value,
    min: &str,
    max: &str,
    length: usize,
    unit: &str,
    path: &str,
    faults: &mut Vec<FieldFault>,
) -> bool {
    let length = u64::try_from(length).unwrap_or(u64::MAX);
    if let Some(max) = schema.get(max).and_then(Value::as_u64)
        && length > max
    {
        faults.push(fault(path, FaultCode::TooLong, format!("at most {}", amount(max, unit))));
        return false;
    }
    if let Some(min) = schema.get(min).and_then(Value::as_u64)
        && length < min
    {
        faults.push(fault(path, FaultCode::TooShort, format!("at least {}", amount(min, unit))));
    }
    true
}

/// Writes a number with its unit, which is in the plural.
fn amount(number: u64, unit: &str) -> String {
    let unit = if number == 1 { unit.strip_suffix('s').unwrap_or(unit) } else { unit };
    format!("{number} {unit}")
}

fn check_range(schema: &Value, number: Option<f64>, path: &str, faults: &mut Vec<FieldFault>) {
    let bound = |key| schema.get(key).and_then(Value::as_f64);
    let Some(number) = number else { return };
    // `int32` implies a maximum.
    let widest =
        (schema.get("format").and_then(Value::as_str) == Some("int32")).then_some(f64::from(i32::MAX));
    let (minimum, maximum) = (bound("minimum"), bound("maximum").or(widest));
    if minimum.is_some_and(|min| number < min) || maximum.is_some_and(|max| number > max) {
        let words = match (minimum, maximum) {
            (Some(min), Some(max)) => format!("{min} to {max}"),
            (Some(min), None) => format!("at least {min}"),
            (None, Some(max)) => format!("at most {max}"),
            (None, None) => String::new(),
        };
        faults.push(fault(path, FaultCode::OutOfRange, words));
    }
}

const REFERENCE: &str = "put your own identifier of the person, such as an email address, in `reference`";

/// The name of a body, the field, and the advice.
const HINTS: &[(&str, &[&str], &str)] = &[
    (
        "CreateUser",
        &[
            "userId",
            "id",
            "externalId",
            "customerId",
            "email",
            "emailAddress",
            "name",
            "fullName",
            "mobileNumber",
        ],
        REFERENCE,
    ),
    ("CreateUser", &["metadata"], "use `externalMetadata`"),
    ("CreateInvite", &["email"], "use `emailAddress`"),
    ("CreateInvite", &["name"], "use `fullName`"),
    ("CreateWebhook", &["events"], "use `eventTypes`"),
];

/// Adds the advice to the faults of unknown fields of a body.
pub fn add_hints(body: &str, mut faults: Vec<FieldFault>) -> Vec<FieldFault> {
    for fault in faults.iter_mut().filter(|it| it.code == FaultCode::Unknown) {
        let hint = HINTS.iter().find(|(of, fields, _)| *of == body && fields.contains(&fault.field.as_str()));
        if let Some((_, _, advice)) = hint {
            fault.message = format!("{}: {advice}", fault.message);
        }
    }
    faults
}
