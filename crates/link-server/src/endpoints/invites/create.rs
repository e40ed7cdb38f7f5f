//! `POST /invites`: invites a person by mail. The mail goes out by itself, and again until a server took it.

use axum::extract::State;
use axum::response::Response;
use link_domain::change::Change;
use link_domain::context::Context;
use link_domain::event::Subject;
use link_domain::invite::{Invite, NewInvite};
use link_domain::mail::is_mailbox;
use link_domain::owner::Owner;
use link_domain::user::User;
use link_store::Tx;
use link_types::Sensitive;
use link_types::id::{InviteTemplateId, LinkTemplateId, UserId};
use link_types::problem::FaultCode;
use serde::Deserialize;
use std::collections::BTreeMap;

use crate::app::App;
use crate::http::body::Body;
use crate::http::caller::TenantCaller;
use crate::http::idempotency::Effect;
use crate::http::problem::{Answer, Problem, fault};
use crate::http::refusals;

/// Body of `POST /invites`.
#[derive(Clone, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CreateInvite {
    /// Whom it is for: what `${fullName}` stands for.
    #[schema(value_type = String, min_length = 1, max_length = 200, example = "Ana Ruiz")]
    full_name: Sensitive,
    /// Given names.
    #[schema(value_type = Option<String>, max_length = 200)]
    first_name: Option<Sensitive>,
    /// Family names.
    #[schema(value_type = Option<String>, max_length = 200)]
    last_name: Option<Sensitive>,
    /// Where the mail goes.
    #[schema(value_type = String, min_length = 3, max_length = 254, example = "ana@example.com")]
    email_address: Sensitive,
    /// The texts.
    invite_template_id: InviteTemplateId,
    /// How the widget behaves.
    link_template_id: LinkTemplateId,
    /// Whose account it will be; a new user's, when left out.
    user_id: Option<UserId>,
}

/// Invite a person by mail.
#[utoipa::path(
    post, path = "/invites", tag = "invites", operation_id = "createInvite",
    request_body(content = CreateInvite, example = json!({
        "fullName": "Ana Ruiz",
        "emailAddress": "ana@example.com",
        "inviteTemplateId": "ivt-0192f0c1a2b37c4d8e5f60718293a4b5",
        "linkTemplateId": "lt-0192f0c1a2b37c4d8e5f60718293a4b5",
    })),
    responses(
        (status = 201, description = "Made; the mail is on its way", body = link_types::invite::Invite),
        refusals::Write,
    ),
    security(("apiKey" = []))
)]
pub(super) async fn handler(
    State(app): State<App>,
    caller: TenantCaller,
    Body(body): Body<CreateInvite>,
) -> Answer<Response> {
    let (owner, hosted_url) = (caller.owner().clone(), app.settings().hosted_url.clone());
    caller
        .once(move |tx, context| {
            let (user_id, made) = invited_user(tx, &owner, &body, context)?;
            let new = NewInvite {
                owner: owner.clone(),
                user_id,
                invite_template_id: body.invite_template_id.clone(),
                link_template_id: body.link_template_id.clone(),
                full_name: body.full_name.clone(),
                first_name: body.first_name.clone(),
                last_name: body.last_name.clone(),
                email_address: body.email_address.clone(),
            };
            let (invite, change) = Invite::create(new, context);
            let view = invite.view(&hosted_url);
            Ok(Effect::created(&view, made.then(change))?.about(Subject::Invite(invite.id)))
        })
        .await
}

/// Checks what the body names, every fault at once; then whose account it will be, and the user that is made for it.
fn invited_user(
    tx: &mut Tx<'_>,
    owner: &Owner,
    body: &CreateInvite,
    context: &mut Context,
) -> Answer<(UserId, Change)> {
    let mut faults = Vec::new();
    let address = body.email_address.expose();
    if address.parse::<link_connectors::mail::Address>().is_err() || !is_mailbox(address) {
        faults.push(fault("emailAddress", FaultCode::Invalid, "an e-mail address, like name@example.com"));
    }
    if tx.invite_template_to_cite(owner, &body.invite_template_id)?.is_none() {
        faults.push(fault("inviteTemplateId", FaultCode::Invalid, "an invite template of this environment"));
    }
    if tx.link_template_to_cite(owner, &body.link_template_id)?.is_none() {
        faults.push(fault("linkTemplateId", FaultCode::Invalid, "a link template of this environment"));
    }
    let known = match &body.user_id {
        Some(id) => tx.user(owner, id)?,
        None => None,
    };
    if body.user_id.is_some() && known.is_none() {
        faults.push(fault("userId", FaultCode::Invalid, "a user of this environment"));
    }
    if !faults.is_empty() {
        return Err(Problem::invalid(faults));
    }
    match known {
        Some(user) => Ok((user.id, Change::default())),
        None => {
            let (user, change) = User::create(owner.clone(), None, BTreeMap::new(), context);
            Ok((user.id, change))
        }
    }
}
