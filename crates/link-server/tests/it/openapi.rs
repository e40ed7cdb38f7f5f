//! The OpenAPI document is complete and consistent.

use link_server::router::openapi_document;
use serde_json::Value;

fn document() -> Value {
    serde_json::to_value(openapi_document()).unwrap()
}

fn operations(document: &Value) -> Vec<(String, &Value)> {
    let paths = document["paths"].as_object().unwrap();
    let all = paths.iter().flat_map(|(path, item)| {
        item.as_object()
            .unwrap()
            .iter()
            .map(move |(method, operation)| (format!("{method} {path}"), operation))
    });
    all.collect()
}

#[test]
fn served_openapi_document_matches_the_code() {
    let served: Value = serde_json::from_str(link_server::openapi::PUBLISHED).unwrap();
    assert!(served == document(), "docs/openapi.json is out of date: run `cargo xtask codegen`");
}

#[test]
fn every_operation_documents_responses_and_security() {
    let document = document();
    let operations = operations(&document);
    assert!(operations.len() > 50, "{}", operations.len());
    for (name, operation) in operations {
        let responses = operation["responses"].as_object().unwrap();
        assert!(responses.keys().any(|it| it.starts_with('2')), "{name}");
        for status in ["400", "401", "422", "500"] {
            assert!(responses.contains_key(status), "{name} {status}");
        }
        assert!(operation.get("security").is_some(), "{name}");
        for (status, response) in responses.iter().filter(|(status, _)| *status != "204") {
            // The response to an upload creation has headers only.
            let shared = response["$ref"].as_str().map(|it| it.trim_start_matches('#'));
            let response = shared.map_or(response, |shared| document.pointer(shared).unwrap());
            let says = |part: &str| response[part].as_object().is_some_and(|it| !it.is_empty());
            assert!(says("content") || says("headers"), "{name} {status}");
        }
    }
}

/// Interface: "Versioning", 5.
#[test]
fn deprecated_fields_are_marked_in_openapi() {
    let document = document();
    for (schema, field) in [("Metadata", "accountId"), ("EstimatedIncome", "baseAmount")] {
        let fields = &document["components"]["schemas"][schema]["properties"];
        assert_eq!(fields[field]["deprecated"], true, "{schema}.{field}: {}", fields[field]);
    }
}

#[test]
fn openapi_texts_contain_no_rustdoc_links() {
    let document = document().to_string();
    let names = document.split("[`").skip(1).filter_map(|it| it.split_once('`')).map(|(name, _)| name);
    assert_eq!(names.collect::<Vec<_>>(), [""; 0], "rustdoc links to items of the code");
}

/// Client generators treat a field with a default as always present.
#[test]
fn optional_fields_have_no_default() {
    fn defaults(value: &Value, path: &str, found: &mut Vec<String>) {
        match value {
            Value::Object(fields) => {
                let properties = fields.get("properties").and_then(Value::as_object);
                for (name, _) in
                    properties.into_iter().flatten().filter(|(_, it)| it.get("default").is_some())
                {
                    found.push(format!("{path}.{name}"));
                }
                fields.iter().for_each(|(name, it)| defaults(it, name, found));
            }
            Value::Array(items) => items.iter().for_each(|it| defaults(it, path, found)),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
        }
    }
    let mut found = Vec::new();
    defaults(&document(), "", &mut found);
    assert_eq!(found, [""; 0]);
}

#[test]
fn upload_body_is_documented_as_binary() {
    let document = document();
    let body = &document["paths"]["/link/uploads/{id}"]["patch"]["requestBody"]["content"];
    let schema = &body["application/offset+octet-stream"]["schema"];
    assert_eq!(*schema, serde_json::json!({"type": "string", "format": "binary"}));
}

#[test]
fn every_openapi_reference_resolves() {
    fn references(value: &Value, found: &mut Vec<String>) {
        match value {
            Value::Object(fields) => {
                if let Some(Value::String(to)) = fields.get("$ref") {
                    found.push(to.clone());
                }
                fields.values().for_each(|it| references(it, found));
            }
            Value::Array(items) => items.iter().for_each(|it| references(it, found)),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
        }
    }
    let document = document();
    let mut found = Vec::new();
    references(&document, &mut found);
    for reference in found {
        let pointer = reference.trim_start_matches('#');
        assert!(document.pointer(pointer).is_some(), "{reference}");
    }
}
