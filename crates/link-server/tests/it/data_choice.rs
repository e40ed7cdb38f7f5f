//! Choosing what to share: which templates and receipts are accepted, and what is stored after a link, a sync, a new
//! consent and an upload.

use axum::http::Method;
use link_store::test_support::Backend;
use link_test_support::receiver::Receiver;
use link_test_support::wait;
use link_types::data::DataPointKind;
use rstest::rstest;
use serde_json::{Value, json};

use crate::clock::{DAY, advance_and_wait};
use crate::service::{As, TestResponse, TestService, text};
use crate::uploads::life::fetch;

const PROVIDER: &str = "mx_social_security";
/// The lists of what the provider returns and the service computes, with their kinds.
const LISTS: [(&str, &str); 8] = [
    ("identities", "IDENTITIES"),
    ("employments", "EMPLOYMENTS"),
    ("documents", "DOCUMENTS"),
    ("contributions", "CONTRIBUTIONS"),
    ("liabilities", "LIABILITIES"),
    ("eincomes", "EINCOMES"),
    ("insights", "INSIGHTS"),
    ("links", "LINKS"),
];

/// Registers a webhook for all events with payloads. Returns its id.
async fn hook(service: &TestService, receiver: &Receiver) -> String {
    let hook = json!({
        "url": receiver.url, "eventTypes": ["ALL_EVENTS"], "secret": "a secret of a tenant", "includePayload": true,
    });
    let hooked = service.post("/webhooks", hook).await;
    assert_eq!(hooked.status, 201, "{:?}", hooked.body);
    text(&hooked.body["id"])
}

/// Makes kinds of data optional.
async fn offers(service: &TestService, optional: Value) -> TestResponse {
    let path = format!("/linkTemplates/{}", service.sandbox.template);
    service.patch(&path, json!({"optionalData": optional})).await
}

/// Submits a login with the consent of a person who declined these of the optional kinds.
async fn submit(service: &TestService, session: &str, body: &mut Value, declined: Value) -> TestResponse {
    let state = service.send(Method::GET, "/link/session", As::Session(session), None).await.body;
    let optional = &state["template"]["optionalData"];
    body["consent"]["dataChoice"] = json!({"optional": optional, "declined": declined});
    service.send(Method::POST, "/link/accounts", As::Session(session), Some(body)).await
}

/// Links a login and waits until it is read. Returns the session and the account's id.
async fn link_account(service: &TestService, login: &str, declined: Value) -> (String, String) {
    let session = service.session().await;
    let mut body = service.login(&session, PROVIDER, login, "pass").await;
    let started = submit(service, &session, &mut body, declined).await;
    assert_eq!(started.status, 201, "{:?}", started.body);
    service.until_settled(&session, &started.body).await;
    let id = text(&started.body["accountId"]);
    until_read(service, &id).await;
    (session, id)
}

async fn until_read(service: &TestService, account: &str) {
    let path = format!("/tasks?sourceId={account}&status=STARTED");
    wait::until("the account is read", async || service.get(&path).await.body["items"] == json!([])).await;
}

/// Returns the kinds of which the account has data.
async fn list_stored_kinds(service: &TestService, account: &str) -> Vec<&'static str> {
    let mut kinds = Vec::new();
    for (list, kind) in LISTS {
        let page = service.get(&format!("/{list}?size=1&sourceId={account}")).await;
        assert_eq!(page.status, 200, "{:?}", page.body);
        if page.body["items"] != json!([]) {
            kinds.push(kind);
        }
    }
    kinds
}

/// Returns the kinds of which there is data, apart from these.
fn all_without(declined: &[&str]) -> Vec<&'static str> {
    LISTS.map(|(_, kind)| kind).into_iter().filter(|kind| !declined.contains(kind)).collect()
}

/// Checks that no event and no payload mentions the kinds.
fn check_events(receiver: &Receiver, declined: &[(&str, &str)]) {
    for received in receiver.requests() {
        let data = &received.event["data"];
        for (kind, key) in declined {
            assert!(!text(&received.event["type"]).starts_with(kind), "{}", received.event);
            assert_eq!(data["payload"][key], Value::Null, "{}", received.event);
            for list in ["datapoints", "dataPoints"] {
                let named = data[list].as_array().into_iter().flatten().any(|name| name == kind);
                assert!(!named, "{}", received.event);
            }
        }
    }
}

#[rstest]
#[case::sqlite(Backend::Sqlite)]
#[case::postgres(Backend::Postgres)]
#[tokio::test]
async fn declined_data_is_never_stored(#[case] backend: Backend) {
    let service = TestService::start(backend).await;
    let receiver = Receiver::start(&[]).await;
    hook(&service, &receiver).await;
    let offered = offers(&service, json!(["LIABILITIES", "CONTRIBUTIONS", "DOCUMENTS"])).await;
    let sorted = json!(["DOCUMENTS", "CONTRIBUTIONS", "LIABILITIES"]);
    assert_eq!(
        (offered.status.as_u16(), &offered.body["optionalData"]),
        (200, &sorted),
        "{:?}",
        offered.body
    );

    let (session, id) = link_account(&service, "good", json!(["LIABILITIES", "DOCUMENTS"])).await;
    let declined = ["LIABILITIES", "DOCUMENTS"];
    assert_eq!(list_stored_kinds(&service, &id).await, all_without(&declined));
    let receipt = service.get(&format!("/accounts/{id}/consent")).await.body;
    assert_eq!(receipt["declinedData"], json!(["DOCUMENTS", "LIABILITIES"]));
    let shared = receipt["sharedData"].as_array().unwrap();
    assert_eq!(shared.len(), DataPointKind::ALL.len() - declined.len(), "{receipt}");
    assert!(shared.contains(&json!("CONTRIBUTIONS")), "{receipt}");
    let chosen = service.send(Method::GET, "/link/linked", As::Session(&session), None).await.body;
    assert_eq!(chosen["accounts"][0]["chosenData"], json!(["CONTRIBUTIONS"]));
    let payload = service.get(&format!("/accounts/{id}/payload")).await.body;
    assert_eq!((&payload["documents"], &payload["liabilities"]), (&Value::Null, &Value::Null));
    assert!(payload["contributions"]["items"].is_array(), "{payload}");

    advance_and_wait(&service, 35 * DAY).await;
    service.until_event("ACCOUNT_SYNC_TASK_FINISHED").await;
    until_read(&service, &id).await;
    assert_eq!(list_stored_kinds(&service, &id).await, all_without(&declined));
    wait::until("the receiver got the sync", async || {
        receiver.requests().iter().any(|it| it.event["type"] == "ACCOUNT_SYNC_TASK_FINISHED")
    })
    .await;
    check_events(&receiver, &[("DOCUMENTS", "documents"), ("LIABILITIES", "liabilities")]);

    assert_eq!(service.delete(&format!("/accounts/{id}")).await.status, 204);
    let ended = service.get(&format!("/accounts/{id}/consent")).await.body;
    assert_eq!(ended["declinedData"], receipt["declinedData"], "the minimal receipt says it, too");
    assert_eq!(ended["sharedData"], receipt["sharedData"]);
}

#[rstest]
#[case::sqlite(Backend::Sqlite)]
#[case::postgres(Backend::Postgres)]
#[tokio::test]
async fn new_consent_deletes_what_it_declines(#[case] backend: Backend) {
    let service =
        TestService::start_with(backend, |settings| settings.live.edit(|live| live.resend_seconds = 0.01))
            .await;
    let receiver = Receiver::start(&[]).await;
    let hook = hook(&service, &receiver).await;
    let (session, id) = link_account(&service, "reauth", json!([])).await;
    assert_eq!(list_stored_kinds(&service, &id).await, all_without(&[]));
    let finished = async || {
        let received = receiver.requests().into_iter().map(|it| it.event);
        received.filter(|event| event["type"] == "TASK_FINISHED").collect::<Vec<_>>()
    };
    wait::until("the receiver got the first reading", async || finished().await.len() == 1).await;
    assert!(finished().await[0]["data"]["payload"]["documents"].is_object());
    let exported = service.get(&format!("/accounts/{id}/exports/generate?format=JSON")).await;
    let exported = text(&exported.body["downloadUrl"]);
    assert_eq!(fetch(&service, &exported).await.status, 200);
    assert_eq!(offers(&service, json!(["DOCUMENTS", "LIABILITIES"])).await.status, 200);

    let mut body = service.login(&session, PROVIDER, "reauth", "pass").await;
    body["accountId"] = json!(id);
    let consent = std::mem::take(&mut body["consent"]);
    let refused = service.send(Method::POST, "/link/accounts", As::Session(&session), Some(&body)).await;
    assert_eq!((refused.status.as_u16(), &refused.body["code"]), (409, &json!("CONSENT_REQUIRED")));
    assert_eq!(
        list_stored_kinds(&service, &id).await,
        all_without(&[]),
        "nothing happens before the consent"
    );
    body["consent"] = consent;
    let accepted = submit(&service, &session, &mut body, json!(["DOCUMENTS"])).await;
    assert_eq!(accepted.status, 201, "{:?}", accepted.body);
    service.until_settled(&session, &accepted.body).await;
    service.until_events("TASK_FINISHED", 2).await;
    assert_eq!(
        list_stored_kinds(&service, &id).await,
        all_without(&["DOCUMENTS"]),
        "what is computed is computed again"
    );
    assert_eq!(fetch(&service, &exported).await.status, 404, "the export has documents");
    let deliveries = service.get(&format!("/webhooks/{hook}/deliveries?eventType=TASK_FINISHED")).await.body;
    let first = text(&deliveries["items"].as_array().unwrap().last().unwrap()["id"]);
    let resent = service.post(&format!("/webhooks/{hook}/deliveries/{first}/resend"), Value::Null).await;
    assert!(resent.status.is_success(), "{:?}", resent.body);
    wait::until("the first event is sent again", async || finished().await.len() == 3).await;
    let payloads: Vec<_> =
        finished().await.into_iter().map(|event| event["data"]["payload"].clone()).collect();
    let with_documents = payloads.iter().filter(|payload| payload["documents"].is_object()).count();
    assert_eq!(
        (with_documents, payloads.contains(&json!({}))),
        (1, true),
        "the stored event lost its payload"
    );
    let chosen = service.send(Method::GET, "/link/linked", As::Session(&session), None).await.body;
    let account = &chosen["accounts"][0];
    assert_eq!((&account["chosenData"], &account["consentNeeded"]), (&json!(["LIABILITIES"]), &json!(false)));
}

#[rstest]
#[case::sqlite(Backend::Sqlite)]
#[case::postgres(Backend::Postgres)]
#[tokio::test]
async fn declined_links_leave_the_other_accounts_and_their_copies(#[case] backend: Backend) {
    let service = TestService::start(backend).await;
    assert_eq!(offers(&service, json!(["LINKS"])).await.status, 200);
    let (session, first) = link_account(&service, "reauth", json!([])).await;
    let mut body = service.login(&session, PROVIDER, "good", "pass").await;
    let started = submit(&service, &session, &mut body, json!([])).await;
    assert_eq!(started.status, 201, "{:?}", started.body);
    let other = text(&started.body["accountId"]);
    service.until_settled(&session, &started.body).await;
    until_read(&service, &other).await;
    let links =
        async |account: &str| service.get(&format!("/links?sourceId={account}")).await.body["items"].clone();
    let before = links(&other).await;
    assert_eq!(before[0]["records"].as_array().unwrap().len(), 2, "one for each account");
    let exported = service.get(&format!("/accounts/{other}/exports/generate?format=JSON")).await;
    let exported = text(&exported.body["downloadUrl"]);
    assert_eq!(fetch(&service, &exported).await.status, 200);

    let mut body = service.login(&session, PROVIDER, "reauth", "pass").await;
    body["accountId"] = json!(first);
    let accepted = submit(&service, &session, &mut body, json!(["LINKS"])).await;
    assert_eq!(accepted.status, 201, "{:?}", accepted.body);
    service.until_settled(&session, &accepted.body).await;
    until_read(&service, &first).await;
    assert_eq!(links(&first).await, json!([]));
    let kept = links(&other).await;
    assert_eq!(kept[0]["id"], before[0]["id"]);
    assert_eq!(kept[0]["records"], json!([before[0]["records"][1]]), "only its own times, without a reading");
    assert_eq!(fetch(&service, &exported).await.status, 404, "the export has the links");
    assert_eq!(list_stored_kinds(&service, &other).await, all_without(&[]), "the rest is unchanged");

    advance_and_wait(&service, 35 * DAY).await;
    service.until_event("ACCOUNT_SYNC_TASK_FINISHED").await;
    until_read(&service, &other).await;
    assert_eq!(links(&other).await, kept, "the next reading computes the same");
}

#[tokio::test]
async fn receipts_with_another_or_forged_choice_are_rejected() {
    let service = TestService::start(Backend::Sqlite).await;
    assert_eq!(offers(&service, json!(["LIABILITIES"])).await.status, 200);
    let session = service.session().await;
    let mut body = service.login(&session, PROVIDER, "good", "pass").await;
    let forged = submit(&service, &session, &mut body, json!(["IDENTITIES"])).await;
    assert_eq!(forged.status, 422, "{:?}", forged.body);
    assert_eq!(forged.body["errors"][0]["field"], "consent.dataChoice.declined");
    for (optional, declined) in [
        (json!([]), json!([])),
        (json!(["IDENTITIES", "LIABILITIES"]), json!(["IDENTITIES"])),
        (json!(["IDENTITIES"]), json!(["IDENTITIES"])),
    ] {
        body["consent"]["dataChoice"] = json!({"optional": optional, "declined": declined});
        let refused = service.send(Method::POST, "/link/accounts", As::Session(&session), Some(&body)).await;
        assert_eq!(
            (refused.status.as_u16(), &refused.body["code"]),
            (409, &json!("CONSENT_REQUIRED")),
            "{body}"
        );
    }
    body["consent"]["dataChoice"]["declined"] = json!(["PASSWORDS"]);
    let unknown = service.send(Method::POST, "/link/accounts", As::Session(&session), Some(&body)).await;
    assert!(unknown.status.is_client_error(), "{:?}", unknown.body);
    assert_eq!(service.get("/accounts").await.body["items"], json!([]));

    let archive = json!({"type": "PAYSLIP", "consent": {
        "consentTemplateId": service.sandbox.consent, "version": "1.0", "locale": "en", "givenBy": "PERSON",
        "syncInterval": "MONTHLY", "retention": "FROM_LAST_SYNC", "dataChoice": {"optional": ["LIABILITIES"], "declined": ["INCOMES"]},
    }});
    let forged = service.send(Method::POST, "/link/archives", As::Session(&session), Some(&archive)).await;
    assert_eq!(forged.status, 422, "{:?}", forged.body);
    assert_eq!(forged.body["errors"][0]["field"], "consent.dataChoice.declined");
}

#[rstest]
#[case::repeated(json!({"optionalData": ["INCOMES", "RATINGS", "INCOMES"]}), "optionalData")]
#[case::nothing_remains(json!({"optionalData": DataPointKind::of_sources().collect::<Vec<_>>()}), "optionalData")]
#[case::nothing_of_a_provider(json!({"optionalData": ["IDENTITIES", "TRANSACTIONS", "RATINGS"]}), "optionalData")]
#[case::consent_skip(json!({"optionalData": ["INCOMES"], "allowConsentSkip": true}), "optionalData")]
#[tokio::test]
async fn invalid_optional_data_is_rejected(#[case] change: Value, #[case] field: &str) {
    let service = TestService::start(Backend::Sqlite).await;
    let path = format!("/linkTemplates/{}", service.sandbox.template);
    let refused = service.patch(&path, change.clone()).await;
    assert_eq!((refused.status.as_u16(), text(&refused.body["errors"][0]["field"])), (422, field.to_owned()));
    let mut template =
        json!({"name": "x", "companyName": "Shop", "consentTemplateId": service.sandbox.consent});
    template.as_object_mut().unwrap().extend(change.as_object().unwrap().clone());
    let refused = service.post("/linkTemplates", template).await;
    assert_eq!((refused.status.as_u16(), text(&refused.body["errors"][0]["field"])), (422, field.to_owned()));
    assert_eq!(service.get(&path).await.body["optionalData"], json!([]));
}

#[tokio::test]
async fn consent_skip_is_rejected_while_data_is_optional() {
    let service = TestService::start(Backend::Sqlite).await;
    assert_eq!(offers(&service, json!(["INCOMES"])).await.status, 200);
    let path = format!("/linkTemplates/{}", service.sandbox.template);
    let refused = service.patch(&path, json!({"allowConsentSkip": true})).await;
    assert_eq!((refused.status.as_u16(), &refused.body["errors"][0]["field"]), (422, &json!("optionalData")));
    let both = json!({"allowConsentSkip": true, "optionalData": []});
    assert_eq!(service.patch(&path, both).await.status, 200);
}
