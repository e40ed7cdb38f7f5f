//! The sandbox is complete: inputs that `GET /scenarios` publishes reach every code, status and event type through the
//! ordinary API.

mod clock;

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;

use axum::http::Method;
use link_documents::{ChildReader, Tesseract};
use link_domain::notifications::delivery::DISABLED_REASON;
use link_store::test_support::Backend;
use link_test_support::receiver::Receiver;
use link_test_support::wait;
use link_types::account::{ConnectionStatus, MonitorStatus};
use link_types::archive::{ArchiveErrorCode, ArchiveStatus};
use link_types::clock::ClockAdvanceStatus;
use link_types::data::DocumentStatus;
use link_types::event::EventType;
use link_types::hosted_link::HostedLinkStatus;
use link_types::invite::{InviteMailError, InviteStatus};
use link_types::link::GuessLimit;
use link_types::record::{RecordStatus, ResultCode};
use link_types::signal::SignalKind;
use link_types::task::TaskStatus;
use link_types::webhook::DeliveryStatus;
use link_types::{EndReason, LinkErrorCode};
use serde_json::{Value, json};

use crate::invites::MailServer;
use crate::service::{As, TestService, text};
use crate::uploads::Uploader;

/// Returns every code, status, event type and limit.
fn list_wanted_values() -> BTreeSet<String> {
    let mut all = BTreeSet::new();
    let mut add =
        |what: &str, words: Vec<&str>| all.extend(words.iter().map(|word| format!("{what} {word}")));
    add("linking code", LinkErrorCode::ALL.iter().map(|it| it.as_str()).collect());
    add("connectionStatus", ConnectionStatus::ALL.iter().map(|it| it.as_str()).collect());
    add("monitorStatus", MonitorStatus::ALL.iter().map(|it| it.as_str()).collect());
    add("task status", TaskStatus::ALL.iter().map(|it| it.as_str()).collect());
    add("task code", ArchiveErrorCode::ALL.iter().map(|it| it.as_str()).collect());
    // Those of readings. The other codes of linking end a login, which has no task.
    add("task code", ["ACCOUNT_LOCKED", "AUTH_REQUIRED", "EXPIRED_CREDENTIALS", "TOS_REQUIRED"].to_vec());
    add("webhook disabledReason", vec![DISABLED_REASON]);
    add("document status", DocumentStatus::ALL.iter().map(|it| it.as_str()).collect());
    add("archive status", ArchiveStatus::ALL.iter().map(|it| it.as_str()).collect());
    add("archive code", ArchiveErrorCode::ALL.iter().map(|it| it.as_str()).collect());
    add("record status", RecordStatus::ALL.iter().map(|it| it.as_str()).collect());
    add("record code", ResultCode::ALL.iter().map(|it| it.as_str()).collect());
    add("signal status", RecordStatus::ALL.iter().map(|it| it.as_str()).collect());
    add("invite status", InviteStatus::ALL.iter().map(|it| it.as_str()).collect());
    // Without a mail server, the sandbox stores its mails: only production has that error.
    let errors = InviteMailError::ALL.iter().filter(|it| **it != InviteMailError::NoMailServer);
    add("mailError", errors.map(|it| it.as_str()).collect());
    add("hosted link status", HostedLinkStatus::ALL.iter().map(|it| it.as_str()).collect());
    add("delivery status", DeliveryStatus::ALL.iter().map(|it| it.as_str()).collect());
    add("clock advance status", ClockAdvanceStatus::ALL.iter().map(|it| it.as_str()).collect());
    for what in ["account endReason", "archive endReason"] {
        add(what, EndReason::ALL.iter().map(|it| it.as_str()).collect());
    }
    add("event", EventType::ALL.iter().map(|it| it.as_str()).collect());
    add("limit", GuessLimit::ALL.iter().map(|it| it.as_str()).collect());
    for kind in SignalKind::ALL {
        add(&format!("{kind} code"), ResultCode::ALL.iter().map(|it| it.as_str()).collect());
    }
    all
}

/// Returns the folder of the published documents.
fn samples() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs/samples")
}

/// A sandbox, what was reached in it, and a webhook receiver for its events.
pub struct Walk {
    pub service: TestService,
    pub published: Value,
    pub reached: BTreeSet<String>,
    pub receiver: Receiver,
    server: MailServer,
}

#[tokio::test(flavor = "multi_thread")]
async fn sandbox_inputs_reach_every_code_status_and_event() {
    let aged =
        async { (clock::age_sandbox(Backend::Sqlite).await, clock::age_sandbox(Backend::Postgres).await) };
    let (mut walk, (aged, aged_on_postgres), unavailable) =
        tokio::join!(Walk::whole(Backend::Sqlite), aged, clock::unavailable());
    assert_eq!(aged, aged_on_postgres);
    walk.reached.extend(aged);
    walk.reach("mailError", &unavailable);
    walk.mail_errors().await;
    let missing: Vec<_> = list_wanted_values().difference(&walk.reached).cloned().collect();
    assert_eq!(missing, [""; 0], "no published input reaches these");
}

/// Records that a value was reached.
fn reach(reached: &mut BTreeSet<String>, what: &str, word: &Value) {
    if let Some(word) = word.as_str() {
        reached.insert(format!("{what} {word}"));
    }
}

impl Walk {
    /// Uses every published input through the ordinary API.
    pub async fn whole(backend: Backend) -> Self {
        let mut walk = Self::start(backend).await;
        walk.accounts().await;
        walk.syncs().await;
        walk.limits().await;
        walk.archives().await;
        walk.records_and_signals().await;
        walk.invitation().await;
        walk.complete_hosted_links().await;
        walk.tasks_and_events().await;
        walk
    }

    async fn start(backend: Backend) -> Self {
        let server = MailServer::with_limit(clock::MAX_MAIL);
        let address = server.address();
        let service = TestService::start_of(
            backend,
            |settings| settings.smtp_url = Some(address.into()),
            |parts| {
                let program = env!("CARGO_BIN_EXE_linchpin");
                parts.ports.reader = Arc::new(ChildReader::new(program, &["extract"], Tesseract::default()));
            },
        )
        .await;
        service.allow_mail("@example.com").await;
        let receiver = Receiver::start(&[]).await;
        let hook = json!({
            "url": receiver.url, "eventTypes": ["ALL_EVENTS"], "secret": "a secret of a tenant", "includePayload": true,
        });
        assert_eq!(service.post("/webhooks", hook).await.status, 201);
        let published = service.get("/scenarios").await.body["published"].clone();
        Self { service, published, reached: BTreeSet::new(), receiver, server }
    }

    fn reach(&mut self, what: &str, word: &Value) {
        reach(&mut self.reached, what, word);
    }

    async fn account(&mut self, id: &str) {
        let account = self.service.get(&format!("/accounts/{id}")).await.body;
        self.reach("connectionStatus", &account["connectionStatus"]);
        self.reach("monitorStatus", &account["monitorStatus"]);
        self.reach("linking code", &account["connection"]["errorCode"]);
    }

    /// Uses every published login at one provider, and the login `good` at every provider.
    async fn accounts(&mut self) {
        let logins = self.published["logins"].as_array().unwrap().clone();
        let password = text(&self.published["password"]);
        for login in &logins {
            let session = self.service.session().await;
            let name = text(&login["login"]);
            let progress = self.service.submit(&session, "mx_social_security", &name, &password).await;
            let id = text(&progress["accountId"]);
            if login["connectionStatus"] == "PENDING" {
                self.account(&id).await;
                continue;
            }
            self.service.until_settled(&session, &progress).await;
            let account = self.service.get(&format!("/accounts/{id}")).await.body;
            assert_eq!(account["connectionStatus"], login["connectionStatus"], "{name}: {account}");
            assert_eq!(account["connection"]["errorCode"], login["errorCode"], "{name}: {account}");
            // Some logins are read for seconds.
            let tasks = self.service.get(&format!("/tasks?sourceId={id}")).await.body;
            for task in tasks["items"].as_array().unwrap() {
                self.reach("task status", &task["status"]);
            }
            self.account(&id).await;
        }
        let providers = self.service.get("/providers?size=150").await.body["items"].clone();
        for provider in providers.as_array().unwrap() {
            let id = self.link(provider, &password).await;
            self.account(&id).await;
        }
        let id = text(&self.service.get("/accounts?size=1").await.body["items"][0]["id"]);
        self.service
            .send(
                Method::POST,
                &format!("/accounts/{id}/disableMonitor"),
                As::Tenant(&self.service.sandbox),
                None,
            )
            .await;
        self.account(&id).await;
        self.until_tasks_end().await;
        for document in self.all("/documents").await {
            self.reach("document status", &document["status"]);
        }
        let again = self.service.session().await;
        let reauth = self.service.submit(&again, "ph_social_security", "reauth", &password).await;
        self.service.until_settled(&again, &reauth).await;
        self.until_tasks_end().await;
        self.account(&text(&reauth["accountId"])).await;
        assert_eq!(self.service.delete(&format!("/accounts/{id}")).await.status, 204);
        self.account(&id).await;
    }

    /// Reaches every guess limit with its published logins in turn, then the first one again.
    async fn limits(&mut self) {
        let logins = self.published["logins"].as_array().unwrap().clone();
        for limit in GuessLimit::ALL {
            let session = self.service.session().await;
            let showing =
                logins.iter().filter(|it| it["limit"] == limit.as_str()).map(|it| text(&it["login"]));
            let showing: Vec<String> = showing.collect();
            for name in showing.iter().chain(showing.first()) {
                let body = self.service.login(&session, "mx_health_insurance", name, "pass").await;
                let path = "/link/accounts";
                let tried = self.service.send(Method::POST, path, As::Session(&session), Some(&body)).await;
                if tried.status == 429 {
                    assert_eq!(tried.body["code"], "LOGIN_LIMIT_EXCEEDED", "{name}");
                    assert!(tried.headers.contains_key("retry-after"), "{name}");
                    self.reach("limit", &limit.as_str().into());
                    break;
                }
                self.service.until_settled(&session, &tried.body).await;
            }
        }
    }

    /// Links the login `good` at a provider with its first login option, if it has one.
    async fn link(&self, provider: &Value, password: &str) -> String {
        let session = self.service.session().await;
        let id = text(&provider["id"]);
        let mut body = self.service.login(&session, &id, "good", password).await;
        match provider["loginOptions"][0]["id"].as_str() {
            None => {
                for name in ["loginOption", "loginName", "credentials"] {
                    body[name] = Value::Null;
                }
            }
            Some("email") => {
                let form = json!({"email": "good@example.com", "password": password});
                body["loginOption"] = "email".into();
                body["loginName"] = "good@example.com".into();
                body["credentials"] = self.service.sealer(&session).await.credentials(&id, &form);
            }
            Some(_) => {}
        }
        let started =
            self.service.send(Method::POST, "/link/accounts", As::Session(&session), Some(&body)).await;
        if provider["enabled"] == false {
            assert!(started.status.is_client_error() || started.status == 201, "{:?}", started.body);
        } else {
            assert_eq!(started.status, 201, "{id}: {:?}", started.body);
        }
        if started.status == 201 {
            self.service.until_settled(&session, &started.body).await;
            return text(&started.body["accountId"]);
        }
        text(&self.service.get("/accounts?size=1").await.body["items"][0]["id"])
    }

    /// Uploads every published document.
    async fn archives(&mut self) {
        let folder = samples();
        let documents = self.published["documents"].as_array().unwrap().clone();
        for document in &documents {
            let bytes = std::fs::read(folder.join(text(&document["file"]))).unwrap();
            let kind = document["type"].as_str().unwrap_or("PAYSLIP").to_owned();
            let uploader = Uploader::new(&self.service).await;
            if document["status"].is_null() {
                let archive = uploader.archive(&kind).await;
                let refused = uploader.upload(&archive, "PAGE", &bytes).await;
                assert_eq!(
                    refused.body["fileFault"], document["errorCode"],
                    "{document}: {:?}",
                    refused.body
                );
                continue;
            }
            let slot = if kind == "IDENTIFICATION" { "FRONT" } else { "PAGE" };
            let id = self.submit(&kind, slot, &bytes).await;
            let archive = self.service.get(&format!("/archives/{id}")).await.body;
            assert_eq!(archive["state"]["status"], document["status"], "{document}: {archive}");
            assert_eq!(archive["state"]["errorCode"], document["errorCode"], "{document}: {archive}");
            self.reach("archive status", &archive["state"]["status"]);
            self.reach("archive code", &archive["state"]["errorCode"]);
            assert_eq!(self.service.delete(&format!("/archives/{id}")).await.status, 204);
            let revoked = self.service.get(&format!("/archives/{id}")).await.body;
            self.reach("archive status", &revoked["state"]["status"]);
        }
    }

    /// Creates and submits an archive of one file, waits for its analysis and returns its id.
    async fn submit(&mut self, kind: &str, slot: &str, bytes: &[u8]) -> String {
        let uploader = Uploader::new(&self.service).await;
        let archive = uploader.archive(kind).await;
        let sent = uploader.upload(&archive, slot, bytes).await;
        assert_eq!(sent.status, 204, "{kind} {slot}: {:?}", sent.body);
        let path = format!("/link/archives/{archive}");
        let mut progress = uploader.send(Method::POST, &format!("{path}/submit"), Some(&json!({}))).await;
        assert_eq!(progress.status, 200, "{:?}", progress.body);
        let submitted = self.service.get(&format!("/archives/{archive}")).await.body;
        reach(&mut self.reached, "archive status", &submitted["state"]["status"]);
        for _ in 0..20 {
            if progress.body["phase"].get("analyzing").is_none() {
                return archive;
            }
            let wait = format!("{path}?after={}&wait=5000", progress.body["version"]);
            progress = uploader.send(Method::GET, &wait, None).await;
        }
        panic!("the archive was never analyzed: {}", progress.body);
    }

    /// Uses every published phone number and email address for a record and for each signal.
    async fn records_and_signals(&mut self) {
        for input in self.published["records"].as_array().unwrap().clone() {
            let (number, email) = (text(&input["mobileNumber"]), text(&input["emailAddress"]));
            let created =
                self.service.post("/alpha/socialSecurities", crate::records::request(&number)).await;
            self.reach("record status", &created.body["status"]);
            let path = format!("/alpha/socialSecurities/{}", text(&created.body["id"]));
            let record = self.service.until_completed(&path, &self.service.sandbox.clone()).await;
            assert_eq!(record["resultCode"], input["recordResultCode"], "{input}");
            self.reach("record status", &record["status"]);
            self.reach("record code", &record["resultCode"]);
            for kind in SignalKind::ALL {
                let request = crate::signals::request(*kind, &number, &email);
                let created = self.service.post(kind.path(), request).await;
                self.reach("signal status", &created.body["status"]);
                let path = format!("{}/{}", kind.path(), text(&created.body["id"]));
                let signal = self.service.until_completed(&path, &self.service.sandbox.clone()).await;
                assert_eq!(signal["resultCode"], input["resultCode"], "{kind} {input}");
                self.reach("signal status", &signal["status"]);
                self.reach(&format!("{kind} code"), &signal["resultCode"]);
            }
        }
        let processing = self.processing_signal().await;
        self.reach("signal status", &processing["status"]);
    }

    /// Reads a verification before it ends. The source of the sandbox may be faster than a GET, so this tries again.
    async fn processing_signal(&self) -> Value {
        let (kind, email) = (SignalKind::Verification, "success@example.com");
        wait::until_some("a verification is processed", async || {
            let created =
                self.service.post(kind.path(), crate::signals::request(kind, "525500000100", email)).await;
            let signal =
                self.service.get(&format!("{}/{}", kind.path(), text(&created.body["id"]))).await.body;
            (signal["status"] == "PROCESSING").then_some(signal)
        })
        .await
    }

    async fn tasks_and_events(&mut self) {
        self.until_tasks_end().await;
        for task in self.all("/tasks").await {
            self.reach("task status", &task["status"]);
            self.reach("task code", &task["errorCode"]);
        }
        for event in self.all("/events").await {
            self.reach("event", &event["type"]);
            if event["type"] == "ACCOUNT_FAILED" {
                self.reach("linking code", &event["data"]["errorCode"]);
            }
        }
    }

    /// Waits until every task has finished.
    pub async fn until_tasks_end(&self) {
        wait::until("every task has finished", async || {
            self.all("/tasks").await.iter().all(|task| task["status"] != "STARTED")
        })
        .await;
    }

    /// Returns every item of a list.
    pub async fn all(&self, list: &str) -> Vec<Value> {
        let (mut items, mut path) = (Vec::new(), format!("{list}?size=150"));
        loop {
            let page = self.service.get(&path).await;
            assert_eq!(page.status, 200, "{path} {:?}", page.body);
            items.extend(page.body["items"].as_array().unwrap().iter().cloned());
            match page.body["nextCursor"].as_str() {
                Some(cursor) => path = format!("{list}?size=150&cursor={cursor}"),
                None => return items,
            }
        }
    }
}
