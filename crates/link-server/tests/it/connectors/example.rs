//! Requests and links that the example connector rejects.

use axum::http::{HeaderMap, Method};
use link_connectors::http_source::signature::{SignedRequest, SigningKey};
use link_store::test_support::Backend;
use link_types::Sensitive;

use super::connector::portal::Portal;
use super::connector::signing::{Signing, SigningError};
use super::{SECRET, Setup};

#[test]
fn example_connector_accepts_a_signed_request_once() {
    const NOW: i64 = 1_763_636_831;
    let signing = Signing::new(vec!["the next secret".to_owned(), SECRET.to_owned()]);
    let (nonce, body) = ("0f".repeat(16), b"{}");
    let signed =
        SignedRequest { method: "POST", path: "/linchpin/v1/step", timestamp: NOW, nonce: &nonce, body };
    let mut headers = HeaderMap::new();
    let signature = SigningKey::new(Sensitive::new(SECRET)).sign_request(signed);
    for (name, value) in [
        ("linchpin-nonce", nonce),
        ("linchpin-timestamp", NOW.to_string()),
        ("linchpin-signature", signature),
    ] {
        headers.insert(name, value.parse().unwrap());
    }
    let take = |now, path, headers: &HeaderMap, body: &[u8]| {
        signing.take(now, (&Method::POST, path), headers, body).map(|taken| taken.nonce)
    };
    let path = "/linchpin/v1/step";
    assert_eq!(take(NOW, path, &HeaderMap::new(), body), Err(SigningError::Headers));
    assert_eq!(take(NOW + 301, path, &headers, body), Err(SigningError::Clock));
    assert_eq!(take(NOW - 301, path, &headers, body), Err(SigningError::Clock));
    assert_eq!(take(NOW, "/linchpin/v1/start", &headers, body), Err(SigningError::Signature));
    assert_eq!(take(NOW, path, &headers, b"{ }"), Err(SigningError::Signature));
    assert!(take(NOW, path, &headers, body).is_ok());
    assert_eq!(take(NOW + 299, path, &headers, body), Err(SigningError::Replay));
}

#[tokio::test]
async fn example_connector_ignores_links_to_other_hosts() {
    let elsewhere = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    elsewhere.set_nonblocking(true).unwrap();
    let (other, setup) = (elsewhere.local_addr().unwrap(), Setup::start(Backend::Sqlite).await);
    let portal = Portal::new(setup.portal_at.url());
    let paths = [
        format!("@{other}/aportaciones"),
        format!("http://{other}/"),
        format!("//{other}/"),
        ".example/".to_owned(),
        "/\\example".to_owned(),
        "aportaciones".to_owned(),
        String::new(),
    ];
    let opened = tokio::task::spawn_blocking(move || {
        let mut visit = portal.visit("session=canary");
        let own = visit.open("/aportaciones").is_ok();
        (own, paths.map(|path| visit.open(&path).is_ok()))
    });
    assert_eq!(opened.await.unwrap(), (true, [false; 7]));
    let asked = elsewhere.accept().unwrap_err();
    assert_eq!(asked.kind(), std::io::ErrorKind::WouldBlock, "another host received the session cookie");
}
