//! `/console/api/{environment}/keys`: lists, creates, rotates and revokes API keys. A key can be created for a program that
//! waits for one (`public/device.rs`).

use axum::Json;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use link_domain::change::{Change, Row};
use link_domain::kernel::clock::ClockOffset;
use link_domain::kernel::owner::Owner;
use link_domain::tenancy::tenant::key_request::typed_code;
use link_domain::tenancy::tenant::{ApiKey, IssuedKey, KeyDraftError};
use link_store::Tx;
use link_types::console::{ConsoleKey, CreatedKey, Items, KeyCredentials, KeyDraft, KeyRotation};
use link_types::problem::FaultCode;

use super::body::ConsoleBody;
use super::caller::ConsoleCaller;
use crate::api::resource_limits::one_more_key;
use crate::app::App;
use crate::http::limits::network::Network;
use crate::http::problem::{ApiResult, Problem};

/// Lists the keys of the environment, newest first, including those that were revoked last.
pub(super) async fn list(
    State(app): State<App>,
    caller: ConsoleCaller,
) -> ApiResult<Json<Items<ConsoleKey>>> {
    let owner = caller.owner();
    let keys = app.store.read(move |reader| reader.api_keys().list(&owner)).await?;
    let now = app.wall();
    Ok(Json(Items { items: keys.iter().rev().map(|key| key.view(now)).collect() }))
}

/// Creates a key. The response contains its secret, which is shown only once, unless a program waits for the key.
pub(super) async fn create(
    State(app): State<App>,
    caller: ConsoleCaller,
    network: Network,
    ConsoleBody(draft): ConsoleBody<KeyDraft>,
) -> ApiResult<(StatusCode, Json<CreatedKey>)> {
    if let Some(code) = &draft.code {
        // Otherwise, a member could try the codes of programs that are not theirs.
        network.may_be_refused(&app)?;
        let counted = app.clone();
        let granted = match typed_code(code) {
            Some(code) => grant(app, caller, draft, code).await,
            None => Err(to_problem(KeyDraftError::Code)),
        };
        let is_of_code = |it: &Problem| it.errors().iter().any(|fault| fault.field == "code");
        return granted.map_err(|it| if is_of_code(&it) { network.count_refusal(&counted, it) } else { it });
    }
    let mut context = app.context(ClockOffset::default());
    let (key, issued) = ApiKey::create(caller.owner(), &draft, true, &mut context).map_err(to_problem)?;
    let shown = key.view(context.now().wall());
    caller.concerns(&shown.id);
    app.store
        .write(move |tx| -> ApiResult<()> {
            caller.check_again(tx, context.now().wall())?;
            one_more_key(tx, &key.owner)?;
            Ok(tx.apply(&Change::row(Row::ApiKey(key.clone())), context.now())?)
        })
        .await?;
    Ok((StatusCode::CREATED, Json(show_once(shown, issued))))
}

/// Creates the key that a program waits for. Only the program has its secret.
async fn grant(
    app: App,
    caller: ConsoleCaller,
    draft: KeyDraft,
    code: String,
) -> ApiResult<(StatusCode, Json<CreatedKey>)> {
    let context = app.context(ClockOffset::default());
    let concerned = caller.clone();
    let key = app
        .store
        .write(move |tx| -> ApiResult<_> {
            let owner = caller.owner();
            caller.check_again(tx, context.now().wall())?;
            one_more_key(tx, &owner)?;
            let request = tx.key_requests().by_code(&code)?.ok_or_else(|| to_problem(KeyDraftError::Code))?;
            let (key, change) = request.grant(owner, &draft, &context).map_err(to_problem)?;
            tx.apply(&change, context.now())?;
            Ok(key.view(context.now().wall()))
        })
        .await?;
    concerned.concerns(&key.id);
    Ok((StatusCode::CREATED, Json(CreatedKey { key, credentials: None })))
}

/// Creates the successor of a key, which works for some more hours. The response contains the successor's secret.
pub(super) async fn rotate(
    State(app): State<App>,
    Path((_, id)): Path<(String, String)>,
    caller: ConsoleCaller,
    ConsoleBody(rotation): ConsoleBody<KeyRotation>,
) -> ApiResult<(StatusCode, Json<CreatedKey>)> {
    let (owner, context) = (caller.owner(), app.context(ClockOffset::default()));
    let concerned = caller.clone();
    let (shown, issued) = app
        .store
        .write(move |tx| -> ApiResult<_> {
            let mut context = context.clone();
            caller.check_again(tx, context.now().wall())?;
            let (key, _) = one_of(tx, &owner, &id)?;
            one_more_key(tx, &owner)?;
            let (old, new, issued) = key.succeed(rotation, &mut context).map_err(to_problem)?;
            let shown = new.view(context.now().wall());
            let change = Change { rows: vec![Row::ApiKey(old), Row::ApiKey(new)], ..Change::default() };
            tx.apply(&change, context.now())?;
            Ok((shown, issued))
        })
        .await?;
    concerned.concerns(&shown.id);
    Ok((StatusCode::CREATED, Json(show_once(shown, issued))))
}

fn show_once(key: ConsoleKey, issued: IssuedKey) -> CreatedKey {
    let credentials = KeyCredentials { api_key: issued.key, api_secret: issued.secret.expose().to_owned() };
    CreatedKey { key, credentials: Some(credentials) }
}

/// Returns and locks a key of the owner, and returns all keys.
fn one_of(tx: &mut Tx<'_>, owner: &Owner, id: &str) -> ApiResult<(ApiKey, Vec<ApiKey>)> {
    let all = tx.api_keys().list(owner)?;
    let hash = all.iter().find(|key| key.id() == id).ok_or_else(Problem::missing)?.key_hash;
    Ok((tx.api_keys().get(&hash)?.ok_or_else(Problem::missing)?, all))
}

fn to_problem(error: KeyDraftError) -> Problem {
    let field = match error {
        KeyDraftError::Name => "name",
        KeyDraftError::Scopes => "scopes",
        KeyDraftError::Days => "expiresInDays",
        KeyDraftError::Code | KeyDraftError::Environment => "code",
        KeyDraftError::Hours => "hours",
        KeyDraftError::State(_) => {
            return Problem::conflict("The key does not work any more. Create another.");
        }
    };
    Problem::invalid_field(field, FaultCode::Invalid, error.to_string())
}

/// Revokes a key. It is rejected from now on, on every node.
pub(super) async fn revoke(
    State(app): State<App>,
    Path((_, id)): Path<(String, String)>,
    caller: ConsoleCaller,
) -> ApiResult<Json<ConsoleKey>> {
    let (owner, now) = (caller.owner(), app.now(ClockOffset::default()));
    let revoked = app
        .store
        .write(move |tx| -> ApiResult<_> {
            caller.check_again(tx, now.wall())?;
            let (key, all) = one_of(tx, &owner, &id)?;
            let (key, change) = key.revoke_of(&all, now.tenant());
            tx.apply(&change, now)?;
            Ok(key)
        })
        .await?;
    Ok(Json(revoked.view(now.wall())))
}
