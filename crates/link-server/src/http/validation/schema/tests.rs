use link_types::problem::FaultCode;
use serde_json::json;

use super::*;
use crate::http::validation::json;

fn check(body: Value) -> Vec<(String, FaultCode)> {
    let body_of = |name: &str| json!({"$ref": format!("#/components/schemas/{name}")});
    let content = json!({"application/json": {"schema": body_of("Thing")}});
    let document = json!({"paths": {"/things": {"post": {"requestBody": {"content": content}}}}, "components": {"schemas": {
        "Thing": {"type": "object", "required": ["name", "on"], "properties": {
            "name": {"type": "string", "maxLength": 3},
            "on": {"type": "boolean"},
            "kind": {"oneOf": [{"type": "null"}, {"$ref": "#/components/schemas/Kind"}]},
            "tags": {"type": "array", "items": {"type": "string"}, "maxItems": 2},
            "size": {"type": ["integer", "null"], "minimum": 1, "format": "int32"},
            "free": {
                "type": "object", "additionalProperties": {"type": "string"},
                "propertyNames": {"pattern": "^[a-z]*$"},
            },
        }},
        "Kind": {"type": "string", "enum": ["A", "B"]},
    }}});
    let faults = Schemas::of_requests(&document.to_string(), &[]).unwrap().check("Thing", &body);
    faults.into_iter().map(|it| (it.field, it.code)).collect()
}

#[test]
fn published_document_has_request_schemas() {
    let schemas = Schemas::of_requests(crate::openapi::PUBLISHED, &[]).unwrap();
    let faults = schemas.check("CreateWebhook", &json!({"unheardOf": 1}));
    assert!(faults.iter().any(|it| it.code == FaultCode::Missing), "{faults:?}");
}

#[test]
fn valid_body_has_no_faults() {
    let full = json!({"name": "abc", "on": true, "kind": "A", "tags": ["x"], "size": 1, "free": {"k": "v"}});
    assert_eq!(check(full), []);
    assert_eq!(check(json!({"name": "abc", "on": true, "kind": null, "size": null})), []);
}

#[test]
fn whole_number_written_as_float_is_an_integer() {
    let sized = |size: &str| {
        let text = format!(r#"{{"name": "abc", "on": true, "size": {size}}}"#);
        let read = json::read(text.as_bytes()).unwrap().value;
        check(read).into_iter().map(|(_, code)| code).collect::<Vec<_>>()
    };
    assert_eq!(sized("2147483647.0"), []);
    assert_eq!(sized("2147483648"), [FaultCode::OutOfRange]);
    assert_eq!(sized("1.5"), [FaultCode::WrongType]);
}

#[test]
fn all_faults_are_reported_at_once() {
    let mut faults = check(json!({"name": "abcd", "kind": "C", "tags": ["x", 1], "size": 0, "odd": 1}));
    faults.sort_by(|a, b| a.0.cmp(&b.0));
    let expected = [
        ("kind", FaultCode::Invalid),
        ("name", FaultCode::TooLong),
        ("odd", FaultCode::Unknown),
        ("on", FaultCode::Missing),
        ("size", FaultCode::OutOfRange),
        ("tags[1]", FaultCode::WrongType),
    ];
    assert_eq!(faults, expected.map(|(field, code)| (field.to_owned(), code)));
}

#[test]
fn contents_of_too_long_array_are_not_checked() {
    let tags: Vec<_> = (0..1_000).collect();
    let faults = check(json!({"name": "abc", "on": true, "tags": tags}));
    assert_eq!(faults, [("tags".to_owned(), FaultCode::TooLong)]);
}

#[test]
fn check_stops_after_51_faults() {
    let unknown: Map<_, _> = (0..1_000).map(|it| (format!("u{it}"), Value::Null)).collect();
    assert_eq!(check(Value::Object(unknown)).len(), 51);
}

#[test]
fn invalid_property_name_is_a_fault_of_its_entry() {
    let faults = check(json!({"name": "abc", "on": true, "free": {"é": "v"}}));
    assert_eq!(faults, [("free.é".to_owned(), FaultCode::Invalid)]);
}

#[test]
fn body_that_is_not_an_object_is_one_fault() {
    assert_eq!(check(json!([])), [(String::new(), FaultCode::WrongType)]);
}

#[test]
fn words_begin_with_an_example_and_count_one_character() {
    let schemas = Schemas::of_requests(crate::openapi::PUBLISHED, &[]).unwrap();
    let site = json!({"name": "", "slug": "A B"});
    let faults = schemas.check("CreateLinkSite", &site);
    let words = |field: &str| {
        faults.iter().find(|it| it.field == field).map(|it| it.message.as_str()).unwrap_or_default()
    };
    assert_eq!(words("name"), "at least 1 character");
    assert!(words("slug").starts_with("like demo-loans, of the form ^"), "{}", words("slug"));
}
