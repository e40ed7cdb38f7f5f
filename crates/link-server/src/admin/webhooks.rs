//! Commands about webhooks and events, which do the same as the REST operations.

use std::time::Duration;

use link_domain::change::{Change, Deletion, Row};
use link_domain::kernel::clock::TenantTime;
use link_domain::kernel::context::Context;
use link_domain::kernel::digest::hex;
use link_domain::kernel::owner::Owner;
use link_domain::notifications::webhook::{Registration, Webhook, register, standard_secret};
use link_domain::notifications::webhook_sender::SendError;
use link_domain::use_cases::start_recovery;
use link_store::{DeliveryFilter, Tx};
use link_types::event::EventType;
use link_types::id::{EventId, TenantId, UserId, WebhookId};
use link_types::webhook::DeliveryStatus;
use link_types::{Mode, Sensitive, Timestamp};
use serde_json::{Value, json};

use super::protocol::{AdminError, NewWebhook, check_tenant, one_page};
use crate::api::events::fire_test_event;
use crate::api::resource_limits::one_more_webhook;
use crate::app::App;
use crate::http::problem::Problem;
use crate::workers::delivery;

pub(super) async fn list(app: &App, owner: Owner) -> Result<Value, AdminError> {
    check_tenant(app, &owner.tenant).await?;
    let page = one_page()?;
    let found = app.store.read(move |reader| reader.webhooks().list(&owner, &page)).await?;
    Ok(found.items.iter().map(|it| json!(it.registration)).collect())
}

pub(super) async fn create(app: &App, owner: Owner, new: NewWebhook) -> Result<Value, AdminError> {
    check_tenant(app, &owner.tenant).await?;
    let made = new.secret.is_none();
    let registration = Registration {
        name: new.name,
        url: new.url,
        event_types: new.event_types,
        active: None,
        secret: new.secret.map(Sensitive::new),
        include_payload: Some(new.include_payload),
        retry_profile: Some(new.retry_profile),
    };
    let mut context = app.context(app.offset_of(&owner).await?);
    let webhook = register(owner, registration, app.settings.registration_rules(), &mut context)?;
    let https_only = webhook.owner.mode == Mode::Production;
    if let Err(error) = app.ports.sender.vet(&webhook.registration.url, https_only) {
        return Err(to_refusal(error));
    }
    let mut response = json!(webhook.registration);
    if made {
        show_secret(&mut response, &webhook.secret);
    }
    let (owner, change) = (webhook.owner.clone(), Change::row(Row::Webhook(webhook)));
    app.store
        .write(move |tx| {
            one_more_webhook(tx, &owner)?;
            Ok::<_, AdminError>(tx.apply(&change, context.now())?)
        })
        .await?;
    Ok(response)
}

pub(super) async fn ping(app: &App, owner: Owner, id: WebhookId) -> Result<Value, AdminError> {
    let mut context = app.context(app.offset_of(&owner).await?);
    let webhook = app
        .store
        .read(move |reader| reader.webhooks().get(&owner, &id))
        .await?
        .ok_or_else(unknown_webhook)?;
    Ok(json!(delivery::ping(app, &webhook, &mut context).await))
}

pub(super) async fn rotate(
    app: &App,
    owner: Owner,
    id: WebhookId,
    secret: Option<String>,
) -> Result<Value, AdminError> {
    let made = secret.is_none();
    let secret = secret.unwrap_or_else(|| format!("lpw_{}", hex(&app.random_bytes::<32>())));
    let secret = Sensitive::new(&secret);
    let next = secret.clone();
    let mut response =
        change(app, owner, id, move |webhook, context| Ok(webhook.rotate(next.clone(), context)?)).await?;
    if made {
        show_secret(&mut response, &secret);
    }
    Ok(response)
}

/// Adds a generated secret to a response, in both forms.
fn show_secret(response: &mut Value, secret: &Sensitive) {
    response["secret"] = secret.expose().into();
    response["standardSecret"] = standard_secret(secret).into();
}

pub(super) async fn confirm(app: &App, owner: Owner, id: WebhookId) -> Result<Value, AdminError> {
    change(app, owner, id, |webhook, context| {
        let confirmed = webhook.confirm_secret(context);
        confirmed.map_err(|_| {
            "the webhook has no rotation to confirm. To start one, run `linchpin webhook rotate`".into()
        })
    })
    .await
}

pub(super) async fn recover(
    app: &App,
    owner: Owner,
    id: WebhookId,
    since: Timestamp,
) -> Result<Value, AdminError> {
    unit(app, owner, id, move |tx, webhook, context| {
        let (recovery, change) = start_recovery(&webhook, since, context).map_err(Problem::from)?;
        tx.apply(&change, context.now())?;
        Ok(json!(recovery))
    })
    .await
}

pub(super) async fn delete(app: &App, owner: Owner, id: WebhookId) -> Result<Value, AdminError> {
    unit(app, owner, id, |tx, webhook, context| {
        let deletions = vec![Deletion::Webhook(webhook.id().clone())];
        tx.apply(&Change { deletions, ..Change::default() }, context.now())?;
        Ok(json!({"id": webhook.id(), "deleted": true}))
    })
    .await
}

pub(super) async fn deliveries(
    app: &App,
    owner: Owner,
    id: WebhookId,
    status: Option<DeliveryStatus>,
) -> Result<Value, AdminError> {
    let page = one_page()?;
    app.store
        .read(move |reader| {
            reader.webhooks().get(&owner, &id)?.ok_or_else(unknown_webhook)?;
            let filter = DeliveryFilter { status, ..DeliveryFilter::default() };
            let found = reader.deliveries().list(&owner, &id, filter, &page)?.items;
            let ids: Vec<_> = found.iter().map(|it| &it.id).collect();
            let mut attempts = reader.delivery_attempts().of_deliveries(&ids)?;
            let shown = found.into_iter().map(|delivery| {
                let attempts = attempts.remove(&delivery.id).unwrap_or_default();
                json!(delivery.view(attempts))
            });
            Ok(shown.collect())
        })
        .await
}

async fn change(
    app: &App,
    owner: Owner,
    id: WebhookId,
    mut decide: impl FnMut(Webhook, &mut Context) -> Result<(Webhook, Change), AdminError> + Send + 'static,
) -> Result<Value, AdminError> {
    unit(app, owner, id, move |tx, webhook, context| {
        let (webhook, change) = decide(webhook, context)?;
        tx.apply(&change, context.now())?;
        Ok(json!(webhook.registration))
    })
    .await
}

async fn unit(
    app: &App,
    owner: Owner,
    id: WebhookId,
    mut work: impl FnMut(&mut Tx<'_>, Webhook, &mut Context) -> Result<Value, AdminError> + Send + 'static,
) -> Result<Value, AdminError> {
    let context = app.context(app.offset_of(&owner).await?);
    app.store
        .write(move |tx| {
            let webhook = tx.webhooks().get(&owner, &id)?.ok_or_else(unknown_webhook)?;
            work(tx, webhook, &mut context.clone())
        })
        .await
}

fn to_refusal(error: SendError) -> AdminError {
    let advice = if error == SendError::NetworkRefused {
        ". To allow webhooks on this machine, start the service with --webhook-allow 127.0.0.0/8,::1/128; \
         for others, add their networks"
    } else {
        ""
    };
    AdminError(format!("the URL is not allowed: {error}{advice}"))
}

fn unknown_webhook() -> AdminError {
    "the webhook does not exist in this environment of the tenant. To see all webhooks, run \
     `linchpin webhook list --tenant TENANT`; add --environment production for production"
        .into()
}

/// The maximum number of events in a response without payloads.
const MAX_AT_ONCE: usize = 500;
/// The maximum number of events in a response with payloads.
const MAX_WITH_PAYLOADS_AT_ONCE: usize = 20;
/// How long a request waits for an event.
const TIMEOUT: Duration = Duration::from_secs(20);
/// How often it checks for events.
const LOOK: Duration = Duration::from_millis(200);

pub(super) async fn fire(
    app: &App,
    tenant: TenantId,
    event_type: EventType,
    user_id: Option<UserId>,
) -> Result<Value, AdminError> {
    check_tenant(app, &tenant).await?;
    let owner = Owner { tenant, mode: Mode::Sandbox };
    let context = app.context(app.offset_of(&owner).await?);
    let app = app.clone();
    let store = app.store.clone();
    store
        .write(move |tx| {
            let mut context = context.clone();
            let asked = (event_type, user_id.clone());
            let (event, change) = fire_test_event(&app, tx, &owner, asked, &mut context)?;
            tx.apply(&change, context.now())?;
            serde_json::from_slice(event.body(false)).map_err(|error| AdminError(error.to_string()))
        })
        .await
}

/// Returns the events since a time and after a given event, oldest first. Waits up to 20 seconds if there are no
/// events.
///
/// Without `since`, returns only the current time, from which the caller can start.
pub(super) async fn since(
    app: &App,
    owner: Owner,
    since: Option<Timestamp>,
    after: Option<EventId>,
    include_payload: bool,
) -> Result<Value, AdminError> {
    check_tenant(app, &owner.tenant).await?;
    let now = async || Ok::<_, AdminError>(app.now(app.offset_of(&owner).await?).tenant());
    let Some(since) = since else {
        return Ok(json!({"now": Timestamp::from(now().await?), "more": false, "events": []}));
    };
    let since = TenantTime::from_micros(since.as_micros());
    let limit = if include_payload { MAX_WITH_PAYLOADS_AT_ONCE } else { MAX_AT_ONCE };
    let began = app.wall();
    loop {
        let span = (since, now().await? + Duration::from_secs(1));
        let (owner, after) = (owner.clone(), after.clone());
        let found = app
            .store
            .read(move |reader| match include_payload {
                true => reader.events().between(&owner, span, after.as_ref(), limit),
                false => reader.events().plain_between(&owner, span, after.as_ref(), limit),
            })
            .await?;
        if !found.is_empty() || app.wall().since(began) > TIMEOUT || app.is_stopping() {
            let events = found.iter().map(|event| {
                json!({
                    "id": event.id, "type": event.event_type, "createdAt": Timestamp::from(event.created_at),
                    "body": String::from_utf8_lossy(event.body(include_payload)),
                })
            });
            let (now, more) = (Timestamp::from(now().await?), found.len() == limit);
            return Ok(json!({"now": now, "more": more, "events": events.collect::<Vec<_>>()}));
        }
        tokio::time::sleep(LOOK).await;
    }
}
