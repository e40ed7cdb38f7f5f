//! Schemas of objects whose keys the caller chooses, which no derive describes.

use utoipa::openapi::schema::{AdditionalProperties, SchemaType};
use utoipa::openapi::{Object, ObjectBuilder, RefOr, Schema, Type};

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
