//! The frame page and its headers.

use axum::body::Body;
use axum::http::{HeaderMap, Method, Request, header};
use link_store::test_support::Backend;
use serde_json::json;

use crate::service::{As, HOST_ORIGIN, TestResponse, TestService, text};

async fn get(service: &TestService, path: &str, headers: &[(&str, &str)]) -> TestResponse {
    let mut request = Request::get(path).header("host", "localhost:8787");
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    service.send_raw(request.body(Body::empty()).unwrap()).await
}

fn policy(response: &TestResponse) -> &str {
    response.headers["content-security-policy"].to_str().unwrap()
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
    let allowed = format!("{HOST_ORIGIN} {}", service.app.settings.hosted_url);
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
    service.app.ports.files.put(&format!("widget/files/{name}"), b"let before;".to_vec()).await.unwrap();
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
    let address = format!("{}/sdk/v2/", service.app.settings.sdk_url);
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
    assert_eq!(service.app.reports.refused_origins.for_template(&id), ["https://evil.example"]);
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

const INVITES: &str = "https://invites.example";

async fn https() -> TestService {
    TestService::start_with(Backend::Sqlite, |settings| {
        settings.public_url = "https://api.example".to_owned();
        settings.api_url = "https://api.example".to_owned();
        settings.sdk_url = "https://widget.example".to_owned();
        settings.hosted_url = INVITES.to_owned();
        settings.files_url = "https://files.example".to_owned();
        settings.console_url = "https://api.example".to_owned();
        // The tests send requests to `localhost:8787`.
        for host in ["localhost:8787", "invites.example", "widget.example", "api.example"] {
            settings.allowed_hosts.push(host.to_owned());
        }
        settings.security_contact = Some("mailto:security@linchpin.example".to_owned());
    })
    .await
}

async fn send(service: &TestService, method: Method, path: &str, cookie: &str, body: &str) -> TestResponse {
    let is_hosted = path.starts_with("/invite") || path.starts_with("/visit");
    let host = if is_hosted { INVITES.split_once("://").unwrap().1 } else { "localhost:8787" };
    let request = Request::builder()
        .method(method)
        .uri(path)
        .header(header::HOST, host)
        .header(header::COOKIE, cookie)
        .body(Body::from(body.to_owned()))
        .unwrap();
    service.send_raw(request).await
}

fn single_header<'a>(headers: &'a HeaderMap, name: &str, place: &str) -> &'a str {
    let mut values = headers.get_all(name).iter();
    let value = values.next().unwrap_or_else(|| panic!("{place} has no {name}")).to_str().unwrap();
    assert!(values.next().is_none(), "{place} has {name} twice");
    value
}

#[tokio::test]
async fn every_page_has_the_security_headers() {
    let service = https().await;
    let path = format!("/linkTemplates/{}", service.sandbox.template);
    let form =
        json!({"reference": "f", "fields": [{"name": "a", "label": "A", "type": "TEXT", "required": true}]});
    assert_eq!(service.patch(&path, json!({"form": form})).await.status, 200);
    let link = text(&service.invite_ana().await["landingPageUrl"]);
    let link = link.trim_start_matches(INVITES).to_owned();
    let landing = send(&service, Method::GET, &link, "", "").await;
    let entered = send(&service, Method::POST, &link, "", "").await;
    let cookie = entered.headers[header::SET_COOKIE].to_str().unwrap().split(';').next().unwrap().to_owned();
    let questions = send(&service, Method::GET, "/visit", &cookie, "").await;
    let faults = send(&service, Method::POST, "/visit/form", &cookie, "a=").await;
    assert_eq!(send(&service, Method::POST, "/visit/form", &cookie, "a=b").await.status, 303);
    let frame = format!("/sdk/frame/p1/{}", service.sandbox.template);
    let pages = [
        ("landing page", 200, landing),
        ("form", 200, questions),
        ("form with faults", 422, faults),
        ("widget page", 200, send(&service, Method::GET, "/visit", &cookie, "").await),
        ("used link", 410, send(&service, Method::GET, &link, "", "").await),
        ("unknown link", 404, send(&service, Method::GET, "/invite/0000", "", "").await),
        ("without a visit", 403, send(&service, Method::GET, "/visit", "", "").await),
        ("API documentation", 200, send(&service, Method::GET, "/docs/", "", "").await),
        ("frame", 200, send(&service, Method::GET, &frame, "", "").await),
        ("unknown frame", 404, send(&service, Method::GET, "/sdk/frame/p1/none", "", "").await),
    ];
    for (place, status, page) in &pages {
        let is_unbuilt = *place == "frame" && page.status == 503;
        assert!(page.status == *status || is_unbuilt, "{place}: {}", page.status);
        let headers = &page.headers;
        assert_eq!(single_header(headers, "strict-transport-security", place), "max-age=31536000");
        assert_eq!(single_header(headers, "x-content-type-options", place), "nosniff");
        if is_unbuilt {
            continue;
        }
        assert!(single_header(headers, "content-type", place).starts_with("text/html"), "{place}");
        let policy = single_header(headers, "content-security-policy", place);
        assert!(
            policy.starts_with("default-src 'none'") && policy.contains("frame-ancestors "),
            "{place}: {policy}"
        );
        assert!(policy.contains("report-uri /csp-reports; report-to csp"), "{place}: {policy}");
        assert_eq!(single_header(headers, "reporting-endpoints", place), "csp=\"/csp-reports\"");
        assert!(single_header(headers, "permissions-policy", place).contains("camera=()"), "{place}");
        assert!(
            ["no-referrer", "same-origin"].contains(&single_header(headers, "referrer-policy", place)),
            "{place}"
        );
        let opener = headers.get("cross-origin-opener-policy").map(|it| it.to_str().unwrap());
        let is_framed = place.contains("frame");
        assert_eq!(opener, (!is_framed).then_some("same-origin"), "{place}");
    }
}

#[tokio::test]
async fn api_responses_send_nosniff_and_no_store() {
    for (service, is_https) in [(https().await, true), (TestService::start(Backend::Sqlite).await, false)] {
        let (user, token) = service.user().await;
        let secret = crate::service::secret();
        let answers = [
            service.post("/users", json!({})).await,
            service
                .send(Method::POST, &format!("/tokens?userId={user}"), As::Tenant(&service.sandbox), None)
                .await,
            service.post("/webhooks", json!({"url": "http://127.0.0.1:9/hook", "eventTypes": ["ALL"]})).await,
            service.exchange(&token, &secret).await,
            service.get("/users").await,
            service.get("/nothing-here").await,
            service.send(Method::GET, "/users", As::Anonymous, None).await,
        ];
        for response in &answers {
            assert_eq!(single_header(&response.headers, "x-content-type-options", "API"), "nosniff");
            assert_eq!(
                single_header(&response.headers, "cache-control", "API"),
                "no-store",
                "{:?}",
                response.body
            );
            assert_eq!(response.headers.contains_key("strict-transport-security"), is_https);
        }
        let live = send(&service, Method::GET, "/health/live", "", "").await;
        assert_eq!(single_header(&live.headers, "x-content-type-options", "health"), "nosniff");
    }
}

#[tokio::test]
async fn csp_reports_are_limited_and_logged_without_urls() {
    let service = TestService::start_with(Backend::Sqlite, |settings| {
        settings.live.edit(|live| {
            live.rate_per_second = 1.try_into().unwrap();
            live.rate_burst = 50.try_into().unwrap();
        });
    })
    .await;
    let report =
        r#"{"csp-report":{"document-uri":"http://h/invite/canary-code","effective-directive":"img-src"}}"#;
    let taken = send(&service, Method::POST, "/csp-reports", "", report).await;
    assert_eq!((taken.status.as_u16(), taken.bytes.len()), (204, 0));
    assert_eq!(send(&service, Method::POST, "/csp-reports", "", "<b>").await.status, 400);
    assert_eq!(send(&service, Method::POST, "/csp-reports", "", &"x".repeat(17_000)).await.status, 413);
    let mut statuses = Vec::new();
    for _ in 0..20 {
        statuses.push(send(&service, Method::POST, "/csp-reports", "", report).await.status.as_u16());
    }
    assert!(statuses.contains(&429), "{statuses:?}");
    let log = crate::sealed::log().text();
    assert!(log.contains("content security policy was violated") && !log.contains("canary-code"));
}

#[tokio::test]
async fn security_txt_is_served_only_with_a_contact() {
    let service = https().await;
    let shown = send(&service, Method::GET, "/.well-known/security.txt", "", "").await;
    assert_eq!(
        (shown.status.as_u16(), &shown.headers["content-type"]),
        (200, &"text/plain; charset=utf-8".parse().unwrap())
    );
    let text = String::from_utf8(shown.bytes).unwrap();
    assert!(text.starts_with("Contact: mailto:security@linchpin.example\nExpires: 2"), "{text}");
    assert!(text.ends_with("Canonical: https://api.example/.well-known/security.txt\n"), "{text}");
    let unset = TestService::start(Backend::Sqlite).await;
    assert_eq!(send(&unset, Method::GET, "/.well-known/security.txt", "", "").await.status, 404);
}
