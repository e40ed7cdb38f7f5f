//! Rejects requests that two parsers may read differently.

use std::net::SocketAddr;

use axum::body::Body;
use axum::http::{Request, header};
use link_store::test_support::Backend;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};

use crate::service::{TestService, secret, text};

#[tokio::test]
async fn duplicate_json_field_is_rejected() {
    let service = TestService::start(Backend::Sqlite).await;
    let (_, token) = service.user().await;
    let session = secret();
    assert_eq!(service.exchange(&token, &session).await.status, 201);
    let tenant = format!("Basic {}", service.sandbox.basic);
    let widget = format!("Bearer {session}");
    for (path, caller, body, field) in [
        ("/users", &tenant, r#"{"reference":"a","reference":"b"}"#, "reference"),
        ("/users", &tenant, r#"{"reference":"a","refe\u0072ence":"b"}"#, "reference"),
        ("/users", &tenant, r#"{"externalMetadata":{"a":"1","a":"1"}}"#, "externalMetadata.a"),
        ("/link/events", &widget, r#"{"events":[],"events":[]}"#, "events"),
        ("/link/sessions", &widget, r#"{"token":"a","token":"b"}"#, "token"),
    ] {
        let request = Request::post(format!("/sandbox/v1{path}"))
            .header(header::HOST, "localhost:8787")
            .header(header::AUTHORIZATION, caller)
            .header(header::CONTENT_TYPE, "application/json")
            .body(Body::from(body))
            .unwrap();
        let refused = service.send_raw(request).await;
        assert_eq!(refused.status, 422, "{path} {body}");
        let errors = refused.body["errors"].as_array().unwrap();
        let named = errors.iter().find(|it| it["field"] == field).unwrap_or_else(|| panic!("{errors:?}"));
        assert_eq!(text(&named["message"]), "given more than once");
    }
}

#[tokio::test]
async fn request_with_two_hosts_is_rejected() {
    let service = TestService::start(Backend::Sqlite).await;
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let router = service.router.clone().into_make_service_with_connect_info::<SocketAddr>();
    tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
    for (target, hosts, expected) in [
        ("/openapi.json", &["localhost:8787"][..], 200),
        ("http://localhost:8787/openapi.json", &["LOCALHOST:8787"][..], 200),
        ("/openapi.json", &["localhost:8787", "localhost:8787"][..], 400),
        ("/openapi.json", &["localhost:8787", "evil.example"][..], 400),
        ("http://evil.example/openapi.json", &["localhost:8787"][..], 400),
        ("http://localhost:8787/openapi.json", &["evil.example"][..], 400),
    ] {
        let hosts: String = hosts.iter().map(|it| format!("Host: {it}\r\n")).collect();
        let request = format!("GET {target} HTTP/1.1\r\n{hosts}Connection: close\r\n\r\n");
        let mut client = TcpStream::connect(address).await.unwrap();
        client.write_all(request.as_bytes()).await.unwrap();
        let mut answer = Vec::new();
        client.read_to_end(&mut answer).await.unwrap();
        let status = std::str::from_utf8(&answer[9..12]).unwrap();
        assert_eq!(status, expected.to_string(), "{request}");
    }
}
