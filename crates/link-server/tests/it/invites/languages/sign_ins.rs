//! The pages of a login on a provider's page.

use axum::http::Method;

use super::{Seen, Stage};
use crate::service::text;

/// The end of each last page's address. The last one is of a person who left a hosted page in the same tab.
const ENDS: [&str; 9] = [
    "received",
    "refused",
    "failed",
    "over",
    "expired",
    "other-browser",
    "wrong-issuer",
    "unknown",
    "over-here",
];

impl Stage {
    /// Looks at the question before a login, and at every last page.
    pub(super) async fn look_at_sign_ins(&self, see: &mut Seen) {
        let session = self.service.session().await;
        let waiting = self.service.submit(&session, "mx_social_security", "oauth", "pass").await;
        let waiting = self.service.until_settled(&session, &waiting).await;
        let address = text(&waiting["phase"]["challenge"]["challenge"]["kind"]["redirect"]["address"]);
        let path = address.trim_start_matches(self.service.app.settings.hosted_url.as_str());
        self.look(see, "question before a login", Method::GET, path, "").await;
        for end in ENDS {
            let path = format!("/sign-in/done/{end}");
            self.look(see, &path, Method::GET, &path, "").await;
        }
    }
}
