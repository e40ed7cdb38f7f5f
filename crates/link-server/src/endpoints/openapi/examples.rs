//! The examples of answers. An endpoint shows one thing (`get.json` beside `get.rs`); its list, its creation and what
//! changes it answer with the same thing, and have their examples from it.

use serde_json::{Map, Value, json};
use utoipa::openapi::path::Operation;
use utoipa::openapi::schema::{ArrayItems, Object, Schema};
use utoipa::openapi::{Components, Content, OpenApi, RefOr};

const JSON: &str = "application/json";

/// An example that stands in a file beside its endpoint; null when the file is not JSON, which a test finds.
pub fn shown(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_default()
}

/// Gives every successful answer about a thing that is shown, and every page of such, its example.
pub(super) fn spread(document: &mut OpenApi) {
    let things: Vec<(String, Value)> = document
        .paths
        .paths
        .iter()
        .filter_map(|(path, item)| Some((path.clone(), item.get.as_ref()?)))
        .filter(|(path, _)| path.ends_with('}'))
        .filter_map(|(path, get)| Some((path, answer(get)?.example.clone()?)))
        .collect();
    let Some(components) = &document.components else { return };
    for (path, item) in &mut document.paths.paths {
        let is_of =
            |of: &str| path.starts_with(of) || of.rsplit_once('/').is_some_and(|(list, _)| list == path);
        // The longest fits best: a delivery is below its webhook.
        let thing = things.iter().filter(|(of, _)| is_of(of)).max_by_key(|(of, _)| of.len());
        let Some((_, thing)) = thing else { continue };
        let operations = [&mut item.get, &mut item.put, &mut item.post, &mut item.patch];
        for content in operations.into_iter().flatten().flat_map(answers) {
            if content.example.is_none() {
                content.example = content.schema.as_ref().and_then(|it| seen_as(it, thing, components));
            }
        }
    }
}

/// As much of a thing as a schema has, or a page of it; `None` where the schema is of something else.
fn seen_as(schema: &RefOr<Schema>, thing: &Value, components: &Components) -> Option<Value> {
    let object = object(schema, components)?;
    if object.properties.contains_key("nextCursor") && object.properties.len() == 2 {
        let RefOr::T(Schema::Array(items)) = object.properties.get("items")? else { return None };
        let ArrayItems::RefOrSchema(item) = &items.items else { return None };
        let item = seen_as(item, thing, components)?;
        return Some(json!({"items": [item], "nextCursor": null}));
    }
    let fields = thing.as_object()?;
    let seen: Map<_, _> = fields
        .iter()
        .filter(|(name, _)| object.properties.contains_key(*name))
        .map(|(name, value)| (name.clone(), value.clone()))
        .collect();
    let is_whole = object.required.iter().all(|it| seen.contains_key(it));
    (is_whole && !seen.is_empty()).then_some(Value::Object(seen))
}

/// A schema's fields. Of what is put together from several, as [`link_types::data::WithMetadata`] is, all of them.
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

fn answer(operation: &Operation) -> Option<&Content> {
    let RefOr::T(answer) = operation.responses.responses.get("200")? else { return None };
    match answer.content.get(JSON)? {
        RefOr::T(content) => Some(content),
        RefOr::Ref(_) => None,
    }
}

fn answers(operation: &mut Operation) -> impl Iterator<Item = &mut Content> {
    let successes = operation.responses.responses.iter_mut().filter(|(status, _)| status.starts_with('2'));
    successes.filter_map(|(_, answer)| match answer {
        RefOr::T(answer) => match answer.content.get_mut(JSON)? {
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
    fn a_list_a_creation_and_a_change_show_what_one_of_it_shows() {
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
        assert!(listed["id"].is_string() && listed["token"].is_null(), "no list holds tokens: {listed}");
    }
}
