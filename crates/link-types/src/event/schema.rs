//! OpenAPI schemas of events: one schema per event type, with `type` as the discriminator. A discriminator is needed
//! because several types share the same shape of `data`.

use utoipa::openapi::schema::{
    AnyOfBuilder, Discriminator, ObjectBuilder, OneOfBuilder, Schema, SchemaType, Type,
};
use utoipa::openapi::{Ref, RefOr};
use utoipa::{PartialSchema, ToSchema};

use super::{Event, EventData, EventPayload, EventType};
use crate::data::Payload;
use crate::id::EventId;
use crate::time::Timestamp;

/// Returns the schema name of the envelope of an event type: `UserCreatedEvent` for USER_CREATED.
pub fn schema_name(event_type: EventType) -> String {
    let words = event_type.as_str().split('_').map(|word| {
        let (first, rest) = word.split_at(1);
        format!("{first}{}", rest.to_lowercase())
    });
    words.chain(["Event".to_owned()]).collect()
}

fn envelope(event_type: EventType) -> Schema {
    let fixed = |word: &'static str| {
        ObjectBuilder::new().schema_type(SchemaType::Type(Type::String)).enum_values(Some([word]))
    };
    ObjectBuilder::new()
        .description(Some(format!("Envelope of a {event_type} event.")))
        .property("id", EventId::schema())
        .required("id")
        .property(
            "version",
            ObjectBuilder::new()
                .schema_type(SchemaType::Type(Type::Integer))
                .enum_values(Some([1]))
                .description(Some("Version of the envelope. Always 1.")),
        )
        .required("version")
        .property("type", fixed(event_type.as_str()).description(Some("Type of the event.")))
        .required("type")
        .property("createdAt", Timestamp::schema())
        .required("createdAt")
        .property("data", Ref::from_schema_name(event_type.data_schema()))
        .required("data")
        .into()
}

impl PartialSchema for Event {
    fn schema() -> RefOr<Schema> {
        let each = EventType::ALL.iter().map(|it| (it.as_str(), Ref::from_schema_name(schema_name(*it))));
        let mapping = each.clone().map(|(word, to)| (word, to.ref_location));
        each.fold(OneOfBuilder::new(), |all, (_, to)| all.item(to))
            .discriminator(Some(Discriminator::with_mapping("type", mapping)))
            .description(Some("A webhook event. `type` determines the shape of `data`."))
            .into()
    }
}

impl ToSchema for Event {
    fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
        EventData::schemas(schemas);
        schemas.extend(EventType::ALL.iter().map(|it| (schema_name(*it), envelope(*it).into())));
    }
}

impl PartialSchema for EventPayload {
    fn schema() -> RefOr<Schema> {
        AnyOfBuilder::new()
            .item(Ref::from_schema_name(Payload::name()))
            .item(ObjectBuilder::new().max_properties(Some(0)).description(Some("Empty object.")))
            .description(Some(
                "Data points that were read. An empty object unless the webhook sets `includePayload`.",
            ))
            .into()
    }
}

impl ToSchema for EventPayload {
    fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
        schemas.push((Payload::name().into_owned(), Payload::schema()));
        Payload::schemas(schemas);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_event_type_has_an_envelope_and_a_data_schema() {
        let mut schemas = Vec::new();
        Event::schemas(&mut schemas);
        for event_type in EventType::ALL {
            assert!(schemas.iter().any(|(known, _)| *known == schema_name(*event_type)), "{event_type}");
            assert!(schemas.iter().any(|(known, _)| known == event_type.data_schema()), "{event_type}");
        }
        assert_eq!(schema_name(EventType::AccountSyncTaskFinished), "AccountSyncTaskFinishedEvent");
    }
}
