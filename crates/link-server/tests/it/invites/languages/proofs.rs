//! The pages that prove an address on a link site, and the mail with the code, in every language.

use std::time::Duration;

use axum::http::Method;
use link_domain::invitations::address_proof::CODE_WAIT;
use link_domain::notifications::generated::text_keys::LOCALES;
use link_test_support::wait;
use serde_json::json;

use super::{Seen, Stage};
use crate::invites::html;
use crate::link_sites::proof::other_than;

/// Looks at the pages of a service of this language only: the codes that a network may request are limited.
pub(super) async fn look_at_proofs(see: &mut Seen) {
    let mut stage = Stage::set().await;
    let cookie = stage.enter_proof().await;
    stage.look(see, "address", Method::GET, "/visit", &cookie).await;
    let code = stage.request_code(see, &cookie, 1).await;
    stage.look(see, "code", Method::GET, "/visit", &cookie).await;
    stage.prove(see, &cookie, "code=12").await;
    stage.prove(see, &cookie, "act=again").await;
    for _ in 0..5 {
        stage.prove(see, &cookie, &format!("code={}", other_than(&code))).await;
    }
    for number in 2..=4 {
        stage.clock.advance(CODE_WAIT);
        stage.request_code(see, &cookie, number).await;
    }
    stage.clock.advance(CODE_WAIT);
    stage.prove(see, &cookie, "act=again").await;
    let last = stage.read_mailed_code(4).await;
    for _ in 0..5 {
        stage.prove(see, &cookie, &format!("code={}", other_than(&last))).await;
    }

    stage.service.suppress("bo@example.com").await;
    let cookie = stage.enter_proof_again().await;
    stage.prove(see, &cookie, "address=bo%40example.com").await;
    let service = &mut stage.service;
    std::mem::swap(&mut service.sandbox, &mut service.production);
    let cookie = stage.enter_proof().await;
    for _ in 0..5 {
        stage.prove(see, &cookie, "address=ana%40example.com").await;
    }
}

impl Stage {
    /// Creates a link site that asks for a proven address, and begins a visit.
    async fn enter_proof(&self) -> String {
        let mut site = crate::link_sites::site(&self.service, "proof");
        site["access"] = json!("PROVEN_EMAIL");
        // The environments have different addresses.
        site["slug"] = json!(format!("proof-{}", site["linkTemplateId"].as_str().unwrap()));
        let made = self.service.post("/alpha/linkSites", site).await;
        assert_eq!(made.status, 201, "{:?}", made.body);
        self.enter_site(made.body["slug"].as_str().unwrap()).await
    }

    async fn enter_proof_again(&self) -> String {
        let sites = self.service.get("/alpha/linkSites").await.body;
        self.enter_site(sites["items"][0]["slug"].as_str().unwrap()).await
    }

    async fn enter_site(&self, slug: &str) -> String {
        let cookie = self.service.enter(&format!("/s/{slug}")).await;
        self.clock.advance(Duration::from_secs(2));
        cookie
    }

    /// Sends a form of the proof, and looks at its page.
    async fn prove(&self, see: &mut Seen, cookie: &str, form: &str) {
        let tag = LOCALES[see.locale];
        let response = self.service.browse_in(tag, Method::POST, "/visit/proof", cookie, Some(form)).await;
        assert!(matches!(response.status.as_u16(), 403 | 422), "{form}: {:?}", response.status);
        see.page(form, &html(&response));
    }

    /// Requests a code, and looks at its mail. Returns the code.
    async fn request_code(&self, see: &mut Seen, cookie: &str, number: usize) -> String {
        let form = "address=ana%40example.com";
        let tag = LOCALES[see.locale];
        let response = self.service.browse_in(tag, Method::POST, "/visit/proof", cookie, Some(form)).await;
        assert_eq!(response.status, 303, "{}", html(&response));
        let code = self.read_mailed_code(number).await;
        let mail = self.mails.0.lock().unwrap()[number - 1].clone();
        see.page("mail with a code", mail.html.expose());
        see.text("plain mail with a code", mail.text.expose());
        see.text("subject of a code", mail.subject.expose());
        code
    }

    /// Returns the code in the mail with this number.
    async fn read_mailed_code(&self, number: usize) -> String {
        let found = || self.mails.0.lock().unwrap().get(number - 1).cloned();
        wait::until("the mail is sent", async || found().is_some()).await;
        let is_code = |line: &&str| line.len() == 6 && line.bytes().all(|it| it.is_ascii_digit());
        found().unwrap().text.expose().lines().find(is_code).unwrap().to_owned()
    }
}
