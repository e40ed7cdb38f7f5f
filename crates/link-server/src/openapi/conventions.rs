//! Additions to the OpenAPI document: headers and links that many operations share, and names of variants.

use std::collections::BTreeMap;

use link_domain::tenancy::idempotency::MAX_KEY_LENGTH;
use link_domain::tenancy::tenant::scope;
use utoipa::openapi::header::HeaderBuilder;
use utoipa::openapi::link::{Link, LinkBuilder};
use utoipa::openapi::path::{Operation, Parameter, ParameterBuilder, ParameterIn, PathItem};
use utoipa::openapi::schema::{AdditionalProperties, SchemaType};
use utoipa::openapi::{Object, ObjectBuilder, OpenApi, Ref, RefOr, Required, Response, Schema, Type};

use super::refusals;

/// Documents the scopes of API keys on every operation of the tenant's API, `Idempotency-Key` on every POST of it, and
/// the response headers `Idempotency-Replayed` and `Retry-After`.
pub fn document(openapi: &mut OpenApi) {
    for (path, item) in &mut openapi.paths.paths {
        document_scopes(path, item);
        if let Some(post) = item.post.as_mut().filter(|it| is_tenants(it)) {
            post.parameters.get_or_insert_default().push(idempotency_key().into());
            successes(post).for_each(|it| {
                it.headers.insert("Idempotency-Replayed".to_owned(), replay_header().into());
            });
        }
        let operations = [&mut item.get, &mut item.post, &mut item.put, &mut item.patch, &mut item.delete];
        for operation in operations.into_iter().filter_map(Option::as_mut) {
            for (status, description) in [
                ("409", "Seconds to wait before a retry, if a retry can succeed."),
                ("429", "Seconds until the next request is accepted."),
                ("503", "Seconds to wait before a retry, if a retry can succeed."),
            ] {
                if let Some(RefOr::T(refused)) = operation.responses.responses.get_mut(status) {
                    let retry_after = header(Type::Integer, description);
                    refused.headers.insert("Retry-After".to_owned(), retry_after.into());
                }
            }
        }
    }
}

fn document_scopes(path: &str, item: &mut PathItem) {
    let reads = [&mut item.get, &mut item.head].map(|it| (true, it));
    let writes = [&mut item.post, &mut item.put, &mut item.patch, &mut item.delete].map(|it| (false, it));
    for (is_read, operation) in reads.into_iter().chain(writes) {
        let Some(operation) = operation.as_mut().filter(|it| is_tenants(it)) else { continue };
        let scopes: Vec<_> = scope::find_scopes(is_read, path).iter().map(|it| it.as_str()).collect();
        let description = operation.description.get_or_insert_default();
        description.push_str(&format!("\n\nNeeds an API key with the scope {}.", scopes.join(" or ")));
        let (status, response) = refusals::insufficient_scope();
        operation.responses.responses.insert(status, response);
    }
}

/// Returns true if the operation requires an API key.
fn is_tenants(operation: &Operation) -> bool {
    serde_json::to_string(&operation.security).is_ok_and(|it| it.contains("apiKey"))
}

fn successes(operation: &mut Operation) -> impl Iterator<Item = &mut Response> {
    operation.responses.responses.iter_mut().filter_map(|(status, response)| match response {
        RefOr::T(response) if status.starts_with('2') => Some(response),
        RefOr::T(_) | RefOr::Ref(_) => None,
    })
}

fn idempotency_key() -> Parameter {
    let schema = ObjectBuilder::new()
        .schema_type(Type::String)
        .min_length(Some(1))
        .max_length(Some(MAX_KEY_LENGTH))
        .pattern(Some("^[!-~]([ -~]*[!-~])?$"));
    ParameterBuilder::new()
        .name("Idempotency-Key")
        .parameter_in(ParameterIn::Header)
        .required(Required::False)
        .description(Some(
            "A key of your choice. If you send the same request again with the same key, the service does \
             the work once and returns the same response.",
        ))
        .schema(Some(schema))
        .build()
}

fn replay_header() -> utoipa::openapi::Header {
    let schema = ObjectBuilder::new().schema_type(Type::String).enum_values(Some(["true"]));
    let description = "Present if this response repeats an earlier one.";
    HeaderBuilder::new().schema(Some(schema)).description(Some(description)).build()
}

fn header(of: Type, description: &str) -> utoipa::openapi::Header {
    let schema = ObjectBuilder::new().schema_type(of);
    HeaderBuilder::new().schema(Some(schema)).description(Some(description)).build()
}

/// Adds the links to lists and to operations that create a resource.
///
/// Every list links to its next page. Both link to the operations on one resource.
pub(super) fn add(document: &mut OpenApi) {
    let targets: Vec<(String, String)> = document
        .paths
        .paths
        .iter()
        .flat_map(|(path, item)| operations(item).map(|it| (path.clone(), it)))
        .filter_map(|(path, operation)| Some((path, operation.operation_id.clone()?)))
        .collect();
    for (collection, item) in &mut document.paths.paths {
        if collection.contains('{') {
            continue;
        }
        let on_one = format!("{collection}/{{id}}");
        let on_one: Vec<&str> = targets
            .iter()
            .filter(|(path, _)| path.starts_with(&on_one) && path.matches('{').count() == 1)
            .map(|(_, operation)| operation.as_str())
            .collect();
        if let Some(create) = &mut item.post {
            let from = id_of(collection).map(|field| format!("$response.body#/{field}"));
            let links = from
                .iter()
                .flat_map(|from| on_one.iter().map(move |to| ((*to).to_owned(), link(to, "id", from))));
            add_links(create, &["200", "201"], links.collect());
        }
        if let Some(list) = &mut item.get {
            let mut links: BTreeMap<_, _> = on_one
                .iter()
                .map(|to| ((*to).to_owned(), link(to, "id", "$response.body#/items/0/id")))
                .collect();
            if let Some(own) = list.operation_id.clone().filter(|_| takes(list, "cursor")) {
                links.insert("nextPage".to_owned(), link(&own, "cursor", "$response.body#/nextCursor"));
            }
            add_links(list, &["200"], links);
        }
    }
}

/// Returns the response field that contains the id of a created resource. `None` if the body does not contain it.
fn id_of(collection: &str) -> Option<&'static str> {
    match collection {
        "/link/accounts" => Some("accountId"),
        "/link/archives" => Some("archiveId"),
        // The `Location` header contains its URL.
        "/link/uploads" => None,
        _ => Some("id"),
    }
}

fn operations(item: &PathItem) -> impl Iterator<Item = &Operation> {
    [&item.get, &item.put, &item.post, &item.delete, &item.patch].into_iter().flatten()
}

fn takes(operation: &Operation, parameter: &str) -> bool {
    operation.parameters.iter().flatten().any(|it| match it {
        RefOr::T(it) => it.name == parameter,
        RefOr::Ref(_) => false,
    })
}

fn link(to: &str, parameter: &str, from: &str) -> Link {
    LinkBuilder::new().operation_id(to).parameter(parameter, from).build()
}

fn add_links(operation: &mut Operation, statuses: &[&str], links: BTreeMap<String, Link>) {
    for status in statuses {
        if let Some(RefOr::T(response)) = operation.responses.responses.get_mut(*status) {
            response.links.extend(links.iter().map(|(name, link)| (name.clone(), link.clone().into())));
        }
    }
}

// Names the schemas of enum variants and their fields.
//
// Client generators create a class for each named schema, and drop schemas without a name.

type Named = BTreeMap<String, RefOr<Schema>>;

/// Moves every variant of an enum, and the fields of the variant, into separate schemas.
///
/// `LinkPhase` becomes one of `LinkPhaseConnected` and others. `LinkPhaseConnected` contains
/// `LinkPhaseConnectedFields`.
pub(super) fn lift(document: &mut OpenApi) {
    let schemas = &mut document.components.get_or_insert_default().schemas;
    let mut lifted = Named::new();
    for (name, schema) in schemas.iter_mut() {
        let RefOr::T(Schema::OneOf(choice)) = schema else { continue };
        for variant in &mut choice.items {
            if let Some(title) = title(name, variant) {
                lift_fields(&title, variant, &mut lifted);
                lift_one(title, variant, &mut lifted);
            }
        }
    }
    schemas.extend(lifted);
}

/// Returns the name of a variant that is an object with one required field. The field's name identifies the variant.
fn title(name: &str, variant: &RefOr<Schema>) -> Option<String> {
    let RefOr::T(Schema::Object(variant)) = variant else { return None };
    let [word] = variant.required.as_slice() else { return None };
    (variant.properties.len() == 1 && variant.properties.contains_key(word)).then(|| {
        let mut letters = word.chars();
        let first = letters.next().map(|letter| letter.to_ascii_uppercase());
        name.chars().chain(first).chain(letters).collect()
    })
}

fn lift_fields(title: &str, variant: &mut RefOr<Schema>, lifted: &mut Named) {
    let RefOr::T(Schema::Object(Object { properties, .. })) = variant else { return };
    for held in properties.values_mut() {
        if matches!(held, RefOr::T(Schema::Object(fields)) if !fields.properties.is_empty()) {
            lift_one(format!("{title}Fields"), held, lifted);
        }
    }
}

fn lift_one(title: String, schema: &mut RefOr<Schema>, lifted: &mut Named) {
    let reference = RefOr::Ref(Ref::from_schema_name(&title));
    lifted.insert(title, std::mem::replace(schema, reference));
}

/// Returns the schema of an object, or null, with at most this number of keys.
pub fn optional_map(description: &str, most: usize, keys: ObjectBuilder, values: RefOr<Schema>) -> Object {
    let mut object = ObjectBuilder::new()
        .schema_type(SchemaType::from_iter([Type::Object, Type::Null]))
        .description(Some(description))
        .max_properties(Some(most))
        .additional_properties(Some(AdditionalProperties::RefOr(values)))
        .build();
    object.property_names = Some(Box::new(keys.build().into()));
    object
}

/// Returns the schema of a BCP 47 tag.
pub fn language_tag() -> ObjectBuilder {
    let tag = ObjectBuilder::new().schema_type(Type::String);
    tag.max_length(Some(35)).pattern(Some("^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$"))
}

#[cfg(test)]
mod tests {
    use crate::router::openapi_document;

    #[test]
    fn list_links_to_its_next_page_and_its_items() {
        let document = serde_json::to_value(openapi_document()).unwrap();
        let links = &document["paths"]["/webhooks"]["get"]["responses"]["200"]["links"];
        assert_eq!(links["nextPage"]["parameters"]["cursor"], "$response.body#/nextCursor");
        assert_eq!(links["getWebhook"]["parameters"]["id"], "$response.body#/items/0/id");
        let created = &document["paths"]["/users"]["post"]["responses"]["201"]["links"];
        assert_eq!(created["getUser"]["parameters"]["id"], "$response.body#/id");
    }

    #[test]
    fn link_parameters_exist_in_the_example_response() {
        let document = serde_json::to_value(openapi_document()).unwrap();
        let paths = document["paths"].as_object().unwrap();
        let operations = paths.iter().flat_map(|(path, item)| {
            item.as_object().unwrap().iter().map(move |(method, it)| (format!("{method} {path}"), it))
        });
        for (place, operation) in operations {
            for response in operation["responses"].as_object().unwrap().values() {
                let example = &response["content"]["application/json"]["example"];
                for link in response["links"].as_object().into_iter().flat_map(|it| it.values()) {
                    for from in link["parameters"].as_object().unwrap().values() {
                        let pointer = from.as_str().unwrap().strip_prefix("$response.body#").unwrap();
                        // Its example is of a tenant without its own logins.
                        let is_there = place.ends_with("/scenarios") || example.pointer(pointer).is_some();
                        assert!(is_there, "{place}: {from}");
                    }
                }
            }
        }
    }

    #[test]
    fn enum_variants_and_their_fields_have_named_schemas() {
        let document = serde_json::to_value(openapi_document()).unwrap();
        let schemas = &document["components"]["schemas"];
        let variants = schemas["LinkPhase"]["oneOf"].as_array().unwrap();
        let challenge = "#/components/schemas/LinkPhaseChallenge";
        assert!(variants.iter().any(|it| it["$ref"] == challenge), "{variants:?}");
        let held = &schemas["LinkPhaseChallenge"]["properties"]["challenge"]["$ref"];
        assert_eq!(held, "#/components/schemas/LinkPhaseChallengeFields");
        assert!(schemas["LinkPhaseChallengeFields"]["properties"].is_object());
    }
}
