//! `GET /openapi.json`: the document that tenants, code generation and the checks of bodies all read.

mod answers;
mod links;
mod variants;

use axum::Json;
use axum::extract::State;
use link_types::problem::Problem;
use utoipa::openapi::security::{Http, HttpAuthScheme, SecurityScheme};
use utoipa::{OpenApi, PartialSchema, ToSchema};

use crate::app::App;
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

/// `GET /openapi.json`.
pub async fn document(State(app): State<App>) -> Json<serde_json::Value> {
    Json(app.openapi().clone())
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
    components.schemas.extend(schemas);
    links::add(document);
    variants::lift(document);
    answers::require(document);
}
