//! Checks JSON bodies against the schemas of the published OpenAPI document, and reports all faults at once.

use std::collections::HashMap;
use std::sync::OnceLock;

use link_types::problem::{FaultCode, FieldFault};
use link_types::{Date, Timestamp};
use regex::Regex;
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use super::json::short;
use crate::http::problem::{fault, is_enough};

/// The maximum length of a string if its schema sets no limit, in characters.
const DEFAULT_MAX_LENGTH: u64 = 8_192;

/// The published schemas that bodies are checked against, by name.
#[derive(Debug, Default)]
pub struct Schemas {
    by_name: Map<String, Value>,
    /// Compiled on first use: a pattern with a long repetition takes megabytes, and most processes never need it.
    patterns: HashMap<String, OnceLock<Option<Regex>>>,
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
                let checked = checked(&serde_json::from_str(schema.get())?);
                collect_names(&checked, &mut names);
                by_name.insert(name, checked);
            }
        }
        let mut patterns = HashMap::new();
        by_name.values().for_each(|schema| collect_patterns(schema, &mut patterns));
        Ok(Self { by_name, patterns })
    }

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

    /// Returns true if a schema accepts null.
    fn takes_null(&self, schema: &Value) -> bool {
        let mut faults = Vec::new();
        self.visit(schema, &Value::Null, "", &mut faults);
        faults.is_empty()
    }

    /// Returns true if a string matches a pattern of the document.
    fn matches(&self, pattern: &str, text: &str) -> bool {
        let slot = self.patterns.get(pattern);
        let compiled = slot.and_then(|slot| slot.get_or_init(|| Regex::new(pattern).ok()).as_ref());
        compiled.is_none_or(|regex| regex.is_match(text))
    }

    fn resolve<'a>(&'a self, schema: &'a Value) -> &'a Value {
        let name = schema.get("$ref").and_then(Value::as_str).and_then(|it| it.rsplit('/').next());
        name.and_then(|name| self.by_name.get(name)).unwrap_or(schema)
    }

    fn visit(&self, schema: &Value, value: &Value, path: &str, faults: &mut Vec<FieldFault>) {
        if is_enough(faults) {
            return;
        }
        let schema = self.resolve(schema);
        if let Some(choices) = schema.get("oneOf").or_else(|| schema.get("anyOf")).and_then(Value::as_array) {
            return self.visit_choice(choices, value, path, faults);
        }
        for part in schema.get("allOf").and_then(Value::as_array).into_iter().flatten() {
            self.visit(part, value, path, faults);
        }
        if !type_fits(schema, value) {
            faults.push(fault(path, FaultCode::WrongType, type_words(schema)));
            return;
        }
        if let Some(allowed) = schema.get("enum").and_then(Value::as_array)
            && !allowed.contains(value)
        {
            let values: Vec<_> = allowed.iter().filter_map(Value::as_str).collect();
            faults.push(fault(path, FaultCode::Invalid, format!("one of {}", values.join(", "))));
        }
        match value {
            Value::Null | Value::Bool(_) => {}
            Value::Number(number) => check_range(schema, number.as_f64(), path, faults),
            Value::String(text) => self.check_text(schema, text, path, faults),
            Value::Array(items) => self.visit_items(schema, items, path, faults),
            Value::Object(fields) => self.visit_fields(schema, fields, path, faults),
        }
    }

    /// Checks a value against alternatives: an optional reference (`null` or a schema), an externally tagged enum,
    /// which its only key selects, or one of several sets of fields.
    fn visit_choice(&self, choices: &[Value], value: &Value, path: &str, faults: &mut Vec<FieldFault>) {
        let mut best: Option<Vec<FieldFault>> = None;
        let mut others = Vec::new();
        for choice in choices {
            let mut found = Vec::new();
            self.visit(choice, value, path, &mut found);
            if found.is_empty() {
                return;
            }
            // Report the closest alternative. One that fails with a wrong type at the top explains nothing.
            let shallow = found.iter().any(|it| it.field == path && it.code == FaultCode::WrongType);
            if best.is_none() || (!shallow && best.as_ref().is_some_and(|it| found.len() <= it.len())) {
                others.extend(best.replace(found));
            } else {
                others.push(found);
            }
        }
        faults.extend(with_alternatives(best.unwrap_or_default(), &others));
    }

    fn check_text(&self, schema: &Value, text: &str, path: &str, faults: &mut Vec<FieldFault>) {
        let length = text.chars().count();
        if !check_length(schema, "minLength", "maxLength", length, "characters", path, faults) {
            return;
        }
        if schema.get("maxLength").is_none() && length as u64 > DEFAULT_MAX_LENGTH {
            faults.push(fault(path, FaultCode::TooLong, format!("at most {DEFAULT_MAX_LENGTH} characters")));
            return;
        }
        // A pattern cannot express which dates exist, and the type's own message is clearer.
        if let Some(form) = expected_time(schema, text) {
            faults.push(fault(path, FaultCode::Invalid, form));
        } else if let Some(pattern) = schema.get("pattern").and_then(Value::as_str)
            && !self.matches(pattern, text)
        {
            faults.push(fault(path, FaultCode::Invalid, form_words(schema, pattern)));
        }
        // PostgreSQL cannot store U+0000, no field needs it, and both databases must behave the same.
        if text.contains('\0') {
            faults.push(fault(path, FaultCode::Invalid, "without the character U+0000"));
        }
    }

    fn check_name(&self, schema: &Value, name: &str, path: &str, faults: &mut Vec<FieldFault>) {
        let Some(names) = schema.get("propertyNames") else { return };
        let length = name.chars().count();
        if !check_length(names, "minLength", "maxLength", length, "characters of its name", path, faults) {
            return;
        }
        if let Some(pattern) = names.get("pattern").and_then(Value::as_str)
            && !self.matches(pattern, name)
        {
            faults.push(fault(path, FaultCode::Invalid, format!("a name of the form {pattern}")));
        }
    }

    fn visit_items(&self, schema: &Value, items: &[Value], path: &str, faults: &mut Vec<FieldFault>) {
        if !check_length(schema, "minItems", "maxItems", items.len(), "items", path, faults) {
            return;
        }
        let Some(each) = schema.get("items") else { return };
        for (index, item) in items.iter().enumerate() {
            if is_enough(faults) {
                return;
            }
            self.visit(each, item, &format!("{path}[{index}]"), faults);
        }
    }

    fn visit_fields(
        &self,
        schema: &Value,
        fields: &Map<String, Value>,
        path: &str,
        faults: &mut Vec<FieldFault>,
    ) {
        if !check_length(schema, "minProperties", "maxProperties", fields.len(), "entries", path, faults) {
            return;
        }
        let known = schema.get("properties").and_then(Value::as_object);
        for name in schema.get("required").and_then(Value::as_array).into_iter().flatten() {
            // The schemas also describe responses, where nullable fields are always present. In requests they are
            // optional.
            if let Some(name) = name.as_str()
                && !fields.contains_key(name)
                && !known.and_then(|it| it.get(name)).is_some_and(|it| self.takes_null(it))
            {
                faults.push(fault(join(path, name), FaultCode::Missing, "required"));
            }
        }
        for (name, value) in fields {
            if is_enough(faults) {
                return;
            }
            let at = join(path, short(name));
            match (known.and_then(|it| it.get(name)), schema.get("additionalProperties")) {
                (Some(property), _) => self.visit(property, value, &at, faults),
                (None, Some(each @ Value::Object(_))) => {
                    self.check_name(schema, name, &at, faults);
                    self.visit(each, value, &at, faults);
                }
                (None, Some(Value::Bool(true))) => {}
                // Without `additionalProperties`, further fields are not allowed.
                (None, _) => faults.push(fault(&at, FaultCode::Unknown, "no such field")),
            }
        }
    }
}

/// Adds the fields of the other alternatives to the messages about missing fields. Considers only alternatives that
/// would fit if these fields were present.
fn with_alternatives(mut faults: Vec<FieldFault>, others: &[Vec<FieldFault>]) -> Vec<FieldFault> {
    let ways = others.iter().filter_map(|other| {
        let more: Vec<_> = other.iter().filter(|it| !faults.contains(it)).collect();
        let fields: Vec<_> = more.iter().map(|it| it.field.as_str()).collect();
        let only_lacks = !more.is_empty() && more.iter().all(|it| it.code == FaultCode::Missing);
        only_lacks.then(|| fields.join(", "))
    });
    let ways = ways.collect::<Vec<_>>().join("; or ");
    for it in faults.iter_mut().filter(|it| it.code == FaultCode::Missing && !ways.is_empty()) {
        if !others.iter().all(|other| other.contains(it)) {
            it.message = format!("required, or instead of it {ways}");
        }
    }
    faults
}

fn join(path: &str, name: &str) -> String {
    if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") }
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
        Some(example) => format!("of the form {pattern}, like {example}"),
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
        faults.push(fault(path, FaultCode::TooLong, format!("at most {max} {unit}")));
        return false;
    }
    if let Some(min) = schema.get(min).and_then(Value::as_u64)
        && length < min
    {
        faults.push(fault(path, FaultCode::TooShort, format!("at least {min} {unit}")));
    }
    true
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

#[cfg(test)]
mod tests;
