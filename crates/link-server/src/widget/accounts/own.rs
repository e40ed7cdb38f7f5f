//! The accounts of a session's user.

use axum::Json;
use link_domain::kernel::sealing::{Sealed, key_id};
use link_domain::linking::account::{Account, AccountInput};
use link_domain::linking::link::LinkSession;
use link_domain::linking::reach::Reach;
use link_types::id::AccountId;
use link_types::link::AccountProgress;
use link_types::problem::FaultCode;
use link_types::sealing::SealedBox;

use crate::http::extract::session_caller::SessionCaller;
use crate::http::problem::{ApiResult, Problem};

/// Returns the account if it is in the caller's reach.
///
/// # Errors
/// 404 if it is not.
pub(super) fn own(account: Option<Account>, reach: &Reach) -> ApiResult<Account> {
    account.filter(|it| reach.has_account(it)).ok_or_else(Problem::missing)
}

/// Applies an input to an account of the session's user, and returns the account's progress.
///
/// The unit of work may run more than once, so `input` creates a new input for each run.
pub(super) async fn apply(
    caller: &SessionCaller,
    id: AccountId,
    input: impl Fn() -> AccountInput<'static> + Send + 'static,
) -> ApiResult<Json<AccountProgress>> {
    let (owner, reach, context) = (caller.owner().clone(), caller.reach(), caller.context());
    let progress = caller
        .write(move |tx| -> ApiResult<_> {
            let (account, now) = (own(tx.accounts().get(&owner, &id)?, &reach)?, context.now());
            let (account, change) = account.apply(input(), &mut context.clone())?;
            tx.apply(&change, now)?;
            Ok(account.progress(now))
        })
        .await?;
    Ok(Json(caller.worded_progress(progress)))
}

/// Converts a sealed box to its stored form. `field` is the name of its field in the body.
///
/// # Errors
/// 422 if the box is sealed with another key than the session's.
pub(super) fn sealed(sealed: &SealedBox, session: &LinkSession, field: &str) -> ApiResult<Sealed> {
    if sealed.key_id != key_id(&session.id) {
        let field = format!("{field}.keyId");
        return Err(Problem::invalid_field(
            &field,
            FaultCode::Invalid,
            "the id of the session's sealing key",
        ));
    }
    let (session_id, attempt_id) = (session.id.clone(), session.attempt_id.clone());
    Ok(Sealed { session_id, attempt_id, sealed: sealed.clone() })
}
