//! `GET /billing/events`: lists chargeable events.

use axum::Json;
use axum::extract::State;
use link_domain::tenancy::billing::BillingRecord;
use link_store::{BillingFilter, Created, PageRequest};
use link_types::billing::{BillingEvent, BillingKind};
use link_types::id::UserId;
use link_types::list::Page;

use crate::app::App;
use crate::http::extract::caller::TenantCaller;
use crate::http::extract::query::{FromQuery, Query, QueryFields};
use crate::http::list;
use crate::http::problem::ApiResult;
use crate::openapi::refusals;
use crate::openapi::shown;

/// Query of the list of chargeable events.
pub(super) struct ListBillingEventsQuery {
    kind: Option<BillingKind>,
    subject: Option<String>,
    user_id: Option<UserId>,
    created: Created,
    page: PageRequest,
}

impl FromQuery for ListBillingEventsQuery {
    fn take(query: &mut QueryFields) -> Self {
        Self {
            kind: query.optional(
                "type",
                "Return only chargeable events of this type",
                "a kind of chargeable event, like ACCOUNT_CONNECTED",
            ),
            subject: query.text(
                "subjectId",
                "Return only chargeable events of this account, record or signal",
                64,
            ),
            user_id: query.optional("userId", "Return only chargeable events of this user", "a user's id"),
            created: query.created(),
            page: query.page(),
        }
    }
}

/// Lists chargeable events, newest first.
///
/// An account is charged once, when it is connected for the first time. A signal or record is charged when it is
/// created, as its result code decides.
#[utoipa::path(
    get, path = "/billing/events", tag = "billing", operation_id = "listBillingEvents",
    params(Query<ListBillingEventsQuery>),
    responses(
        (status = 200, description = "A page of chargeable events", body = Page<BillingEvent>, example = json!(shown(include_str!("events.json")))), refusals::List,
    ),
    security(("apiKey" = []))
)]
pub(super) async fn handler(
    State(app): State<App>,
    caller: TenantCaller,
    Query(query): Query<ListBillingEventsQuery>,
) -> ApiResult<Json<Page<BillingEvent>>> {
    let owner = caller.owner().clone();
    let page = app
        .store()
        .read(move |reader| -> ApiResult<_> {
            let filter = BillingFilter {
                kind: query.kind,
                subject: query.subject.as_deref(),
                user: query.user_id.as_ref(),
                created: query.created,
            };
            Ok(reader.billing_events().list(&owner, filter, &query.page)?)
        })
        .await?;
    Ok(Json(list::page(page, BillingRecord::view)))
}
