//! Lists: pages, cursors, filters.

use std::collections::{BTreeMap, BTreeSet};

use link_domain::change::{Change, Row};
use link_domain::user::User;
use link_store::StoreError;
use link_store::test_support::Backend;
use link_test_support::receiver::Receiver;
use rstest::rstest;
use serde_json::json;

use crate::interface::limits::{continues_lists, finished};
use crate::service::{TestService, text};

#[tokio::test]
async fn list_pages_return_each_item_once_newest_first() {
    let service = TestService::start(Backend::Sqlite).await;
    for n in 0..25 {
        service.post("/users", json!({"reference": format!("user {n}")})).await;
    }
    let mut seen = Vec::new();
    let mut path = "/users?size=7".to_owned();
    loop {
        let page = service.get(&path).await;
        assert_eq!(page.status, 200, "{:?}", page.body);
        seen.extend(page.body["items"].as_array().unwrap().iter().map(|it| text(&it["reference"])));
        // Users created during the walk are newer than its first page.
        service.post("/users", json!({})).await;
        match page.body["nextCursor"].as_str() {
            Some(cursor) => path = format!("/users?size=7&cursor={cursor}"),
            None => break,
        }
    }
    let expected: Vec<_> = (0..25).rev().map(|n| format!("user {n}")).collect();
    assert_eq!(seen, expected, "newest first");
}

#[tokio::test]
async fn cursor_of_another_list_or_filter_is_rejected() {
    let service = TestService::start(Backend::Sqlite).await;
    service.user().await;
    service.user().await;
    let cursor = text(&service.get("/users?size=1").await.body["nextCursor"]);
    let providers = text(&service.get("/providers?size=1&country=MX").await.body["nextCursor"]);
    for path in [
        format!("/providers?cursor={providers}"),
        format!("/providers?cursor={providers}&country=PH"),
        format!("/providers?cursor={cursor}"),
        format!("/users?cursor={providers}"),
        "/providers?cursor=bXhfc29jaWFsX3NlY3VyaXR5".to_owned(),
        format!("/events?cursor={cursor}"),
        format!("/users?cursor={cursor}&startDate=2026-01-01"),
        "/users?cursor=AAAA".to_owned(),
    ] {
        let refused = service.get(&path).await;
        assert_eq!(refused.status, 422, "{path}");
        assert_eq!(refused.body["errors"][0]["field"], "cursor");
    }
}

#[tokio::test]
async fn date_filter_includes_both_ends_and_rejects_reversed_range() {
    let service = TestService::start(Backend::Sqlite).await;
    let user = service.post("/users", json!({})).await;
    let today = text(&user.body["createdAt"])[..10].to_owned();
    let found = service.get(&format!("/users?startDate={today}&endDate={today}")).await;
    assert_eq!(found.body["items"].as_array().unwrap().len(), 1);
    assert_eq!(service.get("/users?endDate=2020-01-01").await.body["items"], json!([]));
    let refused = service.get("/users?startDate=2026-02-02&endDate=2026-02-01").await;
    assert_eq!(refused.body["errors"][0]["field"], "endDate");
}

#[tokio::test]
async fn provider_list_filters_by_type_name_country_and_id() {
    let service = TestService::start(Backend::Sqlite).await;
    let all = service.get("/providers?size=150").await;
    let ids: Vec<_> = all.body["items"].as_array().unwrap().iter().map(|it| text(&it["id"])).collect();
    let first = service.get("/providers?size=1").await;
    let cursor = text(&first.body["nextCursor"]);
    let second = service.get(&format!("/providers?size=1&cursor={cursor}")).await;
    assert_eq!([text(&first.body["items"][0]["id"]), text(&second.body["items"][0]["id"])], ids[..2]);
    let one = service.get("/providers/mx_social_security").await;
    assert_eq!(one.body["loginRequired"], true);
    let gig = service.get("/providers?type=GIG").await;
    assert!(gig.body["items"].as_array().unwrap().iter().all(|it| it["type"] == "GIG"));
    let named = service.get("/providers?name=SOCIAL%20SEC&country=mx").await;
    let named: Vec<_> = named.body["items"].as_array().unwrap().iter().map(|it| text(&it["id"])).collect();
    assert_eq!(named, ["mx_social_security"], "part of the name, ignoring case");
    let wanted = service.get(&format!("/providers?ids={},%20{},nobody", ids[1], ids[0])).await;
    let wanted: Vec<_> = wanted.body["items"].as_array().unwrap().iter().map(|it| text(&it["id"])).collect();
    assert_eq!(wanted, ids[..2], "in list order, not in the order of the ids");
    let production = service
        .send(axum::http::Method::GET, "/providers", crate::service::As::Tenant(&service.production), None)
        .await;
    assert_eq!(production.body["items"], json!([]), "without a connector there are no providers");
}

#[rstest]
#[tokio::test]
async fn payload_cursor_continues_the_list_exactly(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let service = TestService::start(backend).await;
    let receiver = Receiver::start(&[]).await;
    let hook = json!({
        "url": receiver.url, "eventTypes": ["TASK_FINISHED"], "secret": "a secret of a tenant", "includePayload": true,
    });
    assert_eq!(service.post("/webhooks", hook).await.status, 201);
    let session = service.session().await;
    let progress = service.submit(&session, "mx_social_security", "many", "pass").await;
    service.settled(&session, &progress).await;
    let id = text(&progress["accountId"]);
    let finished = finished(&receiver, &id).await;
    assert!(continues_lists(&service, &id, &finished["payload"]).await > 0);
    let whole = service.get(&format!("/accounts/{id}/payload")).await.body;
    let capped = finished["payload"]["contributions"]["items"].as_array().unwrap();
    assert!(
        whole["contributions"].as_array().unwrap().starts_with(capped),
        "the same items in the same order"
    );
}

/// Inserts `count` sandbox users directly into the database and returns their ids.
async fn many_users(service: &TestService, count: usize) -> Vec<String> {
    let mut ids = Vec::new();
    for _ in 0..count / 1_000 {
        let mut context = service.app.context(Default::default());
        let users: Vec<User> = (0..1_000)
            .map(|_| User::create(service.owner(), None, Default::default(), &mut context).0)
            .collect();
        ids.extend(users.iter().map(|user| user.id.to_string()));
        let change = Change { rows: users.into_iter().map(Row::User).collect(), ..Change::default() };
        let written: Result<(), StoreError> =
            service.app.store().write(move |tx| tx.apply(&change, context.now())).await;
        written.unwrap();
    }
    ids
}

#[tokio::test]
async fn user_list_is_stable_while_users_are_created_and_deleted() {
    let service = TestService::start(Backend::Sqlite).await;
    let existed = many_users(&service, 10_000).await;
    let mut seen = BTreeMap::<String, u32>::new();
    let mut gone = BTreeSet::new();
    let mut path = "/users?size=150".to_owned();
    for round in 0.. {
        // Another client's requests run while the page is read.
        let removed = &existed[round * 7_919 % existed.len()];
        let address = format!("/users/{removed}");
        let (page, deleted, created) =
            tokio::join!(service.get(&path), service.delete(&address), service.post("/users", json!({})));
        assert_eq!((deleted.status.as_u16(), created.status.as_u16()), (204, 201));
        gone.insert(removed.clone());
        assert_eq!(page.status, 200, "{:?}", page.body);
        for user in page.body["items"].as_array().unwrap() {
            *seen.entry(text(&user["id"])).or_default() += 1;
        }
        match page.body["nextCursor"].as_str() {
            Some(cursor) => path = format!("/users?size=150&cursor={cursor}"),
            None => break,
        }
    }
    assert!(gone.len() > 60, "users were deleted between pages");
    for id in existed.iter().filter(|id| !gone.contains(*id)) {
        assert_eq!(seen.get(id), Some(&1), "{id}");
    }
    assert!(seen.values().all(|times| *times == 1));
}
