//! The widget's requests other than logins: resume points, linked accounts, confirmed revocation, UI events, surveys,
//! consent receipts.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use axum::http::Method;
use link_domain::kernel::digest::{Digest32, hex};
use link_server::app::long_polls::Poller;
use link_server::http::polling;
use link_server::http::problem::ApiResult;
use link_store::Watched;
use link_store::test_support::Backend;
use link_test_support::wait;
use link_types::id::ArchiveId;
use rstest::rstest;
use serde_json::{Value, json};

use crate::service::{As, TestService, secret, text};
use crate::uploads::Uploader;

const PROVIDER: &str = "mx_social_security";

async fn link_account(service: &TestService, session: &str, login: &str) -> String {
    let progress = service.submit(session, PROVIDER, login, "pass").await;
    let settled = service.until_settled(session, &progress).await;
    assert!(settled["phase"].get("connected").is_some(), "{settled}");
    service.until_event("TASK_FINISHED").await;
    text(&settled["accountId"])
}

async fn send_events(service: &TestService, session: &str, batch: &Value) {
    let response = service.send(Method::POST, "/link/events", As::Session(session), Some(batch)).await;
    assert_eq!(response.status, 204, "{:?}", response.body);
}

fn event(seq: u32, name: &str) -> Value {
    json!({"seq": seq, "eventName": name, "afterMs": seq * 100, "accountId": null, "archiveId": null})
}

#[tokio::test]
async fn attempt_resume_point_is_returned_to_the_next_session() {
    let service = TestService::start(Backend::Sqlite).await;
    let (user, token) = service.user().await;
    let session = secret();
    let opened = service.exchange(&token, &session).await.body;
    let nowhere = json!({"consent": null, "providerId": null, "loginOption": null, "archiveType": null, "accountId": null});
    assert_eq!(opened["attempt"]["place"], nowhere);
    let place = json!({
        "consent": {
            "consentTemplateId": service.sandbox.consent, "version": "1.0", "locale": "en", "givenBy": "PERSON",
            "syncInterval": "MONTHLY", "retention": "FROM_LAST_SYNC", "dataChoice": {"optional": ["INCOMES", "RATINGS"], "declined": ["RATINGS"]},
        },
        "providerId": PROVIDER, "loginOption": "username", "archiveType": "PAYSLIP", "accountId": null,
    });
    let put = service.send(Method::PUT, "/link/attempt", As::Session(&session), Some(&place)).await;
    assert_eq!(put.status, 204, "{:?}", put.body);
    let state = service.send(Method::GET, "/link/session", As::Session(&session), None).await;
    assert_eq!(state.body["attempt"]["place"], place);

    let token = service.post(&format!("/tokens?userId={user}"), json!({})).await;
    let next = secret();
    let reloaded = service.exchange(&text(&token.body["accessToken"]), &next).await;
    let mut continued = place;
    continued["consent"] = json!(null);
    assert_eq!(reloaded.body["attempt"]["place"], continued, "{:?}", reloaded.body);
    let late = service.send(Method::PUT, "/link/attempt", As::Session(&session), Some(&nowhere)).await;
    assert_eq!(late.status, 401, "the earlier session has ended");
}

#[tokio::test]
async fn consent_of_a_session_is_returned_to_that_session_only() {
    let service = TestService::start(Backend::Sqlite).await;
    let (user, token) = service.user().await;
    let forger = secret();
    service.exchange(&token, &forger).await;
    let consent = json!({
        "consentTemplateId": service.sandbox.consent, "version": "1.0", "locale": "en", "givenBy": "PERSON",
        "syncInterval": "MONTHLY", "retention": "FROM_LAST_SYNC", "dataChoice": null,
    });
    let place = json!({"consent": consent, "providerId": PROVIDER});
    let put = service.send(Method::PUT, "/link/attempt", As::Session(&forger), Some(&place)).await;
    assert_eq!(put.status, 204, "{:?}", put.body);
    let replayed = service.exchange(&token, &forger).await;
    assert_eq!(replayed.body["attempt"]["place"]["consent"], consent, "the same token and secret");

    let token = service.post(&format!("/tokens?userId={user}"), json!({})).await;
    let person = secret();
    let opened = service.exchange(&text(&token.body["accessToken"]), &person).await.body;
    let read = service.send(Method::GET, "/link/session", As::Session(&person), None).await.body;
    for session in [opened, read] {
        let place = &session["attempt"]["place"];
        assert_eq!((&place["consent"], &place["providerId"]), (&Value::Null, &json!(PROVIDER)));
    }
}

#[tokio::test]
async fn linked_accounts_show_a_masked_login_name() {
    let service = TestService::start(Backend::Sqlite).await;
    let session = service.session().await;
    let id = link_account(&service, &session, "good").await;
    let shown = service.send(Method::GET, "/link/linked", As::Session(&session), None).await;
    let expected = json!({
        "accountId": id, "providerId": PROVIDER, "providerName": "Social Security Mexico", "logoUrl": null,
        "loginName": "g•••d", "status": "CONNECTED", "lastSyncDaysAgo": 0, "consentNeeded": false, "chosenData": [],
    });
    assert_eq!(shown.body["accounts"], json!([expected]));
    assert!(!String::from_utf8_lossy(&shown.bytes).contains("good"));
}

#[tokio::test]
async fn account_status_is_user_action_required_until_new_login() {
    let service = TestService::start(Backend::Sqlite).await;
    let session = service.session().await;
    let id = link_account(&service, &session, "reauth").await;
    let status = async || {
        let shown = service.send(Method::GET, "/link/linked", As::Session(&session), None).await;
        let monitor = service.get(&format!("/accounts/{id}")).await.body["monitorStatus"].clone();
        (text(&shown.body["accounts"][0]["status"]), text(&monitor))
    };
    assert_eq!(status().await, ("USER_ACTION_REQUIRED".to_owned(), "USER_ACTION_REQUIRED".to_owned()));
    let again = service.submit(&session, PROVIDER, "reauth", "pass").await;
    assert_eq!(again["accountId"], id.as_str());
    service.until_settled(&session, &again).await;
    service.until_events("TASK_FINISHED", 2).await;
    assert_eq!(status().await, ("CONNECTED".to_owned(), "ACTIVE".to_owned()));
}

#[tokio::test]
async fn account_revocation_requires_a_confirmation() {
    let service = TestService::start(Backend::Sqlite).await;
    let session = service.session().await;
    let id = link_account(&service, &session, "good").await;
    let ask = format!("/link/accounts/{id}/revocation");
    let revoke = format!("/link/accounts/{id}/revoke");
    let invented = json!({"confirmation": "AAAAAAAAAAAAAAAA"});
    let refused = service.send(Method::POST, &revoke, As::Session(&session), Some(&invented)).await;
    assert_eq!((refused.status.as_u16(), &refused.body["errors"][0]["field"]), (422, &json!("confirmation")));
    assert_eq!(service.get(&format!("/accounts/{id}")).await.body["connectionStatus"], "CONNECTED");

    let confirmation = service.send(Method::POST, &ask, As::Session(&session), None).await;
    assert_eq!(confirmation.status, 201, "{:?}", confirmation.body);
    for _ in 0..2 {
        let done = service.send(Method::POST, &revoke, As::Session(&session), Some(&confirmation.body)).await;
        assert_eq!(done.status, 204, "the request may be repeated if its response was lost: {:?}", done.body);
    }
    assert_eq!(service.get(&format!("/accounts/{id}")).await.body["connectionStatus"], "DISCONNECTED");
    let shown = service.send(Method::GET, "/link/linked", As::Session(&session), None).await;
    assert_eq!(shown.body["accounts"], json!([]));
    let old = format!("/link/accounts/{id}");
    let deleted = service.send(Method::DELETE, &old, As::Session(&session), None).await;
    assert_eq!(deleted.status, 405);
}

#[tokio::test]
async fn ui_events_are_stored_once_and_yield_exit_points() {
    let service = TestService::start(Backend::Sqlite).await;
    let session = service.session().await;
    let opening = "0b6e7c1a-opening";
    let first = json!({"opening": opening, "events": [event(1, "ConsentPageOpened"), event(2, "ConsentGiven")], "trap": null});
    let second = json!({
        "opening": opening, "events": [event(2, "LeavePageOpened"), event(3, "ProviderListPageOpened")],
        "trap": {"build": "linchpin-1234.wasm", "offsets": [10, 4_000_000]},
    });
    for batch in [&second, &first, &second] {
        send_events(&service, &session, batch).await;
    }
    send_events(
        &service,
        &session,
        &json!({"opening": "another-one", "events": [event(9, "LoginPageOpened")], "trap": null}),
    )
    .await;
    let template = service.sandbox.template.parse().unwrap();
    let (exits, traps) = service
        .app
        .store
        .read(move |reader| -> ApiResult<_> {
            let since = link_domain::kernel::clock::Wall::from_micros(0);
            Ok((
                reader.ui_events().exit_points(&template, since)?,
                reader.ui_events().traps(&template, since)?,
            ))
        })
        .await
        .unwrap();
    let exits: Vec<_> = exits.iter().map(|(name, openings)| (name.as_str(), *openings)).collect();
    assert_eq!(exits, [("LoginPageOpened", 1), ("ProviderListPageOpened", 1)]);
    assert_eq!((traps.len(), traps[0].1, traps[0].0.offsets.clone()), (1, 1, vec![10, 4_000_000]));
}

#[rstest]
#[tokio::test]
async fn survey_is_stored_encrypted_and_listed_by_template(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let service = TestService::start(backend).await;
    let session = service.session().await;
    let answer = json!({"employer": "Talleres canary-5d1f", "searched": "taller"});
    let sent = service.send(Method::POST, "/link/survey", As::Session(&session), Some(&answer)).await;
    assert_eq!(sent.status, 204, "{:?}", sent.body);
    let blank = json!({"employer": "  ", "searched": null});
    assert_eq!(
        service.send(Method::POST, "/link/survey", As::Session(&session), Some(&blank)).await.status,
        422
    );
    let template = service.sandbox.template.parse().unwrap();
    let found = service
        .app
        .store
        .read(move |reader| -> ApiResult<_> { Ok(reader.surveys().newest(&template, 10)?) })
        .await
        .unwrap();
    assert_eq!(found.iter().map(|it| json!(it.answer)).collect::<Vec<_>>(), [answer]);
    for entry in std::fs::read_dir(service.database.files()).unwrap() {
        if let Ok(bytes) = std::fs::read(entry.unwrap().path()) {
            assert!(!bytes.windows(11).any(|it| it == b"canary-5d1f"), "the survey is stored unencrypted");
        }
    }
}

#[rstest]
#[tokio::test]
async fn minimal_consent_receipt_remains_after_revocation(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let service = TestService::start(backend).await;
    let session = service.session().await;
    let id = link_account(&service, &session, "good").await;
    let path = format!("/accounts/{id}/consent");
    let receipt = service.get(&path).await;
    assert_eq!(receipt.status, 200, "{:?}", receipt.body);
    assert_eq!(receipt.body["sourceId"], id.as_str());
    assert_eq!(receipt.body["givenBy"], "PERSON");
    assert_eq!((&receipt.body["version"], &receipt.body["locale"]), (&json!("1.0"), &json!("en")));
    assert!(text(&receipt.body["consentedWith"]).len() > 100 && receipt.body["consentedAt"].is_string());
    let hash = Digest32::from_text(&text(&receipt.body["consentedWith"]));
    assert_eq!(receipt.body["textSha256"], hex(hash.as_bytes()));
    for name in ["endedAt", "endReason"] {
        assert_eq!(receipt.body[name], Value::Null, "{name}");
    }
    assert_eq!(service.delete(&format!("/accounts/{id}")).await.status, 204);
    let account = service.get(&format!("/accounts/{id}")).await.body;
    assert_eq!(account["connection"]["endReason"], "REVOKED");
    let ended = service.get(&path).await;
    assert_eq!(ended.status, 200, "{:?}", ended.body);
    let mut expected = receipt.body;
    for gone in ["type", "title", "consentedWith", "locale", "givenBy"] {
        expected[gone] = Value::Null;
    }
    expected["endedAt"] = account["connection"]["updatedAt"].clone();
    expected["endReason"] = json!("REVOKED");
    assert_eq!(ended.body, expected);
}

#[tokio::test(flavor = "multi_thread")]
async fn fifth_long_poll_of_a_session_ends_the_oldest() {
    let service = Arc::new(TestService::start(Backend::Sqlite).await);
    let widget = Uploader::new(&service).await;
    let (archive, session) = (widget.archive("PAYSLIP").await, widget.session.clone());
    let path = format!("/link/archives/{archive}?after=1000&wait=25000");
    let mut polls: Vec<tokio::task::JoinHandle<()>> = Vec::new();
    for number in 0..12 {
        let (polled, path, session) = (Arc::clone(&service), path.clone(), session.clone());
        polls.push(tokio::spawn(async move {
            let response = polled.send(Method::GET, &path, As::Session(&session), None).await;
            assert_eq!(response.status, 200, "{response:?}");
        }));
        let has_begun = || match number {
            0..4 => service.app.limits.long_polls.waiting() > number,
            _ => polls[number - 4].is_finished(),
        };
        wait::until("the poll waits in its slot", async || has_begun()).await;
    }
    let waiting: Vec<usize> = (0..12).filter(|it| !polls[*it].is_finished()).collect();
    eprintln!("12 long polls of a session: {} waiting", waiting.len());
    assert_eq!(waiting, [8, 9, 10, 11], "the newest four wait");
}

#[tokio::test]
async fn poll_on_sqlite_reads_nothing_until_a_commit() {
    let service = TestService::start(Backend::Sqlite).await;
    let looks = AtomicUsize::new(0);
    let look = async || -> ApiResult<()> {
        looks.fetch_add(1, Ordering::Relaxed);
        Ok(())
    };
    let timeout = Duration::from_millis(2_200);
    let whose = Poller { tenant: service.owner().tenant, session: None };
    let about = Watched::Archive(ArchiveId::from_bytes([1; 16]));
    polling::wait_for_change(&service.app, (whose, about, timeout), |()| 1, |()| false, look).await.unwrap();
    let looks = looks.load(Ordering::Relaxed);
    eprintln!("a poll of 2.2 s without news: {looks} reads");
    assert!(looks <= 2, "{looks} reads");
}

#[rstest]
#[tokio::test(flavor = "multi_thread")]
async fn poll_returns_on_a_commit_of_its_own_node(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let service = Arc::new(TestService::start(backend).await);
    let widget = Uploader::new(&service).await;
    let archive = widget.archive("PAYSLIP").await;
    let path = format!("/link/archives/{archive}?after=1&wait=20000");
    let (polled, session) = (Arc::clone(&service), widget.session.clone());
    let began = std::time::Instant::now();
    let poll = tokio::spawn(async move {
        polled.send(Method::GET, &path, As::Session(&session), None).await.body["version"].clone()
    });
    wait::until("the poll waits", async || service.app.limits.long_polls.waiting() > 0).await;
    widget.begin(&archive, "PAGE", 500).await;
    assert!(poll.await.unwrap().as_u64() > Some(1));
    assert!(began.elapsed() < Duration::from_secs(10), "{:?}", began.elapsed());
}

#[tokio::test(flavor = "multi_thread")]
async fn poll_on_postgres_returns_on_a_commit_of_another_node() {
    let service = Arc::new(TestService::start(Backend::Postgres).await);
    let widget = Uploader::new(&service).await;
    let archive = widget.archive("PAYSLIP").await;
    let id: ArchiveId = archive.parse().unwrap();
    let path = format!("/link/archives/{archive}?after=1&wait=20000");
    let (polled, session) = (Arc::clone(&service), widget.session.clone());
    let began = std::time::Instant::now();
    let poll = tokio::spawn(async move {
        polled.send(Method::GET, &path, As::Session(&session), None).await.status.as_u16()
    });
    wait::until("the poll waits", async || service.app.limits.long_polls.waiting() > 0).await;
    let (owner, other) = (service.owner(), service.database.open().await);
    let context = service.app.context(link_domain::kernel::clock::ClockOffset::default());
    let discarded = other.write(move |tx| -> Result<(), link_store::StoreError> {
        let archive = tx.archives().get(&owner, &id)?.unwrap();
        let mut context = context.clone();
        let (_, change) =
            archive.apply(link_domain::documents::archive::ArchiveInput::Discard, &mut context).unwrap();
        tx.apply(&change, context.now())
    });
    discarded.await.unwrap();
    assert_eq!(poll.await.unwrap(), 404, "the archive is gone");
    assert!(began.elapsed() < Duration::from_secs(10), "{:?}", began.elapsed());
}
