//! Uploads every bad file to the real process and measures the memory of the service.

use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use link_store::test_support::Backend;
use link_test_support::bad_files::bad_files;
use serde_json::{Value, json};

use crate::process::{Client, Linchpin, text};
use crate::resume::open_session;

/// The memory that an unoptimized service may use while it receives one upload after another.
const SERVICE_KIB: u64 = 160 * 1024;

#[test]
fn bad_uploads_are_rejected_within_bounded_memory() {
    let flags = &["--upload-files", "1000", "--upload-megabytes", "1000"];
    let service = Linchpin::start_with(Backend::Sqlite, flags);
    let client = open_session(&service.client());
    let archive = begin(&client);
    let at_rest = service.peak_kib();
    let files = bad_files();
    let mut wrong = Vec::new();
    for file in &files {
        let (announced, upload) = announce(&client, &archive, file.bytes.len());
        let (status, response) = match upload {
            None => announced,
            Some(upload) => send(&client, &upload, &file.bytes),
        };
        if !(400..500).contains(&status) || response["fileFault"] != file.fault.as_str() {
            wrong.push(format!("{}: {status} {response} instead of {}", file.name, file.fault.as_str()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let (_, progress) = client.get(&format!("/link/archives/{archive}")).unwrap();
    assert_eq!(progress["files"], json!([]));
    let peak = service.peak_kib();
    eprintln!(
        "{} bad files: peak memory of the service {peak} KiB, {at_rest} KiB before the first",
        files.len()
    );
    assert!(peak < SERVICE_KIB, "{peak} KiB");
}

fn begin(client: &Client) -> String {
    let (_, session) = client.get("/link/session").unwrap();
    let consent = &session["template"]["consent"];
    let consent = json!({
        "consentTemplateId": consent["consentTemplateId"], "version": consent["version"],
        "locale": "en", "givenBy": "PERSON",
        "syncInterval": "MONTHLY",
        "retention": "FROM_LAST_SYNC",
    });
    let begun = client.post("/link/archives", &json!({"type": "PAYSLIP", "consent": consent}));
    let (status, archive) = begun.unwrap();
    assert_eq!(status, 201, "{archive}");
    text(&archive["archiveId"])
}

/// Creates the upload of a file; returns the response, and the path of the upload if it was created.
fn announce(client: &Client, archive: &str, length: usize) -> ((u16, Value), Option<String>) {
    let pairs = [("archiveId", archive), ("slot", "PAGE"), ("filename", "a.pdf")];
    let metadata = pairs.map(|(key, value)| format!("{key} {}", STANDARD.encode(value))).join(",");
    let headers = [("upload-length", length.to_string()), ("upload-metadata", metadata)];
    let mut response = ask(client, "POST", "/link/uploads", &headers, &[]);
    let location = response.headers().get("location").map(|it| it.to_str().unwrap().to_owned());
    let upload = location.map(|it| it.replace("/sandbox/v1", ""));
    (read(&mut response), upload)
}

fn send(client: &Client, upload: &str, bytes: &[u8]) -> (u16, Value) {
    let headers =
        [("upload-offset", "0".to_owned()), ("content-type", "application/offset+octet-stream".to_owned())];
    read(&mut ask(client, "PATCH", upload, &headers, bytes))
}

fn ask(
    client: &Client,
    method: &str,
    path: &str,
    headers: &[(&str, String)],
    bytes: &[u8],
) -> ureq::http::Response<ureq::Body> {
    let (host, path) = client.address(path);
    let mut request = ureq::http::Request::builder()
        .method(method)
        .uri(format!("http://{host}{path}"))
        .header("authorization", client.authorization())
        .header("tus-resumable", "1.0.0");
    for (name, value) in headers {
        request = request.header(*name, value);
    }
    let agent = ureq::Agent::config_builder().http_status_as_error(false);
    let agent: ureq::Agent = agent.timeout_global(Some(Duration::from_secs(120))).build().into();
    agent.run(request.body(bytes).unwrap()).unwrap()
}

fn read(response: &mut ureq::http::Response<ureq::Body>) -> (u16, Value) {
    let body = response.body_mut().read_to_string().unwrap();
    (response.status().as_u16(), serde_json::from_str(&body).unwrap_or(Value::Null))
}
