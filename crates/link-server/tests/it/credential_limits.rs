//! Limits on rejected credentials: API keys, link tokens and session secrets.

use std::net::SocketAddr;
use std::time::Duration;

use axum::body::Body;
use axum::extract::ConnectInfo;
use axum::http::{Method, Request, header};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use link_connectors::networks::Networks;
use link_store::test_support::Backend;
use rstest::rstest;
use serde_json::json;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};

use crate::conformance::DOCUMENT;
use crate::service::{As, TestService, secret};

#[tokio::test]
async fn wrong_credentials_are_limited_per_address() {
    let service = TestService::start_with(Backend::Sqlite, |settings| {
        settings.live.edit(|live| {
            live.rate_per_second = 1.try_into().unwrap();
            live.rate_burst = 5.try_into().unwrap();
        });
    })
    .await;
    let ask = async |from: &str, path: &str, credentials: &str| {
        let from: SocketAddr = from.parse().unwrap();
        let request = Request::get(format!("/sandbox/v1{path}"))
            .header(header::HOST, "localhost:8787")
            .header(header::AUTHORIZATION, credentials)
            .extension(ConnectInfo(from))
            .body(Body::empty())
            .unwrap();
        service.send_raw(request).await
    };
    let wrong_secret = {
        let right = String::from_utf8(STANDARD.decode(&service.sandbox.basic).unwrap()).unwrap();
        format!("Basic {}", STANDARD.encode(format!("{}:wrong", right.split_once(':').unwrap().0)))
    };
    let unknown = format!("Basic {}", STANDARD.encode("lpk_nobody:lps_nothing"));
    for credentials in [wrong_secret.as_str(), &unknown] {
        for _ in 0..3 {
            let refused = ask("192.0.2.7:4000", "/users", credentials).await;
            assert!(matches!(refused.status.as_u16(), 401 | 429), "{refused:?}");
        }
    }
    let limited = ask("192.0.2.7:5000", "/users", &unknown).await;
    assert_eq!(limited.status, 429, "{limited:?}");
    assert!(limited.headers["retry-after"].to_str().unwrap().parse::<u64>().unwrap() >= 1);
    assert_eq!(ask("192.0.2.8:4000", "/users", &unknown).await.status, 401, "another address");
    let mut statuses = Vec::new();
    for _ in 0..8 {
        statuses.push(ask("192.0.2.7:4000", "/link/session", "Bearer unknown").await.status.as_u16());
    }
    assert!(statuses.contains(&429), "{statuses:?}");
    let session = service.session().await;
    assert_eq!(service.send(Method::DELETE, "/link/session", As::Session(&session), None).await.status, 204);
    let ended = ask("192.0.2.7:4000", "/link/session", &format!("Bearer {session}")).await;
    assert_eq!(ended.status, 401, "an ended session gets 401, so that its widget requests a new token");
    let right = format!("Basic {}", service.sandbox.basic);
    assert_eq!(ask("192.0.2.7:4000", "/users", &right).await.status, 200);
}

/// Serves on a socket. The returned function sends a wrong key with an `X-Forwarded-For` header and returns the status.
async fn behind_a_proxy(trusted: &str) -> impl AsyncFn(&str) -> u16 {
    let trusted = Networks::parse([trusted]).unwrap();
    let service = TestService::start_with(Backend::Sqlite, |settings| {
        settings.live.edit(|live| {
            live.rate_per_second = 1.try_into().unwrap();
            live.rate_burst = 5.try_into().unwrap();
        });
        settings.trusted_proxies = trusted;
    })
    .await;
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let router = service.router.clone().into_make_service_with_connect_info::<SocketAddr>();
    tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
    async move |forwarded: &str| {
        let _running = &service;
        let mut proxy = TcpStream::connect(address).await.unwrap();
        let unknown = STANDARD.encode("lpk_nobody:lps_nothing");
        let request = format!(
            "GET /sandbox/v1/users HTTP/1.1\r\nHost: localhost:8787\r\nAuthorization: Basic {unknown}\r\n\
             X-Forwarded-For: {forwarded}\r\nConnection: close\r\n\r\n"
        );
        proxy.write_all(request.as_bytes()).await.unwrap();
        let mut response = String::new();
        proxy.read_to_string(&mut response).await.unwrap();
        response.split(' ').nth(1).unwrap().parse().unwrap()
    }
}

#[tokio::test]
async fn clients_behind_trusted_proxy_have_separate_limits() {
    let ask = behind_a_proxy("127.0.0.0/8").await;
    let mut statuses = Vec::new();
    for _ in 0..8 {
        statuses.push(ask("203.0.113.5").await);
    }
    assert_eq!((statuses[0], statuses.contains(&429)), (401, true), "{statuses:?}");
    assert_eq!(ask("203.0.113.6").await, 401, "another client");
    let invented: Vec<_> = (0..8).map(|it| format!("198.51.100.{it}, 203.0.113.7")).collect();
    let mut statuses = Vec::new();
    for forwarded in &invented {
        statuses.push(ask(forwarded).await);
    }
    assert!(statuses.contains(&429), "the entries that a client adds itself are ignored: {statuses:?}");
}

#[tokio::test]
async fn untrusted_proxy_cannot_choose_its_client_address() {
    let ask = behind_a_proxy("10.0.0.0/8").await;
    let mut statuses = Vec::new();
    for last in 0..8 {
        statuses.push(ask(&format!("203.0.113.{last}")).await);
    }
    assert_eq!((statuses[0], statuses.contains(&429)), (401, true), "{statuses:?}");
}

#[tokio::test]
async fn link_token_guesses_are_limited_per_address() {
    let service = TestService::start_with(Backend::Sqlite, |settings| {
        settings.live.edit(|live| {
            live.rate_per_second = 1.try_into().unwrap();
            live.rate_burst = 5.try_into().unwrap();
        });
    })
    .await;
    let exchange = async |token: &str, from: &str| {
        let from: SocketAddr = from.parse().unwrap();
        let request = Request::post("/sandbox/v1/link/sessions")
            .header(header::HOST, "localhost:8787")
            .header(header::CONTENT_TYPE, "application/json")
            .extension(ConnectInfo(from))
            .body(Body::from(service.exchange_of(token, &secret()).to_string()))
            .unwrap();
        service.send_raw(request).await
    };
    let (_, token) = service.user().await;
    let guess = "lpt_".to_owned() + &"0".repeat(64);
    let mut statuses = Vec::new();
    for _ in 0..8 {
        statuses.push(exchange(&guess, "192.0.2.7:4000").await.status.as_u16());
    }
    assert_eq!((statuses[0], statuses.contains(&429)), (401, true), "{statuses:?}");
    assert_eq!(exchange(&guess, "192.0.2.8:4000").await.status, 401, "another address");
    assert_eq!(exchange(&token, "192.0.2.7:4000").await.status, 201);
    let used = exchange(&token, "192.0.2.9:4000").await;
    assert_eq!((used.status.as_u16(), &used.body["code"]), (401, &json!("TOKEN_USED")));
    let mut statuses = Vec::new();
    for _ in 0..8 {
        statuses.push(exchange(&token, "192.0.2.10:4000").await.status.as_u16());
    }
    assert!(statuses.contains(&429), "every rejection counts: {statuses:?}");
}

/// Returns a service with the default rate limits.
async fn with_default_limits(backend: Backend) -> TestService {
    TestService::start_with(backend, |settings| {
        settings.live.edit(|live| {
            live.rate_per_second = 100.try_into().unwrap();
            live.rate_burst = 200.try_into().unwrap();
        });
    })
    .await
}

#[rstest]
#[tokio::test]
async fn rejected_exchanges_are_limited_per_network(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let service = with_default_limits(backend).await;
    let (_, used) = service.user().await;
    assert_eq!(service.exchange(&used, &secret()).await.status, 201);
    let (_, right) = service.user().await;
    let began = tokio::time::Instant::now();
    let mut refused = 0;
    for number in 0..300 {
        let unknown = format!("lpt_{number:080x}");
        let token = if number % 2 == 0 { &used } else { &unknown };
        let response = service.exchange(token, &secret()).await;
        match response.status.as_u16() {
            401 => refused += 1,
            status => assert_eq!(status, 429, "{:?}", response.body),
        }
    }
    // The burst, plus one token per second.
    let most = 40 + began.elapsed().as_secs() + 1;
    assert!((40..=most).contains(&refused), "{refused} of {most}");
    assert_eq!(service.exchange(&right, &secret()).await.status, 201, "a valid token is accepted");
}

#[tokio::test]
async fn exchange_limit_applies_before_reading_the_body() {
    let service = TestService::start_with(Backend::Sqlite, |settings| {
        settings.live.edit(|live| {
            live.rate_per_second = 1.try_into().unwrap();
            live.rate_burst = 5.try_into().unwrap();
        });
    })
    .await;
    let exchange = |body: Body| {
        Request::post("/sandbox/v1/link/sessions")
            .header(header::HOST, "localhost:8787")
            .header(header::CONTENT_TYPE, "application/json")
            .body(body)
            .unwrap()
    };
    let mut limited = None;
    for _ in 0..20 {
        // The limit refills during the loop, so it is used up right before the request under test.
        loop {
            let spent = service.send_raw(exchange(Body::from("{}"))).await;
            let policy = spent.headers.get("ratelimit-policy").and_then(|it| it.to_str().ok());
            if policy.is_some_and(|it| it.starts_with("\"exchanges\"")) {
                break;
            }
        }
        let never = futures_util::stream::pending::<Result<&str, std::io::Error>>();
        let asked = service.send_raw(exchange(Body::from_stream(never)));
        // A rejected request drains its body for 1 s; an accepted one waits 5 s for its body.
        limited = tokio::time::timeout(Duration::from_secs(4), asked).await.ok();
        if limited.is_some() {
            break;
        }
    }
    let limited = limited.expect("every request was accepted and waited for its body");
    assert_eq!(limited.status, 429, "{:?}", limited.body);
}

#[tokio::test(flavor = "multi_thread")]
async fn rejected_exchange_does_not_wait_for_the_writer() {
    let service = TestService::start(Backend::Sqlite).await;
    let (_, used) = service.user().await;
    assert_eq!(service.exchange(&used, &secret()).await.status, 201);
    let (go, wait) = std::sync::mpsc::channel::<()>();
    let (begun, mut begins) = tokio::sync::mpsc::unbounded_channel::<()>();
    let store = service.app.store.clone();
    let writes = tokio::spawn(async move {
        let held: Result<(), link_store::StoreError> = store
            .write(move |_| {
                begun.send(()).unwrap();
                wait.recv().unwrap();
                Ok(())
            })
            .await;
        held.unwrap();
    });
    begins.recv().await.unwrap();
    let limit = Duration::from_secs(20);
    let refused = tokio::time::timeout(limit, service.exchange(&used, &secret())).await;
    go.send(()).unwrap();
    writes.await.unwrap();
    assert_eq!(refused.unwrap().body["code"], "TOKEN_USED");
}

#[tokio::test]
async fn unknown_sessions_are_limited_on_every_link_endpoint() {
    let service = with_default_limits(Backend::Sqlite).await;
    let session = service.session().await;
    let paths = DOCUMENT["paths"].as_object().unwrap();
    let mut asked = 0;
    for (path, operations) in paths.iter().filter(|(path, _)| path.starts_with("/link/")) {
        for (method, operation) in operations.as_object().unwrap() {
            if operation["security"][0].get("session").is_none() {
                continue;
            }
            asked += 1;
            let mut statuses = Vec::new();
            for number in 0..60 {
                let path = path.replace("{id}", &format!("a-{}", "0".repeat(32)));
                let method: Method = method.to_uppercase().parse().unwrap();
                let unknown = format!("unknown{number}");
                let request = Request::builder()
                    .method(method)
                    .uri(format!("/sandbox/v1{path}"))
                    .header(header::HOST, "localhost:8787")
                    .header(header::AUTHORIZATION, format!("Bearer {unknown}"))
                    .header("tus-resumable", "1.0.0")
                    .extension(ConnectInfo(SocketAddr::from(([192, 0, 2, asked], 4000))))
                    .body(Body::empty())
                    .unwrap();
                statuses.push(service.send_raw(request).await.status.as_u16());
            }
            assert_eq!(statuses[0], 401, "{method} {path}");
            assert!(statuses.contains(&429), "{method} {path}: {statuses:?}");
        }
    }
    assert!(asked > 10, "{asked}");
    assert_eq!(service.send(Method::GET, "/link/session", As::Session(&session), None).await.status, 200);
}

#[tokio::test]
async fn known_sessions_are_served_while_their_network_is_limited() {
    let mut service = with_default_limits(Backend::Postgres).await;
    let session = service.session().await;
    // The new node does not know any session yet.
    service.move_to_another_node().await;
    let ask = async |from: u8, bearer: &str| {
        let request = Request::get("/sandbox/v1/link/session")
            .header(header::HOST, "localhost:8787")
            .header(header::AUTHORIZATION, format!("Bearer {bearer}"))
            .extension(ConnectInfo(SocketAddr::from(([192, 0, 2, from], 4000))))
            .body(Body::empty())
            .unwrap();
        service.send_raw(request).await.status.as_u16()
    };
    let wait = async || while ask(1, "unknown").await != 429 {};
    wait().await;
    assert_eq!(ask(1, &session).await, 429, "looking up an unknown session costs a database read");
    assert_eq!(ask(2, &session).await, 200, "another network");
    wait().await;
    assert_eq!(ask(1, &session).await, 200, "a known session is served even if its network is limited");
}

#[tokio::test]
async fn frame_pages_are_limited_per_network() {
    let service = TestService::start_with(Backend::Sqlite, |settings| {
        settings.live.edit(|live| {
            live.rate_per_second = 1.try_into().unwrap();
            live.rate_burst = 25.try_into().unwrap();
        });
    })
    .await;
    let load = async |from: u8| {
        let request = Request::get(format!("/sdk/frame/p1/lt-{}", "0".repeat(32)))
            .header(header::HOST, "localhost:8787")
            .extension(ConnectInfo(SocketAddr::from(([192, 0, 2, from], 4000))))
            .body(Body::empty())
            .unwrap();
        service.send_raw(request).await.status.as_u16()
    };
    assert_eq!(load(1).await, 404);
    let mut loaded = 1;
    while load(1).await != 429 {
        loaded += 1;
        assert!(loaded < 1_000, "frame pages are not limited");
    }
    assert!(loaded >= 50, "{loaded}");
    assert_eq!(load(2).await, 404, "another network");
}
