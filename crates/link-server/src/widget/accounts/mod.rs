//! Accounts that are being linked in the widget, and the counters that limit their login attempts.

mod start;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use link_domain::kernel::sealing::{Sealed, key_id};
use link_domain::kernel::source::RevokedBy;
use link_domain::linking::account::{self, Account, AccountInput, Link};
use link_domain::linking::account_source::Guessing;
use link_domain::linking::guesses::{GuessCounter, LoginTries, Tried, Tries};
use link_domain::linking::link::{LinkSession, confirmation, confirms};
use link_domain::linking::reach::Reach;
use link_domain::tenancy::quota::Quota;
use link_domain::use_cases::{resend_code, revoke_account};
use link_store::{Label, StoreError, Tx, Watched};
use link_types::challenge::{AnswerChallenge, ChallengeAnswer, ExtendChallenge, ResendChallenge};
use link_types::id::AccountId;
use link_types::link::AccountProgress;
use link_types::problem::FaultCode;
use link_types::sealing::SealedBox;
use link_types::uploading::{ConfirmRevocation, Revocation};

use crate::app::App;
use crate::http::endpoints::{Endpoints, routes};
use crate::http::extract::PathId;
use crate::http::extract::body::Body;
use crate::http::extract::query::{NoQuery, Query};
use crate::http::extract::session_caller::{ComputerCaller, SessionCaller};
use crate::http::polling::Wait;
use crate::http::problem::{ApiResult, Problem};
use crate::openapi::{parse_example, refusals};

/// Returns the routes of accounts.
pub(super) fn routes() -> Endpoints {
    Endpoints::new()
        .routes(routes!(start::handler => person))
        .routes(routes!(get => read))
        .routes(routes!(answer => person))
        .routes(routes!(resend => person))
        .routes(routes!(extend => person))
        .routes(routes!(revocation => person))
        .routes(routes!(revoke => person))
}

/// Retrieves the progress of linking an account.
///
/// With `after` and `wait`, the response waits for a later version.
#[utoipa::path(
    get, path = "/link/accounts/{id}", tag = "link", operation_id = "getLinkAccount",
    params(
        ("id" = AccountId, Path, description = "The account's id"),
        Query<Wait>,
    ),
    responses((status = 200, description = "The account's progress", body = AccountProgress, example = json!(parse_example(include_str!("get.json")))), refusals::Read),
    security(("session" = []))
)]
async fn get(
    State(app): State<App>,
    caller: SessionCaller,
    PathId(id): PathId<AccountId>,
    Query(wait): Query<Wait>,
) -> ApiResult<Json<AccountProgress>> {
    let about = Watched::Account(id.clone());
    wait.news(&app, &caller, about, |it: &AccountProgress| it.version, || current(&caller, &id)).await
}

async fn current(caller: &SessionCaller, id: &AccountId) -> ApiResult<AccountProgress> {
    let (owner, reach, id, now) = (caller.owner().clone(), caller.reach(), id.clone(), caller.now());
    let progress = caller
        .read(move |reader| -> ApiResult<_> {
            Ok(own(reader.accounts().get(&owner, &id)?, &reach)?.progress(now))
        })
        .await?;
    Ok(caller.word_progress(progress))
}

/// Extends the time of a challenge.
///
/// The challenge's full time starts again now.
#[utoipa::path(
    post, path = "/link/accounts/{id}/extend", tag = "link", operation_id = "extendChallenge",
    request_body(content = ExtendChallenge, example = json!({"challengeId": "ch-0192f0c1a2b37c4d8e5f60718293a4b5"})),
    params(("id" = AccountId, Path, description = "The account's id")),
    responses((status = 200, description = "The account's progress", body = AccountProgress), refusals::Write),
    security(("session" = []))
)]
async fn extend(
    caller: SessionCaller,
    PathId(id): PathId<AccountId>,
    Body(body): Body<ExtendChallenge>,
) -> ApiResult<Json<AccountProgress>> {
    let input = move || AccountInput::Extend { challenge_id: body.challenge_id.clone() };
    apply(&caller, id, input).await
}

/// Requests another code for a challenge.
///
/// Returns 429 if the user's quota of codes is used up.
#[utoipa::path(
    post, path = "/link/accounts/{id}/resend", tag = "link", operation_id = "resendChallenge",
    request_body(content = ResendChallenge, example = json!({"challengeId": "ch-0192f0c1a2b37c4d8e5f60718293a4b5", "channel": "SMS"})),
    params(("id" = AccountId, Path, description = "The account's id")),
    responses((status = 200, description = "The account's progress", body = AccountProgress), refusals::Write),
    security(("session" = []))
)]
async fn resend(
    caller: SessionCaller,
    PathId(id): PathId<AccountId>,
    Body(body): Body<ResendChallenge>,
) -> ApiResult<Json<AccountProgress>> {
    let (owner, reach, context) = (caller.owner().clone(), caller.reach(), caller.context());
    let user = caller.session().user_id.clone();
    let progress = caller
        .write(move |tx| -> ApiResult<_> {
            let account = own(tx.accounts().get(&owner, &id)?, &reach)?;
            let used = tx.quota_uses().get(&owner, &user, Quota::Resends, "")?;
            let requested = (body.challenge_id.clone(), body.channel);
            let (account, change) = resend_code(account, requested, used, &mut context.clone())?;
            tx.apply(&change, context.now())?;
            Ok(account.progress(context.now()))
        })
        .await?;
    Ok(Json(caller.word_progress(progress)))
}

/// Submits the answer to a challenge.
///
/// Text must be encrypted to the session's key. A choice is not secret and is sent as is.
#[utoipa::path(
    post, path = "/link/accounts/{id}/answer", tag = "link", operation_id = "answerChallenge",
    request_body(content = AnswerChallenge, example = json!({"challengeId": "ch-0192f0c1a2b37c4d8e5f60718293a4b5", "answer": {"choice": {"value": "bahia"}}})),
    params(("id" = AccountId, Path, description = "The account's id")),
    responses((status = 200, description = "The account's progress", body = AccountProgress), refusals::Write),
    security(("session" = []))
)]
async fn answer(
    caller: SessionCaller,
    PathId(id): PathId<AccountId>,
    Body(body): Body<AnswerChallenge>,
) -> ApiResult<Json<AccountProgress>> {
    let answer = match &body.answer {
        ChallengeAnswer::Text { sealed: text } => {
            account::Answer::Text(to_sealed(text, caller.session(), "answer.text.sealed")?)
        }
        ChallengeAnswer::Choice { value } => account::Answer::Choice(value.clone()),
    };
    let (owner, reach, context) = (caller.owner().clone(), caller.reach(), caller.context());
    let user = caller.session().user_id.clone();
    let progress = caller
        .write(move |tx| -> ApiResult<_> {
            let account = own(tx.accounts().get(&owner, &id)?, &reach)?;
            let tries = match account.login_hash {
                Some(hash) => {
                    let user_tries = tx.login_tries().get(&owner, &user, &account.provider_id, hash)?;
                    let tried = account.link().and_then(Link::tried_login);
                    Some(lock_charged_tries(tx, user_tries, tried)?)
                }
                None => None,
            };
            let input = AccountInput::Answer {
                challenge_id: body.challenge_id.clone(),
                answer: answer.clone(),
                tries,
            };
            let (account, change) = account.apply(input, &mut context.clone())?;
            tx.apply(&change, context.now())?;
            Ok(account.progress(context.now()))
        })
        .await?;
    Ok(Json(caller.word_progress(progress)))
}

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
async fn revoke(
    caller: ComputerCaller,
    PathId(id): PathId<AccountId>,
    Body(body): Body<ConfirmRevocation>,
) -> ApiResult<StatusCode> {
    let (session, reach, context) = (caller.session().clone(), caller.reach(), caller.context());
    caller
        .write(move |tx| -> ApiResult<_> {
            let account = own(tx.accounts().get(&session.owner, &id)?, &reach)?;
            let key = tx.derive_key(Label::Confirmation);
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

/// Creates the confirmation that revoking an account requires.
///
/// The confirmation is valid in this session for 10 minutes.
#[utoipa::path(
    post, path = "/link/accounts/{id}/revocation", tag = "link", operation_id = "askToRevokeAccount",
    params(("id" = AccountId, Path, description = "The account's id")),
    responses((status = 201, description = "The confirmation", body = Revocation, example = json!(parse_example(include_str!("revocation.json")))), refusals::Act),
    security(("session" = []))
)]
async fn revocation(
    State(app): State<App>,
    caller: ComputerCaller,
    PathId(id): PathId<AccountId>,
    Query(NoQuery): Query<NoQuery>,
) -> ApiResult<(StatusCode, Json<Revocation>)> {
    let (session, reach, now) = (caller.session().clone(), caller.reach(), caller.now().wall());
    let confirmation = app
        .store
        .read(move |reader| -> ApiResult<_> {
            let account = own(reader.accounts().get(&session.owner, &id)?, &reach)?;
            let key = reader.derive_key(Label::Confirmation);
            Ok(confirmation(&key, &session.id, account.id.as_str(), now))
        })
        .await?;
    Ok((StatusCode::CREATED, Json(Revocation { confirmation })))
}

/// Returns the account if it is in the caller's reach.
///
/// # Errors
/// 404 if it is not.
fn own(account: Option<Account>, reach: &Reach) -> ApiResult<Account> {
    account.filter(|it| reach.has_account(it)).ok_or_else(Problem::missing)
}

/// Applies an input to an account of the session's user, and returns the account's progress.
///
/// The unit of work may run more than once, so `input` creates a new input for each run.
async fn apply(
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
    Ok(Json(caller.word_progress(progress)))
}

/// Converts a sealed box to its stored form. `field` is the name of its field in the body.
///
/// # Errors
/// 422 if the box is sealed with another key than the session's.
fn to_sealed(sealed: &SealedBox, session: &LinkSession, field: &str) -> ApiResult<Sealed> {
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

/// Reads and locks the counters of a login attempt. Leaves out the user's other logins, which matter only for a
/// submission.
///
/// # Errors
/// [`StoreError`] if the database cannot be written.
pub fn tries(
    tx: &mut Tx<'_>,
    own: LoginTries,
    counters: &[GuessCounter],
    guessing: Guessing,
) -> Result<Tries, StoreError> {
    let counts = counters.iter().map(|counter| tx.guess_counts().get(&own.owner, *counter));
    let counts = counts.collect::<Result<_, _>>()?;
    Ok(Tries { counts, guessing, ..Tries::from_own(own) })
}

/// Reads and locks the counters to which a link's login attempt was charged.
///
/// # Errors
/// [`StoreError`] if the database cannot be written.
pub fn lock_charged_tries(
    tx: &mut Tx<'_>,
    own: LoginTries,
    tried: Option<&Tried>,
) -> Result<Tries, StoreError> {
    let (counters, guessing) = tried.map(|it| (it.counters.as_slice(), it.guessing)).unwrap_or_default();
    tries(tx, own, counters, guessing)
}
