//! The examples of responses.
//!
//! An endpoint that returns one resource has an example in a file (`get.json` next to `get.rs`). The endpoints that
//! list, create and update the resource derive their examples from it.

use link_types::data::DataPointKind;
use serde_json::{Map, Value, json};
use utoipa::openapi::path::Operation;
use utoipa::openapi::schema::{ArrayItems, Object, Schema};
use utoipa::openapi::{Components, Content, OpenApi, RefOr};

const JSON: &str = "application/json";

/// Parses an example from the file next to its endpoint. Null if the file is not JSON, which a test detects.
pub fn parse_example(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_default()
}

/// Parses an example of a payload. A kind of data points that it does not have is null.
pub fn parse_payload(text: &str) -> Value {
    let mut payload = parse_example(text);
    if let Value::Object(fields) = &mut payload {
        for kind in DataPointKind::ALL {
            fields.entry(kind.key()).or_insert(Value::Null);
        }
    }
    payload
}

/// Adds an example to every successful response that contains a resource with an example, or a page of such resources.
pub(super) fn spread(document: &mut OpenApi) {
    let resources: Vec<(String, Value)> = document
        .paths
        .paths
        .iter()
        .filter_map(|(path, item)| Some((path.clone(), item.get.as_ref()?)))
        .filter(|(path, _)| path.ends_with('}'))
        .filter_map(|(path, get)| Some((path, success(get)?.example.clone()?)))
        .collect();
    let Some(components) = &document.components else { return };
    for (path, item) in &mut document.paths.paths {
        let is_of =
            |of: &str| path.starts_with(of) || of.rsplit_once('/').is_some_and(|(list, _)| list == path);
        // The longest path is the most specific: a delivery's path begins with its webhook's.
        let resource = resources.iter().filter(|(of, _)| is_of(of)).max_by_key(|(of, _)| of.len());
        let Some((_, resource)) = resource else { continue };
        let operations = [&mut item.get, &mut item.put, &mut item.post, &mut item.patch];
        for content in operations.into_iter().flatten().flat_map(successes_mut) {
            if content.example.is_none() {
                content.example =
                    content.schema.as_ref().and_then(|it| example_for(it, resource, components));
            }
        }
    }
}

/// Returns the fields of a resource that the schema has, or a page with them.
///
/// `None` if the schema describes something else.
fn example_for(schema: &RefOr<Schema>, resource: &Value, components: &Components) -> Option<Value> {
    let object = object(schema, components)?;
    if object.properties.contains_key("nextCursor") && object.properties.len() == 2 {
        let RefOr::T(Schema::Array(items)) = object.properties.get("items")? else { return None };
        let ArrayItems::RefOrSchema(item) = &items.items else { return None };
        let item = example_for(item, resource, components)?;
        return Some(json!({"items": [item], "nextCursor": null}));
    }
    let fields = resource.as_object()?;
    let example: Map<_, _> = fields
        .iter()
        .filter(|(name, _)| object.properties.contains_key(*name))
        .map(|(name, value)| (name.clone(), value.clone()))
        .collect();
    let is_whole = object.required.iter().all(|it| example.contains_key(it));
    (is_whole && !example.is_empty()).then_some(Value::Object(example))
}

/// Returns a schema as one object. Merges the parts of a composed schema, such as [`link_types::data::WithMetadata`].
fn object(schema: &RefOr<Schema>, components: &Components) -> Option<Object> {
    match schema {
        RefOr::Ref(reference) => {
            let name = reference.ref_location.rsplit('/').next()?;
            object(components.schemas.get(name)?, components)
        }
        RefOr::T(Schema::Object(object)) => Some(object.clone()),
        RefOr::T(Schema::AllOf(parts)) => {
            let mut whole = Object::new();
            for part in &parts.items {
                let part = object(part, components)?;
                whole.properties.extend(part.properties);
                whole.required.extend(part.required);
            }
            Some(whole)
        }
        RefOr::T(_) => None,
    }
}

fn success(operation: &Operation) -> Option<&Content> {
    let RefOr::T(response) = operation.responses.responses.get("200")? else { return None };
    match response.content.get(JSON)? {
        RefOr::T(content) => Some(content),
        RefOr::Ref(_) => None,
    }
}

fn successes_mut(operation: &mut Operation) -> impl Iterator<Item = &mut Content> {
    let successes = operation.responses.responses.iter_mut().filter(|(status, _)| status.starts_with('2'));
    successes.filter_map(|(_, response)| match response {
        RefOr::T(response) => match response.content.get_mut(JSON)? {
            RefOr::T(content) => Some(content),
            RefOr::Ref(_) => None,
        },
        RefOr::Ref(_) => None,
    })
}

#[cfg(test)]
mod tests {
    use crate::router::openapi_document;

    #[test]
    fn list_create_and_update_share_the_example_of_get() {
        let document = serde_json::to_value(openapi_document()).unwrap();
        let shown = |path: &str, method: &str, status: &str| {
            document["paths"][path][method]["responses"][status]["content"]["application/json"]["example"]
                .clone()
        };
        let one = shown("/webhooks/{id}", "get", "200");
        assert!(one["id"].is_string());
        assert_eq!(shown("/webhooks", "get", "200")["items"][0], one);
        assert_eq!(shown("/webhooks", "post", "201"), one);
        assert_eq!(shown("/webhooks/{id}/confirmSecret", "post", "200"), one);
        let listed = &shown("/users", "get", "200")["items"][0];
        assert!(listed["id"].is_string() && listed["token"].is_null(), "lists contain no tokens: {listed}");
    }
}
