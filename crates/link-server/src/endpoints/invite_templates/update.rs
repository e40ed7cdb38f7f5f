//! `PATCH /inviteTemplates/{id}`: changes an invite template; what is left out stays. Mails sent stay as they are.

use axum::Json;
use axum::extract::State;
use link_domain::change::{Change, Row};
use link_types::id::InviteTemplateId;
use link_types::invite_template::{
    InviteCompany, InviteEmail, InviteLandingPage, InviteSuccessPage, InviteTemplate,
};
use serde::Deserialize;

use super::check;
use crate::app::App;
use crate::http::body::Body;
use crate::http::caller::TenantCaller;
use crate::http::problem::{Answer, Problem};
use crate::http::query::PathId;
use crate::http::refusals;

/// Body of `PATCH /inviteTemplates/{id}`. A field that is left out, or null, stays as it is; one that is given is
/// replaced whole.
#[derive(Clone, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct UpdateInviteTemplate {
    /// Label.
    #[schema(min_length = 1, max_length = 200)]
    name: Option<String>,
    /// Who invites.
    company: Option<InviteCompany>,
    /// The mail.
    email: Option<InviteEmail>,
    /// The page the mail leads to.
    landing_page: Option<InviteLandingPage>,
    /// The page after an account was linked.
    success_page: Option<InviteSuccessPage>,
}

/// Change an invite template.
#[utoipa::path(
    patch, path = "/inviteTemplates/{id}", tag = "inviteTemplates", operation_id = "updateInviteTemplate",
    request_body(content = UpdateInviteTemplate, example = json!({
        "name": "Second reminder",
        "company": {"name": "Demo Company", "logoUrl": "https://example.com/logo.png"},
    })),
    params(("id" = InviteTemplateId, Path, description = "The invite template")),
    responses((status = 200, description = "The template as it is now", body = InviteTemplate), refusals::Write),
    security(("apiKey" = []))
)]
pub(super) async fn handler(
    State(app): State<App>,
    caller: TenantCaller,
    PathId(id): PathId<InviteTemplateId>,
    Body(patch): Body<UpdateInviteTemplate>,
) -> Answer<Json<InviteTemplate>> {
    let (owner, now) = (caller.owner().clone(), caller.now());
    let template = app
        .store()
        .write(move |tx| -> Answer<_> {
            let mut kept = tx.invite_template(&owner, &id)?.ok_or_else(Problem::missing)?;
            patch.clone().onto(&mut kept.template);
            check(&kept.template)?;
            tx.apply(&Change::row(Row::InviteTemplate(kept.clone())), now)?;
            Ok(kept.template)
        })
        .await?;
    Ok(Json(template))
}

impl UpdateInviteTemplate {
    fn onto(self, template: &mut InviteTemplate) {
        fn set<T>(field: &mut T, value: Option<T>) {
            if let Some(value) = value {
                *field = value;
            }
        }
        set(&mut template.name, self.name);
        set(&mut template.company, self.company);
        set(&mut template.email, self.email);
        set(&mut template.landing_page, self.landing_page);
        set(&mut template.success_page, self.success_page);
    }
}
