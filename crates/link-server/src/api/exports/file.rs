//! `GET /exports/…`: returns the content of an export, with headers that keep browsers from running it.

use axum::extract::{Path, State};
use axum::http::{HeaderName, HeaderValue, header};
use axum::response::{IntoResponse, Response};
use link_domain::kernel::owner::Owner;
use link_domain::linking::export::Export;
use link_store::Label;
use link_types::export::ExportFormat;

use crate::api::exports::export_address::ExportAddress;
use crate::app::App;
use crate::http::extract::caller::Environment;
use crate::http::extract::query::{FromQuery, Query, QueryFields};
use crate::http::problem::{ApiResult, Problem};

/// The signature in an export's URL.
pub(super) struct SignedExportQuery {
    expires: Option<i64>,
    signature: Option<String>,
}

impl FromQuery for SignedExportQuery {
    fn take(query: &mut QueryFields) -> Self {
        Self {
            expires: query.required(
                "expires",
                "When the URL expires",
                "the value from the export's `downloadUrl`",
            ),
            signature: query.required(
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
pub(super) async fn handler(
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
        .store()
        .read(move |reader| -> ApiResult<_> {
            if !address.is_signed(&reader.derived_key(Label::Export), expires, &signature) {
                return Ok(None);
            }
            Ok(reader.exports().get(&address.owner, &address.export_id)?)
        })
        .await?;
    let file = found.filter(|file| file.export.is_fetchable(now)).ok_or_else(Problem::missing)?;
    Ok((headers(&file.export), file.content).into_response())
}

fn headers(export: &Export) -> [(HeaderName, HeaderValue); 5] {
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
fn disposition(export: &Export) -> HeaderValue {
    let extension = match export.format {
        ExportFormat::Pdf => "pdf",
        ExportFormat::Csv => "csv",
        ExportFormat::Json => "json",
    };
    let text = format!("attachment; filename=\"{}.{extension}\"", export.id);
    HeaderValue::from_str(&text).unwrap_or_else(|_| HeaderValue::from_static("attachment"))
}
