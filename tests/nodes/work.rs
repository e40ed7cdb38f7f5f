//! Work for the workers of all nodes: accounts to read and to sync, and documents to read.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use link_test_support::picture::picture;
use link_test_support::sealing::Sealer;
use serde_json::{Value, json};

use crate::load::{exchange_of, random_secret};
use crate::process::until_ok;
use crate::service::{Client, text};

const PROVIDER: &str = "mx_social_security";
/// The size of a document in bytes. Reading noise takes long.
const DOCUMENT_BYTES: usize = 32 * 1024;

/// Accounts and archives whose work has begun.
pub struct Work {
    /// The ids of accounts that are read for the first time.
    pub accounts: Vec<String>,
    archives: Vec<String>,
}

impl Work {
    /// Links accounts and submits documents at one node. None of them is read yet.
    pub fn give(tenant: &Client, template: &str, count: usize) -> Self {
        let widgets: Vec<Widget> = (0..count).map(|_| Widget::open(tenant, template)).collect();
        let uploads: Vec<(String, &Widget)> = widgets.iter().map(|it| (it.upload(), it)).collect();
        let archives = uploads.into_iter().map(|(archive, widget)| widget.submit(archive));
        Self { archives: archives.collect(), accounts: widgets.iter().map(Widget::link).collect() }
    }

    /// Syncs accounts that were read before.
    pub fn sync(tenant: &Client, accounts: &[String]) {
        for id in accounts {
            let (status, body) = tenant.send("POST", &format!("/accounts/{id}/refresh"), &json!({})).unwrap();
            assert!((200..300).contains(&status), "{status} {body}");
        }
    }

    /// Waits until all of it is done, and returns what did not happen exactly once.
    pub fn until_done(&self, tenant: &Client) -> Vec<String> {
        for id in &self.accounts {
            until_ok("the account is read", || match tenant.call("GET", &format!("/accounts/{id}"))? {
                (200, account) if account["monitor"]["nextSyncAt"].is_string() => Ok(()),
                (status, body) => Err(format!("{status} {body}")),
            });
        }
        let mut wrong = Vec::new();
        for id in &self.archives {
            until_ok("the document is read", || match tenant.call("GET", &format!("/archives/{id}"))? {
                (200, archive)
                    if ["ANALYZED", "FAILED"].iter().any(|it| archive["state"]["status"] == *it) =>
                {
                    Ok(())
                }
                (status, body) => Err(format!("{status} {body}")),
            });
            let events = tenant.all("/events");
            let is_of =
                |event: &&Value| ["archiveId", "sourceId"].iter().any(|it| event["data"][*it] == id.as_str());
            let types: Vec<String> = events.iter().filter(is_of).map(|it| text(&it["type"])).collect();
            let count = |wanted: &[&str]| types.iter().filter(|it| wanted.contains(&it.as_str())).count();
            for once in [&["TASK_STARTED"][..], &["TASK_FINISHED"], &["ARCHIVE_ANALYZED", "ARCHIVE_FAILED"]] {
                if count(once) != 1 {
                    wrong.push(format!("{} events {once:?} of one archive", count(once)));
                }
            }
        }
        wrong
    }
}

/// A widget whose session is open.
struct Widget {
    client: Client,
    session: Value,
    sealer: Sealer,
}

impl Widget {
    fn open(tenant: &Client, template: &str) -> Self {
        let (_, user) = tenant.send("POST", "/users", &json!({})).unwrap();
        let secret = random_secret();
        let exchange = exchange_of(&text(&user["token"]["accessToken"]), template, &secret);
        let (status, body) = tenant.send("POST", "/link/sessions", &exchange).unwrap();
        assert_eq!(status, 201, "{body}");
        let client = tenant.with_session(&secret);
        let (_, session) = client.call("GET", "/link/session").unwrap();
        let (_, key) = client.call("GET", "/link/sealingKey").unwrap();
        Self { sealer: Sealer::new(&key, &session), client, session }
    }

    fn consent(&self) -> Value {
        json!({
            "consentTemplateId": self.session["template"]["consent"]["consentTemplateId"],
            "version": "1.0", "locale": "en", "givenBy": "PERSON", "syncInterval": "MONTHLY",
            "retention": "FROM_LAST_SYNC",
        })
    }

    /// Links an account, and returns its id.
    fn link(&self) -> String {
        let credentials = self.sealer.credentials(PROVIDER, &json!({"username": "good", "password": "pass"}));
        let body = json!({
            "providerId": PROVIDER, "loginOption": "username", "loginName": "good", "credentials": credentials,
            "consent": self.consent(),
        });
        let (status, account) = self.client.send("POST", "/link/accounts", &body).unwrap();
        assert_eq!(status, 201, "{account}");
        text(&account["accountId"])
    }

    /// Uploads a document, and returns the id of its archive.
    fn upload(&self) -> String {
        let body = json!({"type": "PAYSLIP", "consent": self.consent()});
        let (status, archive) = self.client.send("POST", "/link/archives", &body).unwrap();
        assert_eq!(status, 201, "{archive}");
        let archive = text(&archive["archiveId"]);
        let file = picture(DOCUMENT_BYTES);
        let pairs = [("archiveId", archive.as_str()), ("slot", "PAGE"), ("filename", "slip.png")];
        let metadata = pairs.map(|(key, value)| format!("{key} {}", STANDARD.encode(value))).join(",");
        let length = file.len().to_string();
        let headers =
            [("upload-length", length.as_str()), ("upload-metadata", &metadata), ("tus-resumable", "1.0.0")];
        let (status, location, body) =
            self.client.send_bytes("POST", "/link/uploads", &headers, &[]).unwrap();
        assert_eq!(status, 201, "{body}");
        let (_, id) = location.rsplit_once('/').unwrap();
        let headers = [
            ("upload-offset", "0"),
            ("content-type", "application/offset+octet-stream"),
            ("tus-resumable", "1.0.0"),
        ];
        let sent = self.client.send_bytes("PATCH", &format!("/link/uploads/{id}"), &headers, &file).unwrap();
        assert_eq!(sent.0, 204, "{}", sent.2);
        archive
    }

    fn submit(&self, archive: String) -> String {
        let (status, body) =
            self.client.send("POST", &format!("/link/archives/{archive}/submit"), &json!({})).unwrap();
        assert_eq!(status, 200, "{body}");
        archive
    }
}
