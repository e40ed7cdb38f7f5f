//! `POST /webhooks/{id}/deliveries/{deliveryId}/resend`: sends a delivery again immediately.

use axum::response::Response;
use link_domain::change::{Change, Row};
use link_types::id::{DeliveryId, WebhookId};
use link_types::webhook::Delivery;

use crate::http::extract::caller::TenantCaller;
use crate::http::extract::path::PathIds;
use crate::http::extract::query::{NoQuery, Query};
use crate::http::idempotency::IdempotentResponse;
use crate::http::problem::{ApiResult, Problem};
use crate::openapi::refusals;

/// Sends a delivery again.
///
/// The delivery can have any status. It has the same event id and the same bytes. Returns 409 if the webhook is
/// switched off.
#[utoipa::path(
    post, path = "/webhooks/{id}/deliveries/{deliveryId}/resend", tag = "webhooks",
    operation_id = "resendDelivery",
    params(
        ("id" = WebhookId, Path, description = "The webhook's id"),
        ("deliveryId" = DeliveryId, Path, description = "The delivery's id"),
    ),
    responses((status = 200, description = "The delivery, with the status PENDING", body = Delivery), refusals::Act),
    security(("apiKey" = []))
)]
pub(super) async fn handler(
    caller: TenantCaller,
    PathIds(id, delivery_id): PathIds<WebhookId, DeliveryId>,
    Query(NoQuery): Query<NoQuery>,
) -> ApiResult<Response> {
    let owner = caller.owner().clone();
    caller
        .once(move |tx, context| {
            let webhook = tx.webhooks().get(&owner, &id)?.ok_or_else(Problem::missing)?;
            let delivery = tx.deliveries().get(&owner, &delivery_id)?.filter(|it| it.webhook_id == id);
            let delivery = delivery.ok_or_else(Problem::missing)?;
            webhook.check_sends()?;
            let delivery = delivery.resent(context.now());
            let attempts = tx
                .delivery_attempts()
                .of_deliveries(&[&delivery.id])?
                .remove(&delivery.id)
                .unwrap_or_default();
            let change = Change::row(Row::Delivery(Box::new(delivery.clone())));
            Ok(IdempotentResponse::ok(&delivery.view(attempts), change)?.about(id.clone()))
        })
        .await
}
