//! Visits of the hosted pages: accounts and archives have the visit's id, and an upload completes the invitation.

use axum::http::Method;
use link_store::test_support::Backend;
use rstest::rstest;
use serde_json::{Value, json};

use super::{HOSTED, html};
use crate::service::{As, TestService, text};
use crate::uploads::{Uploader, picture};

/// Opens the widget of a link's visit. Returns the visit's cookie and the session.
async fn visited(service: &TestService, link: &str) -> (String, String) {
    let cookie = service.enter(link).await;
    let session = service.widget_of(&cookie).await;
    (cookie, session)
}

async fn uploaded(service: &TestService, session: &str) -> String {
    Uploader { service, session: session.to_owned() }.submitted("PAYSLIP", &picture(1_000)).await
}

async fn page(service: &TestService, path: &str, cookie: &str) -> String {
    html(&service.browse(Method::GET, path, cookie, None).await).to_owned()
}

#[rstest]
#[tokio::test]
async fn upload_completes_the_invitation_and_the_page_says_so(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let service = TestService::start(backend).await;
    let invite = service.invited().await;
    let link = text(&invite["landingPageUrl"]);
    let (cookie, session) = visited(&service, &link).await;
    assert!(
        !page(&service, "/visit/done", &cookie).await.contains("class=\"outcome\""),
        "nothing is done yet"
    );
    uploaded(&service, &session).await;
    let complete = service.invite(&invite).await;
    assert_eq!(complete["status"], "UPLOADED");
    assert!(complete["uploadedAt"].is_string() && complete["linkedAt"].is_null(), "{complete}");
    assert!(complete["landingPageUrl"].is_null(), "{complete}");
    assert!(page(&service, "/visit/done", &cookie).await.contains("Your documents were uploaded."));
    assert!(page(&service, &link, &cookie).await.contains("Your documents were uploaded for Demo Company."));
    assert!(page(&service, &link, "").await.contains("Documents were uploaded with it."));
    let asked = service.browse(Method::POST, &format!("{link}/again"), "", None).await;
    assert!(html(&asked).contains("This invitation is complete"), "{}", html(&asked));
    assert!(!service.event_types().await.contains(&"INVITE_LINKED".to_owned()), "no account was linked");

    let resend = format!("/invites/{}/resend", text(&invite["id"]));
    let again = service.send(Method::POST, &resend, As::Tenant(&service.sandbox), None).await;
    assert_eq!((again.status.as_u16(), &again.body["uploadedAt"]), (200, &Value::Null));
    let (cookie, session) = visited(&service, &text(&again.body["landingPageUrl"])).await;
    let progress = service.submit(&session, "mx_social_security", "good", "pass").await;
    service.settled(&session, &progress).await;
    let linked = service.until_invite(&invite, "linked", |it| it["status"] == "LINKED").await;
    // The second mail may be logged later.
    assert!(linked["logs"].as_array().unwrap().iter().any(|it| it["status"] == "LINKED"), "{linked}");
    assert!(page(&service, "/visit/done", &cookie).await.contains("Your account is linked."));
    assert!(service.event_types().await.contains(&"INVITE_LINKED".to_owned()));
}

#[rstest]
#[tokio::test]
async fn everything_made_in_a_visit_has_its_id(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let service = TestService::start(backend).await;
    let template = format!("/linkTemplates/{}", service.sandbox.template);
    let form = json!({"form": {"name": "Loan", "reference": "loan", "fields": [
        {"name": "note", "label": "Note", "type": "TEXT", "required": false},
    ]}});
    assert_eq!(service.patch(&template, form).await.status, 200);
    let invite = service.invited().await;
    assert_eq!(invite["linkSiteSessionId"], Value::Null, "no visit yet");
    let cookie = service.enter(&text(&invite["landingPageUrl"])).await;
    assert!(text(&invite["landingPageUrl"]).starts_with(HOSTED));
    service.browse(Method::POST, "/visit/form", &cookie, Some("note=hello")).await;
    let session = service.widget_of(&cookie).await;
    let progress = service.submit(&session, "ph_social_security", "changes", "pass").await;
    let account = text(&service.settled(&session, &progress).await["accountId"]);
    uploaded(&service, &session).await;
    service.until_events("TASK_FINISHED", 2).await;
    let refreshed = service.post(&format!("/accounts/{account}/refresh"), json!({})).await;
    assert_eq!(refreshed.status, 202, "{:?}", refreshed.body);
    service.until_event("ACCOUNT_SYNC_TASK_FINISHED").await;

    let visit = text(&service.invite(&invite).await["linkSiteSessionId"]);
    assert!(visit.starts_with("visit-"), "{visit}");
    // Other things of the same tenant, made outside of a visit.
    let elsewhere = service.session().await;
    let progress = service.submit(&elsewhere, "mx_social_security", "good", "pass").await;
    service.settled(&elsewhere, &progress).await;
    uploaded(&service, &elsewhere).await;
    let another = format!("visit-{}", "0".repeat(32));
    for list in ["/accounts", "/archives", "/invites", "/alpha/forms"] {
        let found = service.get(&format!("{list}?linkSiteSessionId={visit}")).await.body;
        let items = found["items"].as_array().unwrap();
        assert_eq!(items.len(), 1, "{list}: {found}");
        assert_eq!(items[0]["linkSiteSessionId"], visit, "{list}");
        let path = format!("{list}/{}", text(&items[0]["id"]));
        assert_eq!(service.get(&path).await.body["linkSiteSessionId"], visit, "{path}");
        let none = service.get(&format!("{list}?linkSiteSessionId={another}")).await.body;
        assert_eq!(none["items"], json!([]), "{list}");
    }
    let account = service.get(&format!("/accounts/{}", text(&progress["accountId"]))).await.body;
    assert_eq!(account["linkSiteSessionId"], Value::Null);
    let events = service.get("/events?size=150").await.body["items"].clone();
    let updated = events.as_array().unwrap().iter().filter(|it| text(&it["type"]).ends_with("_UPDATED"));
    let of_visits: Vec<_> = updated.map(|it| it["data"]["linkSiteSessionId"].clone()).collect();
    assert!(!of_visits.is_empty() && of_visits.iter().all(|it| *it == visit), "{of_visits:?}");
}
