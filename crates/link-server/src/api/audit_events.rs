//! `/alpha/auditEvents`: what the tenant's servers and members did, and what the operator did for it.

use axum::extract::State;
use axum::response::Response;
use link_store::{AuditFilter, Created, PageRequest};
use link_types::audit::{AuditAction, AuditEvent};
use link_types::list::Page;

use crate::app::App;
use crate::http::endpoints::{Endpoints, routes};
use crate::http::extract::caller::TenantCaller;
use crate::http::extract::query::{FromQuery, Query, QueryFields};
use crate::http::list;
use crate::http::problem::ApiResult;
use crate::openapi::{parse_example, refusals};

/// Returns the routes of the audit log.
pub fn routes() -> Endpoints {
    Endpoints::new().routes(routes!(list => read))
}

/// Query of the list of audit events.
pub(crate) struct ListAuditEventsQuery {
    action: Option<AuditAction>,
    actor: Option<String>,
    created: Created,
    page: PageRequest,
}

impl FromQuery for ListAuditEventsQuery {
    fn take(query: &mut QueryFields) -> Self {
        Self {
            action: query.take_optional(
                "action",
                "Return only events of this action",
                "an action, like USER_DELETED",
            ),
            actor: query.text(
                "actorId",
                "Return only events of this API key or member, or of the operator if it is `OPERATOR`",
                64,
            ),
            created: query.take_creation_range(),
            page: query.page(),
        }
    }
}

/// Lists the events of the audit log, newest first.
///
/// Each act has one event, also if it was denied or failed. Requests that only read have none. An event is in the list
/// about a second after the act.
#[utoipa::path(
    get, path = "/alpha/auditEvents", tag = "audit", operation_id = "listAuditEvents",
    params(Query<ListAuditEventsQuery>),
    responses(
        (status = 200, description = "A page of events", body = Page<AuditEvent>, example = json!(parse_example(include_str!("audit_events.json")))), refusals::List,
    ),
    security(("apiKey" = []))
)]
async fn list(
    State(app): State<App>,
    caller: TenantCaller,
    Query(query): Query<ListAuditEventsQuery>,
) -> ApiResult<Response> {
    page(&app, caller.owner().clone(), query).await
}

/// Returns a page of an owner's events.
pub(crate) async fn page(
    app: &App,
    owner: link_domain::kernel::owner::Owner,
    query: ListAuditEventsQuery,
) -> ApiResult<Response> {
    let page = app
        .store
        .read(move |reader| -> ApiResult<_> {
            let filter =
                AuditFilter { action: query.action, actor: query.actor.as_deref(), created: query.created };
            Ok(reader.audit_events().list(&owner, filter, &query.page)?)
        })
        .await?;
    let items: Vec<_> = page.items.into_iter().map(|it| it.body.into_bytes()).collect();
    list::raw_page(&items, page.next_cursor.as_deref())
}
