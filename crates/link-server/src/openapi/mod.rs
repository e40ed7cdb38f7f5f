//! `GET /openapi.json`: the OpenAPI document. Tenants, code generation and the validation of bodies use it.

pub mod conventions;
mod examples;
mod links;
mod maps;
pub mod published;
pub mod refusals;
mod required_fields;
mod shared;
mod variants;
mod webhooks;

pub use maps::{language_tag, optional_map};

use axum::http::header;
use axum::response::IntoResponse;
use link_types::id::SourceId;
use link_types::problem::Problem;
use utoipa::openapi::security::{Http, HttpAuthScheme, SecurityScheme};
use utoipa::{OpenApi, PartialSchema, ToSchema};

pub use examples::shown;

use crate::http::problem::FileProblem;
use crate::openapi::published::PUBLISHED;

/// The header of the document.
#[derive(OpenApi)]
#[openapi(
    info(
        title = "Linchpin",
        description = "Account linking: users, link tokens, accounts, data points, webhooks and events, and the \
                       endpoints that the widget uses.",
        license(name = "MIT OR Apache-2.0")
    ),
    servers((url = "/sandbox/v1", description = "Sandbox: fictional data"), (url = "/v1", description = "Production"))
)]
pub struct Header;

/// Returns the OpenAPI document.
pub async fn document() -> impl IntoResponse {
    ([(header::CONTENT_TYPE, "application/json")], PUBLISHED)
}

/// Adds everything that operations do not declare themselves.
///
/// These are the authentication schemes, the types of host messages, examples, links, names of enum variants, required
/// fields and the webhooks.
pub fn complete(document: &mut utoipa::openapi::OpenApi) {
    let components = document.components.get_or_insert_default();
    components.add_security_scheme("apiKey", SecurityScheme::Http(Http::new(HttpAuthScheme::Basic)));
    components.add_security_scheme("session", SecurityScheme::Http(Http::new(HttpAuthScheme::Bearer)));
    let mut schemas = link_types::schema::host_schemas();
    Problem::schemas(&mut schemas);
    schemas.push((Problem::name().into_owned(), Problem::schema()));
    FileProblem::schemas(&mut schemas);
    schemas.push((FileProblem::name().into_owned(), FileProblem::schema()));
    // Only parameters use this schema, and utoipa does not collect the schemas of parameters.
    schemas.push((SourceId::name().into_owned(), SourceId::schema()));
    components.schemas.extend(schemas);
    examples::spread(document);
    links::add(document);
    variants::lift(document);
    required_fields::require(document);
    webhooks::add(document);
    shared::refer(document);
}

#[cfg(test)]
mod tests {
    use axum::response::IntoResponse as _;
    use link_types::problem::ProblemCode;

    use crate::http::problem::Problem;
    use crate::router::openapi_document;

    #[test]
    fn every_operation_has_a_summary_and_a_description() {
        let document = serde_json::to_value(openapi_document()).unwrap();
        let all = ["paths", "webhooks"].map(|part| document[part].as_object().unwrap().iter());
        for (path, operations) in all.into_iter().flatten() {
            for (method, operation) in operations.as_object().unwrap() {
                let [summary, description] = ["summary", "description"].map(|it| operation[it].as_str());
                let is_sentence = |it: Option<&str>| it.is_some_and(|it| it.len() > 10 && it.ends_with('.'));
                assert!(is_sentence(summary), "{method} {path}: {summary:?}");
                assert!(is_sentence(description), "{method} {path}: {description:?}");
                assert_ne!(summary, description, "{method} {path}");
            }
        }
    }

    #[test]
    fn problem_code_descriptions_start_with_their_status() {
        let document = serde_json::to_value(openapi_document()).unwrap();
        let meanings = &document["components"]["schemas"]["ProblemCode"]["x-enum-descriptions"];
        for (code, meaning) in ProblemCode::ALL.iter().zip(meanings.as_array().unwrap()) {
            let status = Problem::new(*code, "").into_response().status();
            let prefix = format!("{}: ", status.as_u16());
            assert!(meaning.as_str().unwrap().starts_with(&prefix), "{code}: {meaning}");
        }
    }
}
