//! Invitations: mails over a real SMTP server, hosted pages as a browser requests them, linked accounts.

mod languages;
mod life;
mod limits;
mod pages;
mod stopping;
mod stored_mail;
mod visits;

use axum::body::Body;
use axum::http::{Method, Request, header};
use link_store::test_support::Backend;
use link_test_support::wait;
use serde_json::{Value, json};

use crate::service::{TestResponse, TestService, text};

pub use life::address_after;

pub use self::stored_mail::MailServer;

/// The default URL of the hosted pages.
pub const HOSTED: &str = "http://127.0.0.1:8787";

/// Returns the request body that invites Ana.
pub fn ana(service: &TestService) -> Value {
    json!({
        "fullName": "Ana <Ruiz>",
        "emailAddress": "ana@example.com",
        "inviteTemplateId": service.sandbox.invite_template,
        "linkTemplateId": service.sandbox.template,
    })
}

/// Starts a service that sends mail through `server` and may mail Ana from its sandbox.
pub async fn with_mail(backend: Backend, server: &MailServer) -> TestService {
    let address = server.address();
    let service =
        TestService::start_with(backend, move |settings| settings.smtp_url = Some(address.into())).await;
    service.allow_mail("ana@example.com").await;
    service
}

impl TestService {
    /// Creates an invitation for Ana.
    pub async fn invite_ana(&self) -> Value {
        let made = self.post("/invites", ana(self)).await;
        assert_eq!(made.status, 201, "{:?}", made.body);
        made.body
    }

    /// Reads the current state of an invitation.
    pub async fn invite(&self, invite: &Value) -> Value {
        let found = self.get(&format!("/invites/{}", text(&invite["id"]))).await;
        assert_eq!(found.status, 200, "{:?}", found.body);
        found.body
    }

    /// Sends a browser's request to a hosted page, with the visit cookie and a form.
    pub async fn browse(&self, method: Method, path: &str, cookie: &str, form: Option<&str>) -> TestResponse {
        self.browse_in("", method, path, cookie, form).await
    }

    /// Sends a browser's request like [`Self::browse`], with an `Accept-Language` header.
    pub async fn browse_in(
        &self,
        languages: &str,
        method: Method,
        path: &str,
        cookie: &str,
        form: Option<&str>,
    ) -> TestResponse {
        let path = path.trim_start_matches(HOSTED);
        let hosted = self.app.settings.hosted_url.split_once("://").unwrap().1;
        let mut request = Request::builder().method(method).uri(path).header("host", hosted);
        if !languages.is_empty() {
            request = request.header(header::ACCEPT_LANGUAGE, languages);
        }
        if !cookie.is_empty() {
            request = request.header(header::COOKIE, cookie);
        }
        if form.is_some() {
            request = request.header(header::CONTENT_TYPE, "application/x-www-form-urlencoded");
        }
        self.send_raw(request.body(Body::from(form.unwrap_or_default().to_owned())).unwrap()).await
    }

    /// Submits the landing page and returns the visit cookie.
    pub async fn enter(&self, landing: &str) -> String {
        let entered = self.browse(Method::POST, landing, "", None).await;
        assert_eq!(entered.status, 303, "{}", html(&entered));
        assert_eq!(entered.headers["location"], "/visit");
        let cookie = entered.headers["set-cookie"].to_str().unwrap();
        assert!(cookie.contains("HttpOnly") && cookie.contains("SameSite=Lax"), "{cookie}");
        cookie.split(';').next().unwrap().to_owned()
    }

    /// Opens the widget on the hosted page, as its script does, and returns the session secret.
    pub async fn widget_of(&self, cookie: &str) -> String {
        let token = self.browse(Method::POST, "/visit/token", cookie, None).await;
        assert_eq!(token.status, 201, "{:?}", token.body);
        let secret = crate::service::secret();
        let mut body = self.exchange_of(&text(&token.body["userToken"]), &secret);
        let elsewhere =
            self.send(Method::POST, "/link/sessions", crate::service::As::Anonymous, Some(&body)).await;
        assert_eq!(elsewhere.status, 401, "the token is bound to the hosted page: {:?}", elsewhere.body);
        body["hostOrigin"] = json!(HOSTED);
        let opened =
            self.send(Method::POST, "/link/sessions", crate::service::As::Anonymous, Some(&body)).await;
        assert_eq!(opened.status, 201, "{:?}", opened.body);
        secret
    }

    /// Waits until an invitation satisfies `is_so`; the failure message says that it is not `what`.
    pub async fn until_invite(&self, invite: &Value, what: &str, is_so: impl Fn(&Value) -> bool) -> Value {
        wait::until_ok(&format!("the invitation is {what}"), async || {
            let found = self.invite(invite).await;
            if is_so(&found) { Ok(found) } else { Err(found) }
        })
        .await
    }
}

/// Returns the HTML of a page.
pub fn html(response: &TestResponse) -> String {
    String::from_utf8(response.bytes.clone()).unwrap()
}

/// Returns the statuses in an invitation's log.
pub fn steps(invite: &Value) -> Vec<String> {
    invite["logs"].as_array().unwrap().iter().map(|it| text(&it["status"])).collect()
}

fn invite_template() -> Value {
    json!({
        "name": "Loans",
        "company": {"name": "Shop"},
        "email": {"subject": "Hello ${fullName}", "body": "From ${companyName}."},
        "landingPage": {"header": "Hello", "description": "Link an account.", "button": "Begin"},
        "successPage": {"header": "Thank you", "description": "Done."},
    })
}

#[tokio::test]
async fn invite_template_can_be_created_changed_and_deleted() {
    let service = TestService::start(Backend::Sqlite).await;
    let made = service.post("/inviteTemplates", invite_template()).await;
    assert_eq!(made.status, 201, "{:?}", made.body);
    assert_eq!(made.body["email"]["replyTo"], Value::Null);
    let path = format!("/inviteTemplates/{}", text(&made.body["id"]));
    let changed = service.patch(&path, json!({"company": {"name": "Other"}})).await.body;
    assert_eq!((&changed["company"]["name"], &changed["name"]), (&json!("Other"), &json!("Loans")));
    assert_eq!(service.get(&path).await.body, changed);
    let listed = service.get("/inviteTemplates").await.body;
    assert_eq!(listed["items"].as_array().unwrap().len(), 2, "the seeded template and the new one: {listed}");

    let mut body = ana(&service);
    body["inviteTemplateId"] = made.body["id"].clone();
    let invite = service.post("/invites", body.clone()).await.body;
    assert_eq!(service.delete(&path).await.status, 204);
    assert_eq!(service.get(&path).await.status, 404);
    assert_eq!(service.delete(&path).await.status, 404);
    assert_eq!(service.post("/invites", body).await.status, 422, "a new invitation cannot cite it");
    let page = service.browse(axum::http::Method::GET, &text(&invite["landingPageUrl"]), "", None).await;
    assert!(html(&page).contains("Link an account."), "the existing invitation keeps its texts");
}

#[tokio::test]
async fn unknown_template_variable_is_rejected() {
    let service = TestService::start(Backend::Sqlite).await;
    let mut body = invite_template();
    body["email"]["body"] = json!("Dear ${firstName}");
    body["email"]["replyTo"] = json!("nobody");
    body["landingPage"]["button"] = json!("${");
    let refused = service.post("/inviteTemplates", body).await;
    assert_eq!(refused.status, 422);
    let errors = refused.body["errors"].as_array().unwrap();
    let fields: Vec<_> = errors.iter().map(|it| text(&it["field"])).collect();
    assert_eq!(fields, ["email.body", "landingPage.button", "email.replyTo"]);
    assert!(text(&errors[0]["message"]).contains("${firstName} is not a variable"), "{errors:?}");
    let path = format!("/inviteTemplates/{}", service.sandbox.invite_template);
    let patched = service.patch(&path, json!({"successPage": {"header": "${x}", "description": "d"}})).await;
    assert_eq!(
        (patched.status.as_u16(), &patched.body["errors"][0]["field"]),
        (422, &json!("successPage.header"))
    );
}

#[tokio::test]
async fn consent_template_is_immutable_once_cited() {
    let service = TestService::start(Backend::Sqlite).await;
    let body = json!({"title": "Share", "version": "2.0", "text": "You share."});
    let made = service.post("/consentTemplates", body).await;
    assert_eq!(made.status, 201, "{:?}", made.body);
    assert_eq!((&made.body["type"], &made.body["locale"]), (&json!("TERMS_AND_CONDITIONS"), &json!("en")));
    let consent = format!("/consentTemplates/{}", text(&made.body["id"]));
    let changed = service.patch(&consent, json!({"text": "You share all."})).await;
    assert_eq!((changed.status.as_u16(), &changed.body["text"]), (200, &json!("You share all.")));

    let link = format!("/linkTemplates/{}", service.sandbox.template);
    let named = service.patch(&link, json!({"consentTemplateId": made.body["id"]})).await;
    assert_eq!(named.status, 200, "{:?}", named.body);
    let refused = service.patch(&consent, json!({"text": "Otherwise."})).await;
    assert_eq!(refused.status, 409);
    assert!(text(&refused.body["detail"]).contains("link template"), "{:?}", refused.body);

    // A deleted template cannot be cited again, but link templates that use it go on.
    assert_eq!(service.delete(&consent).await.status, 204);
    assert_eq!(service.get(&consent).await.status, 404);
    let session = service.session().await;
    let state = service
        .send(axum::http::Method::GET, "/link/session", crate::service::As::Session(&session), None)
        .await;
    assert_eq!(state.body["template"]["consent"]["text"], "You share all.");
    let other = service.patch(&link, json!({"consentTemplateId": service.sandbox.consent})).await;
    assert_eq!(other.status, 200, "{:?}", other.body);
    let again = service.patch(&link, json!({"consentTemplateId": made.body["id"]})).await;
    assert_eq!(again.status, 422, "{:?}", again.body);
}

#[tokio::test]
async fn consent_text_is_immutable_once_given() {
    let service = TestService::start(Backend::Sqlite).await;
    let session = service.session().await;
    let progress = service.submit(&session, "mx_social_security", "good", "pass").await;
    service.until_settled(&session, &progress).await;
    let other = json!({"title": "Share", "version": "2.0", "text": "You share."});
    let other = service.post("/consentTemplates", other).await.body;
    let link = format!("/linkTemplates/{}", service.sandbox.template);
    service.patch(&link, json!({"consentTemplateId": other["id"]})).await;
    // No link template cites the first consent template now, but a receipt does.
    let consent = format!("/consentTemplates/{}", service.sandbox.consent);
    let refused = service.patch(&consent, json!({"version": "1.1"})).await;
    assert_eq!(refused.status, 409, "{:?}", refused.body);
    assert!(text(&refused.body["detail"]).contains("consent was given"), "{:?}", refused.body);
    assert_eq!(service.delete(&consent).await.status, 204);
    let receipt = service.get(&format!("/accounts/{}/consent", text(&progress["accountId"]))).await;
    assert_eq!((receipt.status.as_u16(), &receipt.body["version"]), (200, &json!("1.0")));
    assert!(text(&receipt.body["consentedWith"]).contains("Linchpin"), "{:?}", receipt.body);
}

#[tokio::test]
async fn widget_does_not_open_with_deleted_link_template() {
    let service = TestService::start(Backend::Sqlite).await;
    let invite = service.invite_ana().await;
    let (_, token) = service.user().await;
    let path = format!("/linkTemplates/{}", service.sandbox.template);
    assert_eq!(service.delete(&path).await.status, 204);
    assert_eq!(service.get(&path).await.status, 404);
    assert_eq!(service.get("/linkTemplates").await.body["items"], json!([]));
    let refused = service.exchange(&token, &crate::service::secret()).await;
    assert_eq!((refused.status.as_u16(), &refused.body["code"]), (401, &json!("INVALID_TOKEN")));
    let page = service.browse(axum::http::Method::GET, &text(&invite["landingPageUrl"]), "", None).await;
    assert_eq!(page.status, 404);
}
