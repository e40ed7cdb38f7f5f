//! `/console/api/{environment}/keys`: lists, creates and revokes API keys.

use axum::Json;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use link_domain::change::{Change, Row};
use link_domain::console::member::checked_name;
use link_domain::kernel::clock::ClockOffset;
use link_domain::tenancy::tenant::ApiKey;
use link_types::console::{ConsoleKey, CreatedKey, Items, KeyDraft};
use link_types::problem::FaultCode;

use super::body::ConsoleBody;
use super::caller::ConsoleCaller;
use crate::api::resource_limits::one_more_key;
use crate::app::App;
use crate::http::problem::{ApiResult, Problem};

/// Lists the keys of the environment, newest first, including those that were revoked last.
pub(super) async fn list(
    State(app): State<App>,
    caller: ConsoleCaller,
) -> ApiResult<Json<Items<ConsoleKey>>> {
    let owner = caller.owner();
    let keys = app.store.read(move |reader| reader.api_keys().list(&owner)).await?;
    Ok(Json(Items { items: keys.iter().rev().map(ApiKey::view).collect() }))
}

/// Creates a key. The response contains its secret, which is shown only once.
pub(super) async fn create(
    State(app): State<App>,
    caller: ConsoleCaller,
    ConsoleBody(draft): ConsoleBody<KeyDraft>,
) -> ApiResult<(StatusCode, Json<CreatedKey>)> {
    let name = checked_name(&draft.name)
        .map_err(|_| Problem::invalid_field("name", FaultCode::Invalid, "1 to 80 characters"))?;
    let mut context = app.context(ClockOffset::default());
    let (key, issued) = ApiKey::issue(caller.owner(), &mut context);
    let key = key.with_name(name);
    let shown = key.view();
    app.store
        .write(move |tx| -> ApiResult<()> {
            caller.check_again(tx, context.now().wall())?;
            one_more_key(tx, &key.owner)?;
            Ok(tx.apply(&Change::row(Row::ApiKey(key.clone())), context.now())?)
        })
        .await?;
    let created =
        CreatedKey { key: shown, api_key: issued.key, api_secret: issued.secret.expose().to_owned() };
    Ok((StatusCode::CREATED, Json(created)))
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
            let all = tx.api_keys().list(&owner)?;
            let hash = all.iter().find(|key| key.id() == id).ok_or_else(Problem::missing)?.key_hash;
            let key = tx.api_keys().get(&hash)?.ok_or_else(Problem::missing)?;
            let (key, change) = key.revoke_of(&all, now.tenant());
            tx.apply(&change, now)?;
            Ok(key)
        })
        .await?;
    Ok(Json(revoked.view()))
}
