//! `GET /billing/events`: every chargeable event, one row each.

use axum::Json;
use axum::extract::State;
use link_domain::billing::BillingRecord;
use link_store::{BillingFilter, Created, PageRequest};
use link_types::billing::{BillingEvent, BillingKind};
use link_types::id::UserId;
use link_types::list::Page;

use crate::app::App;
use crate::endpoints::openapi::shown;
use crate::http::caller::TenantCaller;
use crate::http::problem::Answer;
use crate::http::query::{CreatedParams, FromQuery, PageParams, Query, QueryFields};
use crate::http::{list, refusals};

/// Which chargeable events to list.
pub(super) struct Wanted {
    kind: Option<BillingKind>,
    subject: Option<String>,
    user_id: Option<UserId>,
    created: Created,
    page: PageRequest,
}

impl FromQuery for Wanted {
    fn take(query: &mut QueryFields) -> Self {
        Self {
            kind: query.optional("type", "a kind of chargeable event, like ACCOUNT_CONNECTED"),
            subject: query.text("subjectId", 64),
            user_id: query.optional("userId", "a user's id"),
            created: query.created(),
            page: query.page(),
        }
    }
}

/// List chargeable events, newest first.
#[utoipa::path(
    get, path = "/billing/events", tag = "billing", operation_id = "listBillingEvents",
    params(
        ("type" = Option<BillingKind>, Query, description = "Only this kind"),
        ("subjectId" = Option<String>, Query, description = "Only of this account, record or signal", max_length = 64),
        ("userId" = Option<UserId>, Query, description = "Only this user's"),
        CreatedParams, PageParams,
    ),
    responses(
        (status = 200, description = "A page of chargeable events", body = Page<BillingEvent>, example = json!(shown(include_str!("events.json")))), refusals::List,
    ),
    security(("apiKey" = []))
)]
pub(super) async fn handler(
    State(app): State<App>,
    caller: TenantCaller,
    Query(wanted): Query<Wanted>,
) -> Answer<Json<Page<BillingEvent>>> {
    let owner = caller.owner().clone();
    let page = app
        .store()
        .read(move |reader| -> Answer<_> {
            let filter = BillingFilter {
                kind: wanted.kind,
                subject: wanted.subject.as_deref(),
                user: wanted.user_id.as_ref(),
                created: wanted.created,
            };
            Ok(reader.billing_events(&owner, filter, &wanted.page)?)
        })
        .await?;
    Ok(Json(list::page(page, BillingRecord::view)))
}
