//! `GET /openapi.json`: the document that tenants, code generation and the checks of bodies all read.

mod answers;
mod examples;
mod links;
mod variants;

use axum::http::header;
use axum::response::IntoResponse;
use link_types::id::SourceId;
use link_types::problem::Problem;
use utoipa::openapi::RefOr;
use utoipa::openapi::security::{Http, HttpAuthScheme, SecurityScheme};
use utoipa::{OpenApi, PartialSchema, ToSchema};

pub use examples::shown;

use crate::http::problem::FileProblem;

/// The document's head.
#[derive(OpenApi)]
#[openapi(
    info(
        title = "Linchpin",
        description = "Account linking: users, link tokens, accounts, data points, webhooks and events, and the \
                       endpoints that the widget itself speaks to.",
        license(name = "MIT OR Apache-2.0")
    ),
    servers((url = "/sandbox/v1", description = "Sandbox: invented data"), (url = "/v1", description = "Production"))
)]
pub struct Header;

/// The document as it is served, and as bodies are checked: the one in the repository, which `cargo xtask codegen` makes of
/// the code.
pub const PUBLISHED: &str = include_str!("../../../../docs/openapi.json");

/// `GET /openapi.json`.
pub async fn document() -> impl IntoResponse {
    ([(header::CONTENT_TYPE, "application/json")], PUBLISHED)
}

/// Adds what no single operation declares: the two ways to authenticate, and the types of host messages.
pub fn complete(document: &mut utoipa::openapi::OpenApi) {
    let components = document.components.get_or_insert_default();
    components.add_security_scheme("apiKey", SecurityScheme::Http(Http::new(HttpAuthScheme::Basic)));
    components.add_security_scheme("session", SecurityScheme::Http(Http::new(HttpAuthScheme::Bearer)));
    let mut schemas = link_types::schema::host_schemas();
    Problem::schemas(&mut schemas);
    schemas.push((Problem::name().into_owned(), Problem::schema()));
    FileProblem::schemas(&mut schemas);
    schemas.push((FileProblem::name().into_owned(), FileProblem::schema()));
    // Parameters bring no schemas with them, and no body has this one.
    schemas.push((SourceId::name().into_owned(), SourceId::schema()));
    components.schemas.extend(schemas);
    show_scenarios(document);
    examples::spread(document);
    links::add(document);
    variants::lift(document);
    answers::require(document);
}

/// Shows what the sandbox publishes as the example of its answer: the guide's tables are made of it.
fn show_scenarios(document: &mut utoipa::openapi::OpenApi) {
    let list = document.paths.paths.get_mut("/scenarios").and_then(|it| it.get.as_mut());
    let answer = list.and_then(|it| it.responses.responses.get_mut("200"));
    let Some(RefOr::T(answer)) = answer else { return };
    if let Some(RefOr::T(content)) = answer.content.get_mut("application/json") {
        content.example = serde_json::to_value(super::scenarios::example()).ok();
    }
}

#[cfg(test)]
mod tests {
    use axum::response::IntoResponse as _;
    use link_types::problem::ProblemCode;

    use crate::http::problem::Problem;
    use crate::router::openapi_document;

    #[test]
    fn every_operation_says_in_a_line_what_it_does() {
        let document = serde_json::to_value(openapi_document()).unwrap();
        for (path, operations) in document["paths"].as_object().unwrap() {
            for (method, operation) in operations.as_object().unwrap() {
                let summary = operation["summary"].as_str();
                assert!(
                    method == "parameters" || summary.is_some_and(|it| it.ends_with('.')),
                    "{method} {path}"
                );
            }
        }
    }

    #[test]
    fn the_meaning_of_a_code_begins_with_the_status_it_is_answered_with() {
        let document = serde_json::to_value(openapi_document()).unwrap();
        let meanings = &document["components"]["schemas"]["ProblemCode"]["x-enum-descriptions"];
        for (code, meaning) in ProblemCode::ALL.iter().zip(meanings.as_array().unwrap()) {
            let status = Problem::new(*code, "").into_response().status();
            let begins = format!("{}: ", status.as_u16());
            assert!(meaning.as_str().unwrap().starts_with(&begins), "{code}: {meaning}");
        }
    }
}
