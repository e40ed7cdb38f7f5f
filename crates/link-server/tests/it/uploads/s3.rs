//! Uploads to a bucket on an S3 server, `moto_server`, which `cargo xtask setup` installs.

use std::io::{BufRead as _, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

use axum::http::Method;
use link_domain::documents::file_store::FileStore as _;
use link_store::test_support::Backend;
use link_store::{FileSettings, ObjectFiles, S3Settings};
use link_test_support::wait;
use serde_json::json;

use super::{Uploader, picture};
use crate::service::{TestService, text};

const BUCKET: &str = "documents";

/// An S3 server with one empty bucket.
struct S3Server {
    server: Child,
    endpoint: String,
}

impl S3Server {
    fn start() -> Self {
        let program = std::env::var("LINCHPIN_MOTO_SERVER")
            .map_or_else(|_| super::installed_tool("moto/bin/moto_server"), PathBuf::from);
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port().to_string();
        drop(listener);
        let started = Command::new(&program)
            .args(["-H", "127.0.0.1", "-p", &port])
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn();
        let mut server = started.unwrap_or_else(|error| {
            panic!("{}: {error}. Run `cargo xtask setup` to install it", program.display())
        });
        let mut lines = BufReader::new(server.stderr.take().unwrap()).lines();
        assert!(
            lines.by_ref().any(|line| line.is_ok_and(|it| it.contains("Running on"))),
            "{} ended without listening",
            program.display()
        );
        // The pipe must be drained, or a later line would block the server.
        std::thread::spawn(move || lines.for_each(drop));
        let endpoint = format!("http://127.0.0.1:{port}");
        ureq::put(format!("{endpoint}/{BUCKET}")).send_empty().unwrap();
        Self { server, endpoint }
    }

    fn settings(&self) -> FileSettings {
        FileSettings::S3(S3Settings {
            endpoint: Some(self.endpoint.clone()),
            region: "us-east-1".to_owned(),
            bucket: BUCKET.to_owned(),
            access_key_id: "test".to_owned(),
            secret_access_key: "test".into(),
        })
    }
}

impl Drop for S3Server {
    fn drop(&mut self) {
        drop(self.server.kill());
        drop(self.server.wait());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn s3_objects_are_encrypted_and_removed_on_revocation() {
    let server = S3Server::start();
    let files = server.settings();
    let service = TestService::start_with(Backend::Sqlite, |settings| settings.files = files).await;
    let widget = Uploader::new(&service).await;
    let file = picture(700_000);
    let archive = widget.archive("PAYSLIP").await;
    let upload = widget.begin(&archive, "PAGE", file.len()).await;
    assert_eq!(widget.append(&upload, 0, file[..300_000].to_vec()).await.status, 204);
    assert_eq!(widget.append(&upload, 300_000, file[300_000..].to_vec()).await.status, 204);
    let submit = format!("/link/archives/{archive}/submit");
    assert_eq!(widget.send(Method::POST, &submit, Some(&json!({}))).await.status, 200);
    service.until_event("TASK_FINISHED").await;

    let bucket = ObjectFiles::open(server.settings()).unwrap();
    let objects = bucket.list("archives").await.unwrap();
    assert_eq!(
        objects.len(),
        file.len().div_ceil(256 * 1024),
        "one object per segment, no drafts: {objects:?}"
    );
    for object in &objects {
        let sealed = bucket.get(&object.name).await.unwrap();
        let shown = file.chunks(64).step_by(500).any(|piece| sealed.windows(64).any(|it| it == piece));
        assert!(!shown, "{} contains bytes of the file", object.name);
    }
    let read = service.get(&format!("/archives/{archive}")).await;
    assert_eq!(read.body["state"]["status"], "ANALYZED", "{}", read.body);
    let fetched = super::life::fetch(&service, &text(&read.body["files"][0]["url"])).await;
    assert!(fetched.status == 200 && fetched.bytes == file, "{}", fetched.status);

    assert_eq!(service.delete(&format!("/archives/{archive}")).await.status, 204);
    wait::until_ok("the objects of the revoked archive are gone", async || {
        let objects = bucket.list("archives").await.unwrap();
        if objects.is_empty() { Ok(()) } else { Err(format!("{objects:?}")) }
    })
    .await;
}
