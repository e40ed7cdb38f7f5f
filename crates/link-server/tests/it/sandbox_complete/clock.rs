//! Outcomes that a sandbox reaches when its clock advances.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use axum::http::Method;
use link_store::test_support::Backend;
use link_test_support::receiver::Receiver;
use link_test_support::wait;
use serde_json::{Value, json};

use super::{Walk, reach, samples};
use crate::archives::TestClock;
use crate::clock::{DAY, advance, advance_and_wait, hanging_webhook, link_account};
use crate::invites::{HOSTED, MailServer, address_after, ana};
use crate::service::{As, TestService, text};
use crate::uploads::{Uploader, picture};
use crate::webhook_management::until_deliveries;

/// A sandbox whose clock advances, and what was reached in it.
struct Aging {
    service: TestService,
    reached: BTreeSet<String>,
}

/// Advances the clock of a new sandbox, and returns what was reached.
pub(super) async fn age_sandbox(backend: Backend) -> BTreeSet<String> {
    let mut aging = Aging { service: TestService::start(backend).await, reached: BTreeSet::new() };
    aging.stop_clock().await;
    aging.expire_link().await;
    aging.disable_webhook().await;
    aging.end_data().await;
    aging.reached
}

impl Aging {
    async fn clock(&mut self) {
        let clock = self.service.get("/clock").await.body;
        reach(&mut self.reached, "clock advance status", &clock["advance"]["status"]);
    }

    /// Reads the only delivery of a webhook once it has this status.
    async fn delivery(&mut self, hook: &str, status: &str) {
        let deliveries = until_deliveries(&self.service, hook, status, 1).await;
        reach(&mut self.reached, "delivery status", &deliveries[0]["status"]);
    }

    /// Stops an advance that waits for a delivery, and deactivates the webhook.
    async fn stop_clock(&mut self) {
        let hanging = hanging_webhook(&self.service).await;
        let hook = format!("/webhooks/{}", text(&self.service.get("/webhooks").await.body["items"][0]["id"]));
        self.service.user().await;
        let open = hanging.accept().await.unwrap();
        self.delivery(&hook, "PENDING").await;
        assert_eq!(advance(&self.service, json!({"seconds": DAY})).await.status, 202);
        self.clock().await;
        assert_eq!(self.service.delete("/clock/advance").await.status, 200);
        self.clock().await;
        assert_eq!(self.service.patch(&hook, json!({"active": false})).await.status, 200);
        drop((open, hanging));
        self.delivery(&hook, "CANCELLED").await;
    }

    /// Lets a hosted link expire.
    async fn expire_link(&mut self) {
        let link = json!({"templateId": self.service.sandbox.template});
        let link = self.service.post("/linkSessions", link).await.body;
        advance_and_wait(&self.service, 1_800).await;
        let expired = self.service.get(&format!("/linkSessions/{}", text(&link["id"]))).await.body;
        reach(&mut self.reached, "hosted link status", &expired["status"]);
        let events = self.service.get("/events?type=LINK_SESSION_EXPIRED").await.body;
        reach(&mut self.reached, "event", &events["items"][0]["type"]);
    }

    /// Lets every attempt at one webhook fail for 5 days. Another webhook of the tenant receives WEBHOOK_DISABLED.
    async fn disable_webhook(&mut self) {
        let hook = |url: &str, types: &str| json!({"url": url, "eventTypes": [types], "secret": "a secret of a tenant"});
        // Nothing listens on this port.
        let failing =
            self.service.post("/webhooks", hook("http://127.0.0.1:9/hook", "USER_CREATED")).await.body;
        let receiver = Receiver::start(&[]).await;
        let other = self.service.post("/webhooks", hook(&receiver.url, "WEBHOOK_DISABLED")).await.body;
        let path = format!("/webhooks/{}", text(&failing["id"]));
        // Each delivery has 3 attempts, and no webhook is disabled before its tenth failed attempt.
        for sent in 1..=3 {
            self.service.user().await;
            let exhausted = until_deliveries(&self.service, &path, "EXHAUSTED", sent).await;
            reach(&mut self.reached, "delivery status", &exhausted[0]["status"]);
        }
        advance_and_wait(&self.service, 6 * DAY).await;
        self.clock().await;
        self.service.user().await;
        let disabled = wait::until_some("the webhook is disabled", async || {
            let found = self.service.get(&path).await.body["disabledReason"].clone();
            found.is_string().then_some(found)
        })
        .await;
        reach(&mut self.reached, "webhook disabledReason", &disabled);
        let event = receiver.until(1).await.remove(0).event;
        assert_eq!(event["data"], json!({"webhookId": failing["id"], "disabledReason": disabled}));
        reach(&mut self.reached, "event", &event["type"]);
        self.delivery(&format!("/webhooks/{}", text(&other["id"])), "DELIVERED").await;
    }

    /// Lets an account and an archive expire, and revokes others.
    async fn end_data(&mut self) {
        let mut archives = Vec::new();
        for side in [1_000, 1_001] {
            archives.push(Uploader::new(&self.service).await.submit("PAYSLIP", &picture(side)).await);
        }
        let template = format!("/linkTemplates/{}", self.service.sandbox.template);
        let ends = self.service.patch(&template, json!({"retention": "FROM_CONNECTION"})).await;
        assert_eq!(ends.status, 200, "{}", ends.body);
        let revoked = link_account(&self.service, "many").await;
        let expired = link_account(&self.service, "good").await;
        let sandbox = self.service.sandbox.clone();
        for path in [format!("/accounts/{revoked}"), format!("/archives/{}", archives[0])] {
            let ended = self.service.send(Method::DELETE, &path, As::Tenant(&sandbox), None).await;
            assert_eq!(ended.status, 204, "{path}");
        }
        advance_and_wait(&self.service, 61 * DAY).await;
        for id in [revoked, expired] {
            let account = self.service.get(&format!("/accounts/{id}")).await.body;
            assert_eq!(account["connectionStatus"], "DISCONNECTED", "{account}");
            self.reach_end("account", &account["connection"]["endReason"]);
        }
        for id in archives {
            let archive = self.service.get(&format!("/archives/{id}")).await.body;
            self.reach_end("archive", &archive["state"]["endReason"]);
        }
    }

    fn reach_end(&mut self, what: &str, reason: &Value) {
        reach(&mut self.reached, &format!("{what} endReason"), reason);
    }
}

/// The mail server's limit in [`Walk::start`]: larger than an ordinary mail, and smaller than one with the longest text.
pub(super) const MAX_MAIL: usize = 32_768;

impl Walk {
    /// Takes one invitation from its mail to the linked account, and revokes another.
    pub(super) async fn invitation(&mut self) {
        let invite = self.service.invite_ana().await;
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
        self.service.until_settled(&session, &progress).await;
        let linked = self.service.until_invite(&invite, "linked", |it| it["status"] == "LINKED").await;
        self.reach("invite status", &linked["status"]);
        let invite = self.service.post("/invites", ana(&self.service)).await.body;
        let cookie = self.service.enter(&text(&invite["landingPageUrl"])).await;
        let session = self.service.widget_of(&cookie).await;
        let bytes = std::fs::read(samples().join(text(&self.published["documents"][0]["file"]))).unwrap();
        let uploader = Uploader { service: &self.service, session };
        uploader.submit(self.published["documents"][0]["type"].as_str().unwrap(), &bytes).await;
        let uploaded = self.service.invite(&invite).await;
        self.reach("invite status", &uploaded["status"]);
        let other = self.service.post("/invites", ana(&self.service)).await.body;
        assert_eq!(self.service.delete(&format!("/invites/{}", text(&other["id"]))).await.status, 204);
        let revoked = self.service.invite(&other).await;
        self.reach("invite status", &revoked["status"]);
    }

    /// Completes a hosted link, and closes another.
    pub(super) async fn complete_hosted_links(&mut self) {
        for login in [Some("good"), None] {
            let link = json!({"templateId": self.service.sandbox.template});
            let link = self.service.post("/linkSessions", link).await.body;
            let path = format!("/linkSessions/{}", text(&link["id"]));
            let status = async |walk: &mut Self| {
                let read = walk.service.get(&path).await.body;
                walk.reach("hosted link status", &read["status"]);
            };
            status(self).await;
            let cookie = self.service.enter(&text(&link["url"])).await;
            status(self).await;
            if let Some(login) = login {
                let session = self.service.widget_of(&cookie).await;
                let progress = self.service.submit(&session, "mx_social_security", login, "pass").await;
                self.service.until_settled(&session, &progress).await;
            }
            self.service.browse(Method::POST, "/visit/finish", &cookie, None).await;
            status(self).await;
        }
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
        self.invite_unsent("bo@example.com", Some(&long.body["id"])).await;
        // The sandbox may not mail this domain.
        self.invite_unsent("bo@example.org", None).await;

        assert_eq!(self.invite_unsent("cy@example.com", None).await, Value::Null);
        let mails = self.server.mails();
        let mail = mails.iter().find(|it| it.contains("cy@example.com")).unwrap().replace("\n ", " ");
        let stop = address_after(&mail, &format!("{HOSTED}/mail/stop/"));
        let stop = stop.trim_end_matches('>');
        let form = Some("List-Unsubscribe=One-Click");
        assert_eq!(self.service.browse(Method::POST, stop, "", form).await.status, 200);
        self.invite_unsent("cy@example.com", None).await;

        // A day's mails to one address are limited.
        for _ in 0..=self.service.app.settings.live.now().mails_per_recipient.get() {
            if self.invite_unsent("di@example.com", None).await != Value::Null {
                break;
            }
        }
    }

    /// Invites an address, waits until its mail is sent or not, and returns why it was not.
    async fn invite_unsent(&mut self, address: &str, template: Option<&Value>) -> Value {
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
        move |parts| parts.ports.clock = moved,
    )
    .await;
    service.allow_mail("ana@example.com").await;
    let invite = format!("/invites/{}", text(&service.invite_ana().await["id"]));
    wait::until_some("every attempt has failed", async || {
        clock.advance(Duration::from_secs(60));
        let error = service.get(&invite).await.body["mailError"].clone();
        error.is_string().then_some(error)
    })
    .await
}

impl Walk {
    /// Reads accounts of the logins whose later readings differ again, and signs in again where that is needed.
    pub(super) async fn syncs(&mut self) {
        let logins = self.published["logins"].as_array().unwrap().clone();
        let names = logins.iter().map(|it| text(&it["login"]));
        let differing: Vec<_> = names.filter(|it| it == "changes" || it.starts_with("sync-")).collect();
        assert!(differing.len() > 1, "{differing:?}");
        let mut accounts = Vec::new();
        for (provider, name) in differing
            .iter()
            .map(|name| ("ph_social_security", name.as_str()))
            .chain([("mx_government_pension", "changes"), ("mx_talleres_aurora", "changes")])
        {
            let session = self.service.session().await;
            let progress = self.service.submit(&session, provider, name, "pass").await;
            let linked = self.service.until_settled(&session, &progress).await;
            accounts.push((session, provider, name.to_owned(), text(&linked["accountId"])));
        }
        self.until_tasks_end().await;
        for (session, provider, name, id) in &accounts {
            let path = format!("/accounts/{id}");
            if self.service.get(&path).await.body["monitorStatus"] == "UNSUPPORTED" {
                // Only another login has an account without sync read again.
                let again = self.service.submit(session, provider, name, "pass").await;
                assert_eq!((*provider, &again["accountId"]), ("mx_talleres_aurora", &json!(id)), "{name}");
                self.service.until_settled(session, &again).await;
                continue;
            }
            let refreshed = self.service.post(&format!("{path}/refresh"), json!({})).await;
            assert_eq!(refreshed.status, 202, "{name}: {}", refreshed.body);
        }
        self.until_tasks_end().await;
        for (session, provider, name, id) in &accounts {
            self.account(id).await;
            let path = format!("/accounts/{id}");
            if self.service.get(&path).await.body["monitorStatus"] == "USER_ACTION_REQUIRED" {
                let again = self.service.submit(session, provider, name, "pass").await;
                self.service.until_settled(session, &again).await;
                assert_eq!(self.service.get(&path).await.body["monitorStatus"], "ACTIVE", "{name}");
            }
        }
        self.until_tasks_end().await;
    }
}
