//! The preconditions of a guide's requests: what end users did in the widget or on a hosted page.

use axum::http::Method;
use link_test_support::receiver::Receiver;
use serde_json::{Value, json};

use super::run::Guide;
use crate::service::{As, HOST_ORIGIN, secret, text};
use crate::uploads::Uploader;

impl Guide {
    /// Establishes a precondition.
    pub async fn given(&mut self, what: &str) {
        let (kind, rest) = what.split_once(": ").unwrap_or((what, ""));
        match kind {
            "a person links" => {
                for place in rest.split(", ") {
                    let (login, provider) = place.split_once(" at ").unwrap();
                    self.link(provider, login).await;
                }
            }
            "a person uploads" => self.upload(rest).await,
            "an invited person answers the form" => self.answer_form(rest).await,
            "a receiver at" => {
                let receiver = Receiver::start(&[]).await;
                self.alias(rest, &receiver.url);
                self.receiver = Some(receiver);
            }
            "a document" => {
                let path = format!("{}/../../docs/samples/{rest}", env!("CARGO_MANIFEST_DIR"));
                let bytes = std::fs::read(path).unwrap();
                use base64::Engine as _;
                self.name("content", &base64::engine::general_purpose::STANDARD.encode(bytes));
            }
            _ => panic!("unknown precondition: {what}"),
        }
    }

    /// Returns the session of the guide's user; opens it on first use.
    async fn session(&mut self) -> String {
        if let Some(session) = &self.session {
            return session.clone();
        }
        let token = match self.names.get("userId") {
            Some(user) => {
                let answer = self.service.post(&format!("/tokens?userId={user}"), json!({})).await;
                text(&answer.body["accessToken"])
            }
            None => {
                let (user, token) = self.service.user().await;
                self.name("userId", &user);
                token
            }
        };
        let session = secret();
        let opened = self.service.exchange(&token, &session).await;
        assert_eq!(opened.status, 201, "from {HOST_ORIGIN}: {:?}", opened.body);
        self.session = Some(session.clone());
        session
    }

    async fn link(&mut self, provider: &str, login: &str) {
        let session = self.session().await;
        let service = &self.service;
        let shown = service.get(&format!("/providers/{provider}")).await.body;
        let finished = service.event_types().await.iter().filter(|it| *it == "TASK_FINISHED").count();
        let mut body = service.login(&session, provider, login, "pass").await;
        if shown["loginOptions"][0]["id"] != "username" {
            let name = format!("{login}@example.com");
            body["loginOption"] = shown["loginOptions"][0]["id"].clone();
            body["loginName"] = json!(name);
            let form = json!({"email": name, "password": "pass"});
            body["credentials"] = service.sealer(&session).await.credentials(provider, &form);
        }
        let begun = service.send(Method::POST, "/link/accounts", As::Session(&session), Some(&body)).await;
        assert_eq!(begun.status, 201, "{provider}: {:?}", begun.body);
        let settled = service.settled(&session, &begun.body).await;
        if settled["phase"].get("connected").is_some() {
            service.until_events("TASK_FINISHED", finished + 1).await;
        }
        let account = text(&begun.body["accountId"]);
        self.name("accountId", &account);
    }

    async fn upload(&mut self, sample: &str) {
        let path = format!("{}/../../docs/samples/{sample}", env!("CARGO_MANIFEST_DIR"));
        let bytes = std::fs::read(path).unwrap();
        let session = self.session().await;
        let widget = Uploader { service: &self.service, session };
        let archive = widget.submitted("PAYSLIP", &bytes).await;
        self.service.until_event("TASK_FINISHED").await;
        self.name("archiveId", &archive);
    }

    async fn answer_form(&mut self, answers: &str) {
        let invite = self.service.invited().await;
        let cookie = self.service.enter(&text(&invite["landingPageUrl"])).await;
        let sent = self.service.browse(Method::POST, "/visit/form", &cookie, Some(answers)).await;
        assert_eq!(sent.status, 303, "{}", String::from_utf8_lossy(&sent.bytes));
    }

    /// Records the ids of a response as names for later requests.
    pub fn learn(&mut self, answer: &Value) {
        for (field, value) in answer.as_object().into_iter().flatten() {
            if let (true, Some(id)) = (field.ends_with("Id"), value.as_str()) {
                self.name(field, id);
            }
        }
        let one = if answer["items"].is_array() { &answer["items"][0] } else { answer };
        if let Some((name, id)) = one["id"].as_str().and_then(|id| Some((name_of(id)?, id))) {
            self.name(name, id);
        }
        if let Some(id) = answer["files"][0]["id"].as_str() {
            self.name("fileId", id);
        }
    }
}

/// Returns the name that guides use for an id, by its prefix.
fn name_of(id: &str) -> Option<&'static str> {
    let (prefix, _) = id.split_once('-')?;
    let name = match prefix {
        "a" => "accountId",
        "archive" => "archiveId",
        "bl" | "bb" | "bs" | "cl" | "fp" | "maw" | "vf" | "sss" | "ie" => "signalId",
        "con" => "contributionId",
        "ct" => "consentTemplateId",
        "d" => "documentId",
        "demo" => "userId",
        "dlv" => "deliveryId",
        "e" => "employmentId",
        "einc" => "eincomeId",
        "et" => "eventId",
        "export" => "exportId",
        "form" => "formId",
        "i" => "identityId",
        "inc" => "incomeId",
        "insight" => "insightId",
        "iv" => "inviteId",
        "ivt" => "inviteTemplateId",
        "lia" => "liabilityId",
        "link" => "linkId",
        "lt" => "linkTemplateId",
        "r" => "ratingId",
        "scn" => "scenarioId",
        "ss" => "recordId",
        "t" | "trx" | "tx" => "transactionId",
        "task" => "taskId",
        "wh" => "webhookId",
        _ => return None,
    };
    Some(name)
}
