//! The frame page and the widget's files.

use axum::body::Body;
use axum::http::Request;
use link_store::test_support::Backend;

use crate::service::{Answer, HOST_ORIGIN, TestService};

async fn get(service: &TestService, path: &str, headers: &[(&str, &str)]) -> Answer {
    let mut request = Request::get(path).header("host", "localhost:8787");
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    service.send_raw(request.body(Body::empty()).unwrap()).await
}

fn policy(answer: &Answer) -> &str {
    answer.headers["content-security-policy"].to_str().unwrap()
}

#[tokio::test]
async fn the_frame_may_be_embedded_by_the_templates_origins_alone() {
    let service = TestService::start(Backend::Sqlite).await;
    let path = format!("/sdk/frame/p1/{}", service.sandbox.template);
    let page = get(&service, &path, &[("sec-fetch-dest", "iframe"), ("referer", HOST_ORIGIN)]).await;
    if page.status == 503 {
        assert!(String::from_utf8_lossy(&page.bytes).contains("The widget's files are not built"));
        return;
    }
    assert_eq!(page.status, 200);
    assert!(policy(&page).ends_with(&format!("frame-ancestors {HOST_ORIGIN}")), "{}", policy(&page));
    assert_eq!(page.headers["origin-agent-cluster"], "?1");
    assert_eq!(page.headers["cross-origin-embedder-policy"], "require-corp");
    assert_eq!(page.headers["cache-control"], "no-store");
    let html = String::from_utf8(page.bytes).unwrap();
    assert!(html.contains(r#"content="http://localhost:8787/sandbox/v1""#), "{html}");
    assert!(html.contains(&format!(r#"content="{HOST_ORIGIN}""#)), "{html}");
}

#[tokio::test]
async fn an_unknown_template_may_be_embedded_by_nobody() {
    let service = TestService::start(Backend::Sqlite).await;
    for id in [format!("lt-{}", "0".repeat(32)), "nonsense".to_owned()] {
        let page = get(&service, &format!("/sdk/frame/p1/{id}"), &[]).await;
        assert_eq!(page.status, 404);
        assert!(policy(&page).contains("frame-ancestors 'none'"));
    }
}

#[tokio::test]
async fn outside_a_frame_the_page_is_refused() {
    let service = TestService::start(Backend::Sqlite).await;
    let path = format!("/sdk/frame/p1/{}", service.sandbox.template);
    let page = get(&service, &path, &[("sec-fetch-dest", "document")]).await;
    assert_eq!(page.status, 403);
}

#[tokio::test]
async fn a_refused_origin_is_remembered() {
    let service = TestService::start(Backend::Sqlite).await;
    let path = format!("/sdk/frame/p1/{}", service.sandbox.template);
    get(&service, &path, &[("referer", "https://evil.example/page")]).await;
    get(&service, &path, &[("referer", HOST_ORIGIN)]).await;
    let id = service.sandbox.template.parse().unwrap();
    assert_eq!(service.app.refused_origins().of(&id), ["https://evil.example"]);
}

#[tokio::test]
async fn only_a_frame_of_the_sdks_host_reads_the_widgets_answers_from_another_origin() {
    let sdk = "https://sdk.example";
    let service =
        TestService::start_with(Backend::Sqlite, |settings| settings.sdk_url = sdk.to_owned()).await;
    for (origin, allowed) in [(sdk, true), ("https://evil.example", false)] {
        let request = Request::options("/sandbox/v1/link/sessions")
            .header("host", "localhost:8787")
            .header("origin", origin)
            .header("access-control-request-method", "POST")
            .body(Body::empty())
            .unwrap();
        let preflight = service.send_raw(request).await;
        assert_eq!(preflight.headers.contains_key("access-control-allow-origin"), allowed, "{origin}");
        assert_eq!(preflight.headers.contains_key("access-control-allow-headers"), allowed, "{origin}");
    }
    // A tenant's endpoints are for servers: no page reads them, wherever it is.
    let request = Request::options("/sandbox/v1/users")
        .header("host", "localhost:8787")
        .header("origin", sdk)
        .header("access-control-request-method", "POST")
        .body(Body::empty())
        .unwrap();
    assert!(!service.send_raw(request).await.headers.contains_key("access-control-allow-origin"));
}

#[tokio::test]
async fn a_foreign_host_is_refused_and_health_is_not() {
    let service = TestService::start(Backend::Sqlite).await;
    let rebound = get(&service, "/openapi.json", &[]).await;
    assert_eq!(rebound.status, 200);
    let request = Request::get("/openapi.json").header("host", "evil.example").body(Body::empty()).unwrap();
    assert_eq!(service.send_raw(request).await.status, 400);
    let request = Request::get("/health/ready").header("host", "10.0.0.7").body(Body::empty()).unwrap();
    assert_eq!(service.send_raw(request).await.status, 200);
}
