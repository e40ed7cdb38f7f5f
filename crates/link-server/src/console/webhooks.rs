//! `/console/api/{environment}/webhookHealth`: how the latest deliveries of each webhook went.

use axum::Json;
use axum::extract::State;
use link_domain::console::webhook_health::{COUNTED, webhook_health};
use link_domain::kernel::owner::Owner;
use link_domain::notifications::delivery::Delivery;
use link_store::{DeliveryFilter, PageRequest, PageSize, Reader, StoreError};
use link_types::console::{Items, WebhookHealth};
use link_types::id::WebhookId;

use super::caller::ConsoleCaller;
use crate::app::App;
use crate::http::problem::ApiResult;

/// Returns the health of every webhook of the environment.
pub(super) async fn health(
    State(app): State<App>,
    caller: ConsoleCaller,
) -> ApiResult<Json<Items<WebhookHealth>>> {
    let owner = caller.owner();
    let items = app
        .store
        .read(move |reader| -> Result<_, StoreError> {
            let webhooks = reader.webhooks().list(&owner, &PageRequest::default())?;
            let ids = webhooks.items.into_iter().map(|it| it.registration.id);
            ids.map(|id| health_of(reader, &owner, id)).collect()
        })
        .await?;
    Ok(Json(Items { items }))
}

fn health_of(reader: &mut Reader<'_>, owner: &Owner, id: WebhookId) -> Result<WebhookHealth, StoreError> {
    let page = PageRequest::first(PageSize::new(COUNTED)?);
    let latest = reader.deliveries().list(owner, &id, DeliveryFilter::default(), &page)?.items;
    let ids: Vec<_> = latest.iter().map(|it| &it.id).collect();
    let mut attempts = reader.delivery_attempts().of_deliveries(&ids)?;
    let view = |it: Delivery| {
        let attempts = attempts.remove(&it.id).unwrap_or_default();
        it.view(attempts)
    };
    let latest: Vec<_> = latest.into_iter().map(view).collect();
    Ok(webhook_health(id, &latest))
}
