//! Billing events, and the filters of the event list.

use link_store::test_support::Backend;
use serde_json::json;

use crate::service::{TestService, text};

async fn link_account(service: &TestService, session: &str, provider: &str) -> String {
    let progress = service.submit(session, provider, "good", "pass").await;
    let settled = service.until_settled(session, &progress).await;
    assert!(settled["phase"].get("connected").is_some(), "{settled}");
    text(&settled["accountId"])
}

#[tokio::test]
async fn account_is_charged_once_even_if_relinked_or_revoked() {
    let service = TestService::start(Backend::Sqlite).await;
    assert_eq!(service.get("/billing/summary").await.body["total"], 0);
    let session = service.session().await;
    let account = link_account(&service, &session, "mx_social_security").await;
    assert_eq!(link_account(&service, &session, "mx_social_security").await, account, "linked again");
    let other = link_account(&service, &service.session().await, "mx_health_insurance").await;
    assert_eq!(service.delete(&format!("/accounts/{account}")).await.status, 204);

    let events = service.get("/billing/events").await;
    let items = events.body["items"].as_array().unwrap();
    let subjects: Vec<String> = items.iter().map(|it| text(&it["subjectId"])).collect();
    assert_eq!(subjects, [other.clone(), account.clone()], "newest first, one charge per account");
    assert!(items.iter().all(|it| it["type"] == "ACCOUNT_CONNECTED" && it["userId"].is_string()));
    let summary = service.get("/billing/summary").await.body;
    assert_eq!(
        (&summary["total"], &summary["items"][0]),
        (&json!(2), &json!({"type": "ACCOUNT_CONNECTED", "count": 2}))
    );

    let count = async |filter: &str| {
        let page = service.get(&format!("/billing/events?{filter}")).await;
        assert_eq!(page.status, 200, "{:?}", page.body);
        page.body["items"].as_array().unwrap().len()
    };
    assert_eq!(count(&format!("subjectId={other}")).await, 1);
    assert_eq!(count(&format!("userId={}", text(&items[0]["userId"]))).await, 1);
    assert_eq!(count("type=FOOTPRINTS").await, 0);
    assert_eq!(count("endDate=2020-01-01").await, 0);
    assert_eq!(service.get("/billing/summary?month=2020-01").await.body["total"], 0);
    assert_eq!(service.get("/billing/summary?month=2020-13").await.status, 422);
    let (first, second) = (service.get("/billing/events?size=1").await, "/billing/events?size=1&cursor=");
    let second = service.get(&format!("{second}{}", text(&first.body["nextCursor"]))).await;
    assert_eq!(second.body["items"][0]["subjectId"], account);
}

#[tokio::test]
async fn event_list_filters_by_user_or_subject() {
    let service = TestService::start(Backend::Sqlite).await;
    let (user, token) = service.user().await;
    let session = crate::service::secret();
    assert_eq!(service.exchange(&token, &session).await.status, 201);
    let account = link_account(&service, &session, "mx_social_security").await;
    service.until_event("TASK_FINISHED").await;
    service.user().await;
    let types = async |filter: &str| {
        let page = service.get(&format!("/events?size=150&{filter}")).await;
        assert_eq!(page.status, 200, "{:?}", page.body);
        let items = page.body["items"].as_array().unwrap().clone();
        items.iter().rev().map(|it| text(&it["type"])).collect::<Vec<_>>()
    };
    let of_person = types(&format!("userId={user}")).await;
    let of_account = types(&format!("accountId={account}")).await;
    assert_eq!(of_person[0], "USER_CREATED");
    assert_eq!(of_person[1..], of_account, "all other events of the user belong to the account");
    assert_eq!(types(&format!("userId={user}&type=USER_CREATED")).await, ["USER_CREATED"]);
    assert_eq!(types("archiveId=archive-0192f0c1a2b37c4d8e5f60718293a4b5").await, [""; 0]);
    let both =
        "/events?accountId=a-0192f0c1a2b37c4d8e5f60718293a4b5&inviteId=iv-0192f0c1a2b37c4d8e5f60718293a4b5";
    assert_eq!(service.get(both).await.body["errors"][0]["field"], "inviteId");
}
