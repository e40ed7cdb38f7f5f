//! `GET /webhooks/{id}/deliveries`: lists the deliveries of a webhook with their attempts.

use axum::Json;
use axum::extract::State;
use link_store::{Created, DeliveryFilter, PageRequest};
use link_types::event::EventType;
use link_types::id::{EventId, WebhookId};
use link_types::list::Page;
use link_types::webhook::{Delivery, DeliveryStatus};

use crate::app::App;
use crate::http::extract::caller::TenantCaller;
use crate::http::extract::path::PathId;
use crate::http::extract::query::{FromQuery, Query, QueryFields};
use crate::http::list;
use crate::http::problem::{ApiResult, Problem};
use crate::openapi::refusals;

/// Query of the list of deliveries.
pub(super) struct ListDeliveriesQuery {
    status: Option<DeliveryStatus>,
    event_type: Option<EventType>,
    event_id: Option<EventId>,
    created: Created,
    page: PageRequest,
}

impl FromQuery for ListDeliveriesQuery {
    fn take(query: &mut QueryFields) -> Self {
        Self {
            status: query.optional(
                "status",
                "Return only deliveries with this status",
                "PENDING, DELIVERED, EXHAUSTED or CANCELLED",
            ),
            event_type: query.optional(
                "eventType",
                "Return only deliveries of events of this type",
                "an event type, like TASK_FINISHED",
            ),
            event_id: query.optional("eventId", "Return only deliveries of this event", "an event's id"),
            created: query.created(),
            page: query.page(),
        }
    }
}

/// Lists the deliveries of a webhook, those of the newest event first.
///
/// Each attempt contains the first 1,024 bytes of the response.
#[utoipa::path(
    get, path = "/webhooks/{id}/deliveries", tag = "webhooks", operation_id = "listDeliveries",
    params(
        ("id" = WebhookId, Path, description = "The webhook's id"),
        Query<ListDeliveriesQuery>,
    ),
    responses((status = 200, description = "A page of deliveries", body = Page<Delivery>), refusals::Read),
    security(("apiKey" = []))
)]
pub(super) async fn handler(
    State(app): State<App>,
    caller: TenantCaller,
    PathId(id): PathId<WebhookId>,
    Query(query): Query<ListDeliveriesQuery>,
) -> ApiResult<Json<Page<Delivery>>> {
    let owner = caller.owner().clone();
    let page = app
        .store()
        .read(move |reader| -> ApiResult<_> {
            reader.webhooks().get(&owner, &id)?.ok_or_else(Problem::missing)?;
            let filter = DeliveryFilter {
                event: query.event_id.as_ref(),
                event_type: query.event_type,
                status: query.status,
                created: query.created,
            };
            let found = reader.deliveries().list(&owner, &id, filter, &query.page)?;
            let ids: Vec<_> = found.items.iter().map(|it| &it.id).collect();
            let mut attempts = reader.delivery_attempts().of_deliveries(&ids)?;
            Ok(list::page(found, |delivery| {
                let attempts = attempts.remove(&delivery.id).unwrap_or_default();
                delivery.view(attempts)
            }))
        })
        .await?;
    Ok(Json(page))
}
