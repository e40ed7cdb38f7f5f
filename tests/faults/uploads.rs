//! Kills during uploads and analyses: clients never resend acknowledged bytes, and every archive ends exactly once.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use link_store::test_support::Backend;
use link_test_support::wait;
use rstest::rstest;
use serde_json::{Value, json};

use crate::process::{Client, Linchpin, text};
use crate::resume::open_session;

const SEGMENT: usize = 256 * 1024;

/// A widget that uploads a payslip.
pub struct Uploader {
    pub widget: Client,
    pub archive: String,
    upload: String,
}

impl Uploader {
    /// Creates an archive with one upload of `size` bytes, without sending any.
    pub fn begin(tenant: &Client, size: usize) -> Self {
        let (_, templates) = tenant.get("/linkTemplates").unwrap();
        let path = format!("/linkTemplates/{}", text(&templates["items"][0]["id"]));
        tenant.patch(&path, &json!({"uploadsEnabled": true})).unwrap();
        let widget = open_session(tenant);
        let (_, session) = widget.get("/link/session").unwrap();
        let consent = json!({
            "consentTemplateId": session["template"]["consent"]["consentTemplateId"],
            "version": "1.0", "locale": "en", "givenBy": "PERSON",
            "syncInterval": "MONTHLY",
            "retention": "FROM_LAST_SYNC",
        });
        let (status, archive) =
            widget.post("/link/archives", &json!({"type": "PAYSLIP", "consent": consent})).unwrap();
        assert_eq!(status, 201, "{archive}");
        let archive = text(&archive["archiveId"]);
        let pairs = [("archiveId", archive.as_str()), ("slot", "PAGE"), ("filename", "slip.png")];
        let metadata = pairs.map(|(key, value)| format!("{key} {}", STANDARD.encode(value))).join(",");
        let headers = [("upload-length", size.to_string()), ("upload-metadata", metadata)];
        let (status, headers) = widget.tus("POST", "/link/uploads", &headers, &[]).unwrap();
        assert_eq!(status, 201);
        let (_, id) = headers["location"].rsplit_once('/').unwrap();
        let upload = format!("/link/uploads/{id}");
        Self { widget, archive, upload }
    }

    /// Returns the same upload at another service.
    pub fn at(&self, other: &Client) -> Self {
        let (archive, upload) = (self.archive.clone(), self.upload.clone());
        Self { widget: self.widget.at(other), archive, upload }
    }

    /// Returns the number of durable bytes.
    pub fn offset(&self) -> usize {
        let (status, headers) = self.widget.tus("HEAD", &self.upload, &[], &[]).unwrap();
        assert_eq!(status, 200);
        headers["upload-offset"].parse().unwrap()
    }

    /// Begins a request with all bytes from an offset on, sends the first ones, and leaves it open.
    pub fn begin_request(&self, from: usize, first: &[u8], announced: usize) -> TcpStream {
        self.widget.half_sent(&self.upload, from, first, announced)
    }

    /// Sends bytes that begin at an offset; `None` if there is no response.
    pub fn send(&self, from: usize, bytes: &[u8]) -> Option<u16> {
        let headers = [
            ("upload-offset", from.to_string()),
            ("content-type", "application/offset+octet-stream".to_owned()),
        ];
        self.widget.tus("PATCH", &self.upload, &headers, bytes).map(|(status, _)| status)
    }

    fn progress(&self) -> Value {
        let (status, progress) = self.widget.get(&format!("/link/archives/{}", self.archive)).unwrap();
        assert_eq!(status, 200, "{progress}");
        progress
    }

    /// Polls until the archive is in one of these phases.
    pub fn until(&self, phases: &[&str]) -> Value {
        wait::blocking::until_ok(&format!("the archive is {phases:?}"), || {
            let progress = self.progress();
            let is_there = phases.iter().any(|phase| progress["phase"].get(phase).is_some());
            if is_there { Ok(progress) } else { Err(progress) }
        })
    }
}

#[rstest]
fn kill_during_upload_loses_at_most_one_segment(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let mut service = Linchpin::start(backend);
    let file = link_test_support::picture::picture(5 * SEGMENT / 2);
    let uploader = Uploader::begin(&service.client(), file.len());
    let mut from = 0;
    for _ in 0..2 {
        // A request that announces the rest, stops after 1.5 segments and stays open.
        let sent = SEGMENT + SEGMENT / 2;
        let until = (from + sent).min(file.len() - 1);
        let open = uploader.widget.half_sent(&uploader.upload, from, &file[from..until], file.len() - from);
        let whole_segments = until / SEGMENT * SEGMENT;
        wait::blocking::until("the segments are durable", || {
            uploader.progress()["files"][0]["receivedBytes"].as_u64().unwrap() as usize >= whole_segments
        });
        service.kill();
        drop(open);
        service.restart();
        let kept = uploader.offset();
        assert!(kept >= whole_segments && until - kept <= SEGMENT, "{kept} of {until}");
        from = kept;
    }
    assert_eq!(uploader.send(from, &file[from..]), Some(204));
    assert_eq!(uploader.offset(), file.len());
}

#[rstest]
fn kill_during_analysis_ends_the_archive_exactly_once(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let mut service = Linchpin::start(backend);
    let tenant = service.client();
    // Small, because reading noise takes long while other tests use the processor.
    let file = link_test_support::picture::picture(SEGMENT / 8);
    let uploader = Uploader::begin(&tenant, file.len());
    assert_eq!(uploader.send(0, &file), Some(204));
    let submit = format!("/link/archives/{}/submit", uploader.archive);
    let (status, progress) = uploader.widget.post(&submit, &json!({})).unwrap();
    assert_eq!(status, 200, "{progress}");
    service.kill();
    service.restart();
    // The job survived the first kill. The second one comes during the analysis or just after it.
    wait::blocking::until("the analysis starts", || {
        uploader.progress()["phase"]["analyzing"]["step"] != "QUEUED"
    });
    service.kill();
    service.restart();
    uploader.until(&["analyzed", "failed"]);
    let emitted: Vec<String> = tenant
        .all("/events")
        .iter()
        .filter(|event| {
            event["data"]["archiveId"] == uploader.archive.as_str()
                || event["data"]["sourceId"] == uploader.archive.as_str()
        })
        .map(|event| text(&event["type"]))
        .collect();
    let count = |wanted: &str| emitted.iter().filter(|it| *it == wanted).count();
    for once in ["ARCHIVE_STARTED", "TASK_STARTED", "TASK_FINISHED"] {
        assert_eq!(count(once), 1, "{once}: {emitted:?}");
    }
    assert_eq!(count("ARCHIVE_ANALYZED") + count("ARCHIVE_FAILED"), 1, "{emitted:?}");
}

impl Client {
    /// Sends a PATCH that announces more bytes than it sends; returns the open connection.
    fn half_sent(&self, upload: &str, from: usize, bytes: &[u8], announced: usize) -> TcpStream {
        let (address, path) = self.address(upload);
        let mut stream = TcpStream::connect(&address).unwrap();
        write!(
            stream,
            "PATCH {path} HTTP/1.1\r\nHost: {address}\r\nAuthorization: {}\r\nTus-Resumable: 1.0.0\r\n\
             Upload-Offset: {from}\r\nContent-Type: application/offset+octet-stream\r\n\
             Content-Length: {announced}\r\n\r\n",
            self.authorization(),
        )
        .unwrap();
        stream.write_all(bytes).unwrap();
        stream.set_read_timeout(Some(Duration::from_millis(1))).unwrap();
        let mut byte = [0; 1];
        assert!(stream.read(&mut byte).is_err(), "the service responds before the rest arrives");
        stream
    }
}
