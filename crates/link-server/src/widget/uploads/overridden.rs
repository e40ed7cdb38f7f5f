//! `POST /link/uploads/{id}`: for clients that can only send POST and give the method in a header.

use axum::extract::{FromRequestParts, Request, State};
use axum::http::{Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use link_types::problem::ProblemCode;

use super::{append, terminate};
use crate::app::App;
use crate::http::extract::path::PathId;
use crate::http::extract::query::{NoQuery, Query};
use crate::http::extract::session_caller::SessionCaller;
use crate::http::problem::{ApiResult, Problem};
use crate::http::tus::layer::meant_method;

/// Runs the method in `X-HTTP-Method-Override`: PATCH or DELETE.
pub(super) async fn handler(
    State(app): State<App>,
    caller: SessionCaller,
    request: Request,
) -> ApiResult<Response> {
    let method = meant_method(&request);
    let (mut parts, body) = request.into_parts();
    let id = PathId::from_request_parts(&mut parts, &app).await?;
    if method == Some(Method::PATCH) {
        return append::handler(State(app), caller, id, Query(NoQuery), parts.headers, body).await;
    }
    if method == Some(Method::DELETE) {
        let gone: StatusCode = terminate::handler(State(app), caller, id, Query(NoQuery)).await?;
        return Ok(gone.into_response());
    }
    let allowed = axum::http::HeaderValue::from_static("OPTIONS,HEAD,PATCH,DELETE");
    Err(Problem::new(ProblemCode::MethodNotAllowed, "`Allow` lists the allowed methods.")
        .with_header(header::ALLOW, allowed))
}
