//! `POST /link/accounts`: submits a sealed login, for a new account or as another try for the attempt's account.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use link_domain::change::{Change, Row};
use link_domain::linking::account::{Login, NewAccount, Submission};
use link_domain::linking::guesses::{GuessCounter, LoginTries, Tries, TryOf, login_hash};
use link_domain::linking::link::{LinkSession, Placement, account_for_login, account_for_relogin};
use link_domain::linking::login_form;
use link_domain::linking::terms::Terms;
use link_domain::tenancy::quota::Quota;
use link_domain::tenancy::template::{ConsentTemplate, LinkTemplate};
use link_domain::use_cases::{LinkTarget, StoredLink, start_link, tries_of_submission};
use link_store::{Label, Tx};
use link_types::Sensitive;
use link_types::link::{AccountProgress, StartLink};
use link_types::problem::FaultCode;
use link_types::provider::Provider;

use super::to_sealed;
use crate::app::App;
use crate::http::extract::body::Body;
use crate::http::extract::session_caller::ComputerCaller;
use crate::http::limits::network::Network;
use crate::http::problem::{ApiResult, Problem, fault, format_fault};
use crate::openapi::refusals;
use crate::widget::accounts;
use crate::widget::sessions::terms_to_cite;

/// The expected provider if there is none.
const NO_SOURCE: &str = "a provider, but no source of providers is configured for this environment: the operator must connect one";

/// Submits a login to link an account.
///
/// The login form must be encrypted to the session's key. Submits of a user are limited; above the limit the response
/// is 429. With `accountId`, the person signs in to that account again: the response to the login of another account
/// is 409 with the code ACCOUNT_MISMATCH. CONSENT_REQUIRED means that the terms have changed since they were shown:
/// read the session again and ask the person.
#[utoipa::path(
    post, path = "/link/accounts", tag = "link", operation_id = "startLink",
    request_body(content = StartLink, example = json!({
        "providerId": "mx_social_security",
        "loginOption": "username",
        "loginName": "good",
        "credentials": {
            "keyId": "ls-0192f0c1a2b37c4d8e5f60718293a4b5",
            "enc": "BDKp3y22jg1pN0knTtfo6LxP_HBbE6RJ4IWzaH4lh0foLcyPF21VSqf6_Am_fxUY8Z8htz4Gw5u_rpKILx6ssTI",
            "ciphertext": "7kQ9v0w2N8b1sYJm4tR6uXc3aZp5eGhL",
        },
        "consent": {
            "consentTemplateId": "ct-0192f0c1a2b37c4d8e5f60718293a4b5",
            "version": "1.0",
            "locale": "en",
            "givenBy": "PERSON",
            "syncInterval": "MONTHLY",
            "retention": "FROM_LAST_SYNC",
        },
    })),
    responses((status = 201, description = "The account's progress", body = AccountProgress), refusals::Write),
    security(("session" = []))
)]
pub(super) async fn handler(
    State(app): State<App>,
    caller: ComputerCaller,
    network: Network,
    Body(body): Body<StartLink>,
) -> ApiResult<(StatusCode, Json<AccountProgress>)> {
    let source = app.ports.source(caller.owner().mode);
    let expected = if source.is_configured() { "an enabled provider" } else { NO_SOURCE };
    let providers = source.providers();
    let provider = providers.iter().find(|it| it.id == body.provider_id && it.enabled);
    let provider = provider
        .cloned()
        .ok_or_else(|| Problem::invalid_field("providerId", FaultCode::Invalid, expected))?;
    let (session, context) = (caller.session().clone(), caller.context());
    let login = login_of(&provider, &body, &session)?;
    let name = login.as_ref().map_or_else(|| Sensitive::new(""), |it| it.name.clone());
    let guessing = source.guessing(&session.owner, &provider.id, name.expose()).await;
    let progress = caller
        .write(move |tx| -> ApiResult<_> {
            let mut context = context.clone();
            let owner = &session.owner;
            // Locks the user, so that two sessions that submit the same new login do not create two accounts.
            tx.users().get(owner, &session.user_id)?.ok_or_else(Problem::missing)?;
            let attempt = tx.link_attempts().get(&session.attempt_id)?.ok_or_else(Problem::missing)?;
            let submits = tx.quota_uses().get(owner, &session.user_id, Quota::Submits, "")?;
            let submits = submits.charge(1, context.now().wall())?;
            let (link, consent) = templates(tx, &session, &provider)?;
            let key = tx.derive_key(Label::Lookup);
            let hash = login_hash(&key, &provider.id, name.expose());
            let of_attempt = match &attempt.account_id {
                Some(id) => tx.accounts().get(owner, id)?,
                None => None,
            };
            let same_login = match provider.login_required {
                true => tx.accounts().by_login(owner, &session.user_id, &provider.id, &hash)?,
                false => None,
            };
            let user_tries = tx.login_tries().get(owner, &session.user_id, &provider.id, hash)?;
            let tries = match &login {
                Some(_) => {
                    let of = TryOf {
                        provider: &provider.id,
                        login_name: name.expose(),
                        session: &session.id,
                        network: network.bytes(),
                    };
                    let since = context.now().wall() - LoginTries::MEMORY;
                    let others = tx.login_tries().others_failed_since(&user_tries, since)?;
                    let counted = accounts::tries(
                        tx,
                        user_tries,
                        &GuessCounter::for_try(of, guessing, &key),
                        guessing,
                    )?;
                    tries_of_submission(counted, others, same_login.as_ref())
                }
                None => Tries::from_own(user_tries),
            };
            let placement = match &body.account_id {
                Some(id) => {
                    let account = tx.accounts().get(owner, id)?;
                    account_for_relogin(
                        account,
                        &session.user_id,
                        &provider.id,
                        login.as_ref().map(|_| &hash),
                    )
                }
                None => Ok(account_for_login(&provider.id, of_attempt, same_login)),
            };
            let terms = Terms { link: &link, consent: &consent };
            let at = context.now().tenant();
            let placed = placement.map_err(Problem::from).and_then(|placement| {
                let consent = placement.consent(login.as_ref(), body.consent.clone(), (&terms, at))?;
                Ok((placement, consent))
            });
            let (placement, consent) = match placed {
                Ok(placed) => placed,
                Err(refused) => {
                    // A refusal counts as a submission, because it reveals whether a login is the account's.
                    tx.apply(&Change::row(Row::QuotaUse(submits)), context.now())?;
                    return Ok(Err(refused));
                }
            };
            let sync = link.sync_at(&provider);
            let retention = link.template.retention;
            let submission = Submission { login: login.clone(), sync, retention, consent, tries };
            let target = match placement {
                Placement::Retry(account) | Placement::Relink(account) | Placement::Relogin(account) => {
                    LinkTarget::Known(account)
                }
                Placement::New => {
                    let account = NewAccount {
                        owner: owner.clone(),
                        user_id: session.user_id.clone(),
                        provider_id: provider.id.clone(),
                        visit_id: session.visit.as_ref().map(|visit| visit.id.clone()),
                    };
                    let accounts = tx.quota_uses().get(owner, &session.user_id, Quota::Accounts, "")?;
                    LinkTarget::New { account, accounts }
                }
            };
            let invite = match session.visit.as_ref().and_then(|it| it.invite_id.as_ref()) {
                Some(id) => tx.invites().get(owner, id)?,
                None => None,
            };
            let hosted_link = match &session.visit {
                Some(visit) => tx.hosted_links().by_visit(&visit.id)?,
                None => None,
            };
            let visit = match &session.visit {
                Some(visit) => tx.visits().get(owner, &visit.id)?,
                None => None,
            };
            let stored =
                StoredLink { session: &session, attempt, target, submits, invite, hosted_link, visit };
            let (account, change) = start_link(stored, submission, &mut context)?;
            tx.apply(&change, context.now())?;
            Ok(Ok(account.progress(context.now())))
        })
        .await??;
    Ok((StatusCode::CREATED, Json(caller.word_progress(progress))))
}

/// Returns the login in its stored form. `None` if the provider needs no login. Only the worker opens the sealed box.
fn login_of(provider: &Provider, body: &StartLink, session: &LinkSession) -> ApiResult<Option<Login>> {
    if !provider.login_required {
        let given = [
            ("loginOption", body.login_option.is_some()),
            ("loginName", body.login_name.is_some()),
            ("credentials", body.credentials.is_some()),
        ];
        let faults = given.iter().filter(|(_, is_given)| *is_given);
        let faults: Vec<_> = faults
            .map(|(name, _)| fault(*name, FaultCode::Invalid, "null: the provider needs no login"))
            .collect();
        return if faults.is_empty() { Ok(None) } else { Err(Problem::invalid(faults)) };
    }
    let option = provider.login_options.iter().find(|it| Some(&it.id) == body.login_option.as_ref());
    let name = body.login_name.as_ref().filter(|it| !it.is_empty());
    let mut faults = Vec::new();
    if option.is_none() {
        faults.push(fault("loginOption", FaultCode::Invalid, "one of the provider's login options"));
    }
    match (option.and_then(login_form::name_field), name) {
        (_, None) => faults.push(fault("loginName", FaultCode::Missing, "required")),
        (Some(field), Some(name)) => {
            faults.extend(field.format.check(name.expose()).err().map(|it| format_fault("loginName", it)));
        }
        (None, Some(_)) => {}
    }
    if body.credentials.is_none() {
        faults.push(fault("credentials", FaultCode::Missing, "required, encrypted to the session's key"));
    }
    match (option, name, &body.credentials) {
        (Some(option), Some(name), Some(credentials)) if faults.is_empty() => {
            let form = to_sealed(credentials, session, "credentials")?;
            Ok(Some(Login { option: option.id.clone(), name: name.clone(), form }))
        }
        _ => Err(Problem::invalid(faults)),
    }
}

/// Returns the session's link template, which must offer the provider, and its consent template.
fn templates(
    tx: &mut Tx<'_>,
    session: &LinkSession,
    provider: &Provider,
) -> ApiResult<(LinkTemplate, ConsentTemplate)> {
    let (template, consent) = terms_to_cite(tx, session)?.ok_or_else(Problem::missing)?;
    if !template.offers(&provider.id) {
        return Err(Problem::invalid_field(
            "providerId",
            FaultCode::Invalid,
            "a provider of the link template",
        ));
    }
    Ok((template, consent))
}
