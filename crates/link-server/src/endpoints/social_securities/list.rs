//! `GET /alpha/socialSecurities`: the records of the caller's environment.

use axum::Json;
use axum::extract::State;
use link_store::{Created, PageRequest};
use link_types::list::Page;
use link_types::record::SocialSecurity;

use crate::app::App;
use crate::http::caller::TenantCaller;
use crate::http::problem::Answer;
use crate::http::query::{CreatedParams, FromQuery, PageParams, Query, QueryFields};
use crate::http::{list, refusals};

/// Which records to list.
pub(super) struct Wanted {
    created: Created,
    page: PageRequest,
}

impl FromQuery for Wanted {
    fn take(query: &mut QueryFields) -> Self {
        Self { created: query.created(), page: query.page() }
    }
}

/// List social security records, newest first.
#[utoipa::path(
    get, path = "/alpha/socialSecurities", tag = "records", operation_id = "listAlphaSocialSecurities",
    params(CreatedParams, PageParams),
    responses((status = 200, description = "A page of records", body = Page<SocialSecurity>), refusals::List),
    security(("apiKey" = []))
)]
pub(super) async fn alpha(
    State(app): State<App>,
    caller: TenantCaller,
    Query(wanted): Query<Wanted>,
) -> Answer<Json<Page<SocialSecurity>>> {
    records(&app, &caller, wanted).await
}

/// List social security records, at the address without their maturity.
#[utoipa::path(
    get, path = "/socialSecurities", tag = "records", operation_id = "listSocialSecurities",
    params(CreatedParams, PageParams),
    responses((status = 200, description = "A page of records", body = Page<SocialSecurity>), refusals::List),
    security(("apiKey" = []))
)]
pub(super) async fn plain(
    State(app): State<App>,
    caller: TenantCaller,
    Query(wanted): Query<Wanted>,
) -> Answer<Json<Page<SocialSecurity>>> {
    records(&app, &caller, wanted).await
}

async fn records(app: &App, caller: &TenantCaller, wanted: Wanted) -> Answer<Json<Page<SocialSecurity>>> {
    let owner = caller.owner().clone();
    let page = app
        .store()
        .read(move |reader| -> Answer<_> { Ok(reader.records(&owner, wanted.created, &wanted.page)?) })
        .await?;
    Ok(Json(list::page(page, |record| record.view())))
}
