//! A connector that counts how many readings it answers at the same time.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use axum::Router;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderName};
use axum::routing::{get, post};
use link_connectors::http_source::signature::{SignedResponse, SigningKey};
use link_types::Sensitive;
use serde_json::{Value, json};
use tokio::net::TcpListener;

/// Its only provider.
pub const PROVIDER: &str = "mx_counting";

const SECRET: &str = "a secret of the counting connector, long enough";

/// How long the provider takes for a reading.
const READING: Duration = Duration::from_millis(5);

/// The readings so far.
#[derive(Clone, Default)]
pub struct Readings(Arc<Counts>);

#[derive(Default)]
struct Counts {
    running: AtomicUsize,
    most: AtomicUsize,
    all: AtomicUsize,
}

/// A reading that runs. It also ends if the service that asked is killed.
struct Running(Readings);

impl Drop for Running {
    fn drop(&mut self) {
        self.0.0.running.fetch_sub(1, Ordering::SeqCst);
    }
}

impl Readings {
    /// Returns how many ran at the same time, at most.
    pub fn max_running(&self) -> usize {
        self.0.most.load(Ordering::SeqCst)
    }

    /// Returns how many were asked for.
    pub fn all(&self) -> usize {
        self.0.all.load(Ordering::SeqCst)
    }

    fn begin(&self) -> Running {
        self.0.all.fetch_add(1, Ordering::SeqCst);
        let running = self.0.running.fetch_add(1, Ordering::SeqCst) + 1;
        self.0.most.fetch_max(running, Ordering::SeqCst);
        Running(self.clone())
    }
}

/// A connector that runs until the test ends.
pub struct CountingConnector {
    /// The readings that it answered.
    pub readings: Readings,
    url: String,
    secret_file: PathBuf,
    _folder: tempfile::TempDir,
}

impl CountingConnector {
    /// Starts it on a free port.
    pub async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let readings = Readings::default();
        let router = Router::new()
            .route("/linchpin/v1/providers", get(providers))
            .route("/linchpin/v1/fetch", post(read))
            .route("/linchpin/v1/refresh", post(read))
            .with_state(readings.clone());
        tokio::spawn(async move { axum::serve(listener, router).await });
        let folder = tempfile::tempdir().unwrap();
        let secret_file = folder.path().join("secret");
        std::fs::write(&secret_file, SECRET).unwrap();
        Self { readings, url, secret_file, _folder: folder }
    }

    /// Returns the value of the service's flag `--connector`.
    pub fn flag(&self) -> String {
        let (url, secret) = (&self.url, self.secret_file.display());
        format!("name=counting,environment=sandbox,url={url},providers={PROVIDER},secret-file={secret}")
    }
}

type SignedJson = ([(HeaderName, String); 1], String);

/// Signs a response.
fn sign(headers: &HeaderMap, body: &Value) -> SignedJson {
    let (nonce, body) = (headers["linchpin-nonce"].to_str().unwrap(), body.to_string());
    let response = SignedResponse { nonce, status: 200, body: body.as_bytes() };
    let signature = SigningKey::new(Sensitive::new(SECRET)).sign_response(response);
    ([(HeaderName::from_static("linchpin-signature"), signature)], body)
}

async fn providers(headers: HeaderMap) -> SignedJson {
    let provider = json!({
        "id": PROVIDER, "name": "Counting", "type": "GOVERNMENT", "country": "MX",
        "monitorSupported": true, "supported": ["CONTRIBUTIONS"],
    });
    sign(&headers, &json!({"providers": [provider]}))
}

async fn read(State(readings): State<Readings>, headers: HeaderMap) -> SignedJson {
    let running = readings.begin();
    tokio::time::sleep(READING).await;
    drop(running);
    let contribution =
        json!({"date": "2026-10-31", "currency": "MXN", "amount": 2151.3, "referenceId": "202610"});
    sign(&headers, &json!({"outcome": "COMPLETE", "data": {"contributions": [contribution]}}))
}
