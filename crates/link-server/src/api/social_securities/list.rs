//! `GET /alpha/socialSecurities`: lists the records of the caller's environment.

use axum::Json;
use axum::extract::State;
use link_store::{Created, PageRequest};
use link_types::id::UserId;
use link_types::list::Page;
use link_types::record::SocialSecurity;

use crate::app::App;
use crate::http::extract::caller::TenantCaller;
use crate::http::extract::query::{FromQuery, Query, QueryFields};
use crate::http::list;
use crate::http::problem::ApiResult;
use crate::openapi::refusals;

/// Query of the list of records.
pub(super) struct ListSocialSecuritiesQuery {
    user_id: Option<UserId>,
    created: Created,
    page: PageRequest,
}

impl FromQuery for ListSocialSecuritiesQuery {
    fn take(query: &mut QueryFields) -> Self {
        Self {
            user_id: query.optional("userId", "Return only records of this user", "a user's id"),
            created: query.created(),
            page: query.page(),
        }
    }
}

/// Lists social security records, newest first.
///
/// The list contains records in every status. Listing is free of charge.
#[utoipa::path(
    get, path = "/alpha/socialSecurities", tag = "records", operation_id = "listAlphaSocialSecurities",
    params(Query<ListSocialSecuritiesQuery>),
    responses((status = 200, description = "A page of records", body = Page<SocialSecurity>), refusals::List),
    security(("apiKey" = []))
)]
pub(super) async fn alpha(
    State(app): State<App>,
    caller: TenantCaller,
    Query(query): Query<ListSocialSecuritiesQuery>,
) -> ApiResult<Json<Page<SocialSecurity>>> {
    records(&app, &caller, query).await
}

/// Lists social security records, newest first. Same as `GET /alpha/socialSecurities`.
///
/// The path without `/alpha` returns the same list, because a part of the interface describes it.
#[utoipa::path(
    get, path = "/socialSecurities", tag = "records", operation_id = "listSocialSecurities",
    params(Query<ListSocialSecuritiesQuery>),
    responses((status = 200, description = "A page of records", body = Page<SocialSecurity>), refusals::List),
    security(("apiKey" = []))
)]
pub(super) async fn plain(
    State(app): State<App>,
    caller: TenantCaller,
    Query(query): Query<ListSocialSecuritiesQuery>,
) -> ApiResult<Json<Page<SocialSecurity>>> {
    records(&app, &caller, query).await
}

async fn records(
    app: &App,
    caller: &TenantCaller,
    query: ListSocialSecuritiesQuery,
) -> ApiResult<Json<Page<SocialSecurity>>> {
    let owner = caller.owner().clone();
    let page = app
        .store()
        .read(move |reader| -> ApiResult<_> {
            Ok(reader.records().list(&owner, query.user_id.as_ref(), query.created, &query.page)?)
        })
        .await?;
    Ok(Json(list::page(page, |record| record.view())))
}
