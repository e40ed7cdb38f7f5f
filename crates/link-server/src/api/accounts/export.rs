//! `GET /accounts/{id}/exports/generate`: exports an account's data points as a file.

use axum::Json;
use axum::extract::State;
use link_domain::change::{Change, Row};
use link_domain::linking::account::Account;
use link_domain::linking::export::{self, ExportFile};
use link_store::{Label, Reader};
use link_types::export::{Export, ExportFormat};
use link_types::id::AccountId;

use crate::api::document_urls::DocumentUrls;
use crate::api::exports::export_address::ExportAddress;
use crate::api::payload::{points_of_source, render};
use crate::app::App;
use crate::exports::{self, Snapshot};
use crate::http::extract::caller::TenantCaller;
use crate::http::extract::path::PathId;
use crate::http::extract::query::{FromQuery, Query, QueryFields};
use crate::http::limits::permits::Permit;
use crate::http::problem::{ApiResult, Problem};
use crate::openapi::refusals;
use crate::openapi::shown;

/// Query of an export.
pub(super) struct ExportAccountQuery {
    format: Option<ExportFormat>,
}

impl FromQuery for ExportAccountQuery {
    fn take(query: &mut QueryFields) -> Self {
        Self { format: query.optional("format", "Format of the file. Defaults to PDF", "PDF, CSV or JSON") }
    }
}

/// Exports an account's data points as a PDF, CSV or JSON file.
///
/// The response contains the URL to download the file from. The URL is valid for at most 1 hour and stops working when
/// the account ends. A repeated request within 30 minutes returns the same export if nothing has changed.
#[utoipa::path(
    get, path = "/accounts/{id}/exports/generate", tag = "accounts", operation_id = "generateAccountExport",
    params(("id" = AccountId, Path, description = "The account's id"), Query<ExportAccountQuery>),
    responses((status = 200, description = "The export", body = Export, example = json!(shown(include_str!("export.json")))), refusals::Read),
    security(("apiKey" = []))
)]
pub(super) async fn handler(
    State(app): State<App>,
    caller: TenantCaller,
    PathId(id): PathId<AccountId>,
    Query(query): Query<ExportAccountQuery>,
) -> ApiResult<Json<Export>> {
    let format = query.format.unwrap_or(ExportFormat::Pdf);
    let (owner, now) = (caller.owner().clone(), caller.now().tenant());
    let look = || {
        let (owner, id) = (owner.clone(), id.clone());
        app.store().read(move |reader| -> ApiResult<_> {
            let account =
                reader.accounts().get(&owner, &id)?.filter(Account::has_data).ok_or_else(Problem::missing)?;
            let latest = reader.exports().latest(&owner, &account.id, format)?;
            let known = latest.filter(|export| export.still_serves(&account, now));
            Ok((account, known, reader.derived_key(Label::Export)))
        })
    };
    let (_, known, key) = look().await?;
    let export = match known {
        Some(known) => known,
        None => {
            let permit = app.renderings().take(&owner.tenant, None).await?;
            // A concurrent request may have written this export while this one waited.
            match look().await? {
                (_, Some(known), _) => known,
                (account, None, _) => make(&app, &caller, account, format, permit).await?,
            }
        }
    };
    let address = ExportAddress { owner: export.owner.clone(), export_id: export.id.clone() };
    let base = app.files_base(export.owner.mode);
    Ok(Json(export.view(format!("{base}{}", address.signed(&key, export.expires_at)))))
}

/// Renders the account's current data and stores the file.
async fn make(
    app: &App,
    caller: &TenantCaller,
    account: Account,
    format: ExportFormat,
    permit: Permit,
) -> ApiResult<export::Export> {
    let (owner, id) = (account.owner.clone(), account.id.clone());
    let urls = DocumentUrls::of(app, caller);
    let read = move |reader: &mut Reader<'_>| points_of_source(reader, &owner, id.as_str(), &urls);
    let bodies = app.store().read(read).await?;
    let mut context = caller.context();
    let providers = app.source(account.owner.mode).providers();
    let provider = providers.iter().find(|it| it.id == account.provider_id);
    let snapshot = Snapshot {
        mode: account.owner.mode,
        account: account.view(),
        provider_name: provider.map_or_else(|| account.provider_id.to_string(), |it| it.long_name.clone()),
        bodies,
        at: context.now().tenant().into(),
    };
    // Rendering continues if the caller disconnects, so the task must own the permit.
    let rendered = tokio::task::spawn_blocking(move || -> ApiResult<_> {
        let payload = render(&snapshot.account, &snapshot.bodies)?;
        Ok((exports::render(format, &snapshot, payload).map_err(Problem::system)?, permit))
    });
    let (content, _turn) = rendered.await.map_err(Problem::system)??;
    let file = ExportFile::of(&account, format, content, &mut context);
    let (export, now) = (file.export.clone(), context.now());
    let change = Change::row(Row::Export(Box::new(file)));
    let write = app.store().write(move |tx| -> ApiResult<_> {
        let current = tx.accounts().get(&account.owner, &account.id)?;
        if current.is_some_and(|it| it.is_connected() && it.declined() != account.declined()) {
            // The file may have data that the person declined while it was rendered.
            return Err(Problem::busy("the person just changed what they share"));
        }
        Ok(tx.apply(&change, now)?)
    });
    write.await?;
    Ok(export)
}
