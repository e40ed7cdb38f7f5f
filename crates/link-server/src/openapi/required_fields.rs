//! Marks the fields of responses as required.
//!
//! Responses always contain all their fields, with `null` for missing values. The Rust types cannot express that: an
//! `Option` is a field that a request may omit, but that a response shows as null.

use std::collections::{BTreeMap, BTreeSet};

use utoipa::openapi::path::{Operation, PathItem};
use utoipa::openapi::schema::{AdditionalProperties, ArrayItems, Object, Schema, SchemaType, Type};
use utoipa::openapi::{Content, OpenApi, Ref, RefOr};

type Schemas = BTreeMap<String, RefOr<Schema>>;

/// Marks every field of the responses' schemas as required.
///
/// If requests use a schema as well, and the two differ, responses get a separate schema: `LinkSiteFormOutput` in
/// addition to `LinkSiteForm`.
///
/// A field that may be absent instead of null is declared without null (`#[schema(nullable = false)]`).
pub(super) fn require(document: &mut OpenApi) {
    let mut schemas = document.components.get_or_insert_default().schemas.clone();
    let in_requests = reachable_schemas(&schemas, operations(document).flat_map(request_schemas));
    let in_responses = reachable_schemas(&schemas, operations(document).flat_map(response_schemas));

    for name in in_responses.difference(&in_requests) {
        if let Some(schema) = schemas.get_mut(name) {
            visit(schema, &mut |schema| {
                require_fields(schema, is_nullable);
            });
        }
    }
    let outputs = add_outputs(&mut schemas, in_responses.intersection(&in_requests));
    for name in in_responses.difference(&in_requests) {
        if let Some(schema) = schemas.get_mut(name) {
            visit(schema, &mut |schema| {
                point_to(schema, &outputs);
            });
        }
    }
    document.components.get_or_insert_default().schemas = schemas;
    for operation in document.paths.paths.values_mut().flat_map(operations_mut) {
        for schema in response_schemas_mut(operation) {
            visit(schema, &mut |schema| {
                require_fields(schema, is_nullable);
                point_to(schema, &outputs);
            });
        }
    }
}

/// Adds the separate schemas for responses. Returns the names of the schemas that got one.
fn add_outputs<'a>(schemas: &mut Schemas, shared: impl Iterator<Item = &'a String>) -> BTreeSet<String> {
    let whole: Schemas = shared.filter_map(|it| Some((it.clone(), schemas.get(it)?.clone()))).collect();
    let mut outputs: BTreeSet<String> = BTreeSet::new();
    loop {
        let known = outputs.len();
        for (name, schema) in &whole {
            let mut shown = schema.clone();
            let mut differs = false;
            visit(&mut shown, &mut |schema| {
                differs |= require_fields(schema, |_| true) | point_to(schema, &outputs);
            });
            if differs {
                schemas.insert(output(name), shown);
                outputs.insert(name.clone());
            }
        }
        if outputs.len() == known {
            return outputs;
        }
    }
}

fn output(name: &str) -> String {
    format!("{name}Output")
}

/// Requires the chosen fields. Returns true if anything changed.
fn require_fields(schema: &mut RefOr<Schema>, choose: impl Fn(&RefOr<Schema>) -> bool) -> bool {
    let RefOr::T(Schema::Object(Object { properties, required, .. })) = schema else { return false };
    let known = required.len();
    for (name, property) in properties.iter() {
        if !required.contains(name) && choose(property) {
            required.push(name.clone());
        }
    }
    required.len() > known
}

/// Redirects a reference to the separate schema for responses, if there is one. Returns true if anything changed.
fn point_to(schema: &mut RefOr<Schema>, outputs: &BTreeSet<String>) -> bool {
    let RefOr::Ref(reference) = schema else { return false };
    let Some(name) = name_of(reference).filter(|it| outputs.contains(*it)) else { return false };
    reference.ref_location = Ref::from_schema_name(output(name)).ref_location;
    true
}

fn is_nullable(schema: &RefOr<Schema>) -> bool {
    let has_null = |kind: &SchemaType| match kind {
        SchemaType::Type(kind) => *kind == Type::Null,
        SchemaType::Array(kinds) => kinds.contains(&Type::Null),
        SchemaType::AnyValue => false,
    };
    match schema {
        RefOr::Ref(_) => false,
        RefOr::T(Schema::Object(it)) => has_null(&it.schema_type),
        RefOr::T(Schema::Array(it)) => has_null(&it.schema_type),
        RefOr::T(Schema::OneOf(it)) => it.items.iter().any(is_nullable),
        RefOr::T(Schema::AnyOf(it)) => it.items.iter().any(is_nullable),
        RefOr::T(_) => false,
    }
}

fn name_of(reference: &Ref) -> Option<&str> {
    reference.ref_location.strip_prefix("#/components/schemas/")
}

/// Returns the names of all schemas that these schemas refer to, directly or indirectly.
fn reachable_schemas<'a>(
    schemas: &Schemas,
    from: impl Iterator<Item = &'a RefOr<Schema>>,
) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    let mut next: Vec<RefOr<Schema>> = from.cloned().collect();
    while let Some(mut schema) = next.pop() {
        visit(&mut schema, &mut |part| {
            let RefOr::Ref(reference) = part else { return };
            let Some(name) = name_of(reference) else { return };
            if names.insert(name.to_owned()) {
                next.extend(schemas.get(name).cloned());
            }
        });
    }
    names
}

/// Visits a schema and all schemas in it, without following references.
fn visit(schema: &mut RefOr<Schema>, look: &mut impl FnMut(&mut RefOr<Schema>)) {
    look(schema);
    let RefOr::T(schema) = schema else { return };
    match schema {
        Schema::Object(object) => {
            object.properties.values_mut().for_each(|it| visit(it, look));
            if let Some(AdditionalProperties::RefOr(rest)) = object.additional_properties.as_deref_mut() {
                visit(rest, look);
            }
        }
        Schema::Array(array) => {
            if let ArrayItems::RefOrSchema(items) = &mut array.items {
                visit(items, look);
            }
        }
        Schema::OneOf(choice) => choice.items.iter_mut().for_each(|it| visit(it, look)),
        Schema::AnyOf(choice) => choice.items.iter_mut().for_each(|it| visit(it, look)),
        Schema::AllOf(parts) => parts.items.iter_mut().for_each(|it| visit(it, look)),
        _ => {}
    }
}

fn operations(document: &OpenApi) -> impl Iterator<Item = &Operation> {
    document
        .paths
        .paths
        .values()
        .flat_map(|item| [&item.get, &item.put, &item.post, &item.delete, &item.patch].into_iter().flatten())
}

fn operations_mut(item: &mut PathItem) -> impl Iterator<Item = &mut Operation> {
    [&mut item.get, &mut item.put, &mut item.post, &mut item.delete, &mut item.patch].into_iter().flatten()
}

fn request_schemas(operation: &Operation) -> impl Iterator<Item = &RefOr<Schema>> {
    let bodies = operation.request_body.iter().filter_map(|it| match it {
        RefOr::T(body) => Some(body.content.values()),
        RefOr::Ref(_) => None,
    });
    let parameters = operation.parameters.iter().flatten().filter_map(|it| match it {
        RefOr::T(parameter) => parameter.schema.as_ref(),
        RefOr::Ref(_) => None,
    });
    bodies.flatten().filter_map(schema_of).chain(parameters)
}

fn response_schemas(operation: &Operation) -> impl Iterator<Item = &RefOr<Schema>> {
    let responses = operation.responses.responses.values().filter_map(|it| match it {
        RefOr::T(response) => Some(response.content.values()),
        RefOr::Ref(_) => None,
    });
    responses.flatten().filter_map(schema_of)
}

fn schema_of(content: &RefOr<Content>) -> Option<&RefOr<Schema>> {
    match content {
        RefOr::T(content) => content.schema.as_ref(),
        RefOr::Ref(_) => None,
    }
}

fn response_schemas_mut(operation: &mut Operation) -> impl Iterator<Item = &mut RefOr<Schema>> {
    let responses = operation.responses.responses.values_mut().filter_map(|it| match it {
        RefOr::T(response) => Some(response.content.values_mut()),
        RefOr::Ref(_) => None,
    });
    responses.flatten().filter_map(|content| match content {
        RefOr::T(content) => content.schema.as_mut(),
        RefOr::Ref(_) => None,
    })
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use crate::router::openapi_document;

    fn required_fields(schemas: &Value, name: &str) -> Vec<String> {
        let fields = schemas[name]["required"].as_array().cloned().unwrap_or_default();
        fields.iter().map(|it| it.as_str().unwrap().to_owned()).collect()
    }

    #[test]
    fn response_fields_are_required_and_request_fields_are_not() {
        let document = serde_json::to_value(openapi_document()).unwrap();
        let schemas = &document["components"]["schemas"];
        for (name, field) in [
            ("Connection", "errorCode"),
            ("Task", "finishedAt"),
            ("SocialSecurity", "resultCode"),
            ("RecordConsentOutput", "consentTemplateId"),
            ("TaskFinished", "errorCode"),
        ] {
            assert!(required_fields(schemas, name).contains(&field.to_owned()), "{name} {field}");
        }
        assert!(!required_fields(schemas, "RecordConsent").contains(&"consentTemplateId".to_owned()));
        assert_eq!(
            required_fields(schemas, "RecordChanged"),
            ["recordId", "recordType"],
            "the other fields may be absent"
        );
        let echoed = &schemas["SocialSecurity"]["properties"]["requestMeta"]["$ref"];
        assert_eq!(echoed, &json!("#/components/schemas/SocialSecurityRequestOutput"));
        assert!(schemas["EmailAddressOutput"].is_null(), "requests do not use this schema");
    }
}
