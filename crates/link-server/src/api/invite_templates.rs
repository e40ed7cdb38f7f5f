//! `/inviteTemplates`: the texts of an invitation's mail and pages.

use std::collections::BTreeMap;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use link_domain::change::{Change, Deletion, Row};
use link_domain::invitations::invite::{InviteTemplate as OwnedTemplate, variable_faults};
use link_domain::kernel::revision::Revised as _;
use link_domain::tenancy::template::{TRANSLATIONS_LIMIT, check_translations};
use link_domain::tenancy::template_version::TemplateBody;
use link_types::id::InviteTemplateId;
use link_types::invite_template::{
    InviteCompany, InviteEmail, InviteLandingPage, InviteSuccessPage, InviteTemplate, InviteTranslation,
};
use link_types::list::Page;
use link_types::problem::FaultCode;
use serde::Deserialize;
use utoipa::openapi::{Object, Ref};

use crate::api::consent_templates::translation_fault;
use crate::api::resource_limits::one_more_invite_template;
use crate::api::template_versions::versions_of_save;
use crate::app::App;
use crate::http::endpoints::{Endpoints, routes};
use crate::http::extract::PathId;
use crate::http::extract::body::Body;
use crate::http::extract::caller::TenantCaller;
use crate::http::extract::query::{NoQuery, PageQuery, Query};
use crate::http::idempotency::IdempotentResponse;
use crate::http::list;
use crate::http::problem::{ApiResult, Problem, fault};
use crate::openapi::{language_tag, optional_map, parse_example, refusals};

/// Returns the routes of invite templates.
pub fn routes() -> Endpoints {
    Endpoints::new()
        .routes(routes!(create => InviteTemplateCreated, list => read))
        .routes(routes!(get => read, update => InviteTemplateUpdated, delete => InviteTemplateDeleted))
}

/// Rejects unknown variables, translations without a language, and a `replyTo` that is not an email address.
fn check(template: &InviteTemplate) -> ApiResult<()> {
    let mut faults: Vec<_> = variable_faults(template)
        .into_iter()
        .map(|found| {
            let message =
                format!("${{{}}} is not a variable: use ${{companyName}} or ${{fullName}}", found.name);
            fault(found.field, FaultCode::Unknown, message)
        })
        .collect();
    let reply_to = template.email.reply_to.as_deref();
    if reply_to.is_some_and(|it| it.parse::<link_connectors::mail::Address>().is_err()) {
        faults.push(fault("email.replyTo", FaultCode::Invalid, "an e-mail address, like name@example.com"));
    }
    if let Err(found) = check_translations(&template.locale, &template.translations) {
        faults.push(translation_fault(found));
    }
    if faults.is_empty() { Ok(()) } else { Err(Problem::invalid(faults)) }
}

/// Lists invite templates, newest first.
///
/// The list contains the templates of the environment of the API key. Deleted templates are not listed.
#[utoipa::path(
    get, path = "/inviteTemplates", tag = "inviteTemplates", operation_id = "listInviteTemplates",
    params(Query<PageQuery>),
    responses((status = 200, description = "A page of invite templates", body = Page<InviteTemplate>), refusals::List),
    security(("apiKey" = []))
)]
async fn list(
    State(app): State<App>,
    caller: TenantCaller,
    Query(PageQuery(request)): Query<PageQuery>,
) -> ApiResult<Json<Page<InviteTemplate>>> {
    let owner = caller.owner().clone();
    let page = app
        .store
        .read(move |reader| -> ApiResult<_> { Ok(reader.invite_templates().list(&owner, &request)?) })
        .await?;
    Ok(Json(list::page(page, |it| it.template.with_revision())))
}

/// Retrieves an invite template.
///
/// The response includes the texts of the mail, the landing page and the success page, with their variables.
#[utoipa::path(
    get, path = "/inviteTemplates/{id}", tag = "inviteTemplates", operation_id = "getInviteTemplate",
    params(("id" = InviteTemplateId, Path, description = "The invite template's id")),
    responses((status = 200, description = "The invite template", body = InviteTemplate, example = json!(parse_example(include_str!("invite_templates/get.json")))), refusals::Read),
    security(("apiKey" = []))
)]
async fn get(
    State(app): State<App>,
    caller: TenantCaller,
    PathId(id): PathId<InviteTemplateId>,
    Query(NoQuery): Query<NoQuery>,
) -> ApiResult<Json<InviteTemplate>> {
    let owner = caller.owner().clone();
    let found = app
        .store
        .read(move |reader| -> ApiResult<_> { Ok(reader.invite_templates().get(&owner, &id)?) })
        .await?;
    found.map(|it| Json(it.template.with_revision())).ok_or_else(Problem::missing)
}

/// Body of `POST /inviteTemplates`.
#[derive(Clone, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct CreateInviteTemplate {
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

fn translations_schema() -> Object {
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
async fn create(caller: TenantCaller, Body(body): Body<CreateInviteTemplate>) -> ApiResult<Response> {
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
                revision: String::new(),
            };
            check(&template)?;
            let row = OwnedTemplate { owner: owner.clone(), template: template.clone() };
            let saved = TemplateBody::Invite(Box::new(template.clone()));
            let change = versions_of_save(tx, &owner, None, saved, context.now())?;
            IdempotentResponse::for_created(
                &template.with_revision(),
                change.then(Change::row(Row::InviteTemplate(row))),
            )
        })
        .await
}

/// Body of `PATCH /inviteTemplates/{id}`. Fields that are omitted or null are unchanged. Objects are replaced entirely.
#[derive(Clone, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct UpdateInviteTemplate {
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
    /// The `revision` that you read. If the template was changed since, the response is 409. If omitted, the update
    /// applies to the template as it is.
    #[schema(min_length = 1, max_length = 64)]
    revision: Option<String>,
}

/// Updates an invite template.
///
/// Fields that are omitted or null are unchanged, and objects are replaced entirely. Mails that were sent do not
/// change; the hosted pages of their invitations do. With `revision`, the response is 409 if another update came first.
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
async fn update(
    caller: TenantCaller,
    PathId(id): PathId<InviteTemplateId>,
    Body(patch): Body<UpdateInviteTemplate>,
) -> ApiResult<Json<InviteTemplate>> {
    let (owner, now) = (caller.owner().clone(), caller.now());
    let template = caller
        .write(move |tx| -> ApiResult<_> {
            let mut stored = tx.invite_templates().get(&owner, &id)?.ok_or_else(Problem::missing)?;
            stored.template.check_revision(patch.revision.as_deref())?;
            let before = TemplateBody::Invite(Box::new(stored.template.clone()));
            patch.clone().onto(&mut stored.template);
            check(&stored.template)?;
            let saved = TemplateBody::Invite(Box::new(stored.template.clone()));
            let change = versions_of_save(tx, &owner, Some(before), saved, now)?;
            tx.apply(&change.then(Change::row(Row::InviteTemplate(stored.clone()))), now)?;
            Ok(stored.template)
        })
        .await?;
    Ok(Json(template.with_revision()))
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

/// Deletes an invite template.
///
/// Invitations that refer to it keep its texts.
#[utoipa::path(
    delete, path = "/inviteTemplates/{id}", tag = "inviteTemplates", operation_id = "deleteInviteTemplate",
    params(("id" = InviteTemplateId, Path, description = "The invite template's id")),
    responses((status = 204, description = "The invite template is deleted"), refusals::Read),
    security(("apiKey" = []))
)]
async fn delete(
    caller: TenantCaller,
    PathId(id): PathId<InviteTemplateId>,
    Query(NoQuery): Query<NoQuery>,
) -> ApiResult<StatusCode> {
    let (owner, now) = (caller.owner().clone(), caller.now());
    caller
        .write(move |tx| -> ApiResult<_> {
            tx.invite_templates().get(&owner, &id)?.ok_or_else(Problem::missing)?;
            let deletions = vec![Deletion::InviteTemplate(id.clone())];
            Ok(tx.apply(&Change { deletions, ..Change::default() }, now)?)
        })
        .await?;
    Ok(StatusCode::NO_CONTENT)
}
