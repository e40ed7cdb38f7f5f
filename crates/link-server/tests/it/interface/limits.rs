//! The table of limits. The walk checks the behavior that each row describes.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use link_domain::change::{Change, Row};
use link_domain::invitations::form_submission::{FormOfVisit, FormSubmission, SentAnswers};
use link_domain::invitations::visit::{Visit, VisitOrigin};
use link_domain::notifications::delivery::retry_delay;
use link_server::http::problem::ApiResult;
use link_store::test_support::Backend;
use link_test_support::receiver::Receiver;
use link_types::Timestamp;
use link_types::form_submission::{LinkSiteField, LinkSiteFieldType, LinkSiteForm};
use link_types::id::InviteId;
use link_types::signal::SignalKind;
use link_types::webhook::RetryProfile;
use serde_json::{Value, json};

use crate::archives::TestClock;
use crate::sandbox_complete::Walk;
use crate::service::{TestService, secret, text};
use crate::webhook_management::until_deliveries;

pub async fn walk(walk: &Walk) {
    forms_page(&walk.service).await;
    payload_items(walk).await;
    resends(&walk.service).await;
    link_token(&walk.service).await;
    record_time(&walk.service).await;
}

/// A page of forms has 10 items by default, and 150 at most.
async fn forms_page(service: &TestService) {
    let site = "site-0192f0c1a2b37c4d8e5f60718293a4b5";
    let form = LinkSiteForm {
        name: None,
        reference: "limits".into(),
        fields: vec![LinkSiteField {
            name: "note".into(),
            label: "Note".into(),
            help: None,
            field_type: LinkSiteFieldType::Text,
            required: false,
            choices: Vec::new(),
            format: None,
            files: None,
            condition: None,
        }],
        locale: "en".into(),
        translations: Default::default(),
    };
    let mut context = service.app.context(Default::default());
    let user: link_types::id::UserId = service.user().await.0.parse().unwrap();
    let mut change = Change::default();
    for _ in 0..151 {
        let invite = VisitOrigin::Invite(InviteId::from_bytes(context.uuid()));
        let (visit, _) = Visit::begin(service.owner(), user.clone(), invite, None, &mut context);
        let texts = [("note".to_owned(), vec!["hello".to_owned()])].into();
        let sent = SentAnswers { texts, ..SentAnswers::default() };
        let of = FormOfVisit { form: &form, site: site.parse().unwrap(), visit: &visit, started: None };
        let submitted = FormSubmission::submit(of, &sent, &mut context);
        change = change.then(submitted.unwrap().1);
    }
    assert!(change.rows.iter().all(|row| matches!(row, Row::Form(_))));
    let now = context.now();
    service.app.store.write(move |tx| -> ApiResult<_> { Ok(tx.apply(&change, now)?) }).await.unwrap();
    let path = format!("/alpha/forms?linkSiteId={site}");
    for (size, count) in [("", 10), ("&size=150", 150), ("&size=1", 1)] {
        let page = service.get(&format!("{path}{size}")).await.body;
        assert_eq!(page["items"].as_array().unwrap().len(), count, "{size}");
        assert!(page["nextCursor"].is_string(), "{size}");
    }
    assert_eq!(service.get(&format!("{path}&size=151")).await.status, 422);
}

/// A list in a webhook's payload has at most 300 items. Its cursor continues the list of the endpoint.
async fn payload_items(walk: &Walk) {
    let service = &walk.service;
    let session = service.session().await;
    let progress = service.submit(&session, "mx_social_security", "many", "pass").await;
    let account = text(&service.until_settled(&session, &progress).await["accountId"]);
    walk.until_tasks_end().await;
    let finished = wait_for_task(&walk.receiver, &account).await;
    assert!(continues_lists(service, &account, &finished["payload"]).await > 0, "no list is longer");
}

/// Waits for the TASK_FINISHED of an account, and returns its data.
pub async fn wait_for_task(receiver: &Receiver, account: &str) -> Value {
    link_test_support::wait::until_some("the task's event arrives", async || {
        receiver.requests().iter().map(|it| &it.event).find_map(|event| {
            let is_of = event["type"] == "TASK_FINISHED" && event["data"]["sourceId"] == account;
            is_of.then(|| event["data"].clone())
        })
    })
    .await
}

/// Checks that every list of a payload with a cursor has 300 items, and that the cursor leads through all further items of
/// the list endpoint. Returns how many lists have a cursor.
pub async fn continues_lists(service: &TestService, account: &str, payload: &Value) -> usize {
    let mut continued = 0;
    for (key, page) in payload.as_object().unwrap() {
        let Some(cursor) = page["nextCursor"].as_str() else { continue };
        continued += 1;
        let ids = |page: &Value| -> Vec<String> {
            page["items"].as_array().unwrap().iter().map(|it| text(&it["id"])).collect()
        };
        let mut shown = ids(page);
        assert_eq!(shown.len(), 300, "{key}");
        shown.extend(all_ids(service, &format!("/{key}?sourceId={account}&size=150"), Some(cursor)).await);
        assert!(shown.len() > 300, "{key}");
        assert_eq!(shown.iter().collect::<BTreeSet<_>>().len(), shown.len(), "{key} repeats an item");
        // The cursor continues the list alone, and with the filter that it contains.
        let alone = service.get(&format!("/{key}?cursor={cursor}")).await;
        assert_eq!(alone.status, 200, "{key} {:?}", alone.body);
        let filtered = service.get(&format!("/{key}?cursor={cursor}&sourceId={account}")).await;
        assert_eq!(alone.body, filtered.body, "{key}");
        assert_eq!(text(&alone.body["items"][0]["id"]), shown[300], "{key}");
        let whole = all_ids(service, &format!("/{key}?sourceId={account}&size=150"), None).await;
        assert_eq!(shown, whole, "{key}");
    }
    continued
}

/// Returns the ids of all items after a cursor, or of the whole list.
async fn all_ids(service: &TestService, path: &str, after: Option<&str>) -> Vec<String> {
    let (mut ids, mut cursor) = (Vec::new(), after.map(str::to_owned));
    loop {
        let asked = cursor.map_or_else(|| path.to_owned(), |cursor| format!("{path}&cursor={cursor}"));
        let page = service.get(&asked).await;
        assert_eq!(page.status, 200, "{asked}: {:?}", page.body);
        ids.extend(page.body["items"].as_array().unwrap().iter().map(|it| text(&it["id"])));
        match page.body["nextCursor"].as_str() {
            Some(next) => cursor = Some(next.to_owned()),
            None => return ids,
        }
    }
}

/// A receiver that always fails gets three attempts, a few dozen seconds apart on the service's own clock.
async fn resends(service: &TestService) {
    let receiver = Receiver::start(&[500; 9]).await;
    let hook = json!({"url": receiver.url, "eventTypes": ["USER_CREATED"], "secret": "a secret of a tenant"});
    let path = format!("/webhooks/{}", text(&service.post("/webhooks", hook).await.body["id"]));
    service.user().await;
    let exhausted = until_deliveries(service, &path, "EXHAUSTED", 1).await;
    assert_eq!(exhausted[0]["attempts"].as_array().unwrap().len(), 3, "{exhausted:?}");
    let received = receiver.requests();
    assert_eq!(received.len(), 3);
    assert!(received.iter().all(|it| it.event["id"] == received[0].event["id"]));
    for fraction in [0.0, 0.5, 1.0] {
        let waits = [1, 2].map(|made| retry_delay(RetryProfile::Standard, made, fraction).unwrap().as_secs());
        assert!(waits.iter().all(|it| (24..=72).contains(it)), "{waits:?}");
        assert_eq!(retry_delay(RetryProfile::Standard, 3, fraction), None);
    }
    assert_eq!(service.delete(&path).await.status, 204);
}

/// An account's data is removed 60 days after the connection, or at its revocation.
pub async fn retention() {
    let clock = Arc::new(TestClock::default());
    let moved = Arc::clone(&clock);
    let service =
        TestService::start_of(Backend::Sqlite, |_| {}, move |parts| parts.ports.clock = moved).await;
    let template = format!("/linkTemplates/{}", service.sandbox.template);
    let letter = json!({"retention": "FROM_CONNECTION"});
    assert_eq!(service.patch(&template, letter).await.status, 200);
    let mut accounts = Vec::new();
    for login in ["good", "many"] {
        let session = service.session().await;
        let progress = service.submit(&session, "mx_social_security", login, "pass").await;
        accounts.push(text(&service.until_settled(&session, &progress).await["accountId"]));
    }
    service.until_events("TASK_FINISHED", 2).await;
    let payload = |id: &str| format!("/accounts/{id}/payload");
    assert_eq!(service.delete(&format!("/accounts/{}", accounts[1])).await.status, 204);
    assert_eq!(service.get(&payload(&accounts[1])).await.status, 404, "revoked");
    clock.advance(Duration::from_secs(60 * 86_400 - 3_600));
    assert_eq!(service.get(&payload(&accounts[0])).await.status, 200, "one hour before the end");
    clock.advance(Duration::from_secs(3_601));
    service.until_events("ACCOUNT_DISCONNECTED", 2).await;
    assert_eq!(service.get(&payload(&accounts[0])).await.status, 404);
    for (id, reason) in accounts.iter().zip(["EXPIRED", "REVOKED"]) {
        let account = service.get(&format!("/accounts/{id}")).await.body;
        assert_eq!(account["connection"]["endReason"], reason, "{account}");
    }
}

/// A link token opens one session, soon, and each launch gets a new one.
async fn link_token(service: &TestService) {
    let user = service.post("/users", json!({"reference": "limits"})).await.body;
    let again = service.post("/users", json!({"reference": "limits"})).await.body;
    let tokens = [&user, &again].map(|it| text(&it["token"]["accessToken"]));
    assert_ne!(tokens[0], tokens[1]);
    let expires: Timestamp = text(&user["token"]["expiresAt"]).parse().unwrap();
    let created: Timestamp = text(&user["createdAt"]).parse().unwrap();
    let life = expires.as_micros() - created.as_micros();
    assert!(life > 0 && life <= 3_600_000_000, "{life} µs");
    for token in &tokens {
        assert_eq!(service.exchange(token, &secret()).await.status, 201);
        let used = service.exchange(token, &secret()).await;
        assert_eq!((used.status.as_u16(), &used.body["code"]), (401, &json!("TOKEN_USED")));
    }
}

/// A record in the sandbox is complete at the first GET.
async fn record_time(service: &TestService) {
    let request = crate::records::request("525500000100");
    let created = service.post("/alpha/socialSecurities", request).await.body;
    assert_eq!(created["status"], "PROCESSING");
    let read = service.get(&format!("/alpha/socialSecurities/{}", text(&created["id"]))).await.body;
    assert_eq!(read["status"], "COMPLETED");
}

/// A kind of provider, a provider of that kind, its data points.
pub const SOURCES: &[(&str, &str, &str)] = &[
    (
        "Social security services",
        "mx_social_security",
        "Identities, Employments, Documents, Contributions, Liabilities, Estimated Incomes*",
    ),
    (
        "Government employee insurance and pension agency",
        "mx_government_pension",
        "Identities, Employments, Documents, Incomes, Estimated Incomes*",
    ),
    (
        "National health insurance agency",
        "ph_health_insurance",
        "Identities, Employments, Documents, Contributions, Estimated Incomes*",
    ),
    (
        "National housing provident fund",
        "ph_housing_fund",
        "Identities, Employments, Documents, Contributions, Liabilities, Estimated Incomes*",
    ),
];

/// Signal, maturity and mode as in the row, and the kind.
pub const SIGNALS: &[(&str, &str, &str, SignalKind)] = &[
    ("Blacklist", "Alpha", "Synchronous", SignalKind::Blacklist),
    ("Borrower Behavior", "Beta", "Synchronous", SignalKind::BorrowerBehavior),
    ("Borrower Screening", "Beta", "Synchronous", SignalKind::BorrowerScreening),
    ("Credit Lifecycle", "Beta", "Synchronous", SignalKind::CreditLifecycle),
    ("Footprints", "Alpha", "Synchronous", SignalKind::Footprints),
    ("Multiple Application Warning", "Beta", "Synchronous", SignalKind::MultipleApplicationWarning),
    ("Identity Verification", "Alpha", "Asynchronous", SignalKind::Verification),
    ("Social Security Signals", "-", "Synchronous", SignalKind::SocialSecuritySignals),
    (
        "Income Estimator (estimates monthly income from an e-mail address)",
        "-",
        "Synchronous",
        SignalKind::IncomeEstimator,
    ),
];

pub async fn walk_table(walk: &Walk) {
    sources(walk).await;
    signals(walk).await;
}

/// Checks that a provider's task names the data points of its kind.
async fn sources(walk: &Walk) {
    let tasks = walk.all("/tasks").await;
    for (kind, provider, expected) in SOURCES {
        let task = tasks.iter().find(|it| it["providers"][0] == *provider && it["status"] == "SUCCEEDED");
        let task = task.unwrap_or_else(|| panic!("no task of {provider} succeeded"));
        let read: BTreeSet<&str> =
            task["datapoints"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
        let named = expected.split(", ").map(|it| match it {
            "Estimated Incomes*" => "EINCOMES".to_owned(),
            other => other.to_uppercase(),
        });
        let named: BTreeSet<String> = named.collect();
        let not_in_the_document = ["LINKS", "INSIGHTS"];
        let read: BTreeSet<String> =
            read.into_iter().filter(|it| !not_in_the_document.contains(it)).map(str::to_owned).collect();
        assert_eq!(read, named, "{kind}");
    }
}

/// Checks that a synchronous signal returns its result, and an asynchronous one only its id.
async fn signals(walk: &Walk) {
    for (name, maturity, mode, kind) in SIGNALS {
        let expected = match *maturity {
            "Alpha" => "/alpha/",
            "Beta" => "/beta/",
            _ => "/",
        };
        let path = kind.path();
        let word = path.rsplit_once('/').map(|(before, _)| format!("{before}/"));
        assert_eq!(word.as_deref(), Some(expected), "{name}");
        let asked = crate::signals::request(*kind, "525500000100", "success@example.com");
        let response = walk.service.post(path, asked).await;
        assert_eq!(response.status, 201, "{}", response.body);
        let fields: Vec<_> = response.body.as_object().unwrap().keys().collect();
        match *mode {
            "Synchronous" => assert_eq!(response.body["status"], "COMPLETED"),
            _ => assert_eq!(fields, ["id"]),
        }
    }
}
