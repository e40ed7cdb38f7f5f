//! `POST /inviteTemplates`: makes an invite template.

use axum::response::Response;
use link_domain::change::{Change, Row};
use link_domain::invite::InviteTemplate as OwnedTemplate;
use link_types::id::InviteTemplateId;
use link_types::invite_template::{
    InviteCompany, InviteEmail, InviteLandingPage, InviteSuccessPage, InviteTemplate,
};
use serde::Deserialize;

use super::check;
use crate::endpoints::quotas::one_more_invite_template;
use crate::http::body::Body;
use crate::http::caller::TenantCaller;
use crate::http::idempotency::Effect;
use crate::http::problem::Answer;
use crate::http::refusals;

/// Body of `POST /inviteTemplates`.
#[derive(Clone, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CreateInviteTemplate {
    /// Label.
    #[schema(min_length = 1, max_length = 200)]
    name: String,
    /// Who invites.
    company: InviteCompany,
    /// The mail.
    email: InviteEmail,
    /// The page the mail leads to.
    landing_page: InviteLandingPage,
    /// The page after an account was linked.
    success_page: InviteSuccessPage,
}

/// Make an invite template. 409 when there are 200 already.
#[utoipa::path(
    post, path = "/inviteTemplates", tag = "inviteTemplates", operation_id = "createInviteTemplate",
    request_body(content = CreateInviteTemplate, example = json!({
        "name": "Default",
        "company": {"name": "Demo Company", "logoUrl": null},
        "email": {
            "senderName": null,
            "replyTo": null,
            "subject": "${companyName} asks you to link an account",
            "body": "Hello ${fullName},\n\n${companyName} asks you to link the account that you have with your social security office, your employer or the app you work for. It takes a few minutes, and ${companyName} never sees your password.",
        },
        "landingPage": {
            "header": "Hello ${fullName}",
            "description": "${companyName} asks you to link an account.\n\nYou choose where, sign in there, and see what is read before it is. You can take your consent back at any time.",
            "button": "Link an account",
        },
        "successPage": {
            "header": "Thank you, ${fullName}",
            "description": "Your account is linked. ${companyName} hears of it now; you can close this page.",
        },
    })),
    responses((status = 201, description = "Made", body = InviteTemplate), refusals::Write),
    security(("apiKey" = []))
)]
pub(super) async fn handler(
    caller: TenantCaller,
    Body(body): Body<CreateInviteTemplate>,
) -> Answer<Response> {
    let owner = caller.owner().clone();
    caller
        .once(move |tx, context| {
            one_more_invite_template(tx, &owner)?;
            let template = InviteTemplate {
                id: InviteTemplateId::from_bytes(context.uuid()),
                created_at: context.now().tenant().into(),
                name: body.name.clone(),
                company: body.company.clone(),
                email: body.email.clone(),
                landing_page: body.landing_page.clone(),
                success_page: body.success_page.clone(),
            };
            check(&template)?;
            let row = OwnedTemplate { owner: owner.clone(), template: template.clone() };
            Effect::created(&template, Change::row(Row::InviteTemplate(row)))
        })
        .await
}
