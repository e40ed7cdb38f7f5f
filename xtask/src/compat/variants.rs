//! The alternatives of a schema.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::schemas::PREFIX;

/// One of the alternatives of a schema, with the schemas that it consists of.
pub struct Variant<'a> {
    /// The type of its values.
    pub kind: &'a str,
    /// The schemas.
    pub parts: Vec<&'a Value>,
}

impl<'a> Variant<'a> {
    /// Returns a keyword of one of the parts.
    pub fn find(&self, name: &str) -> Option<&'a Value> {
        self.parts.iter().find_map(|part| part.get(name))
    }

    /// Returns the fields, with their schemas and whether they are required.
    pub fn list_fields(&self) -> BTreeMap<&'a str, (&'a Value, bool)> {
        let required: BTreeSet<&str> = self
            .parts
            .iter()
            .filter_map(|part| part["required"].as_array())
            .flatten()
            .filter_map(Value::as_str)
            .collect();
        let properties = self.parts.iter().filter_map(|part| part["properties"].as_object()).flatten();
        properties.map(|(name, schema)| (name.as_str(), (schema, required.contains(name.as_str())))).collect()
    }

    /// Returns the only values that it may have.
    pub fn list_values(&self) -> Option<Vec<&'a Value>> {
        list_values(self.find("enum"), self.find("const"))
    }

    /// Returns what distinguishes the object from the other variants: the fields that have only one value, or the only field.
    pub fn tag(&self) -> Option<Vec<String>> {
        let constants = self.list_constants();
        let fields = self.list_fields();
        match (constants.is_empty(), fields.len()) {
            (false, _) => Some(constants),
            (true, 1) => Some(fields.keys().map(|name| (*name).to_owned()).collect()),
            (true, _) => None,
        }
    }

    /// Returns whether the object has all that distinguishes another.
    pub fn has_tag(&self, tag: &[String]) -> bool {
        let (constants, fields) = (self.list_constants(), self.list_fields());
        tag.iter().all(|it| constants.contains(it) || fields.contains_key(it.as_str()))
    }

    fn list_constants(&self) -> Vec<String> {
        let fields = self.list_fields().into_iter();
        fields
            .filter_map(|(name, (schema, _))| {
                match list_values(schema.get("enum"), schema.get("const")).as_deref() {
                    Some([Value::String(only)]) => Some(format!("{name}={only}")),
                    Some(_) | None => None,
                }
            })
            .collect()
    }
}

fn list_values<'a>(listed: Option<&'a Value>, constant: Option<&'a Value>) -> Option<Vec<&'a Value>> {
    let listed = listed.and_then(Value::as_array).map(|it| it.iter().collect());
    listed.or_else(|| constant.map(|it| vec![it]))
}

/// Returns the alternatives of a schema, each of one kind.
pub fn list_variants<'a>(document: &'a Value, schema: &'a Value) -> Vec<Variant<'a>> {
    let schema = resolve(document, schema);
    if let Some(alternatives) = schema["oneOf"].as_array().or(schema["anyOf"].as_array()) {
        return alternatives.iter().flat_map(|it| list_variants(document, it)).collect();
    }
    let mut parts = Vec::new();
    collect_parts(document, schema, &mut parts);
    let kinds: Vec<&str> = match &schema["type"] {
        Value::String(kind) => vec![kind],
        Value::Array(kinds) => kinds.iter().filter_map(Value::as_str).collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => {
            match list_values(schema.get("enum"), schema.get("const")) {
                Some(values) => {
                    values.into_iter().map(name_kind).collect::<BTreeSet<_>>().into_iter().collect()
                }
                None => vec![if schema.get("allOf").is_some() { "object" } else { "any" }],
            }
        }
    };
    kinds.into_iter().map(|kind| Variant { kind, parts: parts.clone() }).collect()
}

fn name_kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(number) => {
            if number.is_f64() {
                "number"
            } else {
                "integer"
            }
        }
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}

/// Adds the schema, or those that it combines.
fn collect_parts<'a>(document: &'a Value, schema: &'a Value, parts: &mut Vec<&'a Value>) {
    let schema = resolve(document, schema);
    match schema["allOf"].as_array() {
        Some(combined) => combined.iter().for_each(|it| collect_parts(document, it, parts)),
        None => parts.push(schema),
    }
}

fn resolve<'a>(document: &'a Value, schema: &'a Value) -> &'a Value {
    match schema["$ref"].as_str().and_then(|it| it.strip_prefix(PREFIX)) {
        Some(name) => resolve(document, &document["components"]["schemas"][name]),
        None => schema,
    }
}
