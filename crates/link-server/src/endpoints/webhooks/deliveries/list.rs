//! `GET /webhooks/{id}/deliveries`: the deliveries of a webhook with their attempts.

use axum::Json;
use axum::extract::State;
use link_store::{Created, DeliveryFilter, PageRequest};
use link_types::event::EventType;
use link_types::id::{EventId, WebhookId};
use link_types::list::Page;
use link_types::webhook::{Delivery, DeliveryStatus};

use crate::app::App;
use crate::http::caller::TenantCaller;
use crate::http::problem::{Answer, Problem};
use crate::http::query::{CreatedParams, FromQuery, PageParams, PathId, Query, QueryFields};
use crate::http::{list, refusals};

/// Which deliveries to list.
pub(in crate::endpoints::webhooks) struct Wanted {
    status: Option<DeliveryStatus>,
    event_type: Option<EventType>,
    event_id: Option<EventId>,
    created: Created,
    page: PageRequest,
}

impl FromQuery for Wanted {
    fn take(query: &mut QueryFields) -> Self {
        Self {
            status: query.optional("status", "PENDING, DELIVERED, EXHAUSTED or CANCELLED"),
            event_type: query.optional("eventType", "an event type, like TASK_FINISHED"),
            event_id: query.optional("eventId", "an event's id"),
            created: query.created(),
            page: query.page(),
        }
    }
}

/// List a webhook's deliveries, the newest event's first; of each attempt's answer the first 1,024 bytes.
#[utoipa::path(
    get, path = "/webhooks/{id}/deliveries", tag = "webhooks", operation_id = "listDeliveries",
    params(
        ("id" = WebhookId, Path, description = "The webhook"),
        ("status" = Option<DeliveryStatus>, Query, description = "Only those that have come so far"),
        ("eventType" = Option<EventType>, Query, description = "Only of events of this type"),
        ("eventId" = Option<EventId>, Query, description = "Only of this event"),
        CreatedParams, PageParams,
    ),
    responses((status = 200, description = "A page of deliveries", body = Page<Delivery>), refusals::Read),
    security(("apiKey" = []))
)]
pub(in crate::endpoints::webhooks) async fn handler(
    State(app): State<App>,
    caller: TenantCaller,
    PathId(id): PathId<WebhookId>,
    Query(wanted): Query<Wanted>,
) -> Answer<Json<Page<Delivery>>> {
    let owner = caller.owner().clone();
    let page = app
        .store()
        .read(move |reader| -> Answer<_> {
            reader.webhook(&owner, &id)?.ok_or_else(Problem::missing)?;
            let filter = DeliveryFilter {
                event: wanted.event_id.as_ref(),
                event_type: wanted.event_type,
                status: wanted.status,
                created: wanted.created,
            };
            let found = reader.deliveries(&owner, &id, filter, &wanted.page)?;
            let ids: Vec<_> = found.items.iter().map(|it| &it.id).collect();
            let mut attempts = reader.listed_attempts(&ids)?;
            Ok(list::page(found, |delivery| {
                let attempts = attempts.remove(&delivery.id).unwrap_or_default();
                delivery.view(attempts)
            }))
        })
        .await?;
    Ok(Json(page))
}
