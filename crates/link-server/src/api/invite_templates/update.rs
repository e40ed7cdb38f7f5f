//! `PATCH /inviteTemplates/{id}`: updates an invite template. Mails already sent do not change.

use std::collections::BTreeMap;

use axum::Json;
use axum::extract::State;
use link_domain::change::{Change, Row};
use link_types::id::InviteTemplateId;
use link_types::invite_template::{
    InviteCompany, InviteEmail, InviteLandingPage, InviteSuccessPage, InviteTemplate, InviteTranslation,
};
use serde::Deserialize;

use super::check;
use super::create::translations_schema;
use crate::app::App;
use crate::http::extract::body::Body;
use crate::http::extract::caller::TenantCaller;
use crate::http::extract::path::PathId;
use crate::http::problem::{ApiResult, Problem};
use crate::openapi::refusals;

/// Body of `PATCH /inviteTemplates/{id}`. Fields that are omitted or null are unchanged. Objects are replaced entirely.
#[derive(Clone, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct UpdateInviteTemplate {
    /// Name of the template. People do not see it.
    #[schema(min_length = 1, max_length = 200)]
    name: Option<String>,
    /// Company that sends the invitation.
    company: Option<InviteCompany>,
    /// Text of the mail.
    email: Option<InviteEmail>,
    /// Text of the page that the mail's link opens.
    landing_page: Option<InviteLandingPage>,
    /// Text of the page after an account was linked.
    success_page: Option<InviteSuccessPage>,
    /// Language of the texts, as a BCP 47 tag.
    #[schema(max_length = 35, pattern = "^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$", example = "en")]
    locale: Option<String>,
    /// The same texts in other languages. Replaces all translations.
    #[schema(schema_with = translations_schema)]
    translations: Option<BTreeMap<String, InviteTranslation>>,
}

/// Updates an invite template.
///
/// Fields that are omitted or null are unchanged, and objects are replaced entirely. Mails that were sent do not
/// change; the hosted pages of their invitations do.
#[utoipa::path(
    patch, path = "/inviteTemplates/{id}", tag = "inviteTemplates", operation_id = "updateInviteTemplate",
    request_body(content = UpdateInviteTemplate, example = json!({
        "name": "Second reminder",
        "company": {"name": "Demo Company", "logoUrl": "https://example.com/logo.png"},
    })),
    params(("id" = InviteTemplateId, Path, description = "The invite template's id")),
    responses((status = 200, description = "The updated invite template", body = InviteTemplate), refusals::Write),
    security(("apiKey" = []))
)]
pub(super) async fn handler(
    State(app): State<App>,
    caller: TenantCaller,
    PathId(id): PathId<InviteTemplateId>,
    Body(patch): Body<UpdateInviteTemplate>,
) -> ApiResult<Json<InviteTemplate>> {
    let (owner, now) = (caller.owner().clone(), caller.now());
    let template = app
        .store()
        .write(move |tx| -> ApiResult<_> {
            let mut stored = tx.invite_templates().get(&owner, &id)?.ok_or_else(Problem::missing)?;
            patch.clone().onto(&mut stored.template);
            check(&stored.template)?;
            tx.apply(&Change::row(Row::InviteTemplate(stored.clone())), now)?;
            Ok(stored.template)
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
        set(&mut template.locale, self.locale);
        set(&mut template.translations, self.translations);
    }
}
