//! Claims due deliveries, sends them signed, and records the outcomes.

use std::sync::Arc;
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use hmac::{Hmac, Mac};
use reqwest::Client;
use sha2::Sha256;
use sqlx::QueryBuilder;
use tokio::sync::{Semaphore, mpsc};
use uuid::Uuid;

use crate::routes::{App, milliseconds};
use crate::{Db, LOCK_CLAIMED, execute};

const BATCH: usize = 100;
const CONCURRENT: usize = 64;
const TIMEOUT: Duration = Duration::from_secs(15);
/// A claimed delivery is claimed again after this time, in ms, if the process ended meanwhile.
const LEASE: i64 = 60_000;
/// How often the sender looks for due deliveries while it has fewer than a batch.
const POLL: Duration = Duration::from_millis(50);
const MAX_ATTEMPTS: i64 = 10;

/// A claimed delivery.
#[derive(sqlx::FromRow)]
pub struct Delivery {
    /// Its id.
    pub id: i64,
    attempts: i64,
    event_id: Uuid,
    body: String,
    url: String,
    secret: String,
}

/// The outcome of an attempt.
pub struct Outcome {
    /// The delivery.
    pub delivery: Delivery,
    /// Whether the endpoint accepted it.
    pub is_delivered: bool,
}

/// Sends deliveries until the process ends.
pub async fn run(app: App) {
    let (claimed, queue) = mpsc::channel(BATCH);
    let (outcomes, done) = mpsc::channel(BATCH);
    tokio::spawn(send_all(queue, outcomes));
    tokio::spawn(record_all(app.clone(), done));
    loop {
        let batch = claim(&app).await.unwrap_or_else(|error| {
            tracing::error!(%error, "claim");
            Vec::new()
        });
        let is_full = batch.len() == BATCH;
        for delivery in batch {
            if claimed.send(delivery).await.is_err() {
                return;
            }
        }
        if !is_full {
            tokio::time::sleep(POLL).await;
        }
    }
}

/// Claims the deliveries that are due.
pub async fn claim(app: &App) -> Result<Vec<Delivery>, sqlx::Error> {
    let text = format!(
        "SELECT d.id, d.attempts, e.id AS event_id, e.body, w.url, w.secret FROM deliveries d \
         JOIN events e ON e.id = d.event_id JOIN webhooks w ON w.id = d.webhook_id \
         WHERE d.status = 'PENDING' AND d.due_at <= $1 ORDER BY d.due_at LIMIT {BATCH} {LOCK_CLAIMED}"
    );
    let mut tx = app.write().await?;
    let claimed: Vec<Delivery> = sqlx::query_as(&text).bind(milliseconds()).fetch_all(&mut *tx).await?;
    if !claimed.is_empty() {
        let mut update = QueryBuilder::<Db>::new("UPDATE deliveries SET due_at = ");
        update.push_bind(milliseconds() + LEASE);
        with_ids(&mut update, claimed.iter()).build().execute(&mut *tx).await?;
    }
    tx.commit().await?;
    Ok(claimed)
}

fn with_ids<'q, 'i>(
    update: &'q mut QueryBuilder<'i, Db>,
    deliveries: impl Iterator<Item = &'i Delivery>,
) -> &'q mut QueryBuilder<'i, Db> {
    update.push(" WHERE id IN (");
    let mut ids = update.separated(", ");
    for delivery in deliveries {
        ids.push_bind(delivery.id);
    }
    update.push(")")
}

async fn send_all(mut queue: mpsc::Receiver<Delivery>, outcomes: mpsc::Sender<Outcome>) {
    let (client, slots) = (Client::new(), Arc::new(Semaphore::new(CONCURRENT)));
    while let Some(delivery) = queue.recv().await {
        let Ok(permit) = Arc::clone(&slots).acquire_owned().await else { return };
        let (client, outcomes) = (client.clone(), outcomes.clone());
        tokio::spawn(async move {
            let sent = send(&client, &delivery).await;
            let is_delivered = sent.is_ok_and(|status| status.is_success());
            drop(outcomes.send(Outcome { delivery, is_delivered }).await);
            drop(permit);
        });
    }
}

async fn send(client: &Client, delivery: &Delivery) -> reqwest::Result<reqwest::StatusCode> {
    let id = delivery.event_id.to_string();
    let timestamp = (milliseconds() / 1_000).to_string();
    let request = client
        .post(&delivery.url)
        .timeout(TIMEOUT)
        .header("content-type", "application/json")
        .header(
            "webhook-signature",
            signature(&delivery.secret, &[&id, ".", &timestamp, ".", &delivery.body]),
        )
        .header("webhook-id", id)
        .header("webhook-timestamp", timestamp)
        .body(delivery.body.clone());
    let response = request.send().await?;
    let status = response.status();
    // A connection is used again only after its response is read.
    response.bytes().await?;
    Ok(status)
}

fn signature(secret: &str, parts: &[&str]) -> String {
    // A key may have any length.
    let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(secret.as_bytes()) else { return String::new() };
    parts.iter().for_each(|part| mac.update(part.as_bytes()));
    format!("v1,{}", STANDARD.encode(mac.finalize().into_bytes()))
}

async fn record_all(app: App, mut done: mpsc::Receiver<Outcome>) {
    let mut batch = Vec::with_capacity(BATCH);
    while done.recv_many(&mut batch, BATCH).await > 0 {
        if let Err(error) = record(&app, &batch).await {
            tracing::error!(%error, "outcomes; their deliveries are sent again");
        }
        batch.clear();
    }
}

/// Marks what was delivered, and schedules the rest again.
pub async fn record(app: &App, outcomes: &[Outcome]) -> Result<(), sqlx::Error> {
    let mut tx = app.write().await?;
    let delivered: Vec<&Delivery> =
        outcomes.iter().filter(|it| it.is_delivered).map(|it| &it.delivery).collect();
    if !delivered.is_empty() {
        let mut update =
            QueryBuilder::<Db>::new("UPDATE deliveries SET status = 'DELIVERED', attempts = attempts + 1");
        with_ids(&mut update, delivered.into_iter()).build().execute(&mut *tx).await?;
    }
    for Outcome { delivery, .. } in outcomes.iter().filter(|it| !it.is_delivered) {
        let attempts = delivery.attempts + 1;
        let status = if attempts < MAX_ATTEMPTS { "PENDING" } else { "FAILED" };
        let text = "UPDATE deliveries SET status = $1, attempts = $2, due_at = $3 WHERE id = $4";
        execute!(tx, text, status, attempts, milliseconds() + (1_000 << attempts), delivery.id)?;
    }
    tx.commit().await
}
