//! `GET /alpha/forms/{id}`: returns one form submission.

use axum::Json;
use axum::extract::State;
use link_types::form_submission::Form;
use link_types::id::FormId;

use crate::app::App;
use crate::http::extract::caller::TenantCaller;
use crate::http::extract::path::PathId;
use crate::http::extract::query::{NoQuery, Query};
use crate::http::problem::{ApiResult, Problem};
use crate::openapi::refusals;
use crate::openapi::shown;

/// Retrieves a form submission.
///
/// `data` contains the answers by field name. A submission is erased after 60 days.
#[utoipa::path(
    get, path = "/alpha/forms/{id}", tag = "forms", operation_id = "getForm",
    params(("id" = FormId, Path, description = "The submission's id")),
    responses((status = 200, description = "The form submission", body = Form, example = json!(shown(include_str!("get.json")))), refusals::Read),
    security(("apiKey" = []))
)]
pub(super) async fn handler(
    State(app): State<App>,
    caller: TenantCaller,
    PathId(id): PathId<FormId>,
    Query(NoQuery): Query<NoQuery>,
) -> ApiResult<Json<Form>> {
    let owner = caller.owner().clone();
    let found =
        app.store().read(move |reader| -> ApiResult<_> { Ok(reader.forms().get(&owner, &id)?) }).await?;
    found.map(|it| Json(it.view())).ok_or_else(Problem::missing)
}
