//! Visits of the hosted pages: accounts and archives have the visit's id, and an upload completes the invitation.

use axum::body::{Body, Bytes};
use axum::http::{HeaderMap, HeaderValue, Method, Request, header};
use futures_util::stream;
use link_store::test_support::Backend;
use rstest::rstest;
use serde_json::{Value, json};
use tower::ServiceExt as _;

use super::{HOSTED, html};
use crate::service::{As, TestResponse, TestService, text};
use crate::uploads::{Uploader, picture};

/// Opens the widget of a link's visit. Returns the visit's cookie and the session.
async fn visit(service: &TestService, link: &str) -> (String, String) {
    let cookie = service.enter(link).await;
    let session = service.widget_of(&cookie).await;
    (cookie, session)
}

async fn upload_payslip(service: &TestService, session: &str) -> String {
    Uploader { service, session: session.to_owned() }.submit("PAYSLIP", &picture(1_000)).await
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
    let invite = service.invite_ana().await;
    let link = text(&invite["landingPageUrl"]);
    let (cookie, session) = visit(&service, &link).await;
    assert!(
        !page(&service, "/visit/done", &cookie).await.contains("class=\"outcome\""),
        "nothing is done yet"
    );
    upload_payslip(&service, &session).await;
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
    let (cookie, session) = visit(&service, &text(&again.body["landingPageUrl"])).await;
    let progress = service.submit(&session, "mx_social_security", "good", "pass").await;
    service.until_settled(&session, &progress).await;
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
    let invite = service.invite_ana().await;
    assert_eq!(invite["linkSiteSessionId"], Value::Null, "no visit yet");
    let cookie = service.enter(&text(&invite["landingPageUrl"])).await;
    assert!(text(&invite["landingPageUrl"]).starts_with(HOSTED));
    service.browse(Method::POST, "/visit/form", &cookie, Some("note=hello")).await;
    let session = service.widget_of(&cookie).await;
    let progress = service.submit(&session, "ph_social_security", "changes", "pass").await;
    let account = text(&service.until_settled(&session, &progress).await["accountId"]);
    upload_payslip(&service, &session).await;
    service.until_events("TASK_FINISHED", 2).await;
    let refreshed = service.post(&format!("/accounts/{account}/refresh"), json!({})).await;
    assert_eq!(refreshed.status, 202, "{:?}", refreshed.body);
    service.until_event("ACCOUNT_SYNC_TASK_FINISHED").await;

    let visit = text(&service.invite(&invite).await["linkSiteSessionId"]);
    assert!(visit.starts_with("visit-"), "{visit}");
    // Other things of the same tenant, made outside of a visit.
    let elsewhere = service.session().await;
    let progress = service.submit(&elsewhere, "mx_social_security", "good", "pass").await;
    service.until_settled(&elsewhere, &progress).await;
    upload_payslip(&service, &elsewhere).await;
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

async fn post(service: &TestService, path: &str, cookie: &str, sent: &[(&str, &str)]) -> TestResponse {
    let path = path.trim_start_matches(HOSTED);
    let mut request =
        Request::post(path).header(header::HOST, "127.0.0.1:8787").header(header::COOKIE, cookie);
    for (name, value) in sent {
        request = request.header(*name, *value);
    }
    service.send_raw(request.body(Body::empty()).unwrap()).await
}

#[tokio::test]
async fn cross_site_forms_are_rejected_on_every_hosted_page() {
    let service = TestService::start(Backend::Sqlite).await;
    let link = text(&service.invite_ana().await["landingPageUrl"]);
    let other_sites: [&[(&str, &str)]; 4] = [
        &[("sec-fetch-site", "cross-site"), ("origin", "https://evil.example")],
        &[("sec-fetch-site", "same-site"), ("origin", "https://api.example")],
        &[("origin", "https://evil.example")],
        &[("origin", "null")],
    ];
    for sent in other_sites {
        let refused = post(&service, &link, "", sent).await;
        assert_eq!(
            (refused.status.as_u16(), refused.headers.get(header::SET_COOKIE)),
            (403, None),
            "{sent:?}"
        );
        assert!(html(&refused).contains("came from another site"), "{}", html(&refused));
    }
    // The rejected requests did not use the link.
    let own = [("sec-fetch-site", "same-origin"), ("origin", HOSTED)];
    let entered = post(&service, &link, "", &own).await;
    assert_eq!(entered.status, 303, "{}", html(&entered));
    let cookie = entered.headers[header::SET_COOKIE].to_str().unwrap().split(';').next().unwrap();
    for path in [
        "/visit/form",
        "/visit/token",
        "/visit/finish",
        "/l/code",
        "/s/loans/embed",
        "/s/loans/embed/form",
        "/visit/proof",
        "/s/loans/embed/proof",
        &format!("{link}/again"),
        &format!("{link}/opened"),
    ] {
        for sent in other_sites {
            assert_eq!(post(&service, path, cookie, sent).await.status, 403, "{path} {sent:?}");
        }
    }
    assert_eq!(post(&service, "/visit/token", cookie, &own).await.status, 201);
}

#[tokio::test]
async fn hosted_pages_are_404_on_the_api_host() {
    let service = TestService::start(Backend::Sqlite).await;
    let link = text(&service.invite_ana().await["landingPageUrl"]);
    let ask = async |method: Method, path: &str| {
        let request = Request::builder().method(method).uri(path).header(header::HOST, "localhost:8787");
        service.send_raw(request.body(Body::empty()).unwrap()).await
    };
    let path = link.trim_start_matches(HOSTED);
    let entered = ask(Method::POST, path).await;
    assert_eq!((entered.status.as_u16(), entered.headers.get(header::SET_COOKIE)), (404, None));
    for path in [path, "/visit", "/visit/done", "/mail/stop/token"] {
        assert_eq!(ask(Method::GET, path).await.status, 404, "{path}");
    }
    // The rejected request did not use up the link.
    assert_eq!(post(&service, &link, "", &[]).await.status, 303);
}

#[tokio::test]
async fn visit_cookie_is_bound_to_its_host_over_https() {
    let hosted = "https://invites.example";
    let service = TestService::start_with(Backend::Sqlite, |settings| {
        settings.hosted_url = hosted.to_owned();
        settings.allowed_hosts.push("invites.example".to_owned());
    })
    .await;
    let link = text(&service.invite_ana().await["landingPageUrl"]);
    let entered = service.browse(Method::POST, link.trim_start_matches(hosted), "", None).await;
    assert_eq!(entered.status, 303, "{}", html(&entered));
    let cookie = entered.headers[header::SET_COOKIE].to_str().unwrap();
    let (pair, attributes) = cookie.split_once(';').unwrap();
    assert!(pair.starts_with("__Host-linchpin_visit="), "{cookie}");
    assert!(attributes.contains("Secure") && attributes.contains("Path=/;"), "{cookie}");
    assert!(!attributes.contains("Domain"), "{cookie}");
    let visit =
        async |cookie: &str| service.browse(Method::GET, "/visit", cookie, None).await.status.as_u16();
    assert_eq!(visit(pair).await, 200);
    let tossed = pair.replace("__Host-", "");
    assert_eq!(
        visit(&tossed).await,
        403,
        "other hosts of the domain can set a cookie without the __Host- prefix"
    );
    assert_eq!(visit(&format!("{tossed}; other=1; {pair}")).await, 200);
}

#[tokio::test]
async fn form_without_visit_is_rejected_before_its_body() {
    let service = TestService::start(Backend::Sqlite).await;
    for cookie in ["", "linchpin_visit=lpv_0000"] {
        // A body that never arrives: a handler that read it first would wait until the body timeout.
        let (body, read) = unread_body();
        let mut headers = HeaderMap::new();
        headers.insert(header::HOST, HeaderValue::from_static("127.0.0.1:8787"));
        headers.insert(header::COOKIE, HeaderValue::from_str(cookie).unwrap());
        // With `Expect: 100-continue`, the server does not drain the body either.
        headers.insert(header::EXPECT, HeaderValue::from_static("100-continue"));
        let mut request = Request::post("/visit/form").body(body).unwrap();
        *request.headers_mut() = headers;
        let response = service.router.clone().oneshot(request).await.unwrap();
        assert_eq!(response.status(), 403);
        assert!(!read.load(std::sync::atomic::Ordering::Relaxed), "the server read the body");
    }
}

/// Returns a body that never ends, and a flag that is set once it is polled.
fn unread_body() -> (Body, std::sync::Arc<std::sync::atomic::AtomicBool>) {
    let read = std::sync::Arc::new(std::sync::atomic::AtomicBool::new(false));
    let flag = std::sync::Arc::clone(&read);
    let body = Body::from_stream(stream::poll_fn(move |_| {
        flag.store(true, std::sync::atomic::Ordering::Relaxed);
        std::task::Poll::<Option<Result<Bytes, std::io::Error>>>::Pending
    }));
    (body, read)
}
