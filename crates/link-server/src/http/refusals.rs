//! The refusals each kind of operation documents.

use std::collections::BTreeMap;

use utoipa::openapi::{ContentBuilder, Ref, RefOr, Response, ResponseBuilder};

macro_rules! refusals {
    ($( $(#[$meta:meta])* $name:ident = [$($status:literal),+ $(,)?]; )+) => {
        $(
            $(#[$meta])*
            pub struct $name;

            impl utoipa::IntoResponses for $name {
                fn responses() -> BTreeMap<String, RefOr<Response>> {
                    BTreeMap::from([$(refusal($status)),+])
                }
            }
        )+
    };
}

refusals! {
    /// Of a read: everything but a body can be wrong.
    Read = [401, 404, 422, 429, 500, 503];
    /// Of a list.
    List = [401, 422, 429, 500, 503];
    /// Of an operation with a JSON body.
    Write = [400, 401, 404, 409, 413, 415, 422, 429, 500, 503];
    /// Of the exchange, which is called without credentials.
    Exchange = [400, 401, 413, 415, 422, 500, 503];
}

fn refusal(status: u16) -> (String, RefOr<Response>) {
    let words = match status {
        400 => "The body is not JSON.",
        401 => "Credentials or token are not accepted.",
        404 => "Nothing of this caller's is there.",
        409 => "The resource's state forbids this.",
        413 => "The body is too large.",
        415 => "The body is not application/json.",
        422 => "Parameters are missing or invalid; `errors` names each.",
        429 => "Too many requests; `Retry-After` says how long to wait.",
        503 => "The service cannot do this right now.",
        _ => "The service failed.",
    };
    let content = ContentBuilder::new().schema(Some(Ref::from_schema_name("Problem"))).build();
    let response =
        ResponseBuilder::new().description(words).content("application/problem+json", content).build();
    (status.to_string(), response.into())
}
