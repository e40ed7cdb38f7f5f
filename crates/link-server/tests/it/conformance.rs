//! Checks every response in these tests against the OpenAPI document: status, content type and all body fields.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex};

use axum::http::{Method, StatusCode, header};
use jsonschema::Validator;
use serde_json::{Map, Value, json};

use crate::service::TestResponse;

/// The published OpenAPI document.
pub static DOCUMENT: LazyLock<Value> =
    LazyLock::new(|| serde_json::from_str(link_server::openapi::PUBLISHED).unwrap());

/// Validates responses against the OpenAPI document.
pub struct Conformance {
    document: &'static Value,
    validators: Mutex<HashMap<String, Arc<Validator>>>,
}

impl Conformance {
    pub fn with(document: &'static Value) -> Self {
        Self { document, validators: Mutex::default() }
    }

    /// Panics if a response does not match the document.
    pub fn check(&self, method: &Method, path: &str, response: &TestResponse) {
        let Some(path) = path.strip_prefix("/sandbox/v1").or_else(|| path.strip_prefix("/v1")) else {
            return;
        };
        // Clients receive signed URLs whole and never build them, so the document leaves them out.
        let signed = path.starts_with("/files/") || path.starts_with("/exports/");
        if signed || method == Method::OPTIONS {
            return;
        }
        let Some((template, item)) = self.item(path) else {
            assert_eq!(response.status, StatusCode::NOT_FOUND, "{path} is not published");
            return;
        };
        let word = match method {
            method if method == Method::HEAD => "get".to_owned(),
            method => method.as_str().to_lowercase(),
        };
        let Some(operation) = item.get(&word) else {
            // tus allows method override: a POST may replace PATCH and DELETE.
            let overridden = path.starts_with("/link/uploads");
            assert!(overridden || response.status == StatusCode::METHOD_NOT_ALLOWED, "{method} {template}");
            return;
        };
        let place = format!("{method} {template} {}", response.status.as_u16());
        let published = &operation["responses"][response.status.as_str()];
        let published = match published["$ref"].as_str() {
            Some(shared) => self.document.pointer(shared.trim_start_matches('#')).unwrap(),
            None => published,
        };
        assert!(published.is_object(), "{place} is not published: {}", response.body);
        if method == Method::HEAD {
            assert!(response.bytes.is_empty(), "{place} has a body");
            return;
        }
        let content_type = response.headers.get(header::CONTENT_TYPE).and_then(|it| it.to_str().ok());
        let content_type = content_type.map(|it| it.split(';').next().unwrap_or(it));
        let Some(content) = published["content"].as_object().filter(|it| !it.is_empty()) else {
            assert!(
                response.bytes.is_empty(),
                "{place} has a body, which is not published: {}",
                response.body
            );
            return;
        };
        let media = content.get(content_type.unwrap_or_default());
        let media = media.unwrap_or_else(|| panic!("{place}: {content_type:?} is not published"));
        if content_type.is_some_and(|it| it.ends_with("json")) {
            let validator = self.validator(&place, &media["schema"]);
            let faults: Vec<String> = validator
                .iter_errors(&response.body)
                .map(|fault| format!("{}: {fault}", fault.instance_path()))
                .collect();
            assert!(
                faults.is_empty(),
                "{place} is not as published:\n{}\n{}",
                faults.join("\n"),
                response.body
            );
        }
    }

    /// Finds the path item of a URL. Literal segments take precedence over parameters.
    fn item(&self, path: &str) -> Option<(&str, &Value)> {
        let path = path.split('?').next().unwrap_or(path);
        let fits = |template: &str| {
            template.split('/').count() == path.split('/').count()
                && template.split('/').zip(path.split('/')).all(|(a, b)| a == b || a.starts_with('{'))
        };
        self.document["paths"]
            .as_object()
            .unwrap()
            .iter()
            .filter(|(template, _)| fits(template))
            .min_by_key(|(template, _)| template.matches('{').count())
            .map(|(template, item)| (template.as_str(), item))
    }

    /// Returns the schemas that a schema refers to, also through others. Most responses need a few of the hundreds, and the
    /// validator examines each schema that it is given.
    fn reachable(&self, schema: &Value) -> Map<String, Value> {
        let mut found = Map::new();
        let mut open = references(schema);
        while let Some(name) = open.pop() {
            if !found.contains_key(&name)
                && let Some(schema) = self.component(&name)
            {
                open.extend(references(&schema));
                found.insert(name, schema);
            }
        }
        found
    }

    /// Returns a schema, closed to unknown fields. `X.open` is `X` as part of an `allOf`, open to the other parts' fields.
    fn component(&self, name: &str) -> Option<Value> {
        let schemas = &self.document["components"]["schemas"];
        match name.strip_suffix(".open") {
            Some(name) => schemas.get(name).map(close_nested),
            None => schemas.get(name).map(close),
        }
    }

    fn validator(&self, place: &str, schema: &Value) -> Arc<Validator> {
        let mut validators = self.validators.lock().unwrap();
        let validator = validators.entry(place.to_owned()).or_insert_with(|| {
            let mut whole = close(schema);
            whole["components"] = json!({"schemas": self.reachable(&whole)});
            Arc::new(jsonschema::options().should_validate_formats(true).build(&whole).unwrap())
        });
        Arc::clone(validator)
    }
}

/// Returns the names of the components that a schema refers to directly.
fn references(schema: &Value) -> Vec<String> {
    match schema {
        Value::Object(fields) => {
            let own = fields.get("$ref").and_then(Value::as_str);
            let own = own.and_then(|it| it.strip_prefix("#/components/schemas/"));
            own.map(str::to_owned).into_iter().chain(fields.values().flat_map(references)).collect()
        }
        Value::Array(items) => items.iter().flat_map(references).collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => Vec::new(),
    }
}

/// Closes a schema to fields that it does not name.
fn close(schema: &Value) -> Value {
    let mut closed = close_nested(schema);
    if let Some(object) = closed.as_object_mut() {
        if object.contains_key("allOf") {
            object.entry("unevaluatedProperties").or_insert(Value::Bool(false));
        } else if object.contains_key("properties") {
            object.entry("additionalProperties").or_insert(Value::Bool(false));
        }
    }
    closed
}

/// Closes only the nested schemas: the enclosing `allOf` names more fields at the top level.
fn close_nested(schema: &Value) -> Value {
    let Some(fields) = schema.as_object() else { return schema.clone() };
    let each = |list: &Value, of: fn(&Value) -> Value| {
        Value::Array(list.as_array().into_iter().flatten().map(of).collect())
    };
    let closed = fields.iter().map(|(key, value)| {
        let value = match key.as_str() {
            "properties" => {
                let properties = value.as_object().into_iter().flatten();
                Value::Object(properties.map(|(name, it)| (name.clone(), close(it))).collect())
            }
            "items" | "additionalProperties" if value.is_object() => close(value),
            "oneOf" | "anyOf" => each(value, close),
            "allOf" => each(value, part),
            _ => value.clone(),
        };
        (key.clone(), value)
    });
    Value::Object(closed.collect())
}

fn part(schema: &Value) -> Value {
    let mut part = close_nested(schema);
    if let Some(Value::String(reference)) = part.get_mut("$ref") {
        reference.push_str(".open");
    }
    part
}

#[test]
fn conformance_check_rejects_undocumented_responses() {
    let document = json!({
        "paths": {"/things/{id}": {"get": {"responses": {
            "200": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/Thing"}}}},
        }}}},
        "components": {"schemas": {
            "Thing": {"allOf": [{"$ref": "#/components/schemas/Base"}, {"type": "object", "properties": {"b": {}}}]},
            "Base": {"type": "object", "required": ["a"], "properties": {"a": {"type": "string"}}},
        }},
    });
    let document: &Value = Box::leak(Box::new(document));
    let check = |status: u16, body: Value| {
        let found = std::panic::catch_unwind(move || {
            let headers = [(header::CONTENT_TYPE, "application/json".parse().unwrap())];
            let response = TestResponse {
                status: StatusCode::from_u16(status).unwrap(),
                headers: headers.into_iter().collect(),
                bytes: body.to_string().into_bytes(),
                body,
            };
            Conformance::with(document).check(&Method::GET, "/v1/things/1?x=1", &response);
        });
        found.is_ok()
    };
    assert!(check(200, json!({"a": "", "b": 1})));
    assert!(!check(200, json!({"a": "", "c": 1})), "an undocumented field");
    assert!(!check(200, json!({"b": 1})), "a missing required field");
    assert!(!check(200, json!({"a": 1})), "a wrong type");
    assert!(!check(202, json!({"a": ""})), "an undocumented status");
}
