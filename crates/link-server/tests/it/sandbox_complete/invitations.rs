//! Invitations: every status, and every reason not to send a mail.

use std::sync::Arc;
use std::time::Duration;

use axum::http::Method;
use link_store::test_support::Backend;
use link_test_support::wait;
use serde_json::{Value, json};

use super::{Walk, samples};
use crate::archives::TestClock;
use crate::invites::{HOSTED, MailServer, address_after, ana};
use crate::service::{TestService, text};
use crate::uploads::Uploader;

/// The mail server's limit in [`Walk::start`]: larger than an ordinary mail, and smaller than one with the longest text.
pub(super) const MAX_MAIL: usize = 32_768;

impl Walk {
    /// Takes one invitation from its mail to the linked account, and revokes another.
    pub(super) async fn invitation(&mut self) {
        let invite = self.service.invited().await;
        self.reach("invite status", &invite["status"]);
        self.service.until_invite(&invite, "mailed", |it| !it["invitedAt"].is_null()).await;
        let mail = self.server.mails().remove(0);
        let mark = format!("{HOSTED}/invite/opened/");
        let (_, rest) = mail.split_once(&mark).unwrap();
        let picture = format!("{mark}{}", rest.split(['"', '\n', '<', ' ']).next().unwrap());
        self.service.browse(Method::GET, &picture, "", None).await;
        let link = text(&invite["landingPageUrl"]);
        let opened = self.service.invite(&invite).await;
        self.reach("invite status", &opened["status"]);
        self.service.browse(Method::POST, &format!("{link}/opened"), "", None).await;
        let landed = self.service.invite(&invite).await;
        self.reach("invite status", &landed["status"]);
        let cookie = self.service.enter(&link).await;
        let session = self.service.widget_of(&cookie).await;
        let widget = self.service.invite(&invite).await;
        self.reach("invite status", &widget["status"]);
        let progress = self.service.submit(&session, "mx_social_security", "good", "pass").await;
        self.service.settled(&session, &progress).await;
        let linked = self.service.until_invite(&invite, "linked", |it| it["status"] == "LINKED").await;
        self.reach("invite status", &linked["status"]);
        let invite = self.service.post("/invites", ana(&self.service)).await.body;
        let cookie = self.service.enter(&text(&invite["landingPageUrl"])).await;
        let session = self.service.widget_of(&cookie).await;
        let bytes = std::fs::read(samples().join(text(&self.published["documents"][0]["file"]))).unwrap();
        let uploader = Uploader { service: &self.service, session };
        uploader.submitted(self.published["documents"][0]["type"].as_str().unwrap(), &bytes).await;
        let uploaded = self.service.invite(&invite).await;
        self.reach("invite status", &uploaded["status"]);
        let other = self.service.post("/invites", ana(&self.service)).await.body;
        assert_eq!(self.service.delete(&format!("/invites/{}", text(&other["id"]))).await.status, 204);
        let revoked = self.service.invite(&other).await;
        self.reach("invite status", &revoked["status"]);
    }

    /// Requests an invitation for each reason not to send its mail, except [`unavailable`].
    pub(super) async fn mail_errors(&mut self) {
        let long = json!({
            "name": "Long",
            "company": {"name": "Shop"},
            "email": {"subject": "Hello", "body": "\u{8a9e}".repeat(5_000)},
            "landingPage": {"header": "Hello", "description": "Link an account.", "button": "Begin"},
            "successPage": {"header": "Thank you", "description": "Done."},
        });
        let long = self.service.post("/inviteTemplates", long).await;
        assert_eq!(long.status, 201, "{:?}", long.body);
        self.unsent("bo@example.com", Some(&long.body["id"])).await;
        // The sandbox may not mail this domain.
        self.unsent("bo@example.org", None).await;

        assert_eq!(self.unsent("cy@example.com", None).await, Value::Null);
        let mails = self.server.mails();
        let mail = mails.iter().find(|it| it.contains("cy@example.com")).unwrap().replace("\n ", " ");
        let stop = address_after(&mail, &format!("{HOSTED}/mail/stop/"));
        let stop = stop.trim_end_matches('>');
        let form = Some("List-Unsubscribe=One-Click");
        assert_eq!(self.service.browse(Method::POST, stop, "", form).await.status, 200);
        self.unsent("cy@example.com", None).await;

        // A day's mails to one address are limited.
        for _ in 0..=self.service.app.settings().mails_per_recipient.get() {
            if self.unsent("di@example.com", None).await != Value::Null {
                break;
            }
        }
    }

    /// Invites an address, waits until its mail is sent or not, and returns why it was not.
    async fn unsent(&mut self, address: &str, template: Option<&Value>) -> Value {
        let mut whom = ana(&self.service);
        whom["emailAddress"] = json!(address);
        if let Some(template) = template {
            whom["inviteTemplateId"] = template.clone();
        }
        let made = self.service.post("/invites", whom).await;
        assert_eq!(made.status, 201, "{:?}", made.body);
        let is_tried = |it: &Value| !it["invitedAt"].is_null() || !it["mailError"].is_null();
        let tried = self.service.until_invite(&made.body, "mailed", is_tried).await;
        self.reach("mailError", &tried["mailError"]);
        tried["mailError"].clone()
    }
}

/// Returns the error of a mail that no server accepts at any attempt. Attempts are repeated on real time, which a test
/// can move on SQLite only.
pub(super) async fn unavailable() -> Value {
    let (server, clock) = (MailServer::down(), Arc::new(TestClock::default()));
    let (address, moved) = (server.address(), Arc::clone(&clock));
    let service = TestService::start_of(
        Backend::Sqlite,
        |settings| settings.smtp_url = Some(address.into()),
        move |parts| parts.clock = moved,
    )
    .await;
    service.allow_mail("ana@example.com").await;
    let invite = format!("/invites/{}", text(&service.invited().await["id"]));
    wait::until_some("every attempt has failed", async || {
        clock.advance(Duration::from_secs(60));
        let error = service.get(&invite).await.body["mailError"].clone();
        error.is_string().then_some(error)
    })
    .await
}
