//! Rate limits and body limits.

use std::net::SocketAddr;
use std::time::Duration;

use axum::body::Body;
use axum::extract::ConnectInfo;
use axum::http::{Method, Request, header};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use futures_util::StreamExt as _;
use link_connectors::networks::Networks;
use link_domain::link::UNUSED_TOKENS_LIMIT;
use link_store::test_support::Backend;
use serde_json::json;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tower::ServiceExt as _;

use crate::conformance::DOCUMENT;
use crate::service::{As, TestService, secret, text};

#[tokio::test]
async fn a_caller_over_its_limit_is_told_how_long_to_wait_and_others_go_on() {
    let service = TestService::start_with(Backend::Sqlite, |settings| {
        settings.rate_per_second = 1.try_into().unwrap();
        settings.rate_burst = 5.try_into().unwrap();
    })
    .await;
    let mut last = service.get("/users").await;
    assert!(last.headers.contains_key("ratelimit-remaining"));
    for _ in 0..5 {
        last = service.get("/users").await;
    }
    assert_eq!(last.status, 429);
    assert_eq!(last.body["code"], "REQUEST_LIMIT_EXCEEDED");
    assert!(last.headers["retry-after"].to_str().unwrap().parse::<u64>().unwrap() >= 1);
    let other = service.send(Method::GET, "/users", As::Tenant(&service.production), None).await;
    assert_eq!(other.status, 200);
}

#[tokio::test]
async fn a_body_over_its_limit_is_413() {
    let service = TestService::start(Backend::Sqlite).await;
    let big = service.post("/users", json!({"reference": "x".repeat(300_000)})).await;
    assert_eq!(big.status, 413);
    assert_eq!(big.body["code"], "PAYLOAD_TOO_LARGE");
}

#[tokio::test]
async fn every_answer_names_its_request() {
    let service = TestService::start(Backend::Sqlite).await;
    let problem = service.get("/nothing-here").await;
    assert_eq!(problem.status, 404);
    assert_eq!(problem.headers["x-request-id"].to_str().unwrap(), problem.body["requestId"]);
    let request =
        Request::put("/sandbox/v1/users").header("host", "localhost:8787").body(Body::empty()).unwrap();
    let refused = service.send_raw(request).await;
    assert_eq!(refused.status, 405);
    assert!(refused.headers["allow"].to_str().unwrap().contains("POST"));
    assert_eq!(refused.body["code"], "METHOD_NOT_ALLOWED");
}

#[tokio::test]
async fn a_refusal_keeps_what_cors_and_rate_limits_say_beside_it() {
    let service = TestService::start(Backend::Sqlite).await;
    let frame = service.app.settings().sdk_url.clone();
    let request = Request::get("/sandbox/v1/link/session")
        .header(header::HOST, "localhost:8787")
        .header(header::ORIGIN, &frame)
        .header(header::AUTHORIZATION, "Bearer nobody")
        .body(Body::empty())
        .unwrap();
    let refused = service.send_raw(request).await;
    assert_eq!(refused.status, 401);
    assert_eq!(refused.headers[header::ACCESS_CONTROL_ALLOW_ORIGIN], *frame);
    assert_eq!(refused.headers[header::CONTENT_TYPE], "application/problem+json");
    let missing = service.get(&format!("/accounts/ac-{}", "0".repeat(32))).await;
    assert_eq!(missing.status, 404, "{:?}", missing.body);
    assert!(missing.headers.contains_key("ratelimit-remaining"), "{:?}", missing.headers);
}

#[tokio::test]
async fn who_sends_wrong_credentials_is_told_to_wait_and_right_ones_are_let_in_from_anywhere() {
    let service = TestService::start_with(Backend::Sqlite, |settings| {
        settings.rate_per_second = 1.try_into().unwrap();
        settings.rate_burst = 5.try_into().unwrap();
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
    assert_eq!(ended.status, 401, "its widget asks for another token, and does not wait");
    let right = format!("Basic {}", service.sandbox.basic);
    assert_eq!(ask("192.0.2.7:4000", "/users", &right).await.status, 200);
}

/// Serves for real; gives the status of an answer to a wrong key that came with this `X-Forwarded-For`.
async fn behind_a_proxy(trusted: &str) -> impl AsyncFn(&str) -> u16 {
    let trusted = Networks::parse([trusted]).unwrap();
    let service = TestService::start_with(Backend::Sqlite, |settings| {
        settings.rate_per_second = 1.try_into().unwrap();
        settings.rate_burst = 5.try_into().unwrap();
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
        let mut answer = String::new();
        proxy.read_to_string(&mut answer).await.unwrap();
        answer.split(' ').nth(1).unwrap().parse().unwrap()
    }
}

#[tokio::test]
async fn two_strangers_behind_a_trusted_proxy_share_no_limit() {
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
    assert!(statuses.contains(&429), "what a client says of itself counts for nothing: {statuses:?}");
}

#[tokio::test]
async fn who_is_no_trusted_proxy_cannot_choose_its_address() {
    let ask = behind_a_proxy("10.0.0.0/8").await;
    let mut statuses = Vec::new();
    for last in 0..8 {
        statuses.push(ask(&format!("203.0.113.{last}")).await);
    }
    assert_eq!((statuses[0], statuses.contains(&429)), (401, true), "{statuses:?}");
}

#[tokio::test]
async fn who_tries_link_tokens_is_told_to_wait_and_a_right_one_is_exchanged_from_beside_it() {
    let service = TestService::start_with(Backend::Sqlite, |settings| {
        settings.rate_per_second = 1.try_into().unwrap();
        settings.rate_burst = 5.try_into().unwrap();
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
    assert!(statuses.contains(&429), "every refusal counts: {statuses:?}");
}

#[tokio::test]
async fn of_more_than_a_hundred_unused_link_tokens_of_a_user_the_oldest_goes() {
    for backend in Backend::ALL {
        let service = TestService::start(backend).await;
        let others = service.user().await.1;
        let user = service.post("/users", json!({"reference": "ana"})).await;
        let (id, first) = (text(&user.body["id"]), text(&user.body["token"]["accessToken"]));
        let path = format!("/tokens?userId={id}");
        let mut tokens = vec![first];
        while tokens.len() < UNUSED_TOKENS_LIMIT {
            let made = service.send(Method::POST, &path, As::Tenant(&service.sandbox), None).await;
            assert_eq!(made.status, 201, "{:?}", made.body);
            tokens.push(text(&made.body["accessToken"]));
        }
        // Each way to one more, and none is refused.
        let got = service.get(&format!("/users/{id}")).await;
        let retrieved = service.post("/users", json!({"reference": "ana"})).await;
        let made = service.send(Method::POST, &path, As::Tenant(&service.sandbox), None).await;
        let statuses = [got.status, retrieved.status, made.status].map(|it| it.as_u16());
        assert_eq!(statuses, [200, 200, 201], "{backend:?}");
        for oldest in &tokens[..3] {
            let refused = service.exchange(oldest, &secret()).await;
            assert_eq!((refused.status.as_u16(), &refused.body["code"]), (401, &json!("INVALID_TOKEN")));
        }
        let newest = [&got.body["token"], &retrieved.body["token"], &made.body].map(|it| &it["accessToken"]);
        for standing in [&tokens[3], &text(newest[0]), &text(newest[1]), &text(newest[2]), &others] {
            assert_eq!(service.exchange(standing, &secret()).await.status, 201, "{backend:?}");
        }
        // Four of them are used now, and do not count.
        for _ in 0..4 {
            let made = service.send(Method::POST, &path, As::Tenant(&service.sandbox), None).await;
            assert_eq!(made.status, 201);
        }
        assert_eq!(service.exchange(&tokens[4], &secret()).await.status, 201, "{backend:?}");
    }
}

#[tokio::test]
async fn a_users_payload_is_never_in_memory_whole() {
    for backend in Backend::ALL {
        let service = TestService::start(backend).await;
        let (user, token) = service.user().await;
        let session = secret();
        assert_eq!(service.exchange(&token, &session).await.status, 201);
        let progress = service.submit(&session, "mx_social_security", "many", "pass").await;
        service.settled(&session, &progress).await;
        service.until_event("TASK_FINISHED").await;
        let path = format!("/users/{user}/payload");
        let whole = service.get(&path).await;
        let contributions = whole.body["contributions"].as_array().unwrap();
        assert!(contributions.len() > 300, "{}", contributions.len());
        let ids: std::collections::BTreeSet<_> = contributions.iter().map(|it| text(&it["id"])).collect();
        assert_eq!(ids.len(), contributions.len(), "each comes once");

        let request = Request::get(format!("/sandbox/v1{path}"))
            .header(header::HOST, "localhost:8787")
            .header(header::AUTHORIZATION, format!("Basic {}", service.sandbox.basic))
            .body(Body::empty())
            .unwrap();
        let mut pieces =
            service.router.clone().oneshot(request).await.unwrap().into_body().into_data_stream();
        let mut bytes = Vec::new();
        while let Some(piece) = pieces.next().await {
            let piece = piece.unwrap();
            let points = String::from_utf8_lossy(&piece).matches("\"sourceId\"").count();
            assert!(points <= 150, "{points} data points at once, on {backend:?}");
            bytes.extend_from_slice(&piece);
        }
        assert_eq!(bytes, whole.bytes);
    }
}

#[tokio::test]
async fn sessions_of_a_user_share_one_rate() {
    let service = TestService::start_with(Backend::Sqlite, |settings| {
        settings.rate_per_second = 1.try_into().unwrap();
        settings.rate_burst = 20.try_into().unwrap();
    })
    .await;
    let user = service.post("/users", json!({"reference": "ana"})).await;
    let tokens = format!("/tokens?userId={}", text(&user.body["id"]));
    let mut accepted = 0;
    for _ in 0..8 {
        let made = service.send(Method::POST, &tokens, As::Tenant(&service.sandbox), None).await;
        let session = secret();
        assert_eq!(service.exchange(&text(&made.body["accessToken"]), &session).await.status, 201);
        for _ in 0..10 {
            let answer = service.send(Method::GET, "/link/session", As::Session(&session), None).await;
            accepted += usize::from(answer.status == 200);
        }
    }
    eprintln!("80 requests with 8 sessions of a user: {accepted} accepted");
    assert!(accepted <= 40, "{accepted}");
}

#[tokio::test]
async fn many_keys_of_a_tenant_share_one_rate() {
    let service = TestService::start_with(Backend::Sqlite, |settings| {
        settings.rate_per_second = 1.try_into().unwrap();
        settings.rate_burst = 5.try_into().unwrap();
        settings.tenant_rate_per_second = 1.try_into().unwrap();
        settings.tenant_rate_burst = 20.try_into().unwrap();
    })
    .await;
    let mut accepted = 0;
    for _ in 0..30 {
        let mut context = service.app.context(link_domain::clock::ClockOffset::default());
        let (key, issued) = link_domain::tenant::ApiKey::issue(service.owner(), &mut context);
        let now = context.now();
        let change = link_domain::change::Change::row(link_domain::change::Row::ApiKey(key));
        let written = service.app.store().write(move |tx| tx.apply(&change, now)).await;
        written.unwrap();
        let basic = STANDARD.encode(format!("{}:{}", issued.key, issued.secret.expose()));
        let keys = crate::service::Keys { basic, ..service.sandbox.clone() };
        for _ in 0..5 {
            let answer = service.send(Method::GET, "/users", As::Tenant(&keys), None).await;
            accepted += usize::from(answer.status == 200);
        }
    }
    eprintln!("150 requests with 30 keys of a tenant: {accepted} accepted");
    assert!(accepted <= 40, "{accepted}");
    let production = service.send(Method::GET, "/users", As::Tenant(&service.production), None).await;
    assert_eq!(production.status, 200, "another environment");
    let stranger = service.another_tenant().await;
    assert_eq!(service.send(Method::GET, "/users", As::Tenant(&stranger), None).await.status, 200);
}

/// A service with the limits that it has by default.
async fn with_default_limits(backend: Backend) -> TestService {
    TestService::start_with(backend, |settings| {
        settings.rate_per_second = 20.try_into().unwrap();
        settings.rate_burst = 40.try_into().unwrap();
    })
    .await
}

#[tokio::test]
async fn refused_exchanges_of_one_network_are_limited() {
    for backend in Backend::ALL {
        let service = with_default_limits(backend).await;
        let (_, used) = service.user().await;
        assert_eq!(service.exchange(&used, &secret()).await.status, 201);
        let (_, right) = service.user().await;
        let began = tokio::time::Instant::now();
        let mut refused = 0;
        for number in 0..300 {
            let unknown = format!("lpt_{number:080x}");
            let token = if number % 2 == 0 { &used } else { &unknown };
            let answer = service.exchange(token, &secret()).await;
            match answer.status.as_u16() {
                401 => refused += 1,
                status => assert_eq!(status, 429, "{:?}", answer.body),
            }
        }
        // One more each second, beside what may come at once.
        let most = 40 + began.elapsed().as_secs() + 1;
        assert!((40..=most).contains(&refused), "{refused} of {most} on {backend:?}");
        assert_eq!(service.exchange(&right, &secret()).await.status, 201, "a right token is let in");
    }
}

#[tokio::test]
async fn exchange_limit_comes_before_the_body() {
    let service = TestService::start_with(Backend::Sqlite, |settings| {
        settings.rate_per_second = 1.try_into().unwrap();
        settings.rate_burst = 5.try_into().unwrap();
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
        // Ten more are let in each second, so the allowance is spent right before the question.
        loop {
            let spent = service.send_raw(exchange(Body::from("{}"))).await;
            let policy = spent.headers.get("ratelimit-policy").and_then(|it| it.to_str().ok());
            if policy.is_some_and(|it| it.starts_with("\"exchanges\"")) {
                break;
            }
        }
        let never = futures_util::stream::pending::<Result<&str, std::io::Error>>();
        let asked = service.send_raw(exchange(Body::from_stream(never)));
        // A refusal drains the body for a second; a request that is let in waits for its body for five.
        limited = tokio::time::timeout(Duration::from_secs(4), asked).await.ok();
        if limited.is_some() {
            break;
        }
    }
    let limited = limited.expect("every request was let in to wait for its body");
    assert_eq!(limited.status, 429, "{:?}", limited.body);
}

#[tokio::test(flavor = "multi_thread")]
async fn refused_exchange_does_not_wait_for_the_writer() {
    let service = TestService::start(Backend::Sqlite).await;
    let (_, used) = service.user().await;
    assert_eq!(service.exchange(&used, &secret()).await.status, 201);
    let (go, wait) = std::sync::mpsc::channel::<()>();
    let (begun, mut begins) = tokio::sync::mpsc::unbounded_channel::<()>();
    let store = service.app.store().clone();
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
async fn network_that_has_to_wait_costs_no_read_and_known_sessions_are_served() {
    let mut service = with_default_limits(Backend::Postgres).await;
    let session = service.session().await;
    // This one has seen no session yet.
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
    assert_eq!(ask(1, &session).await, 429, "a session that is not known costs the same read as a wrong one");
    assert_eq!(ask(2, &session).await, 200, "another network");
    wait().await;
    assert_eq!(ask(1, &session).await, 200, "a session that was let in is served from everywhere");
}

#[tokio::test]
async fn frame_pages_of_one_network_are_limited() {
    let service = TestService::start_with(Backend::Sqlite, |settings| {
        settings.rate_per_second = 1.try_into().unwrap();
        settings.rate_burst = 5.try_into().unwrap();
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
