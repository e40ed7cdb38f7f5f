//! The refusals each kind of operation documents.

use std::collections::BTreeMap;

use utoipa::openapi::{ContentBuilder, Ref, RefOr, Response, ResponseBuilder};

macro_rules! refusals {
    ($( $(#[$meta:meta])* $name:ident: $schema:literal = [$($status:literal),+ $(,)?]; )+) => {
        $(
            $(#[$meta])*
            pub struct $name;

            impl utoipa::IntoResponses for $name {
                fn responses() -> BTreeMap<String, RefOr<Response>> {
                    BTreeMap::from([$(refusal($status, $schema)),+])
                }
            }
        )+
    };
}

refusals! {
    /// Of a read: everything but a body can be wrong.
    Read: "Problem" = [400, 401, 404, 422, 429, 500, 503];
    /// Of a POST without a body.
    Act: "Problem" = [400, 401, 404, 409, 422, 429, 500, 503];
    /// Of a list.
    List: "Problem" = [400, 401, 422, 429, 500, 503];
    /// Of an operation with a JSON body.
    Write: "Problem" = [400, 401, 404, 408, 409, 413, 415, 422, 429, 500, 503];
    /// Of one whose refusal may be of files.
    FileWrite: "FileProblem" = [400, 401, 404, 408, 409, 413, 415, 422, 429, 500, 503];
    /// Of an operation on an upload.
    Upload: "FileProblem" = [400, 401, 404, 408, 409, 412, 413, 415, 422, 423, 429, 460, 500, 503];
    /// Of the exchange, which is called without credentials.
    Exchange: "Problem" = [400, 401, 408, 413, 415, 422, 429, 500, 503];
}

fn refusal(status: u16, schema: &str) -> (String, RefOr<Response>) {
    let words = match status {
        400 => {
            "The request cannot be read: its body is no JSON or broke off, or its `Host` is not the service's."
        }
        401 => "Credentials or token are not accepted.",
        404 => "Nothing of this caller's is there.",
        408 => "The body did not come in time.",
        409 => "The resource's state forbids this.",
        412 => "Another version of tus is spoken here.",
        413 => "The body is too large.",
        415 => "The body is not of the type this address reads.",
        422 => "Parameters are missing or invalid; `errors` names each.",
        423 => "Another request works on the same upload.",
        429 => "Too many requests; `Retry-After` says how long to wait.",
        460 => "The bytes are not those that were announced.",
        503 => "The service cannot do this right now.",
        _ => "The service failed.",
    };
    let content = ContentBuilder::new().schema(Some(Ref::from_schema_name(schema))).build();
    let response =
        ResponseBuilder::new().description(words).content("application/problem+json", content).build();
    (status.to_string(), response.into())
}
