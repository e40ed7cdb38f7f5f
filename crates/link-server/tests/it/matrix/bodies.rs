//! Builds valid and invalid request bodies from the schemas of the OpenAPI document.

use serde_json::{Value, json};

use crate::service::{Answer, text};

/// The schemas of the OpenAPI document.
pub struct Bodies {
    document: Value,
}

impl Bodies {
    pub fn new(document: Value) -> Self {
        Self { document }
    }

    pub fn resolve<'a>(&'a self, schema: &'a Value) -> &'a Value {
        match schema["$ref"].as_str() {
            Some(reference) => self.document.pointer(reference.trim_start_matches('#')).unwrap(),
            None => match schema["oneOf"].as_array() {
                Some(choices) => {
                    choices.iter().map(|it| self.resolve(it)).find(|it| it["type"] != "null").unwrap()
                }
                None => schema,
            },
        }
    }

    /// Builds a body that has only the required fields, with the right types.
    pub fn smallest(&self, schema: &Value) -> Value {
        let schema = self.resolve(schema);
        if let Some(values) = schema["enum"].as_array() {
            return values[0].clone();
        }
        match first_type(schema) {
            "object" => {
                let required = schema["required"].as_array().into_iter().flatten().map(text);
                // Of two fields that name the person, one is enough.
                let either = schema["properties"].as_object().into_iter().flatten();
                let either = either.filter(|(_, it)| is_enough_alone(it)).map(|(name, _)| name.clone());
                required
                    .chain(either.take(1))
                    .map(|name| (name.clone(), self.smallest(&schema["properties"][&name])))
                    .collect()
            }
            "array" => json!([self.smallest(&schema["items"])]),
            "boolean" => json!(false),
            "integer" | "number" => json!(1),
            _ => match (schema["examples"][0].as_str(), schema["pattern"].as_str()) {
                (Some(_), Some(pattern)) if pattern.contains("[0-9a-f]{32}") => {
                    let prefix = pattern.trim_start_matches('^').split("[0-9a-f]").next().unwrap();
                    json!(format!("{}{}", prefix.replace("[0-9a-z]{1,32}", "demo"), "0".repeat(32)))
                }
                (Some(example), _) => json!(example),
                (None, _) => json!("text"),
            },
        }
    }

    pub fn wrong_type(&self, schema: &Value) -> Value {
        match first_type(self.resolve(schema)) {
            "string" | "boolean" => json!(["c4n4ry"]),
            _ => json!("c4n4ry"),
        }
    }

    pub fn too_long(&self, schema: &Value) -> Option<Value> {
        let schema = self.resolve(schema);
        let over = |limit: &str, default| schema[limit].as_u64().unwrap_or(default) as usize + 1;
        match first_type(schema) {
            "string" => Some(json!("x".repeat(over("maxLength", 8_192)))),
            "array" if schema["maxItems"].is_u64() => {
                Some(vec![self.smallest(&schema["items"]); over("maxItems", 0)].into())
            }
            _ => None,
        }
    }
}

/// Returns true if a body needs this field or another one.
fn is_enough_alone(field: &Value) -> bool {
    let about = field["description"].as_str().unwrap_or_default();
    about.split_whitespace().collect::<Vec<_>>().join(" ").contains("Required without `")
}

/// Returns true if a problem names the field or a part of it.
pub fn names(answer: &Answer, field: &str) -> bool {
    answer.body["errors"].as_array().is_some_and(|errors| {
        errors.iter().any(|it| {
            let named = it["field"].as_str().unwrap_or_default();
            named == field
                || named.starts_with(&format!("{field}."))
                || named.starts_with(&format!("{field}["))
        })
    })
}

fn first_type(schema: &Value) -> &str {
    match &schema["type"] {
        Value::String(one) => one,
        Value::Array(many) => {
            many.iter().filter_map(Value::as_str).find(|it| *it != "null").unwrap_or("string")
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => "object",
    }
}
