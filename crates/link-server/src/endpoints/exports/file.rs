//! `GET /exports/…`: the bytes of an export. Served so that no browser runs them.

use axum::extract::{Extension, Path, State};
use axum::http::{HeaderName, HeaderValue, header};
use axum::response::{IntoResponse, Response};
use link_domain::export::Export;
use link_domain::owner::Owner;
use link_store::Label;
use link_types::export::ExportFormat;

use crate::app::App;
use crate::http::caller::Environment;
use crate::http::export_address::ExportAddress;
use crate::http::problem::{Answer, Problem};
use crate::http::query::{FromQuery, Query, QueryFields};

/// What an address is signed with.
pub(super) struct Signed {
    expires: Option<i64>,
    signature: Option<String>,
}

impl FromQuery for Signed {
    fn take(query: &mut QueryFields) -> Self {
        Self {
            expires: query.required("expires", "as the export shows it"),
            signature: query.required("signature", "as the export shows it"),
        }
    }
}

/// An export, as long as its time lasts and its account has data. Whatever is wrong, nothing is there.
pub(super) async fn handler(
    State(app): State<App>,
    Extension(Environment(mode)): Extension<Environment>,
    Path((tenant, export)): Path<(String, String)>,
    Query(signed): Query<Signed>,
) -> Answer<Response> {
    let missing = |_| Problem::missing();
    let owner = Owner { tenant: tenant.parse().map_err(missing)?, mode };
    let address = ExportAddress { owner: owner.clone(), export_id: export.parse().map_err(missing)? };
    let (expires, signature) = signed.expires.zip(signed.signature).ok_or_else(Problem::missing)?;
    let now = app.now(app.offset_of(&owner).await?).tenant();
    let found = app
        .store()
        .read(move |reader| -> Answer<_> {
            if !address.is_signed(&reader.derived_key(Label::Export), expires, &signature) {
                return Ok(None);
            }
            Ok(reader.export(&address.owner, &address.export_id)?)
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

/// To be saved, under a name of ours that tells nothing of the person.
fn disposition(export: &Export) -> HeaderValue {
    let extension = match export.format {
        ExportFormat::Pdf => "pdf",
        ExportFormat::Csv => "csv",
        ExportFormat::Json => "json",
    };
    let text = format!("attachment; filename=\"{}.{extension}\"", export.id);
    HeaderValue::from_str(&text).unwrap_or_else(|_| HeaderValue::from_static("attachment"))
}
