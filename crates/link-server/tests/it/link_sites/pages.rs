//! The pages of a link site: who can open it, what they see, and where they go at the end.

use std::time::Instant;

use link_store::test_support::Backend;
use rstest::rstest;
use serde_json::json;

use super::{Stage, site};
use crate::invites::ana;
use crate::service::text;

#[tokio::test]
async fn address_shows_why_a_site_cannot_be_opened() {
    let stage = Stage::set(Backend::Sqlite).await;
    let mut body = site(&stage.service, "loans");
    body["status"] = json!("DRAFT");
    let made = stage.site(body).await;
    let path = format!("/alpha/linkSites/{}", text(&made["id"]));
    assert_eq!(stage.page("/s/unknown", "").await.0, 404);
    for (change, status, title) in [
        (json!({}), 404, "This page is not open yet"),
        (json!({"status": "CLOSED"}), 410, "This page is closed"),
        (json!({"status": "PUBLISHED"}), 200, "Apply for a loan"),
        (json!({"limits": {"closesAt": "2020-01-01T00:00:00Z"}}), 410, "This page is closed"),
        (json!({"limits": {}, "access": "INVITATION"}), 403, "This page needs an invitation"),
    ] {
        assert_eq!(stage.service.patch(&path, change).await.status, 200);
        let (found, page) = stage.page("/s/loans", "").await;
        assert!(found == status && page.contains(title), "{title}: {found} {page}");
        if status != 200 {
            let entered = stage.service.browse(axum::http::Method::POST, "/s/loans", "", None).await;
            assert_eq!(entered.status.as_u16(), status, "{title}");
        }
    }
}

#[tokio::test]
async fn opening_an_address_creates_nothing() {
    let stage = Stage::set(Backend::Sqlite).await;
    stage.site(site(&stage.service, "loans")).await;
    let users = async || stage.service.get("/users").await.body["items"].as_array().unwrap().len();
    let before = users().await;
    assert_eq!(stage.page("/s/loans", "").await.0, 200);
    assert_eq!(users().await, before);
    stage.enter("/s/loans").await;
    assert_eq!(users().await, before + 1);
}

#[tokio::test]
async fn visit_skips_a_form_that_its_site_got_later() {
    let stage = Stage::set(Backend::Sqlite).await;
    let mut body = site(&stage.service, "loans");
    let form = body.as_object_mut().unwrap().remove("form").unwrap();
    body["steps"] = json!(["WIDGET", "THANK_YOU"]);
    body["prefill"] = json!([]);
    let made = stage.site(body).await;
    let cookie = stage.enter("/s/loans").await;
    let path = format!("/alpha/linkSites/{}", text(&made["id"]));
    let change = json!({"form": form, "steps": ["FORM", "WIDGET", "THANK_YOU"]});
    assert_eq!(stage.service.patch(&path, change).await.status, 200);
    let (status, page) = stage.page("/visit", &cookie).await;
    assert!(status == 200 && page.contains("data-page=\"widget\""), "{status} {page}");
}

#[rstest]
#[tokio::test]
async fn address_that_is_no_slug_is_unknown(#[values(Backend::Sqlite, Backend::Postgres)] backend: Backend) {
    let stage = Stage::set(backend).await;
    for address in ["/s/%00", "/s/Loans", "/s/%C3%A9"] {
        assert_eq!(stage.page(address, "").await.0, 404, "{address}");
    }
}

#[tokio::test]
async fn full_site_rejects_the_next_submission() {
    let stage = Stage::set(Backend::Sqlite).await;
    let mut body = site(&stage.service, "loans");
    body["limits"] = json!({"submissions": 1});
    let made = stage.site(body).await;
    let (first, second) = (stage.enter("/s/loans").await, stage.enter("/s/loans").await);
    stage.read();
    assert_eq!(stage.send(&first, "purpose=Home").await.0, 303);
    let (status, page) = stage.send(&second, "purpose=Home").await;
    assert!(status == 410 && page.contains("This page is complete"), "{status} {page}");
    assert_eq!(stage.page("/s/loans", "").await.0, 410);
    let path = format!("/alpha/linkSites/{}", text(&made["id"]));
    assert_eq!(stage.service.get(&path).await.body["submissions"], 1);
}

#[tokio::test]
async fn steps_lead_to_the_page_of_the_tenant() {
    let stage = Stage::set(Backend::Sqlite).await;
    let template = format!("/linkTemplates/{}", stage.service.sandbox.template);
    let allowed = json!({"allowedOrigins": ["https://app.example"]});
    assert_eq!(stage.service.patch(&template, allowed).await.status, 200);
    let mut body = site(&stage.service, "loans");
    body["steps"] = json!(["WIDGET", "FORM", "THANK_YOU"]);
    body["endPage"]["redirectUrl"] = json!("https://app.example/end?a=b");
    stage.site(body).await;
    let cookie = stage.enter("/s/loans").await;
    assert!(stage.page("/visit", &cookie).await.1.contains("data-page=\"widget\""));
    assert_eq!(stage.page("/visit/done", &cookie).await.0, 303, "nothing is done yet");
    let session = stage.service.widget_of(&cookie).await;
    let progress = stage.service.submit(&session, "mx_social_security", "good", "pass").await;
    let account = text(&stage.service.until_settled(&session, &progress).await["accountId"]);
    assert!(stage.page("/visit", &cookie).await.1.contains("About the loan"), "the form is next");
    stage.read();
    assert_eq!(stage.send(&cookie, "purpose=Home").await.0, 303);
    let (_, done) = stage.page("/visit/done", &cookie).await;
    let submitted = stage.service.get("/alpha/forms").await.body["items"][0].clone();
    let visit = text(&submitted["linkSiteSessionId"]);
    let to = format!("https://app.example/end?a=b&amp;linkSiteSessionId={visit}");
    assert!(done.contains(&format!("content=\"0;url={to}\"")), "{done}");
    assert!(done.contains("Your account is linked."), "{done}");
    let linked = stage.service.get(&format!("/accounts/{account}")).await.body;
    assert_eq!((&linked["linkSiteSessionId"], &linked["userId"]), (&json!(visit), &submitted["userId"]));
    // The tenant no longer allows the origin.
    let other = json!({"allowedOrigins": ["https://other.example"]});
    assert_eq!(stage.service.patch(&template, other).await.status, 200);
    let (_, done) = stage.page("/visit/done", &cookie).await;
    assert!(done.contains("All done") && !done.contains("app.example"), "{done}");
}

#[tokio::test]
async fn person_returns_to_their_visit_and_its_answers() {
    let stage = Stage::set(Backend::Sqlite).await;
    stage.site(site(&stage.service, "loans")).await;
    let cookie = stage.enter("/s/loans").await;
    let saved = stage
        .service
        .browse(axum::http::Method::POST, "/visit/draft", &cookie, Some("purpose=Car&brand=Au"))
        .await;
    assert_eq!((saved.status.as_u16(), &saved.body), (200, &json!({"hidden": []})));
    assert_eq!(stage.page("/s/loans", &cookie).await.0, 303, "the visit continues");
    let (_, page) = stage.page("/visit", &cookie).await;
    assert!(page.contains("value=\"Au\"") && page.contains("value=\"Car\" selected"), "{page}");
}

#[tokio::test]
async fn invited_person_does_the_steps_of_a_link_site() {
    let stage = Stage::set(Backend::Sqlite).await;
    let mut body = site(&stage.service, "loans");
    body["access"] = json!("INVITATION");
    body["steps"] = json!(["FORM", "THANK_YOU"]);
    let made = stage.site(body).await;
    let mut body = ana(&stage.service);
    body["linkSiteId"] = made["id"].clone();
    let invite = stage.service.post("/invites", body.clone()).await;
    assert_eq!((invite.status.as_u16(), &invite.body["linkSiteId"]), (201, &made["id"]));
    let cookie = stage.service.enter(&text(&invite.body["landingPageUrl"])).await;
    assert!(stage.page("/visit", &cookie).await.1.contains("About the loan"));
    assert_eq!(stage.send(&cookie, "purpose=Home").await.0, 303, "an invitation has no minimum time");
    assert!(stage.page("/visit/done", &cookie).await.1.contains("Thank you, Ana"));
    let form = stage.service.get("/alpha/forms").await.body["items"][0].clone();
    assert_eq!((&form["linkSiteId"], &form["userId"]), (&made["id"], &invite.body["userId"]));
    body["linkSiteId"] = json!(format!("site-{}", "0".repeat(32)));
    assert_eq!(stage.service.post("/invites", body).await.status, 422);
}

#[tokio::test]
async fn form_of_200_fields_and_50_conditions_renders_within_100_ms() {
    let stage = Stage::set(Backend::Sqlite).await;
    let fields = (0..200).map(|number| {
        let mut field =
            json!({"name": format!("f{number}"), "label": format!("Field {number}"), "type": "TEXT"});
        if (1..=50).contains(&number) {
            let rule = json!({"field": format!("f{}", number - 1), "operator": "NOT", "values": ["x"]});
            field["condition"] = json!({"join": "ALL", "rules": [rule]});
        }
        field
    });
    let mut body = site(&stage.service, "long");
    body["prefill"] = json!([]);
    body["form"]["fields"] = fields.collect();
    stage.site(body).await;
    let cookie = stage.enter("/s/long").await;
    let mut fastest = f64::INFINITY;
    for _ in 0..20 {
        let start = Instant::now();
        let (_, page) = stage.page("/visit", &cookie).await;
        fastest = fastest.min(start.elapsed().as_secs_f64());
        assert!(page.contains("Field 199"));
    }
    assert!(fastest < 0.1, "{fastest} s");
}
