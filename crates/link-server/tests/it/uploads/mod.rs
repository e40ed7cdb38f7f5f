//! Document uploads with tus.

pub mod life;
mod limits;
mod protocol;
pub mod s3;
mod sessions;

use axum::body::Body;
use axum::http::{Method, Request};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use crate::service::{As, TestResponse, TestService, text};

pub use self::protocol::channel_body;
pub use link_test_support::picture::picture;

/// A widget that uploads.
pub struct Uploader<'s> {
    pub service: &'s TestService,
    pub session: String,
}

impl<'s> Uploader<'s> {
    pub async fn new(service: &'s TestService) -> Self {
        Self { service, session: service.session().await }
    }

    /// Sends a tus request.
    pub async fn tus(
        &self,
        method: Method,
        path: &str,
        headers: &[(&str, &str)],
        body: impl Into<Body>,
    ) -> TestResponse {
        self.service.send_raw(self.request(method, path, headers, body)).await
    }

    pub fn request(
        &self,
        method: Method,
        path: &str,
        headers: &[(&str, &str)],
        body: impl Into<Body>,
    ) -> Request<Body> {
        let mut request = Request::builder()
            .method(method)
            .uri(format!("{}{path}", self.service.sandbox.base))
            .header("host", "localhost:8787")
            .header("authorization", format!("Bearer {}", self.session))
            .header("tus-resumable", "1.0.0");
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        request.body(body.into()).unwrap()
    }

    /// Sends a widget request with a JSON body.
    pub async fn send(&self, method: Method, path: &str, body: Option<&Value>) -> TestResponse {
        self.service.send(method, path, As::Session(&self.session), body).await
    }

    /// Returns a consent receipt for the link template.
    pub fn receipt(&self) -> Value {
        json!({
            "consentTemplateId": self.service.sandbox.consent, "version": "1.0", "locale": "en",
            "givenBy": "PERSON",
            "syncInterval": "MONTHLY",
            "retention": "FROM_LAST_SYNC",
        })
    }

    pub async fn try_archive(&self, archive_type: &str) -> TestResponse {
        let body = json!({"type": archive_type, "consent": self.receipt()});
        self.send(Method::POST, "/link/archives", Some(&body)).await
    }

    /// Creates an archive and returns its id.
    pub async fn archive(&self, archive_type: &str) -> String {
        let created = self.try_archive(archive_type).await;
        assert_eq!(created.status, 201, "{:?}", created.body);
        assert!(created.body["phase"].get("uploading").is_some(), "{}", created.body);
        text(&created.body["archiveId"])
    }

    /// Creates the upload of a file.
    pub async fn announce(
        &self,
        archive: &str,
        slot: &str,
        length: usize,
        sha256: Option<&str>,
    ) -> TestResponse {
        let mut metadata = vec![("archiveId", archive), ("slot", slot), ("filename", "Recibo de nómina.pdf")];
        metadata.extend(sha256.map(|it| ("sha256", it)));
        let headers = [("upload-length", length.to_string()), ("upload-metadata", metadata_of(&metadata))];
        let headers = headers.each_ref().map(|(name, value)| (*name, value.as_str()));
        self.tus(Method::POST, "/link/uploads", &headers, Body::empty()).await
    }

    /// Creates the upload of a file and returns its path below the base URL.
    pub async fn begin(&self, archive: &str, slot: &str, length: usize) -> String {
        let created = self.announce(archive, slot, length, None).await;
        assert_eq!(created.status, 201, "{:?}", created.body);
        let location = created.headers["location"].to_str().unwrap();
        location.strip_prefix(self.service.sandbox.base).unwrap().to_owned()
    }

    /// Sends bytes that begin at an offset.
    pub async fn append(&self, upload: &str, offset: usize, bytes: impl Into<Body>) -> TestResponse {
        let offset = offset.to_string();
        let headers =
            [("upload-offset", offset.as_str()), ("content-type", "application/offset+octet-stream")];
        self.tus(Method::PATCH, upload, &headers, bytes).await
    }

    /// Returns the offset of an upload, as the service reports it.
    pub async fn offset(&self, upload: &str) -> usize {
        let head = self.tus(Method::HEAD, upload, &[], Body::empty()).await;
        assert_eq!(head.status, 200, "{upload}");
        offset_of(&head)
    }

    /// Uploads a whole file.
    pub async fn upload(&self, archive: &str, slot: &str, bytes: &[u8]) -> TestResponse {
        let upload = self.begin(archive, slot, bytes.len()).await;
        self.append(&upload, 0, bytes.to_vec()).await
    }

    /// Creates and submits an archive of one file, waits for its analysis and returns its id.
    pub async fn submit(&self, archive_type: &str, bytes: &[u8]) -> String {
        let archive = self.archive(archive_type).await;
        let sent = self.upload(&archive, "PAGE", bytes).await;
        assert_eq!(sent.status, 204, "{:?}", sent.body);
        let path = format!("/link/archives/{archive}");
        let mut progress = self.send(Method::POST, &format!("{path}/submit"), Some(&json!({}))).await;
        assert_eq!(progress.status, 200, "{:?}", progress.body);
        for _ in 0..20 {
            if progress.body["phase"].get("analyzing").is_none() {
                return archive;
            }
            let wait = format!("{path}?after={}&wait=5000", progress.body["version"]);
            progress = self.send(Method::GET, &wait, None).await;
            assert_eq!(progress.status, 200, "{:?}", progress.body);
        }
        panic!("the archive was never analyzed: {}", progress.body);
    }
}

pub fn offset_of(response: &TestResponse) -> usize {
    response.headers["upload-offset"].to_str().unwrap().parse().unwrap()
}

pub fn metadata_of(pairs: &[(&str, &str)]) -> String {
    let pairs: Vec<String> =
        pairs.iter().map(|(key, value)| format!("{key} {}", STANDARD.encode(value))).collect();
    pairs.join(",")
}

pub fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Returns the path of a test tool that `cargo xtask setup` installs.
pub fn find_installed_tool(path: &str) -> std::path::PathBuf {
    let cache = std::env::var("XDG_CACHE_HOME").map(std::path::PathBuf::from);
    let home = || std::env::var("HOME").map(|home| std::path::PathBuf::from(home).join(".cache"));
    cache.or_else(|_| home()).unwrap_or_default().join("linchpin/tools").join(path)
}
