//! The senders that the service is compared with: hyper alone, and hyper with a table.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use bytes::Bytes;
use http_body_util::{BodyExt, Full};
use hyper::Request;
use hyper::client::conn::http1::{SendRequest, handshake};
use hyper_util::rt::TokioIo;
use link_domain::notifications::webhook::{Webhook, signature_headers};
use link_domain::tenancy::user::User;
use rusqlite::{Connection, params};
use tokio::net::TcpStream;

use crate::backlog;
use crate::sink::Sink;

/// The number of connections: the attempts that a sandbox may make at once.
const CONNECTIONS: usize = 64;
/// The number of deliveries that the durable sender claims in one transaction.
const CLAIMED: usize = 512;

/// A delivery to send.
struct Item {
    id: i64,
    webhook: usize,
    event: String,
    body: Vec<u8>,
}

/// Open connections to the sink, and the webhooks that sign.
struct Poster {
    clients: Vec<SendRequest<Full<Bytes>>>,
    webhooks: Arc<Vec<Webhook>>,
}

impl Poster {
    async fn connect(port: u16, webhooks: usize) -> Self {
        let mut clients = Vec::new();
        for _ in 0..CONNECTIONS {
            let stream = TcpStream::connect(("127.0.0.1", port)).await.unwrap();
            stream.set_nodelay(true).unwrap();
            let (client, connection) = handshake(TokioIo::new(stream)).await.unwrap();
            tokio::spawn(connection);
            clients.push(client);
        }
        let url = |number| format!("http://127.0.0.1:{port}/{number}");
        let owner = backlog::owner("demo");
        let webhooks = (0..webhooks).map(|number| backlog::webhook(&owner, url(number))).collect();
        Self { clients, webhooks: Arc::new(webhooks) }
    }

    /// Posts all items over all connections.
    async fn post(&mut self, items: Vec<Item>) {
        let items = Arc::new(Mutex::new(VecDeque::from(items)));
        let tasks: Vec<_> = self
            .clients
            .drain(..)
            .map(|mut client| {
                let (items, webhooks) = (Arc::clone(&items), Arc::clone(&self.webhooks));
                tokio::spawn(async move {
                    loop {
                        let next = items.lock().unwrap().pop_front();
                        let Some(item) = next else { return client };
                        post(&mut client, &webhooks[item.webhook], item).await;
                    }
                })
            })
            .collect();
        for task in tasks {
            self.clients.push(task.await.unwrap());
        }
    }
}

async fn post(client: &mut SendRequest<Full<Bytes>>, webhook: &Webhook, item: Item) {
    let url = &webhook.registration.url;
    let path = format!("/{}", url.rsplit('/').next().unwrap());
    let mut request =
        Request::post(path).header("host", "127.0.0.1").header("content-type", "application/json");
    for (name, value) in signature_headers(webhook, &item.event, backlog::context().now().wall(), &item.body)
    {
        request = request.header(name, value);
    }
    client.ready().await.unwrap();
    let response =
        client.send_request(request.body(Full::new(Bytes::from(item.body))).unwrap()).await.unwrap();
    assert!(response.status().is_success());
    response.into_body().collect().await.unwrap();
}

/// Returns the deliveries of events that are like those of the service.
fn items(deliveries: usize, webhooks: usize) -> Vec<Item> {
    let owner = backlog::owner("demo");
    let mut items = Vec::with_capacity(deliveries);
    for _ in 0..deliveries / webhooks {
        let (_, change) = User::create(owner.clone(), None, Default::default(), &mut backlog::context());
        let event = &change.events[0];
        for webhook in 0..webhooks {
            let id = items.len() as i64;
            items.push(Item { id, webhook, event: event.id.to_string(), body: event.body(false).to_vec() });
        }
    }
    items
}

/// Sends everything from memory.
pub async fn bare(deliveries: usize, webhooks: usize, delay: Duration) {
    let sink = Sink::start(delay).await;
    let mut poster = Poster::connect(sink.port, webhooks).await;
    let items = items(deliveries, webhooks);
    let (count, begun) = (items.len(), Instant::now());
    poster.post(items).await;
    println!("per_second\t{:.0}", count as f64 / begun.elapsed().as_secs_f64());
}

/// Sends everything from a table, in batches.
pub async fn durable(deliveries: usize, webhooks: usize, delay: Duration) {
    let sink = Sink::start(delay).await;
    let mut poster = Poster::connect(sink.port, webhooks).await;
    let folder = tempfile::tempdir().unwrap();
    let mut table = Connection::open(folder.path().join("deliveries.db")).unwrap();
    table.pragma_update(None, "journal_mode", "WAL").unwrap();
    table.pragma_update(None, "synchronous", "FULL").unwrap();
    table
        .execute_batch(
            "CREATE TABLE d (id INTEGER PRIMARY KEY, webhook INTEGER, event TEXT, body BLOB, state INTEGER);
             CREATE INDEX pending ON d (id) WHERE state = 0;",
        )
        .unwrap();
    let filling = table.transaction().unwrap();
    for item in items(deliveries, webhooks) {
        let row = params![item.id, item.webhook as i64, item.event, item.body];
        filling.execute("INSERT INTO d VALUES (?1, ?2, ?3, ?4, 0)", row).unwrap();
    }
    filling.commit().unwrap();
    let (mut count, begun) = (0, Instant::now());
    loop {
        let claimed = claim(&table);
        if claimed.is_empty() {
            break;
        }
        let ids: Vec<i64> = claimed.iter().map(|item| item.id).collect();
        count += ids.len();
        poster.post(claimed).await;
        let marking = table.transaction().unwrap();
        for id in ids {
            let mark = "UPDATE d SET state = 2 WHERE id = ?1 AND state = 1";
            marking.prepare_cached(mark).unwrap().execute([id]).unwrap();
        }
        marking.commit().unwrap();
    }
    println!("per_second\t{:.0}", f64::from(count as u32) / begun.elapsed().as_secs_f64());
}

fn claim(table: &Connection) -> Vec<Item> {
    let text = format!(
        "UPDATE d SET state = 1 WHERE id IN (SELECT id FROM d WHERE state = 0 ORDER BY id LIMIT {CLAIMED}) \
         RETURNING id, webhook, event, body"
    );
    let mut statement = table.prepare_cached(&text).unwrap();
    let rows = statement.query_map([], |row| {
        let webhook: i64 = row.get(1)?;
        Ok(Item { id: row.get(0)?, webhook: webhook as usize, event: row.get(2)?, body: row.get(3)? })
    });
    rows.unwrap().map(Result::unwrap).collect()
}
