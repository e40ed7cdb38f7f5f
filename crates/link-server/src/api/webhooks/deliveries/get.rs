//! `GET /webhooks/{id}/deliveries/{deliveryId}`: returns one delivery with all of its attempts.

use axum::Json;
use axum::extract::State;
use link_types::id::{DeliveryId, WebhookId};
use link_types::webhook::Delivery;

use crate::app::App;
use crate::http::extract::caller::TenantCaller;
use crate::http::extract::path::PathIds;
use crate::http::extract::query::{NoQuery, Query};
use crate::http::problem::{ApiResult, Problem};
use crate::openapi::refusals;
use crate::openapi::shown;

/// Retrieves a delivery with all its attempts.
///
/// Each attempt contains up to 16 KB of the response.
#[utoipa::path(
    get, path = "/webhooks/{id}/deliveries/{deliveryId}", tag = "webhooks", operation_id = "getDelivery",
    params(
        ("id" = WebhookId, Path, description = "The webhook's id"),
        ("deliveryId" = DeliveryId, Path, description = "The delivery's id"),
    ),
    responses((status = 200, description = "The delivery", body = Delivery, example = json!(shown(include_str!("get.json")))), refusals::Read),
    security(("apiKey" = []))
)]
pub(super) async fn handler(
    State(app): State<App>,
    caller: TenantCaller,
    PathIds(id, delivery_id): PathIds<WebhookId, DeliveryId>,
    Query(NoQuery): Query<NoQuery>,
) -> ApiResult<Json<Delivery>> {
    let owner = caller.owner().clone();
    app.store()
        .read(move |reader| -> ApiResult<_> {
            reader.webhooks().get(&owner, &id)?.ok_or_else(Problem::missing)?;
            let delivery = reader.deliveries().get(&owner, &delivery_id)?.filter(|it| it.webhook_id == id);
            let delivery = delivery.ok_or_else(Problem::missing)?;
            let attempts = reader.delivery_attempts().of_delivery(&delivery.id)?;
            Ok(Json(delivery.view(attempts)))
        })
        .await
}
