//! The first hour of an integrator: answers that say what to do, and a service that says what it lacks.

use axum::body::Body;
use axum::http::{Method, Request, header};
use link_store::test_support::Backend;
use link_types::signal::SignalKind;
use rstest::rstest;
use serde_json::{Value, json};

use crate::service::{As, TestResponse, TestService, text};

const HEX: &str = "0192f0c1a2b37c4d8e5f60718293a4b5";

fn consent() -> Value {
    json!({
        "consentedAt": "2026-11-20T11:07:11.000Z", "type": "TERMS", "version": "1", "consentedWith": "I agree",
    })
}

impl TestService {
    async fn in_production(&self, method: Method, path: &str, body: Option<&Value>) -> TestResponse {
        self.send(method, path, As::Tenant(&self.production), body).await
    }

    /// Sends a request with the sandbox's key, with exactly this body and these headers.
    async fn raw(
        &self,
        method: Method,
        path: &str,
        content_type: Option<&str>,
        body: &'static str,
    ) -> TestResponse {
        let path = format!("{}{path}", self.sandbox.base);
        let basic = format!("Basic {}", self.sandbox.basic);
        let mut request = Request::builder()
            .method(method)
            .uri(path)
            .header(header::HOST, "localhost:8787")
            .header(header::AUTHORIZATION, basic);
        if let Some(content_type) = content_type {
            request = request.header(header::CONTENT_TYPE, content_type);
        }
        self.send_raw(request.body(Body::from(body)).unwrap()).await
    }
}

fn message(response: &TestResponse, field: &str) -> String {
    let errors = response.body["errors"].as_array().unwrap_or_else(|| panic!("{:?}", response.body));
    let found = errors.iter().find(|it| it["field"] == field);
    text(&found.unwrap_or_else(|| panic!("no {field} in {errors:?}"))["message"])
}

#[tokio::test]
async fn invitation_without_mail_server_has_error_and_no_event() {
    let service = TestService::start(Backend::Sqlite).await;
    let invite = json!({
        "fullName": "Ana Ruiz", "emailAddress": "ana@example.com",
        "inviteTemplateId": service.production.invite_template, "linkTemplateId": service.production.template,
    });
    let made = service.in_production(Method::POST, "/invites", Some(&invite)).await;
    assert_eq!(made.status, 201, "{:?}", made.body);
    let path = format!("/invites/{}", text(&made.body["id"]));
    for round in 0..2 {
        let failed = link_test_support::wait::until_ok("the invitation has an error", async || {
            let found = service.in_production(Method::GET, &path, None).await.body;
            if found["mailError"].is_null() { Err(found) } else { Ok(found) }
        })
        .await;
        assert_eq!(failed["mailError"], "NO_MAIL_SERVER", "{round}");
        assert!(text(&failed["mailErrorMessage"]).contains("mail server"), "{failed}");
        assert_eq!((&failed["invitedAt"], &failed["logs"]), (&Value::Null, &json!([])));
        assert!(failed["landingPageUrl"].is_string(), "the link works without a mail");
        let events = service.in_production(Method::GET, "/events?type=INVITE_INVITED", None).await;
        assert_eq!(events.body["items"], json!([]), "{:?}", events.body);
        let resent = service.in_production(Method::POST, &format!("{path}/resend"), Some(&json!({}))).await;
        assert_eq!(resent.status, 200, "{:?}", resent.body);
        assert_eq!(resent.body["mailError"], Value::Null);
    }
}

#[tokio::test]
async fn webhook_over_http_needs_an_allowed_host() {
    let service = TestService::start_with(Backend::Sqlite, |settings| {
        settings.webhook_allow = ["127.0.0.0/8", "10.0.0.0/8", "hooks.example"].map(str::to_owned).into();
    })
    .await;
    let hook =
        |url: &str| json!({"url": url, "eventTypes": ["USER_CREATED"], "secret": "a long random text"});
    let made = service.post("/webhooks", hook("https://example.com/hook")).await;
    let path = format!("/webhooks/{}", text(&made.body["id"]));
    for (url, accepted) in [
        ("http://127.0.0.1:9/", true),
        ("http://localhost:9/", true),
        ("http://10.0.0.1/", true),
        ("http://hooks.example/", true),
        ("http://example.com/", false),
        ("http://1.1.1.1/", false),
        ("http://other.hooks.example/", false),
    ] {
        let created = service.post("/webhooks", hook(url)).await;
        let changed = service.patch(&path, json!({"url": url})).await;
        assert_eq!((created.status == 201, changed.status == 200), (accepted, accepted), "{url}");
        for refused in [created, changed].into_iter().filter(|_| !accepted) {
            assert_eq!(refused.status, 422, "{url}");
            let words = message(&refused, "url");
            assert!(words.contains("https") && words.contains("--webhook-allow"), "{url}: {words}");
        }
    }
}

#[rstest]
#[case("/alpha/footprints", json!({}))]
#[case("/alpha/verifications", json!({
    "firstName": "Ana", "lastName": "Ruiz", "dob": "1990-05-24",
    "ids": [{"type": "CURP", "number": "HEGG560427MVZRRL04"}],
}))]
#[tokio::test]
async fn signal_takes_a_number_or_an_address(#[case] path: &str, #[case] mut body: Value) {
    let service = TestService::start(Backend::Sqlite).await;
    body["consent"] = consent();
    let neither = service.post(path, body.clone()).await;
    assert_eq!(neither.status, 422, "{:?}", neither.body);
    assert_eq!(message(&neither, "mobileNumber"), "required unless you send emailAddress");
    assert_eq!(message(&neither, "emailAddress"), "required unless you send mobileNumber");
    for (name, value) in [("mobileNumber", "525500000100"), ("emailAddress", "success@example.com")] {
        let mut one = body.clone();
        one[name] = json!(value);
        let made = service.post(path, one).await;
        assert_eq!(made.status, 201, "{name}: {:?}", made.body);
        if made.body["resultCode"].is_string() {
            assert_eq!(made.body["resultCode"], "SUCCESS", "{name}");
            assert_eq!(made.body["requestMeta"][name], value);
        }
    }
}

#[tokio::test]
async fn production_without_a_source_says_so() {
    let service = TestService::start(Backend::Sqlite).await;
    let providers = service.in_production(Method::GET, "/providers", None).await.body;
    assert_eq!((&providers["items"], &providers["sourceConfigured"]), (&json!([]), &json!(false)));
    assert_eq!(service.get("/providers").await.body["sourceConfigured"], true);
    let body = json!({
        "mobileNumber": "525500000100", "emailAddress": "success@example.com", "curp": "HEGG560427MVZRRL04",
        "firstName": "Ana", "lastName": "Ruiz", "dob": "1990-05-24", "fullName": "Ana Ruiz",
        "ids": [{"type": "CURP", "number": "HEGG560427MVZRRL04"}], "templateId": "tpl-sss003001",
        "consent": consent(),
    });
    let only = |names: &[&str]| -> Value {
        names.iter().chain(&["consent"]).map(|it| ((*it).to_owned(), body[*it].clone())).collect()
    };
    let mut asked = vec![(
        "/alpha/socialSecurities",
        only(&["templateId", "mobileNumber", "emailAddress", "curp", "fullName"]),
    )];
    for kind in SignalKind::ALL {
        asked.push((
            kind.path(),
            match kind {
                SignalKind::Verification => only(&["firstName", "lastName", "dob", "ids", "mobileNumber"]),
                SignalKind::SocialSecuritySignals => only(&["mobileNumber", "curp"]),
                SignalKind::IncomeEstimator => only(&["emailAddress"]),
                SignalKind::Blacklist
                | SignalKind::BorrowerBehavior
                | SignalKind::BorrowerScreening
                | SignalKind::CreditLifecycle
                | SignalKind::Footprints
                | SignalKind::MultipleApplicationWarning => only(&["mobileNumber"]),
            },
        ));
    }
    for (path, body) in asked {
        let made = service.in_production(Method::POST, path, Some(&body)).await;
        assert_eq!(made.status, 201, "{path}: {:?}", made.body);
        let one = format!("{path}/{}", text(&made.body["id"]));
        let ended = link_test_support::wait::until_ok("it ends", async || {
            let found = service.in_production(Method::GET, &one, None).await.body;
            if found["resultCode"].is_null() { Err(found) } else { Ok(found) }
        })
        .await;
        assert_eq!(ended["resultCode"], "SERVICE_UNAVAILABLE", "{path}");
        assert!(text(&ended["resultMessage"]).contains("no source is configured"), "{path}: {ended}");
    }
}

#[rstest]
#[case::nothing(None)]
#[case::json(Some("application/json"))]
#[case::form(Some("application/x-www-form-urlencoded"))]
#[tokio::test]
async fn user_is_created_by_an_empty_body(#[case] content_type: Option<&str>) {
    let service = TestService::start(Backend::Sqlite).await;
    let made = service.raw(Method::POST, "/users", content_type, "").await;
    assert_eq!(made.status, 201, "{:?}", made.body);
    assert_eq!(made.body["reference"], Value::Null);
    let broken = service.raw(Method::POST, "/users", content_type, "{").await;
    assert_eq!(broken.status, if content_type == Some("application/json") { 400 } else { 415 });
    let required = service.raw(Method::POST, "/webhooks", content_type, "").await;
    assert_eq!(required.status, 422, "{:?}", required.body);
    assert_eq!(message(&required, "url"), "required");
}

#[tokio::test]
async fn consent_text_with_an_unknown_placeholder_is_refused() {
    let service = TestService::start(Backend::Sqlite).await;
    let asked = json!({
        "title": "Consent", "version": "1", "text": "Kept: ${retentions}.",
        "translations": {"es": {"title": "Consentimiento", "text": "${lectura} ${reading}"}},
    });
    let refused = service.post("/consentTemplates", asked).await;
    let words = |name: &str| format!("${{{name}}} is not a placeholder: use ${{reading}} or ${{retention}}");
    assert_eq!(message(&refused, "text"), words("retentions"));
    assert_eq!(message(&refused, "translations.es.text"), words("lectura"));
    let made = service
        .post("/consentTemplates", json!({"title": "A", "version": "1", "text": "${retention}"}))
        .await;
    let path = format!("/consentTemplates/{}", text(&made.body["id"]));
    let patched = service.patch(&path, json!({"text": "${company}"})).await;
    assert_eq!(message(&patched, "text"), words("company"));
}

#[tokio::test]
async fn answers_say_where_a_value_belongs() {
    let service = TestService::start(Backend::Sqlite).await;
    for name in ["userId", "email", "externalId"] {
        let refused = service.post("/users", json!({name: "ana@example.com"})).await;
        assert!(message(&refused, name).contains("`reference`"), "{name}: {:?}", refused.body);
    }
    let (user, _) = service.user().await;
    let token = service.post("/tokens", json!({"userId": user})).await;
    assert!(message(&token, "userId").contains("in the query of the URL, like ?userId="), "{:?}", token.body);
    let id = json!({"id": format!("a-{HEX}")});
    let revoked = service.send(Method::DELETE, "/accounts", As::Tenant(&service.sandbox), Some(&id)).await;
    assert!(message(&revoked, "id").contains("in the query of the URL, like ?id="), "{:?}", revoked.body);
    let listed = service.get("/accounts?userId=42").await;
    assert!(message(&listed, "userId").contains("<tenant>-<32 hex digits>"), "{:?}", listed.body);
    let deleted = service.delete("/accounts?id=42").await;
    assert!(message(&deleted, "id").contains("a-<32 hex digits>"), "{:?}", deleted.body);
    let shown = service.get("/accounts/42").await;
    assert_eq!(shown.status, 404);
    assert!(text(&shown.body["detail"]).contains("a-<32 hex digits>"), "{:?}", shown.body);
}

#[tokio::test]
async fn origins_are_stored_as_browsers_write_them() {
    let service = TestService::start(Backend::Sqlite).await;
    let path = format!("/linkTemplates/{}", service.sandbox.template);
    let given = json!(["HTTPS://App.Example.com:443/", "http://localhost:80", "http://127.1:3000"]);
    let changed = service.patch(&path, json!({"allowedOrigins": given})).await;
    let expected = json!(["https://app.example.com", "http://localhost", "http://127.0.0.1:3000"]);
    assert_eq!(changed.status, 200, "{:?}", changed.body);
    assert_eq!(changed.body["allowedOrigins"], expected);
    let shells = ["capacitor://localhost", "ionic://localhost", "file://", "null", "tauri://localhost"];
    let made = json!({
        "name": "app", "companyName": "Shop", "consentTemplateId": service.sandbox.consent, "allowedOrigins": shells,
    });
    for refused in [
        service.patch(&path, json!({"allowedOrigins": shells})).await,
        service.post("/linkTemplates", made).await,
    ] {
        assert_eq!(refused.status, 422);
        for (index, shell) in shells.iter().enumerate() {
            let words = message(&refused, &format!("allowedOrigins[{index}]"));
            assert!(words.contains("landingPageUrl"), "{shell}: {words}");
        }
    }
}

#[tokio::test]
async fn new_link_template_has_the_defaults_of_the_first() {
    let service = TestService::start(Backend::Sqlite).await;
    let first = service.get(&format!("/linkTemplates/{}", service.sandbox.template)).await.body;
    let body = json!({"name": "n", "companyName": "c", "consentTemplateId": service.sandbox.consent});
    let made = service.post("/linkTemplates", body).await.body;
    for (name, value) in first.as_object().unwrap() {
        if !matches!(
            name.as_str(),
            "id" | "createdAt" | "revision" | "name" | "companyName" | "allowedOrigins"
        ) {
            assert_eq!(&made[name], value, "{name}");
        }
    }
}

#[rstest]
#[case("http://localhost:5173", true)]
#[case("http://127.0.0.1:8080", true)]
#[case("http://[::1]:3000", false)]
#[case("https://shop.example", false)]
#[tokio::test]
async fn sandbox_template_without_origins_allows_loopback(#[case] origin: &str, #[case] allowed: bool) {
    let service = TestService::start(Backend::Sqlite).await;
    for (keys, is_sandbox) in [(&service.sandbox, true), (&service.production, false)] {
        let template = format!("/linkTemplates/{}", keys.template);
        let emptied = json!({"allowedOrigins": []});
        assert_eq!(
            service.send(Method::PATCH, &template, As::Tenant(keys), Some(&emptied)).await.status,
            200
        );
        let frame = Request::get(format!("/sdk/frame/p1/{}", keys.template))
            .header(header::HOST, "localhost:8787")
            .header(header::REFERER, format!("{origin}/"))
            .body(Body::empty())
            .unwrap();
        let page = service.send_raw(frame).await;
        let known = service.app.reports.refused_origins.for_template(&keys.template.parse().unwrap());
        assert_eq!(known.is_empty(), allowed && is_sandbox, "{known:?}");
        assert_eq!(page.status == 403, !(allowed && is_sandbox), "{}", page.status);
        // 503: the widget's files are not built.
        if page.status == 200 {
            let policy = page.headers[header::CONTENT_SECURITY_POLICY].to_str().unwrap();
            let ancestors = policy.split("frame-ancestors ").nth(1).unwrap();
            assert!(ancestors.contains("http://localhost:* http://127.0.0.1:*"), "{ancestors}");
        }
    }
}
