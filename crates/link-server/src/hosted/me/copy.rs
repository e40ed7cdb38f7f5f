//! `/me/copy`: a file with what a person gave. It is what the tenant reads, without the times of the user's other accounts.

use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Redirect, Response};
use link_domain::kernel::owner::Owner;
use link_domain::kernel::scope::ErasureScope;
use link_store::Label;
use link_types::data::DataPointKind;
use link_types::export::ExportFormat;

use super::form::{environment, read_fields};
use super::items::{Item, Object, item};
use super::list::name;
use super::session::{PageCaller, over};
use crate::api::archives::view_at;
use crate::api::forms;
use crate::api::payload::{DocumentUrls, points_of_source, render};
use crate::app::App;
use crate::exports::{self, Snapshot};
use crate::hosted::page::Look;
use crate::hosted::visitor::Browser;
use crate::http::limits::network::Network;
use crate::http::problem::{ApiResult, Problem};

pub(super) async fn handler(
    State(app): State<App>,
    network: Network,
    browser: Browser,
    headers: HeaderMap,
    body: Body,
) -> ApiResult<Response> {
    let look = Look::plain(&app, &browser);
    let Some(caller) = PageCaller::find(&app, &headers, network).await? else {
        return Ok(over(&look, StatusCode::FORBIDDEN));
    };
    let fields = read_fields(body).await?;
    let field = |name: &str| fields.get(name).cloned().unwrap_or_default();
    let (environment_name, what) = (field("environment"), field("what"));
    let session = caller.session;
    let found = app
        .store
        .read(move |reader| -> ApiResult<_> {
            let given = reader.given_data().of_address(&session.address)?.into_iter();
            let mut named = given.filter(|(owner, scope)| {
                session.shows(owner) && environment(owner) == environment_name && scope.as_str() == what
            });
            let Some((owner, scope)) = named.next() else { return Ok(None) };
            Ok(item(reader, &owner, &scope)?.map(|item| (owner, item)))
        })
        .await?;
    let Some((owner, item)) = found else { return Ok(Redirect::to("/me/data").into_response()) };
    let permit = app.limits.exports.take(&owner.tenant, None).await?;
    let format = if field("format") == "PDF" { ExportFormat::Pdf } else { ExportFormat::Json };
    let file = write_copy(&app, &look, owner, &item, format).await?;
    drop(permit);
    Ok(attachment(&item.scope(), format, file))
}

async fn write_copy(
    app: &App,
    look: &Look,
    owner: Owner,
    item: &Item,
    format: ExportFormat,
) -> ApiResult<Vec<u8>> {
    let now = app.now(app.offset_of(&owner).await?);
    let (urls, source) = (DocumentUrls::for_owner(app, owner.clone(), now.wall()), item.scope());
    let read_owner = owner.clone();
    let (mut bodies, key) = app
        .store
        .read(move |reader| -> ApiResult<_> {
            let points = points_of_source(reader, &read_owner, source.as_str(), &urls)?;
            Ok((points, reader.derive_key(Label::Export)))
        })
        .await?;
    // They name when the user linked other accounts at the provider, which may be another person's.
    bodies.remove(&DataPointKind::Links);
    match &item.object {
        Object::Account(account) => {
            let snapshot = Snapshot {
                mode: owner.mode,
                account: account.view(),
                provider_name: name(app, look, item),
                bodies,
                at: now.tenant().into(),
            };
            let rendered = tokio::task::spawn_blocking(move || -> ApiResult<_> {
                let payload = render(&snapshot.account, &snapshot.bodies)?;
                exports::render(format, &snapshot, payload).map_err(Problem::system)
            });
            rendered.await.map_err(Problem::system)?
        }
        Object::Archive(archive) => {
            let metadata = view_at(app, now.wall(), &key, archive).ok_or_else(Problem::missing)?;
            render(&metadata, &bodies)
        }
        Object::Form(form) => {
            let form = forms::view_at(app, now.wall(), &key, form.as_ref().clone());
            serde_json::to_vec(&form).map_err(Problem::system)
        }
    }
}

/// Returns a file that browsers save, and store nowhere else.
fn attachment(scope: &ErasureScope, format: ExportFormat, file: Vec<u8>) -> Response {
    let extension = if format == ExportFormat::Pdf { "pdf" } else { "json" };
    let name = format!("attachment; filename=\"{}.{extension}\"", scope.as_str());
    let fixed = HeaderValue::from_static;
    let headers = [
        (header::CONTENT_TYPE, fixed(format.media_type())),
        (header::CONTENT_DISPOSITION, HeaderValue::from_str(&name).unwrap_or(fixed("attachment"))),
        (header::CONTENT_SECURITY_POLICY, fixed("sandbox; default-src 'none'")),
        (header::X_CONTENT_TYPE_OPTIONS, fixed("nosniff")),
        (header::REFERRER_POLICY, fixed("no-referrer")),
        (header::CACHE_CONTROL, fixed("no-store")),
    ];
    (headers, file).into_response()
}
