//! Quotas per user: UI events, traps, surveys, accounts, hosted link tokens, rejected files.

use axum::http::Method;
use link_domain::change::{Change, Row};
use link_domain::kernel::clock::{ClockOffset, Wall};
use link_domain::tenancy::quota::Quota;
use link_store::StoreError;
use link_store::test_support::Backend;
use rstest::rstest;
use serde_json::{Value, json};

use crate::service::{As, TestResponse, TestService, secret, text};

/// Returns a batch of the maximum size, 100 events; each `number` gives new events.
fn batch(number: u32, trap: Option<Value>) -> Value {
    let event =
        |seq: u32| json!({"seq": number * 100 + seq, "eventName": "ConsentPageOpened", "afterMs": seq});
    json!({"opening": "opening-0001", "events": (0..100).map(event).collect::<Vec<_>>(), "trap": trap})
}

async fn send_events(service: &TestService, session: &str, body: &Value) -> TestResponse {
    service.send(Method::POST, "/link/events", As::Session(session), Some(body)).await
}

fn retry_after(response: &TestResponse) -> u64 {
    response.headers["retry-after"].to_str().unwrap().parse().unwrap()
}

#[rstest]
#[tokio::test]
async fn ui_events_are_limited_per_session(#[values(Backend::Sqlite, Backend::Postgres)] backend: Backend) {
    let service = TestService::start(backend).await;
    let session = service.session().await;
    let mut accepted = 0;
    for number in 0..40 {
        let response = send_events(&service, &session, &batch(number, None)).await;
        match response.status.as_u16() {
            204 => accepted += 100,
            429 => {
                assert_eq!(response.body["code"], "REQUEST_LIMIT_EXCEEDED");
                assert!(retry_after(&response) >= 1, "{response:?}");
            }
            _ => panic!("{response:?}"),
        }
    }
    let stored = count_stored_events(&service).await;
    eprintln!("4000 events sent, {accepted} accepted, {stored} rows");
    assert!(stored <= u64::from(Quota::UiEventsOfSession.max()), "{stored} rows");
    let state = service.send(Method::GET, "/link/session", As::Session(&session), None).await;
    assert_eq!(state.status, 200, "the widget still works");
    let honest = service.session().await;
    assert_eq!(send_events(&service, &honest, &batch(0, None)).await.status, 204, "another user");
}

/// Counts the rows of UI events: deletes all of them in a transaction that is rolled back.
async fn count_stored_events(service: &TestService) -> u64 {
    let counted = service.app.store.write(|tx| -> Result<(), RollbackError> {
        Err(RollbackError(tx.ui_events().delete_before(Wall::from_micros(i64::MAX))?))
    });
    counted.await.unwrap_err().0
}

#[derive(Debug)]
struct RollbackError(u64);

impl From<link_store::StoreError> for RollbackError {
    fn from(error: link_store::StoreError) -> Self {
        panic!("{error}")
    }
}

#[tokio::test]
async fn ui_events_are_limited_per_user_across_sessions() {
    let service = TestService::start(Backend::Sqlite).await;
    let user = service.post("/users", json!({"reference": "ana"})).await;
    let tokens = format!("/tokens?userId={}", text(&user.body["id"]));
    for opened in 0..8 {
        let made = service.send(Method::POST, &tokens, As::Tenant(&service.sandbox), None).await;
        let session = secret();
        assert_eq!(service.exchange(&text(&made.body["accessToken"]), &session).await.status, 201);
        for number in 0..20 {
            send_events(&service, &session, &batch(opened * 20 + number, None)).await;
        }
    }
    let stored = count_stored_events(&service).await;
    eprintln!("16000 events sent by 8 sessions of a user, {stored} rows");
    assert!(stored <= u64::from(Quota::UiEventsOfUser.max()), "{stored} rows");
}

#[rstest]
#[tokio::test]
async fn traps_over_quota_are_dropped_silently(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let service = TestService::start(backend).await;
    let session = service.session().await;
    for number in 0..60 {
        let trap = json!({"build": "link-widget-0.wasm", "offsets": [number]});
        let body = json!({"opening": "opening-0001", "events": [], "trap": trap});
        let response = send_events(&service, &session, &body).await;
        assert_eq!(
            response.status, 204,
            "a used-up quota is not an error for the widget: {:?}",
            response.body
        );
    }
    // The list has at most 20 entries, those reported first.
    let template = service.sandbox.template.parse().unwrap();
    let found =
        service.app.store.read(move |reader| reader.ui_events().traps(&template, Wall::from_micros(0)));
    let newest = found.await.unwrap().into_iter().flat_map(|(trap, _)| trap.offsets).max();
    assert!(newest < Some(Quota::Traps.max()), "{newest:?}");
}

#[rstest]
#[tokio::test]
async fn surveys_are_limited_per_user(#[values(Backend::Sqlite, Backend::Postgres)] backend: Backend) {
    let service = TestService::start(backend).await;
    let session = service.session().await;
    let send = async |session: &str| {
        let body = json!({"employer": "Talleres Quetzal"});
        service.send(Method::POST, "/link/survey", As::Session(session), Some(&body)).await
    };
    for _ in 0..Quota::Surveys.max() {
        assert_eq!(send(&session).await.status, 204);
    }
    let refused = send(&session).await;
    assert_eq!(refused.status, 429, "{refused:?}");
    assert!((1..=86_400 / 20).contains(&retry_after(&refused)), "{refused:?}");
    assert_eq!(send(&service.session().await).await.status, 204, "another user");
}

#[tokio::test]
async fn started_accounts_are_limited_per_user() {
    let service = TestService::start(Backend::Sqlite).await;
    let session = service.session().await;
    let mut bodies = Vec::new();
    for provider in ["mx_social_security", "mx_health_insurance"] {
        bodies.push(service.login(&session, provider, "none", "pass").await);
    }
    let (mut accounts, mut refused) = (std::collections::BTreeSet::new(), 0);
    for number in 0..Quota::Accounts.max() + 10 {
        // Alternating providers start a new account each time instead of retrying the attempt's account.
        let mut body = bodies[number as usize % 2].clone();
        body["loginName"] = json!(format!("person{number}"));
        let begun = service.send(Method::POST, "/link/accounts", As::Session(&session), Some(&body)).await;
        match begun.status.as_u16() {
            201 => drop(accounts.insert(text(&begun.body["accountId"]))),
            429 => refused += 1,
            _ => panic!("{begun:?}"),
        }
    }
    eprintln!("{} accounts started, {refused} submits rejected", accounts.len());
    assert!(accounts.len() <= Quota::Accounts.max() as usize, "{}", accounts.len());
    assert!(refused > 0);
}

/// Uses up a quota of a user except for `left`.
async fn leave(service: &TestService, user: &str, quota: Quota, left: u32) {
    let (owner, user, now) =
        (service.owner(), user.parse().unwrap(), service.app.now(ClockOffset::default()));
    let spent = service.app.store.write(move |tx| -> Result<(), StoreError> {
        let used = tx.quota_uses().get(&owner, &user, quota, "")?.spend(quota.max() - left, now.wall());
        tx.apply(&Change::row(Row::QuotaUse(used)), now)
    });
    spent.await.unwrap();
}

#[rstest]
#[tokio::test]
async fn submitted_logins_are_limited_per_user_for_every_outcome(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let service = TestService::start(backend).await;
    let (user, token) = service.user().await;
    let session = secret();
    assert_eq!(service.exchange(&token, &session).await.status, 201);
    leave(&service, &user, Quota::Submits, 3).await;
    // The sealed login has another name, so the service does not ask the source or count a guess.
    let submit = async || {
        let mut body = service.login(&session, "mx_social_security", "other", "x").await;
        body["loginName"] = json!("filler");
        service.send(Method::POST, "/link/accounts", As::Session(&session), Some(&body)).await
    };
    for _ in 0..3 {
        let submitted = submit().await;
        assert_eq!(submitted.status, 201, "{submitted:?}");
        let failed = service.until_settled(&session, &submitted.body).await;
        assert!(failed["phase"].get("failed").is_some(), "{failed}");
    }
    let refused = submit().await;
    assert_eq!(refused.status, 429, "{refused:?}");
    assert_eq!(refused.body["code"], "REQUEST_LIMIT_EXCEEDED");
    assert!((1..=86_400 / 200).contains(&retry_after(&refused)), "{refused:?}");
    assert_eq!(service.event_types().await.iter().filter(|it| *it == "ACCOUNT_FAILED").count(), 3);
}

#[tokio::test]
async fn resubmitted_right_password_counts_against_submit_quota() {
    let service = TestService::start(Backend::Sqlite).await;
    let (user, token) = service.user().await;
    let session = secret();
    assert_eq!(service.exchange(&token, &session).await.status, 201);
    leave(&service, &user, Quota::Submits, 2).await;
    for _ in 0..2 {
        let submitted = service.submit(&session, "mx_social_security", "mfa-otp", "pass").await;
        let asked = service.until_settled(&session, &submitted).await;
        assert!(asked["phase"].get("challenge").is_some(), "{asked}");
    }
    let body = service.login(&session, "mx_social_security", "mfa-otp", "pass").await;
    let refused = service.send(Method::POST, "/link/accounts", As::Session(&session), Some(&body)).await;
    assert_eq!(refused.status, 429, "{refused:?}");
}

#[tokio::test]
async fn rejected_logins_of_another_account_count_as_submissions() {
    let service = TestService::start(Backend::Sqlite).await;
    let (user, token) = service.user().await;
    let session = secret();
    assert_eq!(service.exchange(&token, &session).await.status, 201);
    let submitted = service.submit(&session, "mx_social_security", "reauth", "pass").await;
    let linked = service.until_settled(&session, &submitted).await;
    // The login above is in addition to those that `leave` counts.
    leave(&service, &user, Quota::Submits, 3).await;
    let mut body = service.login(&session, "mx_social_security", "good", "pass").await;
    body["accountId"] = linked["accountId"].clone();
    for expected in ["ACCOUNT_MISMATCH", "ACCOUNT_MISMATCH", "REQUEST_LIMIT_EXCEEDED"] {
        let refused = service.send(Method::POST, "/link/accounts", As::Session(&session), Some(&body)).await;
        assert_eq!(refused.body["code"], expected, "{refused:?}");
    }
}

#[rstest]
#[tokio::test]
async fn hosted_page_tokens_are_limited(#[values(Backend::Sqlite, Backend::Postgres)] backend: Backend) {
    let service = TestService::start(backend).await;
    let invite = service.invite_ana().await;
    let cookie = service.enter(&text(&invite["landingPageUrl"])).await;
    let ask = || service.browse(Method::POST, "/visit/token", &cookie, None);
    for _ in 0..Quota::HostedTokens.max() {
        assert_eq!(ask().await.status, 201);
    }
    let refused = ask().await;
    assert_eq!(refused.status, 429, "{refused:?}");
    assert!(retry_after(&refused) >= 1);
    assert_eq!(
        service.browse(Method::GET, "/visit", &cookie, None).await.status,
        200,
        "the page is still shown"
    );
}

#[tokio::test]
async fn rejected_files_of_tenant_uploads_are_limited() {
    let service = TestService::start(Backend::Sqlite).await;
    let (user, _) = service.user().await;
    let (other, _) = service.user().await;
    let upload = async |user: &str| {
        let file = json!({"name": "a.pdf", "content": "bm8gZG9jdW1lbnQ="});
        let body = json!({"userId": user, "type": "PAYSLIP", "files": vec![file; 10]});
        service.post("/archives", body).await
    };
    for _ in 0..Quota::RefusedFiles.max() / 10 {
        let refused = upload(&user).await;
        assert_eq!(refused.body["errors"][0]["fileFault"], "UNSUPPORTED_FORMAT", "{:?}", refused.body);
    }
    let refused = upload(&user).await;
    assert_eq!(
        (refused.status.as_u16(), &refused.body["errors"][0]["fileFault"]),
        (413, &json!("QUOTA_EXCEEDED")),
        "{:?}",
        refused.body
    );
    assert_eq!(upload(&other).await.status, 422, "another user");
}
