//! A tenant's webhook receiver: a real listener that records requests and answers with given statuses.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::routing::post;
use serde_json::Value;
use tokio::net::TcpListener;

use crate::wait;

/// One received request.
#[derive(Clone, Debug)]
pub struct Received {
    /// The headers.
    pub headers: HeaderMap,
    /// The exact bytes of the body.
    pub body: Vec<u8>,
    /// The body as JSON, or null.
    pub event: Value,
}

#[derive(Default)]
struct Shared {
    received: Vec<Received>,
    answers: VecDeque<u16>,
}

/// A running receiver.
#[derive(Clone)]
pub struct Receiver {
    /// The address to register.
    pub url: String,
    shared: Arc<Mutex<Shared>>,
}

impl Receiver {
    /// Starts a receiver that answers the first requests with these statuses and all later ones with 200.
    pub async fn start(answers: &[u16]) -> Self {
        Self::start_on("127.0.0.1:0", answers).await
    }

    /// Starts the same receiver on an address of this machine that others can reach.
    pub async fn start_on(address: &str, answers: &[u16]) -> Self {
        let shared =
            Arc::new(Mutex::new(Shared { received: Vec::new(), answers: answers.iter().copied().collect() }));
        let listener = TcpListener::bind(address).await.unwrap();
        let url = format!("http://{}/hook", listener.local_addr().unwrap());
        let router = Router::new().route("/hook", post(take)).with_state(Arc::clone(&shared));
        tokio::spawn(async move { axum::serve(listener, router).await });
        Self { url, shared }
    }

    /// Returns the requests received so far.
    pub fn requests(&self) -> Vec<Received> {
        self.shared.lock().unwrap().received.clone()
    }

    /// Waits until `count` requests have arrived and returns all of them.
    pub async fn until(&self, count: usize) -> Vec<Received> {
        wait::until_ok(&format!("{count} requests arrive"), async || {
            let received = self.requests();
            if received.len() >= count { Ok(received) } else { Err(format!("{:?}", self.types())) }
        })
        .await
    }

    /// Returns the event types received, in order.
    pub fn types(&self) -> Vec<String> {
        self.requests().iter().map(|it| it.event["type"].as_str().unwrap_or_default().to_owned()).collect()
    }
}

async fn take(State(shared): State<Arc<Mutex<Shared>>>, headers: HeaderMap, body: Bytes) -> StatusCode {
    let mut shared = shared.lock().unwrap();
    let event = serde_json::from_slice(&body).unwrap_or(Value::Null);
    shared.received.push(Received { headers, body: body.to_vec(), event });
    let status = shared.answers.pop_front().unwrap_or(200);
    StatusCode::from_u16(status).unwrap()
}
