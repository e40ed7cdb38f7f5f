//! `POST /inviteTemplates`: creates an invite template.

use std::collections::BTreeMap;

use axum::response::Response;
use link_domain::change::{Change, Row};
use link_domain::invitations::invite::InviteTemplate as OwnedTemplate;
use link_domain::tenancy::template::TRANSLATIONS_LIMIT;
use link_types::id::InviteTemplateId;
use link_types::invite_template::{
    InviteCompany, InviteEmail, InviteLandingPage, InviteSuccessPage, InviteTemplate, InviteTranslation,
};
use serde::Deserialize;
use utoipa::openapi::{Object, Ref};

use super::check;
use crate::api::resource_limits::one_more_invite_template;
use crate::http::extract::body::Body;
use crate::http::extract::caller::TenantCaller;
use crate::http::idempotency::IdempotentResponse;
use crate::http::problem::ApiResult;
use crate::openapi::{language_tag, optional_map, refusals};

/// Body of `POST /inviteTemplates`.
#[derive(Clone, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CreateInviteTemplate {
    /// Name of the template. People do not see it.
    #[schema(min_length = 1, max_length = 200)]
    name: String,
    /// Company that sends the invitation.
    company: InviteCompany,
    /// Text of the mail.
    email: InviteEmail,
    /// Text of the page that the mail's link opens.
    landing_page: InviteLandingPage,
    /// Text of the page after an account was linked.
    success_page: InviteSuccessPage,
    /// Language of the texts, as a BCP 47 tag. Defaults to `en`.
    #[schema(max_length = 35, pattern = "^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$", example = "en")]
    locale: Option<String>,
    /// The same texts in other languages.
    #[schema(schema_with = translations_schema)]
    translations: Option<BTreeMap<String, InviteTranslation>>,
}

pub(super) fn translations_schema() -> Object {
    optional_map(
        "The same texts in other languages, by BCP 47 tag, at most 20.",
        TRANSLATIONS_LIMIT,
        language_tag(),
        Ref::from_schema_name("InviteTranslation").into(),
    )
}

/// Creates an invite template.
///
/// An environment has at most 200 invite templates. Creating another returns 409.
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
            "description": "${companyName} asks you to link an account.\n\nYou choose the provider, see which information is read, and sign in there. You can withdraw your consent at any time.",
            "button": "Link an account",
        },
        "successPage": {
            "header": "Thank you, ${fullName}",
            "description": "We have notified ${companyName}. You can close this page.",
        },
        "locale": "en",
        "translations": {
            "es-MX": {
                "email": {
                    "subject": "${companyName} te pide conectar una cuenta",
                    "body": "Hola, ${fullName}:\n\n${companyName} te pide conectar una cuenta.",
                },
                "landingPage": {
                    "header": "Hola, ${fullName}",
                    "description": "${companyName} te pide conectar una cuenta.",
                    "button": "Conectar una cuenta",
                },
                "successPage": {"header": "Gracias", "description": "Puedes cerrar esta página."},
            },
        },
    })),
    responses((status = 201, description = "The created invite template", body = InviteTemplate), refusals::Write),
    security(("apiKey" = []))
)]
pub(super) async fn handler(
    caller: TenantCaller,
    Body(body): Body<CreateInviteTemplate>,
) -> ApiResult<Response> {
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
                locale: body.locale.clone().unwrap_or_else(|| "en".to_owned()),
                translations: body.translations.clone().unwrap_or_default(),
            };
            check(&template)?;
            let row = OwnedTemplate { owner: owner.clone(), template: template.clone() };
            IdempotentResponse::created(&template, Change::row(Row::InviteTemplate(row)))
        })
        .await
}
