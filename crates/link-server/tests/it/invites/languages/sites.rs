//! The pages of link sites in every language.

use std::time::Duration;

use axum::http::Method;
use link_domain::kernel::clock::ClockOffset;
use link_domain::notifications::generated::text_keys::LOCALES;
use link_store::StoreError;
use serde_json::{Value, json};

use super::{Seen, Stage};
use crate::invites::html;
use crate::service::{HOST_ORIGIN, text};

/// Returns a form whose every field can have another fault, and a field with a condition.
fn form() -> Value {
    json!({"reference": "loan", "locale": "de", "fields": [
        {"name": "count", "label": "Zahl", "type": "NUMBER"},
        {"name": "code", "label": "Kode", "type": "TEXT", "format": {"digits": {"min": 4, "max": 4}}},
        {"name": "mark", "label": "Zeichen", "type": "TEXT", "format": {"alphanumeric": {"min": 4, "max": 4}}},
        {"name": "curp", "label": "Kennung", "type": "TEXT", "format": {"curp": {}}},
        {
            "name": "more", "label": "Mehr", "type": "TEXT",
            "condition": {"join": "ALL", "rules": [{"field": "count", "operator": "ANSWERED"}]},
        },
    ]})
}

impl Stage {
    pub(super) async fn look_at_sites(&self, see: &mut Seen) {
        let tag = LOCALES[see.locale];
        let (get, post) = (|| Method::GET, || Method::POST);
        let template = format!("/linkTemplates/{}", self.service.sandbox.template);
        let allowed = json!({"allowedOrigins": ["https://app.example", HOST_ORIGIN]});
        assert_eq!(self.service.patch(&template, allowed).await.status, 200);
        let path = format!("/s/walk-{}", tag.to_lowercase());
        let mut site = crate::link_sites::site(&self.service, &path[3..]);
        site["status"] = json!("DRAFT");
        site["steps"] = json!(["FORM", "THANK_YOU"]);
        (site["form"], site["prefill"], site["locale"]) = (form(), json!([]), json!("de"));
        site["startPage"] = json!({"title": "Antrag", "text": "Fragen."});
        site["endPage"] = json!({"title": "Fertig", "text": "Danke.", "redirectUrl": "https://app.example/"});
        let made = self.service.post("/alpha/linkSites", site).await;
        assert_eq!(made.status, 201, "{:?}", made.body);
        let resource = format!("/alpha/linkSites/{}", text(&made.body["id"]));
        let set = async |change: Value| {
            let changed = self.service.patch(&resource, change).await;
            assert_eq!(changed.status, 200, "{:?}", changed.body);
        };

        self.look(see, "unknown site", get(), "/s/unknown", "").await;
        self.look(see, "draft", get(), &path, "").await;
        set(json!({"status": "PUBLISHED", "limits": {"submissions": 1}})).await;
        self.look(see, "first page", get(), &path, "").await;
        let cookie = self.service.enter(&path).await;
        self.look(see, "form of a site", get(), "/visit", &cookie).await;
        let send = async |answers: &str, status: u16| {
            let response = self.service.browse_in(tag, post(), "/visit/form", &cookie, Some(answers)).await;
            assert_eq!(response.status.as_u16(), status, "{answers}");
            html(&response)
        };
        self.clock.advance(Duration::from_secs(2));
        see.page("answers of a program", &send("_website=x", 422).await);
        see.page("faults", &send("count=x&code=x&mark=%C3%BC&curp=x", 422).await);
        see.page("too short", &send("code=1", 422).await);
        see.page("more questions", &send("count=1", 422).await);
        send("count=1&_shown=more", 303).await;
        self.look(see, "end page", get(), "/visit/done", &cookie).await;
        self.look(see, "full", get(), &path, "").await;
        set(json!({"limits": {}, "access": "INVITATION"})).await;
        self.look(see, "invitation", get(), &path, "").await;
        set(json!({"status": "CLOSED"})).await;
        self.look(see, "closed", get(), &path, "").await;
    }

    /// Looks at a page while the tenant is suspended.
    pub(super) async fn look_at_suspended(&self, see: &mut Seen) {
        self.stand(true).await;
        self.look(see, "suspended tenant", Method::GET, "/s/walk-en", "").await;
        self.stand(false).await;
    }

    /// Suspends the tenant, or resumes it.
    async fn stand(&self, is_suspended: bool) {
        let now = self.service.app.now(ClockOffset::default());
        let applied: Result<(), StoreError> = self
            .service
            .app
            .store
            .write(move |tx| {
                let tenant = tx.tenants().get(&"demo".parse().unwrap())?.unwrap();
                let changed =
                    if is_suspended { tenant.suspend(now.wall()) } else { tenant.resume(now.wall()) };
                tx.apply(&changed.unwrap().1, now)
            })
            .await;
        applied.unwrap();
    }
}
