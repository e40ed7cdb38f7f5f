//! The sandbox is complete: inputs that `GET /scenarios` publishes reach every code, status and event type through the
//! ordinary API.

mod syncs;
mod webhooks;

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;

use axum::http::Method;
use link_documents::{ChildReader, Tesseract};
use link_store::test_support::Backend;
use link_test_support::receiver::Receiver;
use link_test_support::wait;
use link_types::LinkErrorCode;
use link_types::account::{ConnectionStatus, MonitorStatus};
use link_types::archive::{ArchiveErrorCode, ArchiveStatus};
use link_types::data::DocumentStatus;
use link_types::event::EventType;
use link_types::guessing::GuessLimit;
use link_types::invite::InviteStatus;
use link_types::record::{RecordStatus, ResultCode};
use link_types::signal::SignalKind;
use link_types::task::TaskStatus;
use serde_json::{Value, json};

use crate::invites::{HOSTED, MailServer, ana};
use crate::service::{As, TestService, text};
use crate::uploads::Uploader;

/// Returns every code, status, event type and limit.
fn wanted() -> BTreeSet<String> {
    let mut all = BTreeSet::new();
    let mut add =
        |what: &str, words: Vec<&str>| all.extend(words.iter().map(|word| format!("{what} {word}")));
    add("linking code", LinkErrorCode::ALL.iter().map(|it| it.as_str()).collect());
    add("connectionStatus", ConnectionStatus::ALL.iter().map(|it| it.as_str()).collect());
    add("monitorStatus", MonitorStatus::ALL.iter().map(|it| it.as_str()).collect());
    add("task status", TaskStatus::ALL.iter().map(|it| it.as_str()).collect());
    add("document status", DocumentStatus::ALL.iter().map(|it| it.as_str()).collect());
    add("archive status", ArchiveStatus::ALL.iter().map(|it| it.as_str()).collect());
    add("archive code", ArchiveErrorCode::ALL.iter().map(|it| it.as_str()).collect());
    add("record status", RecordStatus::ALL.iter().map(|it| it.as_str()).collect());
    add("record code", ResultCode::ALL.iter().map(|it| it.as_str()).collect());
    // A GET may come too late to see a signal as PROCESSING; VERIFICATION_STARTED reports that status.
    let ended = RecordStatus::ALL.iter().filter(|it| **it != RecordStatus::Processing);
    add("signal status", ended.map(|it| it.as_str()).collect());
    add("invite status", InviteStatus::ALL.iter().map(|it| it.as_str()).collect());
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
    let walk = Walk::whole(Backend::Sqlite).await;
    let missing: Vec<_> = wanted().difference(&walk.reached).cloned().collect();
    assert_eq!(missing, [""; 0], "no published input reaches these");
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
        walk.tasks_and_events().await;
        walk.disabled_webhook().await;
        walk
    }

    async fn start(backend: Backend) -> Self {
        let server = MailServer::up();
        let address = server.address();
        let service = TestService::start_of(
            backend,
            |settings| settings.smtp_url = Some(address.into()),
            |parts| {
                let program = env!("CARGO_BIN_EXE_linchpin");
                parts.reader = Arc::new(ChildReader::new(program, &["extract"], Tesseract::default()));
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
        if let Some(word) = word.as_str() {
            self.reached.insert(format!("{what} {word}"));
        }
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
            self.service.settled(&session, &progress).await;
            let account = self.service.get(&format!("/accounts/{id}")).await.body;
            assert_eq!(account["connectionStatus"], login["connectionStatus"], "{name}: {account}");
            assert_eq!(account["connection"]["errorCode"], login["errorCode"], "{name}: {account}");
            self.account(&id).await;
        }
        let providers = self.service.get("/providers?size=150").await.body["items"].clone();
        for provider in providers.as_array().unwrap() {
            let id = self.linked(provider, &password).await;
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
        self.service.settled(&again, &reauth).await;
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
                self.service.settled(&session, &tried.body).await;
            }
        }
    }

    /// Links the login `good` at a provider with its first login option, if it has one.
    async fn linked(&self, provider: &Value, password: &str) -> String {
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
            self.service.settled(&session, &started.body).await;
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
            if document["file"] == "identification-ph.jpg" && !Tesseract::default().is_installed() {
                continue;
            }
            let slot = if kind == "IDENTIFICATION" { "FRONT" } else { "PAGE" };
            let id = self.submitted(&kind, slot, &bytes).await;
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

    async fn submitted(&self, kind: &str, slot: &str, bytes: &[u8]) -> String {
        let uploader = Uploader::new(&self.service).await;
        let archive = uploader.archive(kind).await;
        let sent = uploader.upload(&archive, slot, bytes).await;
        assert_eq!(sent.status, 204, "{kind} {slot}: {:?}", sent.body);
        let path = format!("/link/archives/{archive}");
        let mut progress = uploader.send(Method::POST, &format!("{path}/submit"), Some(&json!({}))).await;
        assert_eq!(progress.status, 200, "{:?}", progress.body);
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
            let record = self.service.completed(&path, &self.service.sandbox.clone()).await;
            assert_eq!(record["resultCode"], input["recordResultCode"], "{input}");
            self.reach("record status", &record["status"]);
            self.reach("record code", &record["resultCode"]);
            for kind in SignalKind::ALL {
                let request = crate::signals::request(*kind, &number, &email);
                let created = self.service.post(kind.path(), request).await;
                self.reach("signal status", &created.body["status"]);
                let path = format!("{}/{}", kind.path(), text(&created.body["id"]));
                let signal = self.service.completed(&path, &self.service.sandbox.clone()).await;
                assert_eq!(signal["resultCode"], input["resultCode"], "{kind} {input}");
                self.reach("signal status", &signal["status"]);
                self.reach(&format!("{kind} code"), &signal["resultCode"]);
            }
        }
    }

    /// Takes one invitation from its mail to the linked account, and revokes another.
    async fn invitation(&mut self) {
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

    async fn tasks_and_events(&mut self) {
        self.until_tasks_end().await;
        for task in self.all("/tasks").await {
            self.reach("task status", &task["status"]);
        }
        for event in self.all("/events").await {
            self.reach("event", &event["type"]);
            if event["type"] == "ACCOUNT_FAILED" {
                self.reach("linking code", &event["data"]["errorCode"]);
            }
            // An archive is STARTED from this event until its analysis ends.
            if event["type"] == "ARCHIVE_STARTED" {
                self.reach("archive status", &json!("STARTED"));
            }
            if event["type"] == "TASK_STARTED" {
                self.reach("task status", &json!("STARTED"));
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
