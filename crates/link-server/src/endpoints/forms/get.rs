//! `GET /alpha/forms/{id}`: one submission.

use axum::Json;
use axum::extract::State;
use link_types::form_submission::Form;
use link_types::id::FormId;

use crate::app::App;
use crate::endpoints::openapi::shown;
use crate::http::caller::TenantCaller;
use crate::http::problem::{Answer, Problem};
use crate::http::query::{NoQuery, PathId, Query};
use crate::http::refusals;

/// One form's submission.
#[utoipa::path(
    get, path = "/alpha/forms/{id}", tag = "forms", operation_id = "getForm",
    params(("id" = FormId, Path, description = "The submission")),
    responses((status = 200, description = "The submission", body = Form, example = json!(shown(include_str!("get.json")))), refusals::Read),
    security(("apiKey" = []))
)]
pub(super) async fn handler(
    State(app): State<App>,
    caller: TenantCaller,
    PathId(id): PathId<FormId>,
    Query(NoQuery): Query<NoQuery>,
) -> Answer<Json<Form>> {
    let owner = caller.owner().clone();
    let found = app.store().read(move |reader| -> Answer<_> { Ok(reader.form(&owner, &id)?) }).await?;
    found.map(|it| Json(it.view())).ok_or_else(Problem::missing)
}
