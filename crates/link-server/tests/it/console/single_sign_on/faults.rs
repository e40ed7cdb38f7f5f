//! Everything that a provider can do wrong.

use std::sync::Arc;
use std::time::Duration;

use axum::http::Method;
use link_domain::console::single_sign_on::port::FetchError;
use link_domain::notifications::webhook_sender::SendError;
use link_server::adapters::openid::Purpose;
use link_store::test_support::Backend;
use rstest::rstest;
use serde_json::{Value, json};
use tokio::sync::Notify;

use super::fake::{CLIENT, SigningKey};
use super::{Scene, assert_refused, draft};
use crate::invites::html;

#[rstest]
#[case::another_issuer(json!({"iss": "https://login.shop.example/"}), json!({}))]
#[case::another_audience(json!({"aud": "another"}), json!({}))]
#[case::several_audiences(json!({"aud": [CLIENT, "another"]}), json!({}))]
#[case::another_authorized_party(json!({"azp": "another"}), json!({}))]
#[case::expired(json!({"exp": 1_700_000_000}), json!({}))]
#[case::issued_long_ago(json!({"iat": 1_700_000_000}), json!({}))]
#[case::issued_later(json!({"iat": 4_000_000_000_u64, "exp": 4_000_000_300_u64}), json!({}))]
#[case::another_nonce(json!({"nonce": "another"}), json!({}))]
#[case::no_nonce(json!({"nonce": null}), json!({}))]
#[case::no_subject(json!({"sub": null}), json!({}))]
#[case::empty_subject(json!({"sub": ""}), json!({}))]
#[case::long_subject(json!({"sub": "x".repeat(256)}), json!({}))]
#[case::unsigned(json!({}), json!({"alg": "none"}))]
#[case::signed_with_the_client_secret(json!({}), json!({"alg": "HS256"}))]
#[case::unknown_key(json!({}), json!({"alg": "ES256", "kid": "unknown"}))]
#[case::critical_header(json!({}), json!({"alg": "ES256", "kid": "first", "crit": ["b64"]}))]
#[tokio::test]
async fn invalid_id_token_signs_no_one_in(#[case] claims: Value, #[case] header: Value) {
    let scene = Scene::start(Backend::Sqlite).await;
    scene.provider.now().claims = claims;
    if header != json!({}) {
        scene.provider.now().header = header;
    }
    assert_refused(&scene.sign_in().await, 502, "PROVIDER_INVALID");
    let members = scene.ask(Method::GET, "/members", &scene.owner, None).await;
    assert_eq!(members.body["items"].as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn token_of_another_key_with_the_same_id_is_refused() {
    let scene = Scene::start(Backend::Sqlite).await;
    scene.provider.now().key = SigningKey::new("first");
    assert_refused(&scene.sign_in().await, 502, "PROVIDER_INVALID");
}

#[tokio::test]
async fn clocks_may_be_a_minute_apart() {
    let scene = Scene::start(Backend::Sqlite).await;
    let seconds = std::time::SystemTime::UNIX_EPOCH.elapsed().unwrap().as_secs();
    for claims in [json!({"exp": seconds - 50, "iat": seconds - 350}), json!({"iat": seconds + 50})] {
        scene.provider.now().claims = claims;
        scene.sign_in_first().await;
    }
    for claims in [json!({"exp": seconds - 70, "iat": seconds - 370}), json!({"iat": seconds + 90})] {
        scene.provider.now().claims = claims;
        assert_refused(&scene.sign_in().await, 502, "PROVIDER_INVALID");
    }
}

#[rstest]
#[case::hangs("/token", Err(FetchError::TimedOut), "PROVIDER_UNAVAILABLE")]
#[case::refuses_connections(
    "/token",
    Err(FetchError::Send(SendError::ConnectFailed)),
    "PROVIDER_UNAVAILABLE"
)]
#[case::fails("/token", Ok((503, "<html>".to_owned())), "PROVIDER_UNAVAILABLE")]
#[case::huge("/token", Err(FetchError::TooLarge), "PROVIDER_UNAVAILABLE")]
#[case::garbage("/token", Ok((200, "<html>".to_owned())), "PROVIDER_INVALID")]
#[case::no_id_token("/token", Ok((200, r#"{"access_token":"a","token_type":"Bearer"}"#.to_owned())), "PROVIDER_INVALID")]
#[case::redirects("/token", Ok((302, String::new())), "PROVIDER_INVALID")]
#[tokio::test]
async fn provider_that_fails_signs_no_one_in(
    #[case] path: &'static str,
    #[case] answer: Result<(u16, String), FetchError>,
    #[case] code: &str,
) {
    let scene = Scene::start(Backend::Sqlite).await;
    scene.provider.now().answers.insert(path, answer);
    assert_refused(&scene.sign_in().await, 502, code);
    scene.provider.now().answers.clear();
    scene.sign_in_first().await;
}

#[tokio::test]
async fn refused_code_shows_no_text_of_the_provider() {
    let scene = Scene::start(Backend::Sqlite).await;
    let body = json!({"error": "invalid_grant", "error_description": "<script>alert(1)</script>"});
    scene.provider.now().answers.insert("/token", Ok((400, body.to_string())));
    let refused = scene.sign_in().await;
    assert_refused(&refused, 403, "PROVIDER_REFUSED");
    assert!(!html(&refused).contains("alert"));
}

#[rstest]
#[case("error=access_denied&error_description=%3Cscript%3Ealert(1)%3C%2Fscript%3E", 403, "SIGN_IN_CANCELLED")]
#[case("error=temporarily_unavailable", 502, "PROVIDER_UNAVAILABLE")]
#[case("error=%3Cscript%3Ealert(1)%3C%2Fscript%3E", 403, "PROVIDER_REFUSED")]
#[case("error=invalid_scope&code=x", 403, "PROVIDER_REFUSED")]
#[case("", 502, "PROVIDER_INVALID")]
#[case("code=", 502, "PROVIDER_INVALID")]
#[tokio::test]
async fn person_who_comes_back_without_a_code_reads_why(
    #[case] query: &str,
    #[case] status: u16,
    #[case] code: &str,
) {
    let scene = Scene::start(Backend::Sqlite).await;
    let away = scene.leave().await;
    let state = away.page.split("state=").nth(1).unwrap().split('&').next().unwrap();
    let refused = scene.come_back(&format!("{query}&state={state}"), &away.cookie).await;
    assert_refused(&refused, status, code);
    assert!(!html(&refused).contains("alert"));
    let again = scene.come_back_in("es-MX", "demo", &format!("{query}&state={state}"), &away.cookie).await;
    assert_refused(&again, 410, "SIGN_IN_EXPIRED");
    assert!(
        html(&again).contains("<html lang=\"es-MX\">") && html(&again).contains("No se inició la sesión")
    );
}

#[tokio::test]
async fn announced_issuer_must_be_in_the_response() {
    let scene = Scene::start(Backend::Sqlite).await;
    let encoded = "https%3A%2F%2Flogin.shop.example";
    let come_back = async |more: &str| {
        let away = scene.leave().await;
        let query = format!("{}{more}", scene.provider.authorize(&away.page));
        scene.come_back(&query, &away.cookie).await
    };
    assert_refused(&come_back("&iss=https%3A%2F%2Fthief.example").await, 502, "PROVIDER_INVALID");
    assert_eq!(come_back(&format!("&iss={encoded}")).await.status, 303);
    scene.provider.now().document["authorization_response_iss_parameter_supported"] = true.into();
    scene.save(draft()).await;
    assert_refused(&come_back("").await, 502, "PROVIDER_INVALID");
    assert_refused(
        &come_back("&iss=https%3A%2F%2Fthief.example&error=access_denied").await,
        502,
        "PROVIDER_INVALID",
    );
    assert_eq!(come_back(&format!("&iss={encoded}")).await.status, 303);
}

#[tokio::test]
async fn new_key_of_the_provider_is_fetched_at_most_once_a_minute() {
    let scene = Scene::start(Backend::Sqlite).await;
    scene.sign_in_first().await;
    let fetches = || scene.provider.now().asked.iter().filter(|it| *it == "/keys").count();
    assert_eq!(fetches(), 1, "the keys are kept");
    scene.provider.rotate();
    assert_refused(&scene.sign_in().await, 502, "PROVIDER_INVALID");
    assert_eq!(fetches(), 1);
    scene.clock.advance(Duration::from_secs(61));
    scene.sign_in_first().await;
    assert_eq!(fetches(), 2);
    scene.provider.now().header["kid"] = "unknown".into();
    assert_refused(&scene.sign_in().await, 502, "PROVIDER_INVALID");
    assert_eq!(fetches(), 2, "a token with an unknown key does not make the service ask again");
}

#[tokio::test]
async fn way_is_not_used_up_while_too_many_come_back() {
    let scene = Scene::start(Backend::Sqlite).await;
    let away = scene.leave().await;
    let query = scene.provider.authorize(&away.page);
    let demo = "demo".parse().unwrap();
    let permits: Vec<_> =
        (0..8).map(|_| scene.service.app.caches.openid.admit(&demo, Purpose::Arriving).unwrap()).collect();
    let refused = scene.come_back(&query, &away.cookie).await;
    assert_refused(&refused, 429, "REQUEST_LIMIT_EXCEEDED");
    assert_eq!(refused.headers.get("set-cookie"), None, "the browser keeps its secret");
    drop(permits);
    assert_eq!(scene.come_back(&query, &away.cookie).await.status, 303);
}

#[tokio::test]
async fn provider_that_changes_meanwhile_is_named() {
    let scene = Scene::start(Backend::Sqlite).await;
    let away = scene.leave().await;
    let query = scene.provider.authorize(&away.page);
    let (asked, answer) = (Arc::new(Notify::new()), Arc::new(Notify::new()));
    scene.provider.now().pause = Some((Arc::clone(&asked), Arc::clone(&answer)));
    let mut changed = draft();
    changed["role"] = "VIEWER".into();
    let change = async {
        asked.notified().await;
        scene.save(changed).await;
        answer.notify_one();
    };
    let (returned, ()) = tokio::join!(scene.come_back(&query, &away.cookie), change);
    assert_refused(&returned, 409, "PROVIDER_CHANGED");
    assert!(returned.headers.contains_key("set-cookie"), "the way is used up");
}

#[tokio::test]
async fn address_from_the_user_info_counts_if_the_token_has_none() {
    let scene = Scene::start(Backend::Sqlite).await;
    scene.provider.now().claims = json!({"email": null, "email_verified": null, "name": null});
    let info = json!({"sub": "another", "email": "bo@shop.example", "email_verified": true});
    scene.provider.now().info = info;
    assert_refused(&scene.sign_in().await, 502, "PROVIDER_INVALID");
    scene.provider.now().answers.insert("/info", Err(FetchError::TimedOut));
    assert_refused(&scene.sign_in().await, 502, "PROVIDER_UNAVAILABLE");
    scene.provider.now().answers.clear();
    scene.provider.now().info["sub"] = "248289761001".into();
    scene.provider.now().info["email_verified"] = "true".into();
    scene.sign_in_first().await;
    scene.provider.now().answers.insert("/info", Err(FetchError::TimedOut));
    scene.sign_in_first().await;
}
