//! `/tasks`: filters and single tasks.

use axum::http::Method;
use link_store::test_support::Backend;
use serde_json::json;

use crate::service::{As, TestService, text};

#[tokio::test]
async fn task_list_filters_by_user_source_and_status() {
    let service = TestService::start(Backend::Sqlite).await;
    let session = service.session().await;
    let progress = service.submit(&session, "mx_social_security", "partial", "pass").await;
    service.settled(&session, &progress).await;
    service.until_event("TASK_FINISHED").await;
    let account = service.get("/accounts").await.body["items"][0].clone();
    let (id, user) = (text(&account["id"]), text(&account["userId"]));

    let task = service.get("/tasks").await.body["items"][0].clone();
    assert_eq!(
        task,
        json!({
            "id": task["id"], "type": "LINK_ACCOUNT", "userId": user, "sourceId": id, "sourceType": "ACCOUNT",
            "providers": ["mx_social_security"], "status": "PARTIAL", "errorCode": "SERVICE_UNAVAILABLE",
            "datapoints": ["IDENTITIES", "EMPLOYMENTS", "LINKS", "INSIGHTS"],
            "startedAt": task["startedAt"], "finishedAt": task["finishedAt"],
        })
    );
    let path = format!("/tasks/{}", text(&task["id"]));
    assert_eq!(service.get(&path).await.body, task);
    let elsewhere = service.send(Method::GET, &path, As::Tenant(&service.production), None).await;
    assert_eq!(elsewhere.status, 404);

    let found = async |query: &str| {
        let listed = service.get(&format!("/tasks?{query}")).await;
        assert_eq!(listed.status, 200, "{query} {}", listed.body);
        listed.body["items"].as_array().unwrap().len()
    };
    let day = text(&task["startedAt"])[..10].to_owned();
    for (query, count) in [
        (format!("userId={user}"), 1),
        (format!("sourceId={id}"), 1),
        ("sourceId=a-00000000000000000000000000000000".to_owned(), 0),
        ("status=PARTIAL".to_owned(), 1),
        ("status=STARTED".to_owned(), 0),
        (format!("userId={user}&sourceId={id}&status=PARTIAL&startDate={day}&endDate={day}"), 1),
        ("endDate=2020-01-01".to_owned(), 0),
    ] {
        assert_eq!(found(&query).await, count, "{query}");
    }
    let refused = service.get("/tasks?status=DONE&odd=1&sourceId=x").await;
    let fields: Vec<_> =
        refused.body["errors"].as_array().unwrap().iter().map(|it| text(&it["field"])).collect();
    assert_eq!(
        (refused.status.as_u16(), fields),
        (422, vec!["sourceId".to_owned(), "status".to_owned(), "odd".to_owned()])
    );
}
