//! A client of the service.

use std::path::Path;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use http_body_util::{BodyExt, Full};
use hyper::client::conn::http1::{SendRequest, handshake};
use hyper::{Method, Request, StatusCode};
use hyper_util::rt::TokioIo;
use serde_json::Value;
use tokio::net::TcpStream;

/// A connection.
pub type Client = SendRequest<Full<Bytes>>;

/// The headers of a tenant's requests.
pub struct Caller {
    host: String,
    authorization: String,
}

impl Caller {
    /// Reads the key of the first tenant's sandbox from the file that the service writes on its first start.
    pub async fn for_first_key(keys: &Path, port: u16) -> Self {
        let keys: Value = serde_json::from_slice(&tokio::fs::read(keys).await.unwrap()).unwrap();
        let word = |name: &str| keys["sandbox"][name].as_str().unwrap().to_owned();
        let pair = STANDARD.encode(format!("{}:{}", word("apiKey"), word("apiSecret")));
        Self { host: format!("127.0.0.1:{port}"), authorization: format!("Basic {pair}") }
    }
}

/// Connects to the service.
pub async fn connect(port: u16) -> Client {
    let stream = TcpStream::connect(("127.0.0.1", port)).await.unwrap();
    stream.set_nodelay(true).unwrap();
    let (client, connection) = handshake(TokioIo::new(stream)).await.unwrap();
    tokio::spawn(connection);
    client
}

/// Creates an object, and returns the response.
pub async fn post(client: &mut Client, caller: &Caller, path: &str, body: &Value) -> Value {
    let (status, response) = send(client, caller, (Method::POST, path), body.to_string()).await;
    assert_eq!(status, StatusCode::CREATED, "POST {path}: {}", String::from_utf8_lossy(&response));
    serde_json::from_slice(&response).unwrap()
}

/// Deletes an object.
pub async fn delete(client: &mut Client, caller: &Caller, path: &str) {
    let (status, response) = send(client, caller, (Method::DELETE, path), String::new()).await;
    assert!(status.is_success(), "DELETE {path}: {status} {}", String::from_utf8_lossy(&response));
}

async fn send(
    client: &mut Client,
    caller: &Caller,
    (method, path): (Method, &str),
    body: String,
) -> (StatusCode, Bytes) {
    let request = Request::builder()
        .method(method)
        .uri(format!("/sandbox/v1{path}"))
        .header("host", &caller.host)
        .header("content-type", "application/json")
        .header("authorization", &caller.authorization)
        .body(Full::new(Bytes::from(body)))
        .unwrap();
    client.ready().await.unwrap();
    let response = client.send_request(request).await.unwrap();
    let status = response.status();
    (status, response.into_body().collect().await.unwrap().to_bytes())
}
