//! Continuous sync of the published logins.

use serde_json::json;

use super::Walk;
use crate::service::text;

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
            .chain([("mx_government_pension", "changes")])
        {
            let session = self.service.session().await;
            let progress = self.service.submit(&session, provider, name, "pass").await;
            let linked = self.service.settled(&session, &progress).await;
            accounts.push((session, provider, name.to_owned(), text(&linked["accountId"])));
        }
        self.until_tasks_end().await;
        for (_, _, name, id) in &accounts {
            let refreshed = self.service.post(&format!("/accounts/{id}/refresh"), json!({})).await;
            assert_eq!(refreshed.status, 202, "{name}: {}", refreshed.body);
        }
        self.until_tasks_end().await;
        for (session, provider, name, id) in &accounts {
            self.account(id).await;
            let path = format!("/accounts/{id}");
            if self.service.get(&path).await.body["monitorStatus"] == "USER_ACTION_REQUIRED" {
                let again = self.service.submit(session, provider, name, "pass").await;
                self.service.settled(session, &again).await;
                assert_eq!(self.service.get(&path).await.body["monitorStatus"], "ACTIVE", "{name}");
            }
        }
        self.until_tasks_end().await;
    }
}
