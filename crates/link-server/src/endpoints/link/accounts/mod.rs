//! Accounts under way in the widget.

pub(super) mod answer;
pub(super) mod extend;
pub(super) mod get;
pub(super) mod resend;
pub(super) mod revocation;
pub(super) mod revoke;
pub(super) mod start;

use std::time::Duration;

use axum::Json;
use axum::http::{HeaderValue, header};
use link_domain::account::{Account, AccountInput, IllegalTransition};
use link_domain::change::Row;
use link_domain::link::LinkSession;
use link_domain::quota::Quota;
use link_domain::sealing::{Sealed, key_id};
use link_types::id::AccountId;
use link_types::link::AccountProgress;
use link_types::problem::{FaultCode, ProblemCode};
use link_types::sealing::SealedBox;

use crate::http::caller::SessionCaller;
use crate::http::problem::{Answer, Problem, format_fault};

/// The caller's own account of this id: one of the session's user.
fn own(account: Option<Account>, user: &link_types::id::UserId) -> Answer<Account> {
    account.filter(|it| it.user_id == *user).ok_or_else(Problem::missing)
}

/// Hands an input to the caller's own account, and tells where it stands then. The unit may run again, and makes the
/// input anew.
async fn apply(
    caller: &SessionCaller,
    id: AccountId,
    input: impl Fn() -> AccountInput<'static> + Send + 'static,
) -> Answer<Json<AccountProgress>> {
    apply_within(caller, id, None, input).await
}

/// The same, counted against a quota of the user.
async fn apply_within(
    caller: &SessionCaller,
    id: AccountId,
    quota: Option<Quota>,
    input: impl Fn() -> AccountInput<'static> + Send + 'static,
) -> Answer<Json<AccountProgress>> {
    let (owner, user, context) = (caller.owner().clone(), caller.session().user_id.clone(), caller.context());
    let progress = caller
        .write(move |tx| -> Answer<_> {
            let (account, now) = (own(tx.account(&owner, &id)?, &user)?, context.now());
            let (account, mut change) = account.apply(input(), &mut context.clone())?;
            if let Some(quota) = quota {
                let used = tx.quota_use(&owner, &user, quota, "")?.charge(1, now.wall())?;
                change.rows.push(Row::QuotaUse(used));
            }
            tx.apply(&change, now)?;
            Ok(account.progress(now.wall()))
        })
        .await?;
    Ok(Json(progress))
}

/// A box of this session, as it is kept; one for another key is refused by the name of its field.
fn sealed(sealed: &SealedBox, session: &LinkSession, field: &str) -> Answer<Sealed> {
    if sealed.key_id != key_id(&session.id) {
        let field = format!("{field}.keyId");
        return Err(Problem::invalid_field(&field, FaultCode::Invalid, "the session's sealing key"));
    }
    let (session_id, attempt_id) = (session.id.clone(), session.attempt_id.clone());
    Ok(Sealed { session_id, attempt_id, sealed: sealed.clone() })
}

impl From<IllegalTransition> for Problem {
    fn from(illegal: IllegalTransition) -> Self {
        let detail = illegal.to_string();
        match illegal {
            IllegalTransition::MalformedAnswer(wrong) => Self::invalid(vec![format_fault("answer", wrong)]),
            IllegalTransition::TooManyTries { wait, .. } => {
                let detail = format!("Refused because {detail}. `Retry-After` says how long to wait.");
                Self::new(ProblemCode::LoginLimitExceeded, detail)
                    .with_header(header::RETRY_AFTER, whole_seconds(wait))
            }
            IllegalTransition::ResendTooEarly { wait } => {
                Self::new(ProblemCode::RequestLimitExceeded, detail)
                    .with_header(header::RETRY_AFTER, whole_seconds(wait))
            }
            IllegalTransition::StaleStep
            | IllegalTransition::NoChallenge
            | IllegalTransition::StaleChallenge
            | IllegalTransition::WrongAnswerKind
            | IllegalTransition::ResendRefused
            | IllegalTransition::ExtensionRefused
            | IllegalTransition::NotConnected
            | IllegalTransition::AlreadyConnected
            | IllegalTransition::AlreadyDisconnected
            | IllegalTransition::StaleReading
            | IllegalTransition::NotDue { .. }
            | IllegalTransition::MonitorUnsupported => Self::conflict(detail),
        }
    }
}

fn whole_seconds(wait: Duration) -> HeaderValue {
    HeaderValue::from(u64::try_from(wait.as_millis().div_ceil(1_000)).unwrap_or(u64::MAX))
}
