//! The document's `webhooks`: the requests that the service sends to a tenant's receivers, one for each event type, and
//! the ping.

use link_domain::notifications::webhook::{
    PING, SERVICE_SIGNATURE, WEBHOOK_ID, WEBHOOK_SIGNATURE, WEBHOOK_TIMESTAMP,
};
use link_types::event::{EventType, schema_name};
use link_types::id::{EventId, WebhookId};
use link_types::time::Timestamp;
use utoipa::PartialSchema as _;
use utoipa::openapi::path::{
    HttpMethod, Operation, OperationBuilder, Parameter, ParameterBuilder, ParameterIn, PathItem, PathsBuilder,
};
use utoipa::openapi::request_body::{RequestBody, RequestBodyBuilder};
use utoipa::openapi::schema::{ObjectBuilder, Schema, Type};
use utoipa::openapi::{Content, OpenApi, Ref, RefOr, Required, ResponseBuilder};

const JSON: &str = "application/json";
const PING_EVENT: &str = "PingEvent";

/// Adds the webhooks.
pub(super) fn add(document: &mut OpenApi) {
    let components = document.components.get_or_insert_default();
    components.schemas.insert(PING_EVENT.to_owned(), ping().into());
    let Some(RefOr::T(Schema::Object(types))) = components.schemas.get("EventType") else { return };
    let meanings =
        types.extensions.as_ref().and_then(|it| it.get("x-enum-descriptions")?.as_array().cloned());
    let events = EventType::ALL.iter().zip(meanings.unwrap_or_default());
    let paths = events.fold(PathsBuilder::new(), |paths, (event_type, meaning)| {
        let name = schema_name(*event_type);
        let summary = meaning.as_str().unwrap_or_default().to_owned();
        paths.path(event_type.as_str(), PathItem::new(HttpMethod::Post, delivery(&name, summary)))
    });
    let pinged = delivery(PING_EVENT, "The tenant sends a ping to the webhook.".to_owned());
    document.webhooks = Some(paths.path(PING, PathItem::new(HttpMethod::Post, pinged)).build());
}

fn delivery(schema: &str, summary: String) -> Operation {
    OperationBuilder::new()
        .operation_id(Some(format!("receive{schema}")))
        .tag("webhooks")
        .summary(Some(summary))
        .description(Some(
            "The service sends this request to each active webhook that selects the type. Verify the signature over the \
             exact bytes of the body. Any status from 200 to 299 within 15 seconds accepts the delivery; after any \
             other outcome the service sends the same bytes again.",
        ))
        .parameters(Some(headers()))
        .request_body(Some(body(schema)))
        .response("2XX", ResponseBuilder::new().description("The receiver accepted the delivery."))
        .build()
}

fn body(schema: &str) -> RequestBody {
    RequestBodyBuilder::new()
        .content(JSON, Content::new(Some(Ref::from_schema_name(schema))))
        .required(Some(Required::True))
        .build()
}

fn headers() -> impl Iterator<Item = Parameter> {
    let text = |name: &str, description: &str| {
        ParameterBuilder::new()
            .name(name)
            .parameter_in(ParameterIn::Header)
            .required(Required::True)
            .description(Some(description))
            .schema(Some(ObjectBuilder::new().schema_type(Type::String)))
            .build()
    };
    [
        text(SERVICE_SIGNATURE, "Lowercase hex HMAC-SHA512 of the body, keyed with the webhook's secret."),
        text(WEBHOOK_ID, "The event's id, as in Standard Webhooks."),
        text(WEBHOOK_TIMESTAMP, "Time of the attempt in seconds since 1970, as in Standard Webhooks."),
        text(WEBHOOK_SIGNATURE, "Signatures with the prefix `v1,`, as in Standard Webhooks."),
    ]
    .into_iter()
}

/// Returns the schema of a ping. Its type is not an event type.
fn ping() -> Schema {
    let data = ObjectBuilder::new()
        .description(Some("Data of the ping."))
        .property("webhookId", WebhookId::schema())
        .required("webhookId");
    let version = ObjectBuilder::new()
        .schema_type(Type::Integer)
        .enum_values(Some([1]))
        .description(Some("Version of the envelope. Always 1."));
    let kind = ObjectBuilder::new()
        .schema_type(Type::String)
        .enum_values(Some([PING]))
        .description(Some("Always PING."));
    ObjectBuilder::new()
        .description(Some("Envelope of a ping. Pings are not stored, and no list contains them."))
        .property("id", EventId::schema())
        .required("id")
        .property("version", version)
        .required("version")
        .property("type", kind)
        .required("type")
        .property("createdAt", Timestamp::schema())
        .required("createdAt")
        .property("data", data)
        .required("data")
        .build()
        .into()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::router::openapi_document;

    #[test]
    fn each_event_type_and_the_ping_is_a_webhook() {
        let document = serde_json::to_value(openapi_document()).unwrap();
        let webhooks = document["webhooks"].as_object().unwrap();
        let expected: BTreeSet<&str> = EventType::ALL.iter().map(|it| it.as_str()).chain([PING]).collect();
        assert_eq!(webhooks.keys().map(String::as_str).collect::<BTreeSet<_>>(), expected);
        for (name, item) in webhooks {
            let body = &item["post"]["requestBody"]["content"][JSON]["schema"]["$ref"];
            let schema = document.pointer(body.as_str().unwrap().trim_start_matches('#')).unwrap();
            assert_eq!(schema["properties"]["type"]["enum"], serde_json::json!([name]), "{name}");
            let headers = item["post"]["parameters"].as_array().unwrap().iter().map(|it| &it["name"]);
            let expected = [SERVICE_SIGNATURE, WEBHOOK_ID, WEBHOOK_TIMESTAMP, WEBHOOK_SIGNATURE];
            assert_eq!(headers.collect::<Vec<_>>(), expected, "{name}");
        }
    }
}
