//! Lists: pages, cursors, filters.

use std::collections::{BTreeMap, BTreeSet};

use axum::http::Method;
use link_domain::change::{Change, Row};
use link_domain::tenancy::user::User;
use link_store::StoreError;
use link_store::test_support::Backend;
use link_test_support::receiver::Receiver;
use rstest::rstest;
use serde_json::json;

use crate::interface::limits::{continues_lists, wait_for_task};
use crate::service::{As, TestService, secret, text};

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
async fn cursor_alone_continues_every_filtered_list() {
    let service = TestService::start(Backend::Sqlite).await;
    let user = service.user().await.0;
    service.user().await;
    for provider in ["mx_social_security", "ph_social_security", "mx_health_insurance"] {
        let tenant = As::Tenant(&service.sandbox);
        let token = service.send(Method::POST, &format!("/tokens?userId={user}"), tenant, None).await.body;
        let session = secret();
        assert_eq!(service.exchange(&text(&token["accessToken"]), &session).await.status, 201);
        service.submit(&session, provider, "good", "pass").await;
    }
    let today = text(&service.get("/users?size=1").await.body["items"][0]["createdAt"])[..10].to_owned();
    for path in [
        format!("/accounts?userId={user}&startDate={today}"),
        format!("/events?userId={user}&type=ACCOUNT_CREATED"),
        format!("/users?endDate={today}"),
        "/providers?country=mx&name=a".to_owned(),
    ] {
        let (list, _) = path.split_once('?').unwrap();
        let whole = service.get(&path).await.body["items"].clone();
        let first = service.get(&format!("{path}&size=1")).await.body;
        let cursor = text(&first["nextCursor"]);
        let second = service.get(&format!("{list}?size=1&cursor={cursor}")).await.body;
        assert_eq!(second["items"][0]["id"], whole[1]["id"], "{path}");
        if let Some(next) = second["nextCursor"].as_str() {
            let third = service.get(&format!("{list}?cursor={next}")).await.body;
            let (found, expected) = (&third["items"][0]["id"], &whole[2]["id"]);
            assert_eq!(found, expected, "{path}: the next cursor carries the filters, too");
        }
        let same = service.get(&format!("{path}&size=1&cursor={cursor}")).await.body;
        assert_eq!(
            same["items"][0]["id"], second["items"][0]["id"],
            "{path}: the same filters may be repeated"
        );
    }
}

#[tokio::test]
async fn filter_that_contradicts_the_cursor_is_named() {
    let service = TestService::start(Backend::Sqlite).await;
    let cursor = text(&service.get("/providers?size=1&country=MX").await.body["nextCursor"]);
    let refused = service.get(&format!("/providers?cursor={cursor}&country=PH")).await;
    assert_eq!((refused.status.as_u16(), &refused.body["errors"][0]["field"]), (422, &json!("country")));
    let more = service.get(&format!("/providers?cursor={cursor}&type=GIG")).await;
    assert_eq!((more.status.as_u16(), &more.body["errors"][0]["field"]), (422, &json!("cursor")));
}

#[tokio::test]
async fn list_without_size_has_150_items() {
    let service = TestService::start(Backend::Sqlite).await;
    many_users(&service, 1_000).await;
    let page = service.get("/users").await.body;
    assert_eq!(page["items"].as_array().unwrap().len(), 150);
    assert!(page["nextCursor"].is_string());
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
    let production =
        service.send(axum::http::Method::GET, "/providers", As::Tenant(&service.production), None).await;
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
    service.until_settled(&session, &progress).await;
    let id = text(&progress["accountId"]);
    let finished = wait_for_task(&receiver, &id).await;
    assert!(continues_lists(&service, &id, &finished["payload"]).await > 0);
    let whole = service.get(&format!("/accounts/{id}/payload")).await.body;
    let capped = finished["payload"]["contributions"]["items"].as_array().unwrap();
    assert!(
        whole["contributions"]["items"].as_array().unwrap().starts_with(capped),
        "the same items in the same order"
    );
    assert_eq!(whole["contributions"]["nextCursor"], json!(null), "the list is complete");
    let keys =
        |payload: &serde_json::Value| payload.as_object().unwrap().keys().cloned().collect::<BTreeSet<_>>();
    let mut of_rest = keys(&whole);
    of_rest.remove("metadata");
    assert_eq!(of_rest, keys(&finished["payload"]));
    for key in keys(&finished["payload"]) {
        let (rest, webhook) = (&whole[&key], &finished["payload"][&key]);
        let is_list = |it: &serde_json::Value| it.get("items").is_some_and(serde_json::Value::is_array);
        assert_eq!((rest.is_null(), is_list(rest)), (webhook.is_null(), is_list(webhook)), "{key}");
    }
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
            service.app.store.write(move |tx| tx.apply(&change, context.now())).await;
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
