//! A webhook that fails for 5 days.

use std::sync::Arc;
use std::time::Duration;

use link_domain::webhook::FAILURES_TO_OPEN;
use link_store::test_support::Backend;
use link_test_support::receiver::Receiver;
use link_test_support::wait;
use serde_json::json;

use super::Walk;
use crate::archives::TestClock;
use crate::service::{TestService, text};
use crate::webhook_management::until_deliveries;

impl Walk {
    /// Lets every attempt at one webhook fail for 5 days of a separate service. Another webhook of the tenant receives
    /// WEBHOOK_DISABLED. On SQLite only: PostgreSQL claims by the server's clock, which a test cannot move.
    pub(super) async fn disabled_webhook(&mut self) {
        let clock = Arc::new(TestClock::default());
        let moved = Arc::clone(&clock);
        let service = TestService::start_of(Backend::Sqlite, |_| {}, move |parts| parts.clock = moved).await;
        let hook = |url: &str, types: &str| json!({"url": url, "eventTypes": [types], "secret": "a secret of a tenant"});
        // Nothing listens on this port.
        let failing = service.post("/webhooks", hook("http://127.0.0.1:9/hook", "ALL_EVENTS")).await.body;
        let receiver = Receiver::start(&[]).await;
        let other = service.post("/webhooks", hook(&receiver.url, "WEBHOOK_DISABLED")).await;
        assert_eq!(other.status, 201, "{:?}", other.body);
        let path = format!("/webhooks/{}", text(&failing["id"]));
        let mut sent = 0;
        while sent * 3 < FAILURES_TO_OPEN as usize {
            service.user().await;
            sent += 1;
            until_deliveries(&service, &path, "EXHAUSTED", sent).await;
        }
        // A pause of a whole day between two probes would start the 5 days again.
        let step = Duration::from_secs(23 * 3_600);
        for _ in 0..6 {
            clock.advance(step);
            service.user().await;
            wait::until_ok("no delivery is pending", async || {
                let pending = service.get(&format!("{path}/deliveries?status=PENDING")).await.body;
                match pending["items"].as_array() {
                    Some(items) if items.is_empty() => Ok(()),
                    Some(_) | None => Err(pending),
                }
            })
            .await;
        }
        wait::until("the webhook is disabled", async || {
            service.get(&path).await.body["disabledReason"].is_string()
        })
        .await;
        let disabled = service.get(&path).await.body;
        let received = receiver.until(1).await;
        let event = &received[0].event;
        assert_eq!(
            event["data"],
            json!({"webhookId": failing["id"], "disabledReason": disabled["disabledReason"]})
        );
        self.reach("event", &event["type"]);
    }
}
