//! Invitations: mails over a real SMTP server, hosted pages as a browser requests them, linked accounts.

mod branding;
mod cross_site;
mod ends;
mod hanging;
mod languages;
mod life;
mod limits;
mod mail_server;
mod pages;
mod stopping;
mod stored_mail;
mod templates;
mod visits;

use axum::body::Body;
use axum::http::{Method, Request, header};
use link_store::test_support::Backend;
use link_test_support::wait;
use serde_json::{Value, json};

use crate::service::{Answer, TestService, text};
pub use life::address_after;
pub use mail_server::MailServer;

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
    pub async fn invited(&self) -> Value {
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
    pub async fn browse(&self, method: Method, path: &str, cookie: &str, form: Option<&str>) -> Answer {
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
    ) -> Answer {
        let path = path.trim_start_matches(HOSTED);
        let hosted = self.app.settings().hosted_url.split_once("://").unwrap().1;
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
pub fn html(answer: &Answer) -> String {
    String::from_utf8(answer.bytes.clone()).unwrap()
}

/// Returns the statuses in an invitation's log.
pub fn steps(invite: &Value) -> Vec<String> {
    invite["logs"].as_array().unwrap().iter().map(|it| text(&it["status"])).collect()
}
