//! `DELETE /consentTemplates/{id}`: deletes a consent template.

use axum::extract::State;
use axum::http::StatusCode;
use link_domain::change::{Change, Deletion};
use link_types::id::ConsentTemplateId;

use crate::app::App;
use crate::http::extract::caller::TenantCaller;
use crate::http::extract::path::PathId;
use crate::http::extract::query::{NoQuery, Query};
use crate::http::problem::{ApiResult, Problem};
use crate::openapi::refusals;

/// Deletes a consent template.
///
/// Consent receipts and link templates that refer to it keep its text.
#[utoipa::path(
    delete, path = "/consentTemplates/{id}", tag = "consentTemplates", operation_id = "deleteConsentTemplate",
    params(("id" = ConsentTemplateId, Path, description = "The consent template's id")),
    responses((status = 204, description = "The consent template is deleted"), refusals::Read),
    security(("apiKey" = []))
)]
pub(super) async fn handler(
    State(app): State<App>,
    caller: TenantCaller,
    PathId(id): PathId<ConsentTemplateId>,
    Query(NoQuery): Query<NoQuery>,
) -> ApiResult<StatusCode> {
    let (owner, now) = (caller.owner().clone(), caller.now());
    app.store()
        .write(move |tx| -> ApiResult<_> {
            tx.consent_templates().get(&owner, &id)?.ok_or_else(Problem::missing)?;
            let deletions = vec![Deletion::ConsentTemplate(id.clone())];
            Ok(tx.apply(&Change { deletions, ..Change::default() }, now)?)
        })
        .await?;
    Ok(StatusCode::NO_CONTENT)
}
