//! `POST /invites`: invites a person by mail. A job sends the mail, and retries until a mail server accepts it.

use axum::extract::State;
use axum::response::Response;
use link_domain::invitations::invite::NewInvite;
use link_domain::kernel::owner::Owner;
use link_domain::notifications::event::Subject;
use link_domain::notifications::mail::is_mailbox;
use link_domain::tenancy::user::User;
use link_domain::use_cases::invite_person;
use link_store::Tx;
use link_types::Sensitive;
use link_types::id::{InviteTemplateId, LinkTemplateId, UserId};
use link_types::problem::FaultCode;
use serde::Deserialize;

use crate::app::App;
use crate::http::extract::body::Body;
use crate::http::extract::caller::TenantCaller;
use crate::http::idempotency::IdempotentResponse;
use crate::http::problem::{ApiResult, Problem, fault};
use crate::openapi::refusals;

/// Body of `POST /invites`.
#[derive(Clone, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CreateInvite {
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
pub(super) async fn handler(
    State(app): State<App>,
    caller: TenantCaller,
    Body(body): Body<CreateInvite>,
) -> ApiResult<Response> {
    let (owner, hosted_url) = (caller.owner().clone(), app.settings().hosted_url.clone());
    caller
        .once(move |tx, context| {
            let known = invited_user(tx, &owner, &body)?;
            let new = NewInvite {
                owner: owner.clone(),
                invite_template_id: body.invite_template_id.clone(),
                link_template_id: body.link_template_id.clone(),
                full_name: body.full_name.clone(),
                first_name: body.first_name.clone(),
                last_name: body.last_name.clone(),
                email_address: body.email_address.clone(),
                locale: body.locale.clone(),
            };
            let (invite, change) = invite_person(known, new, context);
            let view = invite.view(&hosted_url);
            Ok(IdempotentResponse::created(&view, change)?.about(Subject::Invite(invite.id)))
        })
        .await
}

/// Checks the body's references. Returns the invited user if it already exists.
///
/// # Errors
/// 422 with all faults.
fn invited_user(tx: &mut Tx<'_>, owner: &Owner, body: &CreateInvite) -> ApiResult<Option<User>> {
    let mut faults = Vec::new();
    let address = body.email_address.expose();
    if address.parse::<link_connectors::mail::Address>().is_err() || !is_mailbox(address) {
        faults.push(fault("emailAddress", FaultCode::Invalid, "an e-mail address, like name@example.com"));
    }
    if tx.invite_templates().get_to_cite(owner, &body.invite_template_id)?.is_none() {
        faults.push(fault("inviteTemplateId", FaultCode::Invalid, "an invite template of this environment"));
    }
    if tx.link_templates().get_to_cite(owner, &body.link_template_id)?.is_none() {
        faults.push(fault("linkTemplateId", FaultCode::Invalid, "a link template of this environment"));
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
