//! The protocol as an OpenAPI document, for generating a connector's skeleton or validating its responses.

use link_domain::data::provider_file::MAX_REFERENCE_BYTES;
use link_types::data::DataPointKind;
use utoipa::OpenApi;
use utoipa::openapi::schema::{ObjectBuilder, Schema, SchemaType, Type};
use utoipa::openapi::{Ref, RefOr};

use super::message::{
    CatalogueResponse, DocumentMessage, DocumentResponse, FILE, FetchMessage, LISTS, ReadResponse,
    RecordMessage, RecordResponse, RedirectMessage, RefreshMessage, RevokeMessage, RevokeResponse,
    SignalMessage, SignalResponse, StartMessage, StepMessage, StepResponse,
};

/// Returns the document.
pub fn protocol_document() -> utoipa::openapi::OpenApi {
    let mut document = Document::openapi();
    if let Some(components) = &mut document.components {
        for name in DataPointKind::of_sources().map(DataPointKind::body_name) {
            if let Some(RefOr::T(Schema::Object(data_point))) = components.schemas.get_mut(name) {
                data_point.properties.remove("id");
                data_point.required.retain(|it| it != "id" && !LISTS.contains(&it.as_str()));
            }
        }
        if let Some(RefOr::T(Schema::OneOf(kinds))) = components.schemas.get_mut("ChallengeKind") {
            for kind in &mut kinds.items {
                if let RefOr::T(Schema::Object(kind)) = kind
                    && let Some(redirect) = kind.properties.get_mut("redirect")
                {
                    // The widget gets another address than the connector's.
                    *redirect = Ref::from_schema_name("RedirectMessage").into();
                }
            }
        }
        if let Some(RefOr::T(Schema::Object(document))) = components.schemas.get_mut("Document") {
            let file = ObjectBuilder::new()
                .schema_type(SchemaType::from_iter([Type::String, Type::Null]))
                .min_length(Some(1))
                .max_length(Some(MAX_REFERENCE_BYTES))
                .description(Some("Your name for the file, with which the service calls `document`."));
            document.properties.insert(FILE.to_owned(), file.into());
        }
    }
    document
}

#[derive(OpenApi)]
#[openapi(
    info(
        title = "Linchpin connector protocol",
        version = "1",
        description = "What a connector answers. Signatures, time-outs and retries: docs/how-to/connectors.md.",
        license(name = "MIT OR Apache-2.0")
    ),
    paths(
        providers,
        start,
        step,
        fetch,
        refresh,
        document,
        revoke,
        record,
        record_task,
        signal,
        signal_task
    ),
    components(schemas(RedirectMessage))
)]
struct Document;

macro_rules! operations {
    ($( $(#[$doc:meta])* $name:ident: $method:ident $path:literal $([$param:literal: $about:literal])? $(, $request:ty)? => $answer:ty ),+ $(,)?) => {
        $(
            $(#[$doc])*
            #[utoipa::path(
                $method, path = $path, operation_id = stringify!($name), $(request_body = $request,)?
                $(params(($param = String, Path, description = $about)),)?
                responses(
                    (status = 200, description = "Signed", body = $answer),
                    (status = 401, description = "The signature is not taken"),
                    (status = 503, description = "Later; with Retry-After, in seconds"),
                )
            )]
            #[expect(dead_code, reason = "the macro reads it")]
            fn $name() {}
        )+
    };
}

operations! {
    /// Lists the providers.
    providers: get "/linchpin/v1/providers" => CatalogueResponse,
    /// The first step of a login.
    start: post "/linchpin/v1/start", StartMessage => StepResponse,
    /// A further step of a login.
    step: post "/linchpin/v1/step", StepMessage => StepResponse,
    /// The first reading of an account.
    fetch: post "/linchpin/v1/fetch", FetchMessage => ReadResponse,
    /// A later reading of an account.
    refresh: post "/linchpin/v1/refresh", RefreshMessage => ReadResponse,
    /// The file of a document.
    document: post "/linchpin/v1/document", DocumentMessage => DocumentResponse,
    /// The end of an access that the provider gave on its page.
    revoke: post "/linchpin/v1/revoke", RevokeMessage => RevokeResponse,
    /// A query for a record.
    record: post "/linchpin/v1/record", RecordMessage => RecordResponse,
    /// The state of a query for a record that the connector has accepted.
    record_task: get "/linchpin/v1/record/{taskId}" ["taskId": "The task"] => RecordResponse,
    /// A query for a signal.
    signal: post "/linchpin/v1/signal", SignalMessage => SignalResponse,
    /// The state of a query for a signal that the connector has accepted.
    signal_task: get "/linchpin/v1/signal/{taskId}" ["taskId": "The task"] => SignalResponse,
}
