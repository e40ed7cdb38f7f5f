//! The error responses that each kind of operation documents.

use std::collections::BTreeMap;

use utoipa::openapi::path::Operation;
use utoipa::openapi::{Content, ContentBuilder, OpenApi, Ref, RefOr, Response, ResponseBuilder};

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
    /// Errors of a read, which has no body.
    Read: "Problem" = [400, 401, 403, 404, 422, 429, 500, 503];
    /// Errors of an operation without a body that may conflict with a state.
    Act: "Problem" = [400, 401, 403, 404, 409, 422, 429, 500, 503];
    /// Errors of a list.
    List: "Problem" = [400, 401, 403, 422, 429, 500, 503];
    /// Errors of an operation with a JSON body.
    Write: "Problem" = [400, 401, 403, 404, 408, 409, 413, 415, 422, 429, 500, 503];
    /// Errors of an operation that takes files in its JSON body.
    FileWrite: "FileProblem" = [400, 401, 403, 404, 408, 409, 413, 415, 422, 429, 500, 503];
    /// Errors of an operation on an upload.
    Upload: "FileProblem" = [400, 401, 403, 404, 408, 409, 412, 413, 415, 422, 423, 429, 460, 500, 503];
    /// Errors of the token exchange, which needs no credentials.
    Exchange: "Problem" = [400, 401, 403, 408, 413, 415, 422, 429, 500, 503];
}

/// Returns the error of every operation that needs an API key.
pub(super) fn insufficient_scope() -> (String, RefOr<Response>) {
    refusal(403, "Problem")
}

fn refusal(status: u16, schema: &str) -> (String, RefOr<Response>) {
    let description = match status {
        400 => "The request is malformed: the body is not JSON or ended early, or `Host` is unknown.",
        401 => "The credentials or the token are missing or invalid.",
        403 => "The API key lacks a scope, which `errors` names, or the tenant is suspended.",
        404 => "The resource does not exist, or belongs to another tenant or environment.",
        408 => "The body did not arrive in time.",
        409 => "The request conflicts with the resource's state.",
        412 => "The service does not support this version of tus.",
        413 => "The body is too large.",
        415 => "The body's media type is not supported.",
        422 => "Parameters are missing or invalid. `errors` lists each of them.",
        423 => "Another request is using the same upload.",
        429 => "Too many requests. `Retry-After` says how long to wait.",
        460 => "The uploaded bytes do not match the announced hash.",
        503 => "The service is temporarily unavailable.",
        _ => "The service could not handle the request.",
    };
    let content = ContentBuilder::new().schema(Some(Ref::from_schema_name(schema))).build();
    let response =
        ResponseBuilder::new().description(description).content("application/problem+json", content).build();
    (status.to_string(), response.into())
}

/// Moves error responses to the components, and refers to them. Equal ones become one component, for example `Problem422`.
pub fn refer(openapi: &mut OpenApi) {
    let mut shared: Vec<(String, Response)> = Vec::new();
    for item in openapi.paths.paths.values_mut() {
        let operations =
            [&mut item.get, &mut item.post, &mut item.put, &mut item.patch, &mut item.delete, &mut item.head];
        for operation in operations.into_iter().filter_map(Option::as_mut) {
            refer_in(operation, &mut shared);
        }
    }
    let components = openapi.components.get_or_insert_default();
    components.responses.extend(shared.into_iter().map(|(name, response)| (name, response.into())));
}

fn refer_in(operation: &mut Operation, shared: &mut Vec<(String, Response)>) {
    let errors =
        operation.responses.responses.iter_mut().filter(|(status, _)| status.starts_with(['4', '5']));
    for (status, response) in errors {
        let RefOr::T(inline) = response else { continue };
        let known = shared.iter().find(|(_, other)| other == inline).map(|(name, _)| name.clone());
        let name = known.unwrap_or_else(|| {
            let schema = inline.content.values().find_map(|content| match content {
                RefOr::T(Content { schema: Some(RefOr::Ref(schema)), .. }) => {
                    schema.ref_location.rsplit('/').next()
                }
                RefOr::T(_) | RefOr::Ref(_) => None,
            });
            let name = format!("{}{status}", schema.unwrap_or("Error"));
            let count =
                shared.iter().filter(|(other, _)| other.split('-').next() == Some(name.as_str())).count();
            let name = if count == 0 { name } else { format!("{name}-{}", count + 1) };
            shared.push((name.clone(), inline.clone()));
            name
        });
        *response = RefOr::Ref(Ref::new(format!("#/components/responses/{name}")));
    }
}
