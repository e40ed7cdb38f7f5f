//! Outcomes that a sandbox reaches when its clock advances.

use std::collections::BTreeSet;

use axum::http::Method;
use link_store::test_support::Backend;
use link_test_support::receiver::Receiver;
use link_test_support::wait;
use serde_json::{Value, json};

use super::reach;
use crate::clock::{DAY, advance, advanced, hanging_webhook, linked};
use crate::service::{As, TestService, text};
use crate::uploads::{Uploader, picture};
use crate::webhook_management::until_deliveries;

/// A sandbox whose clock advances, and what was reached in it.
struct Aging {
    service: TestService,
    reached: BTreeSet<String>,
}

/// Advances the clock of a new sandbox, and returns what was reached.
pub(super) async fn aged(backend: Backend) -> BTreeSet<String> {
    let mut aging = Aging { service: TestService::start(backend).await, reached: BTreeSet::new() };
    aging.stopped_clock().await;
    aging.disabled_webhook().await;
    aging.ended_data().await;
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
    async fn stopped_clock(&mut self) {
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

    /// Lets every attempt at one webhook fail for 5 days. Another webhook of the tenant receives WEBHOOK_DISABLED.
    async fn disabled_webhook(&mut self) {
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
        advanced(&self.service, 6 * DAY).await;
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
    async fn ended_data(&mut self) {
        let mut archives = Vec::new();
        for side in [1_000, 1_001] {
            archives.push(Uploader::new(&self.service).await.submitted("PAYSLIP", &picture(side)).await);
        }
        let template = format!("/linkTemplates/{}", self.service.sandbox.template);
        let ends = self.service.patch(&template, json!({"retention": "FROM_CONNECTION"})).await;
        assert_eq!(ends.status, 200, "{}", ends.body);
        let revoked = linked(&self.service, "many").await;
        let expired = linked(&self.service, "good").await;
        let sandbox = self.service.sandbox.clone();
        for path in [format!("/accounts/{revoked}"), format!("/archives/{}", archives[0])] {
            let ended = self.service.send(Method::DELETE, &path, As::Tenant(&sandbox), None).await;
            assert_eq!(ended.status, 204, "{path}");
        }
        advanced(&self.service, 61 * DAY).await;
        for id in [revoked, expired] {
            let account = self.service.get(&format!("/accounts/{id}")).await.body;
            assert_eq!(account["connectionStatus"], "DISCONNECTED", "{account}");
            self.ended("account", &account["connection"]["endReason"]);
        }
        for id in archives {
            let archive = self.service.get(&format!("/archives/{id}")).await.body;
            self.ended("archive", &archive["state"]["endReason"]);
        }
    }

    fn ended(&mut self, what: &str, reason: &Value) {
        reach(&mut self.reached, &format!("{what} endReason"), reason);
    }
}
