//! `POST /link/accounts/{id}/revoke`: revokes an account after the person's confirmation.

use axum::http::StatusCode;
use link_domain::linking::link::confirms;
use link_domain::tenancy::revoked_by::RevokedBy;
use link_domain::use_cases::revoke_account;
use link_store::Label;
use link_types::id::AccountId;
use link_types::problem::FaultCode;
use link_types::uploading::ConfirmRevocation;

use super::own::own;
use crate::http::extract::body::Body;
use crate::http::extract::computer_caller::ComputerCaller;
use crate::http::extract::path::PathId;
use crate::http::problem::{ApiResult, Problem};
use crate::openapi::refusals;

/// Revokes an account and erases its data.
///
/// The event ACCOUNT_DISCONNECTED informs the tenant. A repeated request has no further effect.
#[utoipa::path(
    post, path = "/link/accounts/{id}/revoke", tag = "link", operation_id = "revokeLinkAccount",
    request_body(content = ConfirmRevocation, example = json!({"confirmation": "AAZg2BTgfqS_uGqzSNF-uu8a3wWU8iWMlX8z8ZZTHZtnslZMUhlkjA"})),
    params(("id" = AccountId, Path, description = "The account's id")),
    responses((status = 204, description = "The account is revoked"), refusals::Write),
    security(("session" = []))
)]
pub(super) async fn handler(
    caller: ComputerCaller,
    PathId(id): PathId<AccountId>,
    Body(body): Body<ConfirmRevocation>,
) -> ApiResult<StatusCode> {
    let (session, reach, context) = (caller.session().clone(), caller.reach(), caller.context());
    caller
        .write(move |tx| -> ApiResult<_> {
            let account = own(tx.accounts().get(&session.owner, &id)?, &reach)?;
            let key = tx.derived_key(Label::Confirmation);
            let now = context.now();
            if !confirms(&key, &session.id, account.id.as_str(), &body.confirmation, now.wall()) {
                return Err(Problem::invalid_field(
                    "confirmation",
                    FaultCode::Invalid,
                    "a confirmation that this session requested in the last 10 minutes",
                ));
            }
            Ok(tx.apply(&revoke_account(account, RevokedBy::User, &mut context.clone())?, now)?)
        })
        .await?;
    Ok(StatusCode::NO_CONTENT)
}
