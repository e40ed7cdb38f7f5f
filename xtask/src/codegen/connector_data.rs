//! Generates the tables of docs/how-to/connectors.md: the kinds of data points, and the fields of each.

use serde_json::{Map, Value};

use super::references::{table, words};

/// The kinds that the service computes from what sources return, whether they can or not.
const ALWAYS_COMPUTED: [&str; 2] = ["LINKS", "INSIGHTS"];

/// Returns the content of a region of the page, or `None` if the page has no region of this name.
pub fn region(name: &str, document: &Value) -> Option<String> {
    match name {
        "kinds of data" => {
            let kinds = words(document, "DataPointKind")?.into_iter();
            let kinds = kinds.filter(|(word, _)| !ALWAYS_COMPUTED.contains(&word.as_str()));
            Some(table(&["Word", "Meaning"], kinds.map(|(word, meaning)| vec![word, meaning]).collect()))
        }
        "fields of data" => {
            let (kinds, data) = (words(document, "DataPointKind")?, find_schema(document, "DataMessage")?);
            let mut data: Vec<_> = properties(data)?.iter().collect();
            data.sort_by_key(|(key, _)| kinds.iter().position(|(kind, _)| is_key_of(key, kind)));
            let rows = data.into_iter().map(|(key, schema)| {
                Some(vec![format!("`{key}`"), fields(document, body(document, schema)?)?])
            });
            Some(table(&["Field of `data`", "Fields"], rows.collect::<Option<_>>()?))
        }
        _ => None,
    }
}

/// Returns whether a field of the data has the kind's data points. Its name is the kind's word, or the singular of it.
fn is_key_of(key: &str, kind: &str) -> bool {
    kind.replace('_', "").to_lowercase().starts_with(key.to_lowercase().trim_end_matches('y'))
}

fn find_schema<'a>(document: &'a Value, name: &str) -> Option<&'a Value> {
    document.pointer(&format!("/components/schemas/{name}"))
}

fn properties(schema: &Value) -> Option<&Map<String, Value>> {
    schema["properties"].as_object()
}

/// Returns the schema of a field, of its items, or of what it is unless it is null.
fn body<'a>(document: &'a Value, field: &'a Value) -> Option<&'a Value> {
    if let Some(reference) = field["$ref"].as_str() {
        return find_schema(document, reference.rsplit('/').next()?);
    }
    let inner = field["oneOf"].as_array().and_then(|all| all.iter().find(|it| it["type"] != "null"));
    match inner.or_else(|| field.get("items")) {
        Some(inner) => body(document, inner),
        None => Some(field),
    }
}

/// Lists the fields of a schema: first those that are required, in bold.
fn fields(document: &Value, schema: &Value) -> Option<String> {
    let required = schema["required"].as_array().map(Vec::as_slice).unwrap_or_default();
    let (mut first, mut others) = (Vec::new(), Vec::new());
    for (name, field) in properties(schema)? {
        let inner = body(document, field)?;
        let words = inner["enum"]
            .as_array()
            .map(|words| words.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(", "));
        let content = words.or_else(|| fields(document, inner)).map(|it| format!(" ({it})"));
        let content = content.unwrap_or_default();
        if required.iter().any(|it| it == name) {
            first.push(format!("**`{name}`**{content}"));
        } else {
            others.push(format!("`{name}`{content}"));
        }
    }
    first.append(&mut others);
    Some(first.join(", "))
}
