//! The frame page and its headers.

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
async fn frame_is_embeddable_only_by_template_origins() {
    let service = TestService::start(Backend::Sqlite).await;
    let path = format!("/sdk/frame/p1/{}", service.sandbox.template);
    let page = get(&service, &path, &[("sec-fetch-dest", "iframe"), ("referer", HOST_ORIGIN)]).await;
    if page.status == 503 {
        assert!(String::from_utf8_lossy(&page.bytes).contains("The widget's files are not built"));
        return;
    }
    assert_eq!(page.status, 200);
    let allowed = format!("{HOST_ORIGIN} {}", service.app.settings().hosted_url);
    assert!(policy(&page).ends_with(&format!("frame-ancestors 'self' {allowed}")), "{}", policy(&page));
    assert_eq!(page.headers["origin-agent-cluster"], "?1");
    assert_eq!(page.headers["cross-origin-embedder-policy"], "require-corp");
    assert_eq!(page.headers["cache-control"], "private, no-cache, no-transform");
    for asset in ["script-src 'self' 'wasm-unsafe-eval' 'sha256-", "style-src 'self' 'sha256-"] {
        assert!(policy(&page).contains(asset), "{}", policy(&page));
    }
    let tag = page.headers["etag"].to_str().unwrap();
    let again = get(&service, &path, &[("sec-fetch-dest", "iframe"), ("if-none-match", tag)]).await;
    assert_eq!((again.status.as_u16(), again.bytes.len()), (304, 0));
    assert_eq!(policy(&again), policy(&page));
    let html = String::from_utf8(page.bytes).unwrap();
    assert!(html.contains(r#"content="http://localhost:8787/sandbox/v1""#), "{html}");
    assert!(html.contains(&format!(r#"content="{allowed}""#)), "{html}");
    let company = html.split_once(r#"name="linchpin-company" content=""#).map(|(_, after)| &after[..1]);
    assert!(company.is_some_and(|first| first != "\""), "{html}");
    let (_, theme) = html.split_once(r#"name="linchpin-theme" content=""#).unwrap();
    assert_eq!(theme.split('"').next().unwrap().split(';').count(), 4, "{theme}");
}

#[tokio::test]
async fn frame_of_unknown_template_only_names_the_cause() {
    let service = TestService::start(Backend::Sqlite).await;
    for id in [format!("lt-{}", "0".repeat(32)), "nonsense".to_owned()] {
        let page = get(&service, &format!("/sdk/frame/p1/{id}"), &[]).await;
        assert_eq!(page.status, 404);
        assert!(policy(&page).starts_with("default-src 'none'; script-src 'sha256-"), "{}", policy(&page));
        let html = String::from_utf8(page.bytes).unwrap();
        assert!(html.contains("&quot;cause&quot;:&quot;template&quot;"), "{html}");
        assert!(!html.contains("linchpin-origins"), "{html}");
    }
}

#[tokio::test]
async fn file_of_the_previous_build_is_served() {
    let service = TestService::start(Backend::Sqlite).await;
    let name = "link-widget-0123456789.js";
    service.app.files().put(&format!("widget/files/{name}"), b"let before;".to_vec()).await.unwrap();
    let file = get(&service, &format!("/sdk/assets/{name}"), &[]).await;
    assert_eq!((file.status.as_u16(), file.bytes.as_slice()), (200, b"let before;".as_slice()));
    assert_eq!(file.headers["content-type"], "text/javascript; charset=utf-8");
    assert!(file.headers["cache-control"].to_str().unwrap().contains("immutable"));
    let gone = get(&service, "/sdk/assets/link-widget-9999999999.js", &[]).await;
    assert_ne!(gone.status, 200);
}

#[tokio::test]
async fn frame_names_the_origin_that_is_not_allowed() {
    let service = TestService::start(Backend::Sqlite).await;
    let path = format!("/sdk/frame/p1/{}", service.sandbox.template);
    let page = get(&service, &path, &[("referer", "https://shop.example/")]).await;
    assert_eq!(page.status, 403);
    let html = String::from_utf8(page.bytes).unwrap();
    let detail = format!("https://shop.example is not in allowedOrigins of {}", service.sandbox.template);
    assert!(html.contains("&quot;cause&quot;:&quot;origin&quot;") && html.contains(&detail), "{html}");
    assert!(!html.contains("linchpin-api-base"), "the real page is not sent");
}

#[tokio::test]
async fn bridge_script_contains_the_address_of_the_service() {
    let service = TestService::start(Backend::Sqlite).await;
    let script = get(&service, "/sdk/v2/linchpin.v2.js", &[]).await;
    if script.status == 503 {
        return;
    }
    let text = String::from_utf8(script.bytes).unwrap();
    let address = format!("{}/sdk/v2/", service.app.settings().sdk_url);
    assert!(text.contains(&address) && !text.contains("__LINCHPIN"), "{address}");
    let tag = script.headers["etag"].to_str().unwrap();
    assert_eq!(get(&service, "/sdk/v2/linchpin.v2.js", &[("if-none-match", tag)]).await.status, 304);
}

#[tokio::test]
async fn frame_page_is_rejected_as_top_level_document() {
    let service = TestService::start(Backend::Sqlite).await;
    let path = format!("/sdk/frame/p1/{}", service.sandbox.template);
    let page = get(&service, &path, &[("sec-fetch-dest", "document")]).await;
    assert_eq!(page.status, 403);
}

#[tokio::test]
async fn refused_frame_origin_is_recorded() {
    let service = TestService::start(Backend::Sqlite).await;
    let path = format!("/sdk/frame/p1/{}", service.sandbox.template);
    get(&service, &path, &[("referer", "https://evil.example/page")]).await;
    get(&service, &path, &[("referer", HOST_ORIGIN)]).await;
    let id = service.sandbox.template.parse().unwrap();
    assert_eq!(service.app.refused_origins().of(&id), ["https://evil.example"]);
}

#[tokio::test]
async fn cors_allows_only_the_sdk_origin_on_link_endpoints() {
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
    // Tenant endpoints are for servers, so they send no CORS headers to any origin.
    let request = Request::options("/sandbox/v1/users")
        .header("host", "localhost:8787")
        .header("origin", sdk)
        .header("access-control-request-method", "POST")
        .body(Body::empty())
        .unwrap();
    assert!(!service.send_raw(request).await.headers.contains_key("access-control-allow-origin"));
}

#[tokio::test]
async fn foreign_host_header_is_rejected_except_for_health() {
    let service = TestService::start(Backend::Sqlite).await;
    let rebound = get(&service, "/openapi.json", &[]).await;
    assert_eq!(rebound.status, 200);
    let request = Request::get("/openapi.json").header("host", "evil.example").body(Body::empty()).unwrap();
    assert_eq!(service.send_raw(request).await.status, 400);
    let request = Request::get("/health/ready").header("host", "10.0.0.7").body(Body::empty()).unwrap();
    assert_eq!(service.send_raw(request).await.status, 200);
    let request = Request::get("/health/other").header("host", "10.0.0.7").body(Body::empty()).unwrap();
    assert_eq!(service.send_raw(request).await.status, 400);
}
