//! `/invites`: invitations by mail to link an account.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use link_domain::invitations::invite::{AskedBy, InviteError, InviteInput, NewInvite};
use link_domain::kernel::owner::Owner;
use link_domain::kernel::subject::Subject;
use link_domain::notifications::mail::is_mailbox;
use link_domain::tenancy::user::User;
use link_domain::use_cases::{invite_person, revoke_invite};
use link_store::{Created, InviteFilter, PageRequest, Tx};
use link_types::Sensitive;
use link_types::id::{InviteId, InviteTemplateId, LinkSiteId, LinkSiteSessionId, LinkTemplateId, UserId};
use link_types::invite::{Invite, InviteStatus};
use link_types::list::Page;
use link_types::problem::FaultCode;
use serde::Deserialize;

use crate::app::App;
use crate::http::endpoints::{Endpoints, routes};
use crate::http::extract::PathId;
use crate::http::extract::body::Body;
use crate::http::extract::caller::TenantCaller;
use crate::http::extract::query::{FromQuery, NoQuery, Query, QueryFields};
use crate::http::idempotency::IdempotentResponse;
use crate::http::list;
use crate::http::problem::{ApiResult, Problem, fault};
use crate::openapi::{parse_example, refusals};

/// Returns the routes of invitations.
pub fn routes() -> Endpoints {
    Endpoints::new()
        .routes(routes!(create => InviteCreated, list => read))
        .routes(routes!(get => read, revoke => InviteRevoked))
        .routes(routes!(resend => InviteResent))
}

impl From<InviteError> for Problem {
    fn from(refused: InviteError) -> Self {
        match refused {
            InviteError::Revoked => Self::conflict("The invitation was revoked."),
            InviteError::Linked => Self::conflict("The invitation has ended because an account was linked."),
            InviteError::Uploaded => Self::conflict("The invitation is complete: documents were uploaded."),
            InviteError::LinkUsed => Self::conflict("The link was already used."),
            InviteError::LinkLapsed => Self::conflict("The link has expired."),
            InviteError::MailsSpent => {
                Self::conflict("All 20 mails of this invitation were sent. Create a new invitation.")
            }
            InviteError::StaleMail | InviteError::TooEarly { .. } | InviteError::NotDue { .. } => {
                Self::conflict("This is not possible in the invitation's current state. Try again later.")
            }
        }
    }
}

/// Query of the list of invitations.
struct ListInvitesQuery {
    user_id: Option<UserId>,
    status: Option<InviteStatus>,
    link_site_session_id: Option<LinkSiteSessionId>,
    created: Created,
    page: PageRequest,
}

impl FromQuery for ListInvitesQuery {
    fn take(query: &mut QueryFields) -> Self {
        Self {
            user_id: query.take_optional("userId", "Return only invitations of this user", "a user's id"),
            status: query.take_optional(
                "status",
                "Return only invitations with this status",
                "a status, like LINKED",
            ),
            link_site_session_id: query.visit(),
            created: query.take_creation_range(),
            page: query.page(),
        }
    }
}

/// Lists invitations, newest first.
///
/// The list contains invitations in every status. After an invitation is revoked, its names, address and link are null.
#[utoipa::path(
    get, path = "/invites", tag = "invites", operation_id = "listInvites",
    params(Query<ListInvitesQuery>),
    responses((status = 200, description = "A page of invitations", body = Page<Invite>), refusals::List),
    security(("apiKey" = []))
)]
async fn list(
    State(app): State<App>,
    caller: TenantCaller,
    Query(query): Query<ListInvitesQuery>,
) -> ApiResult<Json<Page<Invite>>> {
    let owner = caller.owner().clone();
    let page = app
        .store
        .read(move |reader| -> ApiResult<_> {
            let filter = InviteFilter {
                user: query.user_id.as_ref(),
                status: query.status,
                visit: query.link_site_session_id.as_ref(),
                created: query.created,
            };
            Ok(reader.invites().list(&owner, filter, &query.page)?)
        })
        .await?;
    Ok(Json(list::page(page, |invite| invite.view(&app.settings.hosted_url))))
}

/// Retrieves an invitation.
///
/// `logs` contains each status that the invitation reached, with its time. The link in `landingPageUrl` works once.
#[utoipa::path(
    get, path = "/invites/{id}", tag = "invites", operation_id = "getInvite",
    params(("id" = InviteId, Path, description = "The invitation's id")),
    responses((status = 200, description = "The invitation", body = Invite, example = json!(parse_example(include_str!("invites/get.json")))), refusals::Read),
    security(("apiKey" = []))
)]
async fn get(
    State(app): State<App>,
    caller: TenantCaller,
    PathId(id): PathId<InviteId>,
    Query(NoQuery): Query<NoQuery>,
) -> ApiResult<Json<Invite>> {
    let owner = caller.owner().clone();
    let found =
        app.store.read(move |reader| -> ApiResult<_> { Ok(reader.invites().get(&owner, &id)?) }).await?;
    let invite = found.ok_or_else(Problem::missing)?;
    Ok(Json(invite.view(&app.settings.hosted_url)))
}

/// Body of `POST /invites`.
#[derive(Clone, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct CreateInvite {
    /// Name of the person. It replaces `${fullName}` in the texts.
    #[schema(value_type = String, min_length = 1, max_length = 200, example = "Ana Ruiz")]
    full_name: Sensitive,
    /// Given names of the person.
    #[schema(value_type = Option<String>, max_length = 200)]
    first_name: Option<Sensitive>,
    /// Family names of the person.
    #[schema(value_type = Option<String>, max_length = 200)]
    last_name: Option<Sensitive>,
    /// Address that the mail is sent to.
    #[schema(value_type = String, min_length = 3, max_length = 254, example = "ana@example.com")]
    email_address: Sensitive,
    /// Language of the mail and the pages, as a BCP 47 tag. Defaults to that of the person's browser on the pages, and
    /// to that of the invite template in the mail.
    #[schema(max_length = 35, pattern = "^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$", example = "es-MX")]
    locale: Option<String>,
    /// Invite template with the texts.
    invite_template_id: InviteTemplateId,
    /// Link template that configures the widget.
    link_template_id: LinkTemplateId,
    /// Link site whose steps the person does. It has the same link template. Defaults to the form and the widget of the
    /// link template.
    link_site_id: Option<LinkSiteId>,
    /// User who will own the account. Defaults to a new user.
    user_id: Option<UserId>,
}

/// Invites a person by mail to link an account.
///
/// The person can also upload documents, if the link template allows it. INVITE_INVITED is emitted when a mail server
/// has accepted the mail. If none does, `mailError` says why soon after; `landingPageUrl` works in any case.
#[utoipa::path(
    post, path = "/invites", tag = "invites", operation_id = "createInvite",
    request_body(content = CreateInvite, example = json!({
        "fullName": "Ana Ruiz",
        "emailAddress": "ana@example.com",
        "inviteTemplateId": "ivt-0192f0c1a2b37c4d8e5f60718293a4b5",
        "linkTemplateId": "lt-0192f0c1a2b37c4d8e5f60718293a4b5",
    })),
    responses(
        (status = 201, description = "The created invitation. The mail is being sent", body = link_types::invite::Invite),
        refusals::Write,
    ),
    security(("apiKey" = []))
)]
async fn create(
    State(app): State<App>,
    caller: TenantCaller,
    Body(body): Body<CreateInvite>,
) -> ApiResult<Response> {
    let (owner, hosted_url) = (caller.owner().clone(), app.settings.hosted_url.clone());
    caller
        .once(move |tx, context| {
            let known = find_invited_user(tx, &owner, &body)?;
            let new = NewInvite {
                owner: owner.clone(),
                invite_template_id: body.invite_template_id.clone(),
                link_template_id: body.link_template_id.clone(),
                link_site_id: body.link_site_id.clone(),
                full_name: body.full_name.clone(),
                first_name: body.first_name.clone(),
                last_name: body.last_name.clone(),
                email_address: body.email_address.clone(),
                locale: body.locale.clone(),
            };
            let (invite, change) = invite_person(known, new, context);
            let view = invite.view(&hosted_url);
            Ok(IdempotentResponse::for_created(&view, change)?.about(Subject::Invite(invite.id)))
        })
        .await
}

/// Checks the body's references. Returns the invited user if it already exists.
///
/// # Errors
/// 422 with all faults.
fn find_invited_user(tx: &mut Tx<'_>, owner: &Owner, body: &CreateInvite) -> ApiResult<Option<User>> {
    let mut faults = Vec::new();
    let address = body.email_address.expose();
    if !is_mailbox(address) {
        faults.push(fault("emailAddress", FaultCode::Invalid, "an e-mail address, like name@example.com"));
    }
    if tx.invite_templates().get_to_cite(owner, &body.invite_template_id)?.is_none() {
        faults.push(fault("inviteTemplateId", FaultCode::Invalid, "an invite template of this environment"));
    }
    if tx.link_templates().get_to_cite(owner, &body.link_template_id)?.is_none() {
        faults.push(fault("linkTemplateId", FaultCode::Invalid, "a link template of this environment"));
    }
    if let Some(id) = &body.link_site_id {
        let site = tx.link_sites().get(owner, id)?;
        if site.is_none_or(|it| it.site.link_template_id != body.link_template_id) {
            let form = "a link site of this environment with this link template";
            faults.push(fault("linkSiteId", FaultCode::Invalid, form));
        }
    }
    let known = match &body.user_id {
        Some(id) => tx.users().get(owner, id)?,
        None => None,
    };
    if body.user_id.is_some() && known.is_none() {
        faults.push(fault("userId", FaultCode::Invalid, "a user of this environment"));
    }
    if faults.is_empty() { Ok(known) } else { Err(Problem::invalid(faults)) }
}

/// Sends an invitation's mail again.
///
/// The link is new only if the previous one was used. Returns 409 after 20 mails.
#[utoipa::path(
    post, path = "/invites/{id}/resend", tag = "invites", operation_id = "resendInvite",
    params(("id" = InviteId, Path, description = "The invitation's id")),
    responses((status = 200, description = "The invitation. The mail is being sent", body = Invite), refusals::Act),
    security(("apiKey" = []))
)]
async fn resend(
    State(app): State<App>,
    caller: TenantCaller,
    PathId(id): PathId<InviteId>,
    Query(NoQuery): Query<NoQuery>,
) -> ApiResult<Response> {
    let (owner, hosted_url) = (caller.owner().clone(), app.settings.hosted_url.clone());
    caller
        .once(move |tx, context| {
            let invite = tx.invites().get(&owner, &id)?.ok_or_else(Problem::missing)?;
            let (invite, change) = invite.apply(InviteInput::Resend(AskedBy::Tenant), context)?;
            Ok(IdempotentResponse::ok(&invite.view(&hosted_url), change)?.about(Subject::Invite(invite.id)))
        })
        .await
}

/// Revokes an invitation.
///
/// Its link stops working, and the names and the email address are erased.
#[utoipa::path(
    delete, path = "/invites/{id}", tag = "invites", operation_id = "revokeInvite",
    params(("id" = InviteId, Path, description = "The invitation's id")),
    responses((status = 204, description = "The invitation is revoked"), refusals::Read),
    security(("apiKey" = []))
)]
async fn revoke(
    caller: TenantCaller,
    PathId(id): PathId<InviteId>,
    Query(NoQuery): Query<NoQuery>,
) -> ApiResult<StatusCode> {
    let (owner, context) = (caller.owner().clone(), caller.context());
    caller
        .write(move |tx| {
            let mut context = context.clone();
            let invite = tx.invites().get(&owner, &id)?.ok_or_else(Problem::missing)?;
            Ok(tx.apply(&revoke_invite(invite, &mut context)?, context.now())?)
        })
        .await?;
    Ok(StatusCode::NO_CONTENT)
}
