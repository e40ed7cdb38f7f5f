//! The exports of accounts: creating one, and its file by a signed URL.

use axum::Json;
use axum::extract::{Path, State};
use axum::http::{HeaderName, HeaderValue, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hmac::{Hmac, KeyInit, Mac};
use link_domain::change::{Change, Row};
use link_domain::kernel::clock::TenantTime;
use link_domain::kernel::owner::Owner;
use link_domain::linking::account::Account;
use link_domain::linking::export::{self, ExportFile};
use link_store::{Label, Reader};
use link_types::export::{Export, ExportFormat};
use link_types::id::{AccountId, ExportId};
use sha2::Sha256;

use crate::api::payload::{DocumentUrls, points_of_source, render};
use crate::app::App;
use crate::exports::{self, Snapshot};
use crate::http::endpoints::Endpoints;
use crate::http::extract::PathId;
use crate::http::extract::caller::{Environment, TenantCaller};
use crate::http::extract::query::{FromQuery, Query, QueryFields};
use crate::http::limits::permits::Permit;
use crate::http::problem::{ApiResult, Problem};
use crate::openapi::{parse_example, refusals};

/// Returns the route of exports. Clients get the URL from an export, so it is not an operation of the document.
pub fn routes() -> Endpoints {
    Endpoints::new().route("/exports/{tenant}/{export}", get(file))
}

/// Query of an export.
pub(crate) struct ExportAccountQuery {
    format: Option<ExportFormat>,
}

impl FromQuery for ExportAccountQuery {
    fn take(query: &mut QueryFields) -> Self {
        Self {
            format: query.take_optional("format", "Format of the file. Defaults to PDF", "PDF, CSV or JSON"),
        }
    }
}

/// Exports an account's data points as a PDF, CSV or JSON file.
///
/// The response contains the URL to download the file from. The URL is valid for at most 1 hour and stops working when
/// the account ends. A repeated request within 30 minutes returns the same export if nothing has changed.
#[utoipa::path(
    get, path = "/accounts/{id}/exports/generate", tag = "accounts", operation_id = "generateAccountExport",
    params(("id" = AccountId, Path, description = "The account's id"), Query<ExportAccountQuery>),
    responses((status = 200, description = "The export", body = Export, example = json!(parse_example(include_str!("accounts/export.json")))), refusals::Read),
    security(("apiKey" = []))
)]
pub(crate) async fn create(
    State(app): State<App>,
    caller: TenantCaller,
    PathId(id): PathId<AccountId>,
    Query(query): Query<ExportAccountQuery>,
) -> ApiResult<Json<Export>> {
    let format = query.format.unwrap_or(ExportFormat::Pdf);
    let (owner, now) = (caller.owner().clone(), caller.now().tenant());
    let look = || {
        let (owner, id) = (owner.clone(), id.clone());
        app.store.read(move |reader| -> ApiResult<_> {
            let account =
                reader.accounts().get(&owner, &id)?.filter(Account::has_data).ok_or_else(Problem::missing)?;
            let latest = reader.exports().latest(&owner, &account.id, format)?;
            let known = latest.filter(|export| export.still_serves(&account, now));
            Ok((account, known, reader.derive_key(Label::Export)))
        })
    };
    let (_, known, key) = look().await?;
    let export = match known {
        Some(known) => known,
        None => {
            let permit = app.limits.exports.take(&owner.tenant, None).await?;
            // A concurrent request may have written this export while this one waited.
            match look().await? {
                (_, Some(known), _) => known,
                (account, None, _) => make(&app, &caller, account, format, permit).await?,
            }
        }
    };
    let address = ExportAddress { owner: export.owner.clone(), export_id: export.id.clone() };
    let base = app.files_base(export.owner.mode);
    Ok(Json(export.view(format!("{base}{}", address.sign(&key, export.expires_at)))))
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
    let urls = DocumentUrls::for_caller(app, caller);
    let read = move |reader: &mut Reader<'_>| points_of_source(reader, &owner, id.as_str(), &urls);
    let bodies = app.store.read(read).await?;
    let mut context = caller.context();
    let providers = app.ports.source(account.owner.mode).providers();
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
    let file = ExportFile::for_account(&account, format, content, &mut context);
    let (export, now) = (file.export.clone(), context.now());
    let change = Change::row(Row::Export(Box::new(file)));
    let write = app.store.write(move |tx| -> ApiResult<_> {
        let current = tx.accounts().get(&account.owner, &account.id)?;
        if current.is_some_and(|it| it.is_connected() && it.declined_data() != account.declined_data()) {
            // The file may have data that the person declined while it was rendered.
            return Err(Problem::busy("the person just changed what they share"));
        }
        Ok(tx.apply(&change, now)?)
    });
    write.await?;
    Ok(export)
}

// Signed URLs of exports. A URL works without other credentials until the export expires.

/// The export that a signed URL names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExportAddress {
    /// The tenant and environment of the exported account.
    pub owner: Owner,
    /// The export.
    pub export_id: ExportId,
}

impl ExportAddress {
    /// Returns the path and query below the environment's base URL, signed with the address key. They contain only ids
    /// and the expiry time.
    pub fn sign(&self, key: &[u8; 32], expires_at: TenantTime) -> String {
        let expires = seconds(expires_at);
        let signature = URL_SAFE_NO_PAD.encode(self.mac(key, expires).finalize().into_bytes());
        let Self { owner, export_id } = self;
        format!("/exports/{}/{export_id}?expires={expires}&signature={signature}", owner.tenant)
    }

    /// Checks the signature. Does not check the expiry time: the caller compares that with the export itself.
    pub fn is_signed(&self, key: &[u8; 32], expires: i64, signature: &str) -> bool {
        let signature = URL_SAFE_NO_PAD.decode(signature).unwrap_or_default();
        self.mac(key, expires).verify_slice(&signature).is_ok()
    }

    fn mac(&self, key: &[u8; 32], expires: i64) -> Hmac<Sha256> {
        let padded: [u8; 64] = std::array::from_fn(|index| key.get(index).copied().unwrap_or(0));
        let mut mac = <Hmac<Sha256> as KeyInit>::new(&padded.into());
        let Self { owner, export_id } = self;
        let (tenant, mode) = (&owner.tenant, owner.mode.as_str());
        mac.update(format!("export\n{tenant}\n{mode}\n{export_id}\n{expires}").as_bytes());
        mac
    }
}

fn seconds(at: TenantTime) -> i64 {
    at.micros().div_euclid(1_000_000)
}

/// The signature in an export's URL.
struct SignedExportQuery {
    expires: Option<i64>,
    signature: Option<String>,
}

impl FromQuery for SignedExportQuery {
    fn take(query: &mut QueryFields) -> Self {
        Self {
            expires: query.take_required(
                "expires",
                "When the URL expires",
                "the value from the export's `downloadUrl`",
            ),
            signature: query.take_required(
                "signature",
                "Signature of the URL",
                "the value from the export's `downloadUrl`",
            ),
        }
    }
}

/// Returns the content of an export.
///
/// Every error is a 404: an invalid signature, an expired export, and an account whose data was erased.
async fn file(
    State(app): State<App>,
    Environment(mode): Environment,
    Path((tenant, export)): Path<(String, String)>,
    Query(signed): Query<SignedExportQuery>,
) -> ApiResult<Response> {
    let missing = |_| Problem::missing();
    let owner = Owner { tenant: tenant.parse().map_err(missing)?, mode };
    let address = ExportAddress { owner: owner.clone(), export_id: export.parse().map_err(missing)? };
    let (expires, signature) = signed.expires.zip(signed.signature).ok_or_else(Problem::missing)?;
    let now = app.now(app.offset_of(&owner).await?).tenant();
    let found = app
        .store
        .read(move |reader| -> ApiResult<_> {
            if !address.is_signed(&reader.derive_key(Label::Export), expires, &signature) {
                return Ok(None);
            }
            let tenant = reader.tenants().get(&address.owner.tenant)?;
            if tenant.is_none_or(|it| it.check_active().is_err()) {
                return Ok(None);
            }
            Ok(reader.exports().get(&address.owner, &address.export_id)?)
        })
        .await?;
    let file = found.filter(|file| file.export.is_fetchable(now)).ok_or_else(Problem::missing)?;
    Ok((headers(&file.export), file.content).into_response())
}

fn headers(export: &export::Export) -> [(HeaderName, HeaderValue); 5] {
    let fixed = HeaderValue::from_static;
    [
        (header::CONTENT_TYPE, fixed(export.format.media_type())),
        (header::CONTENT_DISPOSITION, disposition(export)),
        (header::CONTENT_SECURITY_POLICY, fixed("sandbox; default-src 'none'")),
        (header::X_CONTENT_TYPE_OPTIONS, fixed("nosniff")),
        (header::CACHE_CONTROL, fixed("private, no-store")),
    ]
}

/// Returns a header that saves the file under the export's id, which reveals nothing about the person.
fn disposition(export: &export::Export) -> HeaderValue {
    let extension = match export.format {
        ExportFormat::Pdf => "pdf",
        ExportFormat::Csv => "csv",
        ExportFormat::Json => "json",
    };
    let text = format!("attachment; filename=\"{}.{extension}\"", export.id);
    HeaderValue::from_str(&text).unwrap_or_else(|_| HeaderValue::from_static("attachment"))
}

#[cfg(test)]
mod tests {
    use link_types::Mode;

    use super::*;

    fn address(mode: Mode, export: u8) -> ExportAddress {
        let owner = Owner { tenant: "demo".parse().unwrap(), mode };
        ExportAddress { owner, export_id: ExportId::from_bytes([export; 16]) }
    }

    #[test]
    fn export_signature_is_bound_to_export_environment_and_key() {
        let mine = address(Mode::Sandbox, 2);
        let signed = mine.sign(&[7; 32], TenantTime::from_micros(1_763_000_000_000_000));
        let (_, query) = signed.split_once("?expires=").unwrap();
        let (expires, signature) = query.split_once("&signature=").unwrap();
        let expires: i64 = expires.parse().unwrap();
        assert!(mine.is_signed(&[7; 32], expires, signature));
        assert!(!mine.is_signed(&[7; 32], expires + 1, signature), "changed expiry");
        assert!(!mine.is_signed(&[8; 32], expires, signature), "another key");
        assert!(!mine.is_signed(&[7; 32], expires, ""));
        for other in [address(Mode::Sandbox, 3), address(Mode::Production, 2)] {
            assert!(!other.is_signed(&[7; 32], expires, signature));
        }
    }
}
