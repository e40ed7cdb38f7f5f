//! Names the schemas of enum variants and their fields.
//!
//! Client generators create a class for each named schema, and drop schemas without a name.

use std::collections::BTreeMap;

use utoipa::openapi::schema::{Object, Schema};
use utoipa::openapi::{OpenApi, Ref, RefOr};

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

#[cfg(test)]
mod tests {
    use crate::router::openapi_document;

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
