//! Example values of schemas, for the guides.

use serde_json::{Map, Value, json};

/// Returns an example of the schema: its own example, or the first allowed value.
///
/// `shows` decides for each field whether to include it, given its name and whether it may be absent.
pub fn example(document: &Value, schema: &Value, shows: &dyn Fn(&str, bool) -> bool) -> Value {
    if let Some(to) = schema["$ref"].as_str() {
        // A separate guide shows payloads.
        if to.ends_with("/EventPayload") {
            return json!({});
        }
        let schema = document.pointer(to.trim_start_matches('#')).unwrap_or(&Value::Null);
        return example(document, schema, shows);
    }
    if let Some(given) = schema.get("example").or_else(|| schema["examples"].get(0)) {
        return given.clone();
    }
    if let Some(first) = schema["enum"].get(0) {
        return first.clone();
    }
    for choice in ["oneOf", "anyOf"] {
        if let Some(either) = schema[choice].as_array() {
            let some = either.iter().find(|it| it["type"] != "null");
            return some.map_or(Value::Null, |it| example(document, it, shows));
        }
    }
    if let Some(parts) = schema["allOf"].as_array() {
        let parts = parts.iter().map(|it| example(document, it, shows));
        let fields = parts.filter_map(|it| it.as_object().cloned()).flatten();
        return Value::Object(fields.collect());
    }
    let kind = &schema["type"];
    let kind = match kind.as_array() {
        Some(kinds) => kinds.iter().find(|it| *it != "null").and_then(Value::as_str),
        None => kind.as_str(),
    };
    match kind {
        Some("object") => object(document, schema, shows),
        Some("array") => json!([example(document, &schema["items"], shows)]),
        Some("integer" | "number") => json!(1),
        Some("boolean") => json!(true),
        Some("string") => json!("…"),
        _ => Value::Null,
    }
}

fn object(document: &Value, schema: &Value, shows: &dyn Fn(&str, bool) -> bool) -> Value {
    let required = schema["required"].as_array();
    let may_be_absent = |name: &str| !required.is_some_and(|all| all.iter().any(|it| it == name));
    let properties = schema["properties"].as_object();
    let shown = properties.into_iter().flatten().filter(|(name, _)| shows(name, may_be_absent(name)));
    let fields: Map<String, Value> =
        shown.map(|(name, field)| (name.clone(), example(document, field, shows))).collect();
    Value::Object(fields)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn example_of_the_schema_is_preferred() {
        let document = json!({"components": {"schemas": {
            "Id": {"type": "string", "examples": ["a-1"]},
            "Thing": {"type": "object", "required": ["id", "kind"], "properties": {
                "id": {"$ref": "#/components/schemas/Id"},
                "kind": {"oneOf": [{"type": "string", "enum": ["ONE", "TWO"]}, {"type": "null"}]},
                "rest": {"type": "integer"},
            }},
        }}});
        let thing = &document["components"]["schemas"]["Thing"];
        assert_eq!(example(&document, thing, &|_, absent| !absent), json!({"id": "a-1", "kind": "ONE"}));
        assert_eq!(example(&document, thing, &|_, _| true)["rest"], 1);
    }
}
