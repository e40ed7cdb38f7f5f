//! Headers that many operations share, added to the OpenAPI document in one place.

use link_domain::tenancy::idempotency::MAX_KEY_LENGTH;
use utoipa::openapi::header::HeaderBuilder;
use utoipa::openapi::path::{Operation, Parameter, ParameterBuilder, ParameterIn};
use utoipa::openapi::{ObjectBuilder, OpenApi, RefOr, Required, Response, Type};

/// Documents `Idempotency-Key` on every POST of the tenant's API, and the response headers `Idempotency-Replayed` and
/// `Retry-After`.
pub fn document(openapi: &mut OpenApi) {
    for item in openapi.paths.paths.values_mut() {
        if let Some(post) = item.post.as_mut().filter(|it| is_tenants(it)) {
            post.parameters.get_or_insert_default().push(idempotency_key().into());
            successes(post).for_each(|it| {
                it.headers.insert("Idempotency-Replayed".to_owned(), replayed().into());
            });
        }
        let operations = [&mut item.get, &mut item.post, &mut item.put, &mut item.patch, &mut item.delete];
        for operation in operations.into_iter().filter_map(Option::as_mut) {
            for (status, description) in [
                ("409", "Seconds to wait before a retry, if a retry can succeed."),
                ("429", "Seconds until the next request is accepted."),
                ("503", "Seconds to wait before a retry, if a retry can succeed."),
            ] {
                if let Some(RefOr::T(refused)) = operation.responses.responses.get_mut(status) {
                    let retry_after = header(Type::Integer, description);
                    refused.headers.insert("Retry-After".to_owned(), retry_after.into());
                }
            }
        }
    }
}

/// Returns true if the operation requires an API key.
fn is_tenants(operation: &Operation) -> bool {
    serde_json::to_string(&operation.security).is_ok_and(|it| it.contains("apiKey"))
}

fn successes(operation: &mut Operation) -> impl Iterator<Item = &mut Response> {
    operation.responses.responses.iter_mut().filter_map(|(status, response)| match response {
        RefOr::T(response) if status.starts_with('2') => Some(response),
        RefOr::T(_) | RefOr::Ref(_) => None,
    })
}

fn idempotency_key() -> Parameter {
    let schema = ObjectBuilder::new()
        .schema_type(Type::String)
        .min_length(Some(1))
        .max_length(Some(MAX_KEY_LENGTH))
        .pattern(Some("^[!-~]([ -~]*[!-~])?$"));
    ParameterBuilder::new()
        .name("Idempotency-Key")
        .parameter_in(ParameterIn::Header)
        .required(Required::False)
        .description(Some(
            "A key of your choice. If you send the same request again with the same key, the service does \
             the work once and returns the same response.",
        ))
        .schema(Some(schema))
        .build()
}

fn replayed() -> utoipa::openapi::Header {
    let schema = ObjectBuilder::new().schema_type(Type::String).enum_values(Some(["true"]));
    let description = "Present if this response repeats an earlier one.";
    HeaderBuilder::new().schema(Some(schema)).description(Some(description)).build()
}

fn header(of: Type, description: &str) -> utoipa::openapi::Header {
    let schema = ObjectBuilder::new().schema_type(of);
    HeaderBuilder::new().schema(Some(schema)).description(Some(description)).build()
}
