//! Connection timeouts and limits: slow heads, idle connections, clients that do not read, busy networks.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::{Body, Bytes};
use axum::routing::get;
use futures_util::future::join_all;
use futures_util::stream;
use link_connectors::networks::Networks;
use link_server::connections;
use link_server::metrics::Metrics;
use link_server::settings::{ConnectionLimits, SettingsInput};
use link_store::test_support::Backend;
use link_test_support::wait;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::sync::{Semaphore, mpsc, watch};
use tokio::task::JoinHandle;
use tokio::time::{Instant, timeout};

use crate::service::TestService;

/// Far longer than any limit under test, so that a busy machine does not fail the tests.
const LONG: Duration = Duration::from_secs(30);
/// For the limits that are not under test: longer than any test takes.
const NEVER: Duration = Duration::from_secs(300);

fn limits() -> ConnectionLimits {
    let defaults = SettingsInput::default().settle().unwrap().connections;
    ConnectionLimits { idle: NEVER, write: NEVER, ..defaults }
}

/// The accept loop on its own address.
struct Server {
    address: SocketAddr,
    stop: watch::Sender<bool>,
    served: JoinHandle<()>,
}

impl Server {
    async fn start(router: Router, limits: ConnectionLimits) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (stop, stopping) = watch::channel(false);
        let metrics = Arc::new(Metrics::new().unwrap());
        let served = tokio::spawn(connections::serve(listener, router, limits, metrics, stopping));
        Self { address, stop, served }
    }

    async fn connect(&self) -> Client {
        Client(TcpStream::connect(self.address).await.unwrap())
    }

    async fn connect_from(&self, source: [u8; 4]) -> Client {
        let socket = TcpSocket::new_v4().unwrap();
        socket.bind(SocketAddr::from((source, 0))).unwrap();
        Client(socket.connect(self.address).await.unwrap())
    }
}

struct Client(TcpStream);

impl Client {
    async fn send(&mut self, text: &str) {
        self.0.write_all(text.as_bytes()).await.unwrap();
    }

    async fn get(&mut self, path: &str) -> String {
        self.send(&request(path)).await;
        self.read_response().await
    }

    /// Reads one response: its head, then `Content-Length` bytes.
    async fn read_response(&mut self) -> String {
        let mut text = Vec::new();
        let reading = async {
            loop {
                let said = String::from_utf8_lossy(&text).to_lowercase();
                if let Some((head, body)) = said.split_once("\r\n\r\n") {
                    let length =
                        head.split("content-length: ").nth(1).map_or("0", |it| it.lines().next().unwrap());
                    if body.len() >= length.parse().unwrap() {
                        return;
                    }
                }
                let mut byte = [0];
                assert_eq!(self.0.read(&mut byte).await.unwrap(), 1, "the connection closed after {said:?}");
                text.push(byte[0]);
            }
        };
        timeout(LONG, reading).await.unwrap();
        String::from_utf8(text).unwrap()
    }

    /// Waits until the server closes the connection and returns what it sent before.
    async fn until_closed(&mut self) -> String {
        let mut text = Vec::new();
        // The server resets the connection if it left bytes unread.
        match timeout(LONG, self.0.read_to_end(&mut text)).await.unwrap() {
            Ok(_) => {}
            Err(error) => assert_eq!(error.kind(), std::io::ErrorKind::ConnectionReset),
        }
        String::from_utf8(text).unwrap()
    }
}

fn request(path: &str) -> String {
    format!("GET {path} HTTP/1.1\r\nHost: localhost:8787\r\n\r\n")
}

/// Returns a router: `/quick` answers at once, `/held` after a permit from the third value. The second value counts
/// requests to `/held`.
fn held_router() -> (Router, &'static Semaphore, &'static Semaphore) {
    let begun: &'static Semaphore = Box::leak(Box::new(Semaphore::new(0)));
    let may: &'static Semaphore = Box::leak(Box::new(Semaphore::new(0)));
    let held = move || async move {
        begun.add_permits(1);
        may.acquire().await.unwrap().forget();
        "held"
    };
    (Router::new().route("/quick", get(|| async { "quick" })).route("/held", get(held)), begun, may)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn incomplete_request_heads_time_out() {
    let service = TestService::start(Backend::Sqlite).await;
    let idle = Duration::from_secs(1);
    let server = Server::start(service.router.clone(), ConnectionLimits { idle, ..limits() }).await;
    let clients = join_all((0..60).map(|_| server.connect())).await;
    let begun = Instant::now();
    let waits = clients.into_iter().enumerate().map(async |(index, mut client)| {
        match index % 3 {
            // A partial head, an empty one, and one that arrives byte by byte.
            0 => client.send("GET /health/ready HTTP/1.1\r\nHost: lo").await,
            1 => {}
            _ => {
                client.send("GET /health/ready HTTP/1.1\r\nX: ").await;
                while client.0.write_all(b"x").await.is_ok() && begun.elapsed() < LONG {
                    // The slow client is what is tested.
                    tokio::time::sleep(Duration::from_millis(50)).await;
                }
            }
        }
        assert_eq!(client.until_closed().await, "");
    });
    let other = async {
        for _ in 0..20 {
            let response = server.connect().await.get("/health/ready").await;
            assert!(response.starts_with("HTTP/1.1 200"), "{response}");
        }
    };
    tokio::join!(join_all(waits), other);
}

#[tokio::test]
async fn idle_connection_and_second_head_time_out() {
    let short = Duration::from_millis(300);
    let (router, ..) = held_router();
    let idle = Server::start(router, ConnectionLimits { idle: short, ..limits() }).await;
    let mut client = idle.connect().await;
    for _ in 0..2 {
        assert!(client.get("/quick").await.ends_with("quick"));
    }
    assert_eq!(client.until_closed().await, "");

    let mut client = idle.connect().await;
    assert!(client.get("/quick").await.ends_with("quick"));
    client.send("GET /quick HTTP/1.1\r\n").await;
    assert_eq!(client.until_closed().await, "");
}

#[tokio::test]
async fn running_request_has_no_idle_timeout() {
    let short = Duration::from_millis(200);
    let (router, begun, may) = held_router();
    let server = Server::start(router, ConnectionLimits { idle: short, ..limits() }).await;
    let mut client = server.connect().await;
    client.send(&request("/held")).await;
    begun.acquire().await.unwrap().forget();
    // A later connection has timed out, so this one would have too.
    server.connect().await.until_closed().await;
    may.add_permits(1);
    assert!(client.read_response().await.ends_with("held"));
}

#[tokio::test]
async fn half_closed_connection_gets_every_pipelined_response() {
    let service = TestService::start(Backend::Sqlite).await;
    let server = Server::start(service.router.clone(), limits()).await;
    let mut client = server.connect().await;
    client.send(&(request("/health/ready") + &request("/health/ready"))).await;
    client.0.shutdown().await.unwrap();
    let responses = client.until_closed().await;
    assert_eq!(responses.matches("HTTP/1.1 200 OK").count(), 2, "{responses}");

    let (router, begun, may) = held_router();
    let server = Server::start(router, limits()).await;
    let mut client = server.connect().await;
    client.send(&(request("/quick") + &request("/held"))).await;
    client.0.shutdown().await.unwrap();
    begun.acquire().await.unwrap().forget();
    may.add_permits(1);
    let responses = client.until_closed().await;
    assert!(responses.contains("quick") && responses.ends_with("held"), "{responses}");
}

#[tokio::test]
async fn client_that_never_reads_is_disconnected() {
    let (asked, mut was_asked) = mpsc::channel::<()>(1);
    let endless = move || {
        let asked = asked.clone();
        let pieces = stream::repeat_with(move || {
            let _ = asked.try_send(());
            Ok::<_, std::io::Error>(Bytes::from(vec![b'x'; 64 * 1024]))
        });
        async { Body::from_stream(pieces) }
    };
    let router = Router::new().route("/endless", get(endless));
    let write = Duration::from_millis(300);
    let server = Server::start(router, ConnectionLimits { write, ..limits() }).await;
    let mut client = server.connect().await;
    client.send(&request("/endless")).await;
    was_asked.recv().await.unwrap();
    // The router ends with the server and the body with its connection, which drops the last sender.
    server.stop.send_replace(true);
    while timeout(LONG, was_asked.recv()).await.expect("the server did not close the connection").is_some() {}
    timeout(LONG, server.served).await.unwrap().unwrap();
    drop(client);
}

#[tokio::test]
async fn network_over_connection_limit_gets_503() {
    let (router, begun, may) = held_router();
    let limits = ConnectionLimits { per_network: 3, exempt: Networks::default(), ..limits() };
    let server = Server::start(router, limits).await;
    let mut busy = join_all((0..3).map(|_| server.connect_from([127, 0, 0, 1]))).await;
    for client in &mut busy {
        client.send(&request("/held")).await;
    }
    begun.acquire_many(3).await.unwrap().forget();
    let mut refused = server.connect_from([127, 0, 0, 1]).await;
    refused.send(&request("/quick")).await;
    let refused = refused.until_closed().await;
    assert!(refused.starts_with("HTTP/1.1 503") && refused.contains("connection: close"), "{refused}");
    assert!(refused.contains(r#""code":"SERVICE_UNAVAILABLE""#), "{refused}");
    let mut other = server.connect_from([127, 0, 0, 2]).await;
    assert!(other.get("/quick").await.ends_with("quick"), "another network is served");
    may.add_permits(3);
    for client in &mut busy {
        assert!(client.read_response().await.ends_with("held"));
    }
    drop(busy);
    until_served(&server, [127, 0, 0, 1]).await;
}

/// Waits until a new connection is served: the service notices a closed one a little later.
async fn until_served(server: &Server, source: [u8; 4]) {
    wait::until("a new connection is served", async || {
        let mut client = server.connect_from(source).await;
        client.send(&request("/quick")).await;
        client.read_response().await.ends_with("quick")
    })
    .await;
}

#[tokio::test]
async fn connection_over_total_limit_gets_503() {
    let (router, ..) = held_router();
    let server = Server::start(router, ConnectionLimits { total: 2, ..limits() }).await;
    let (mut first, mut second) = (server.connect().await, server.connect().await);
    for client in [&mut first, &mut second] {
        assert!(client.get("/quick").await.ends_with("quick"));
    }
    let mut third = server.connect().await;
    third.send(&request("/quick")).await;
    let refused = third.until_closed().await;
    assert!(refused.starts_with("HTTP/1.1 503") && refused.contains("retry-after: 1"), "{refused}");
    assert!(first.get("/quick").await.ends_with("quick"), "open connections stay");
    drop(second);
    until_served(&server, [127, 0, 0, 1]).await;
}

#[tokio::test]
async fn trusted_proxies_are_exempt_from_the_network_limit() {
    let (router, begun, may) = held_router();
    let exempt = Networks::parse(["127.0.0.0/8"]).unwrap();
    let server = Server::start(router, ConnectionLimits { per_network: 1, exempt, ..limits() }).await;
    let mut clients = join_all((0..4).map(|_| server.connect())).await;
    for client in &mut clients {
        client.send(&request("/held")).await;
    }
    begun.acquire_many(4).await.unwrap().forget();
    may.add_permits(4);
    for client in &mut clients {
        assert!(client.read_response().await.ends_with("held"));
    }
}

#[tokio::test]
async fn oversized_request_head_gets_431() {
    let (router, ..) = held_router();
    let server = Server::start(router, limits()).await;
    let mut client = server.connect().await;
    client.send(&format!("GET /quick HTTP/1.1\r\nHost: localhost:8787\r\nX: {}", "x".repeat(40_000))).await;
    let response = client.until_closed().await;
    assert!(response.is_empty() || response.starts_with("HTTP/1.1 431"), "{response}");
    assert!(server.connect().await.get("/quick").await.ends_with("quick"));
}

#[tokio::test]
async fn shutdown_closes_idle_connections_and_finishes_requests() {
    let (router, begun, may) = held_router();
    let server = Server::start(router, limits()).await;
    let (mut idle, mut fresh, mut busy) =
        (server.connect().await, server.connect().await, server.connect().await);
    assert!(idle.get("/quick").await.ends_with("quick"));
    busy.send(&request("/held")).await;
    begun.acquire().await.unwrap().forget();
    server.stop.send_replace(true);
    assert_eq!(idle.until_closed().await, "");
    assert_eq!(fresh.until_closed().await, "");
    wait::until("the listener is closed", async || TcpStream::connect(server.address).await.is_err()).await;
    may.add_permits(1);
    let response = busy.read_response().await;
    assert!(response.ends_with("held") && response.contains("connection: close"), "{response}");
    timeout(LONG, server.served).await.unwrap().unwrap();
}

/// Returns the head and the first body byte of an exchange, as a proxy forwards them for a client.
fn begun_exchange(client: &str) -> String {
    format!(
        "POST /v1/link/sessions HTTP/1.1\r\nHost: localhost:8787\r\nX-Forwarded-For: {client}\r\n\
         Content-Type: application/json\r\nContent-Length: 30000\r\n\r\n{{"
    )
}

#[tokio::test]
async fn one_client_cannot_fill_the_connections_of_a_proxy() {
    let service = TestService::start_with(Backend::Sqlite, |settings| {
        settings.trusted_proxies = Networks::parse(["127.0.0.0/8"]).unwrap();
        settings.connections.per_network = 3;
    })
    .await;
    let server = Server::start(service.router.clone(), limits()).await;
    let mut busy = join_all((0..3).map(|_| server.connect())).await;
    for client in &mut busy {
        client.send(&begun_exchange("203.0.113.5")).await;
    }
    // A fourth request is rejected only after the service has counted the first three. Until then, the fourth may be
    // counted before one of them.
    let refused = wait::until_some("a fourth request is rejected", async || {
        let mut fourth = server.connect().await;
        fourth.send(&begun_exchange("203.0.113.5")).await;
        let mut first = [0; 12];
        let read = timeout(Duration::from_secs(1), fourth.0.read_exact(&mut first)).await;
        read.ok()?.ok()?;
        Some(String::from_utf8_lossy(&first).into_owned() + &fourth.until_closed().await)
    })
    .await;
    assert!(refused.starts_with("HTTP/1.1 429"), "{refused}");
    assert!(refused.contains("connection: close") && refused.contains("retry-after: 1"), "{refused}");
    let mut other = server.connect().await;
    other.send(&request("/v1/users").replace("\r\n\r\n", "\r\nX-Forwarded-For: 203.0.113.6\r\n\r\n")).await;
    assert!(other.read_response().await.starts_with("HTTP/1.1 401"), "another client");
    for client in &mut busy {
        assert!(client.read_response().await.starts_with("HTTP/1.1 408"), "an exchange waited for its body");
    }
    let mut later = server.connect().await;
    later.send(&request("/v1/users").replace("\r\n\r\n", "\r\nX-Forwarded-For: 203.0.113.5\r\n\r\n")).await;
    assert!(later.read_response().await.starts_with("HTTP/1.1 401"), "the ended requests no longer count");
}

#[tokio::test]
async fn authenticated_requests_do_not_count_against_network() {
    let service = TestService::start_with(Backend::Sqlite, |settings| {
        settings.trusted_proxies = Networks::parse(["127.0.0.0/8"]).unwrap();
        settings.connections.per_network = 1;
    })
    .await;
    let server = Server::start(service.router.clone(), limits()).await;
    let begun = format!(
        "POST /sandbox/v1/users HTTP/1.1\r\nHost: localhost:8787\r\nX-Forwarded-For: 203.0.113.5\r\n\
         Authorization: Basic {}\r\nExpect: 100-continue\r\n\
         Content-Type: application/json\r\nContent-Length: 2\r\n\r\n",
        service.sandbox.basic
    );
    let mut clients = join_all((0..3).map(|_| server.connect())).await;
    for client in &mut clients {
        client.send(&begun).await;
        // The service asks for the body after it has authenticated the key.
        assert!(client.read_response().await.starts_with("HTTP/1.1 100"));
    }
    for client in &mut clients {
        client.send("{}").await;
        assert!(client.read_response().await.starts_with("HTTP/1.1 201"));
    }
}
