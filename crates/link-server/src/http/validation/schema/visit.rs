//! Walks through a body and its schema at the same time.

use link_types::problem::{FaultCode, FieldFault};
use regex::Regex;
use serde_json::{Map, Value};

use super::{Schemas, check_length, check_range, expected_time, form_words, type_fits, type_words};
use crate::http::problem::{fault, is_enough};
use crate::http::validation::json::short;

/// The maximum length of a string if its schema sets no limit, in characters.
const DEFAULT_MAX_LENGTH: u64 = 8_192;

impl Schemas {
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

    /// Checks a value against a schema, and adds what is wrong to `faults`.
    pub(super) fn visit(&self, schema: &Value, value: &Value, path: &str, faults: &mut Vec<FieldFault>) {
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
            it.message = format!("required unless you send {ways}");
        }
    }
    faults
}

fn join(path: &str, name: &str) -> String {
    if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") }
}
