//! Files as answers: sent by the page's script with tus, or with the form without a script.

use axum::body::Body;
use axum::http::{Method, Request, header};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use link_domain::documents::archive::{Segment, UPLOAD_LIFE};
use link_store::test_support::Backend;
use link_test_support::wait;
use rstest::rstest;
use serde_json::{Value, json};

use super::{Stage, site};
use crate::invites::html;
use crate::retention::set_sandbox_offset;
use crate::service::{TestResponse, text};
use crate::uploads::life::fetch;
use crate::uploads::{picture, sha256};

const PAYSLIP: &[u8] = include_bytes!("../../../../../docs/samples/payslip-mx.pdf");
const LOCKED: &[u8] = include_bytes!("../../../../../docs/samples/locked.pdf");
const NAME: &str = "Recibo de Canaria.pdf";

/// Opens a link site with a FILE and a text, as a browser.
async fn open(stage: &Stage, files: Value) -> String {
    let mut body = site(&stage.service, "proofs");
    body["prefill"] = json!([]);
    body["form"]["fields"] = json!([
        {"name": "proof", "label": "Proof of income", "type": "FILE", "required": true, "files": files},
        {"name": "city", "label": "City", "type": "TEXT", "required": true},
    ]);
    stage.site(body).await;
    let cookie = stage.enter("/s/proofs").await;
    stage.read();
    cookie
}

impl Stage {
    async fn tus(
        &self,
        (method, path): (Method, &str),
        cookie: &str,
        headers: &[(&str, &str)],
        body: impl Into<Body>,
    ) -> TestResponse {
        let hosted = self.service.app.settings.hosted_url.split_once("://").unwrap().1;
        let mut request = Request::builder()
            .method(method)
            .uri(path)
            .header("host", hosted)
            .header(header::COOKIE, cookie)
            .header("tus-resumable", "1.0.0");
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        self.service.send_raw(request.body(body.into()).unwrap()).await
    }

    async fn announce(&self, cookie: &str, field: &str, length: usize) -> TestResponse {
        let metadata = format!("field {},filename {}", STANDARD.encode(field), STANDARD.encode(NAME));
        let headers = [("upload-length", length.to_string()), ("upload-metadata", metadata)];
        let headers = headers.each_ref().map(|(name, value)| (*name, value.as_str()));
        self.tus((Method::POST, "/visit/uploads"), cookie, &headers, Body::empty()).await
    }

    /// Announces a file. Returns the path of its upload.
    async fn begin(&self, cookie: &str, length: usize) -> String {
        let created = self.announce(cookie, "proof", length).await;
        assert_eq!(created.status, 201, "{:?}", created.body);
        created.headers["location"].to_str().unwrap().to_owned()
    }

    async fn append(&self, cookie: &str, upload: &str, offset: usize, bytes: &[u8]) -> TestResponse {
        let offset = offset.to_string();
        let headers =
            [("upload-offset", offset.as_str()), ("content-type", "application/offset+octet-stream")];
        self.tus((Method::PATCH, upload), cookie, &headers, bytes.to_vec()).await
    }

    /// Sends the form as a browser without a script does.
    async fn send_parts(
        &self,
        cookie: &str,
        city: &str,
        files: &[(&str, &[u8])],
        more: &str,
    ) -> (u16, String) {
        let mut body =
            format!("--b\r\nContent-Disposition: form-data; name=\"city\"\r\n\r\n{city}\r\n{more}")
                .into_bytes();
        for (name, bytes) in files {
            let head = format!(
                "--b\r\nContent-Disposition: form-data; name=\"proof\"; filename=\"{name}\"\r\n\
                 Content-Type: text/html\r\n\r\n"
            );
            body.extend([head.as_bytes(), *bytes, b"\r\n"].concat());
        }
        body.extend(b"--b--\r\n");
        let hosted = self.service.app.settings.hosted_url.split_once("://").unwrap().1;
        let request = Request::post("/visit/form")
            .header("host", hosted)
            .header(header::COOKIE, cookie)
            .header(header::CONTENT_TYPE, "multipart/form-data; boundary=b");
        let response = self.service.send_raw(request.body(Body::from(body)).unwrap()).await;
        (response.status.as_u16(), html(&response))
    }

    async fn form(&self, query: &str) -> Value {
        self.service.get(&format!("/alpha/forms{query}")).await.body["items"][0].clone()
    }

    async fn objects(&self, form: &str) -> usize {
        let folder = Segment::folder(&form.parse::<link_types::id::FormId>().unwrap());
        self.service.app.ports.files.list(&folder).await.unwrap().len()
    }
}

#[rstest]
#[tokio::test]
async fn uploaded_file_is_attached_to_the_answers(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let stage = Stage::set(backend).await;
    let cookie = open(&stage, json!({"maxFiles": 2})).await;
    let (_, page) = stage.page("/visit", &cookie).await;
    assert!(page.contains("multipart/form-data") && page.contains("type=\"file\""), "{page}");
    let file = picture(600_000);
    let upload = stage.begin(&cookie, file.len()).await;
    assert_eq!(stage.append(&cookie, &upload, 0, &file[..300_000]).await.status, 204);
    let head = stage.tus((Method::HEAD, &upload), &cookie, &[], Body::empty()).await;
    assert_eq!(head.headers["upload-offset"], "300000");
    let ended = stage.append(&cookie, &upload, 300_000, &file[300_000..]).await;
    assert_eq!(ended.status, 204, "{:?}", ended.body);
    let (status, page) = stage.send(&cookie, "city=").await;
    assert!(status == 422 && page.contains(NAME), "the file stays: {page}");
    assert_eq!(stage.send(&cookie, "city=Oaxaca").await.0, 303);

    let form = stage.form("").await;
    assert_eq!(form["data"], json!({"proof": [NAME], "city": "Oaxaca"}));
    let shown = &form["files"][0];
    assert_eq!(
        (&shown["field"], &shown["name"], &shown["format"], &shown["sizeBytes"], &shown["sha256"]),
        (&json!("proof"), &json!(NAME), &json!("PNG"), &json!(file.len()), &json!(sha256(&file)))
    );
    let fetched = fetch(&stage.service, &text(&shown["url"])).await;
    assert_eq!((fetched.status.as_u16(), fetched.bytes == file), (200, true));
    let disposition = format!("attachment; filename=\"{}.png\"", text(&shown["id"]));
    assert_eq!(fetched.headers["content-disposition"], disposition);
    assert_eq!(fetched.headers["content-security-policy"], "sandbox; default-src 'none'");
    assert_eq!(fetched.headers["x-content-type-options"], "nosniff");
    let csv = html(&stage.service.get("/alpha/forms/export?format=CSV").await);
    assert!(csv.contains(NAME), "{csv}");

    let path = format!("/alpha/forms/{}", text(&form["id"]));
    assert_eq!(stage.service.delete(&path).await.status, 204);
    assert_eq!(
        fetch(&stage.service, &text(&shown["url"])).await.status,
        404,
        "the URL ends with the answers"
    );
    wait::until("the objects are gone", async || stage.objects(&text(&form["id"])).await == 0).await;
}

#[rstest]
#[tokio::test]
async fn form_without_a_script_sends_its_files(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let stage = Stage::set(backend).await;
    let cookie = open(&stage, json!({"maxFiles": 2})).await;
    let (status, page) = stage.send_parts(&cookie, "", &[(NAME, PAYSLIP)], "").await;
    assert!(status == 422 && page.contains(NAME), "the file stays: {page}");
    assert_eq!(page.matches("class=\"fault\"").count() - 1, 1, "only the city is wrong: {page}");
    let (status, page) = stage.send_parts(&cookie, "Oaxaca", &[("locked.pdf", LOCKED)], "").await;
    assert!(status == 422 && page.contains("This file has a password."), "{page}");
    assert!(page.contains("value=\"Oaxaca\"") && !page.contains("locked.pdf"), "{page}");
    assert_eq!(
        stage.send_parts(&cookie, "Oaxaca", &[("", b""), ("two.png", &picture(9_000))], "").await.0,
        303
    );
    let form = stage.form("").await;
    assert_eq!(form["data"]["proof"], json!([NAME, "two.png"]));
    assert_eq!(form["files"][0]["sizeBytes"], PAYSLIP.len(), "{form}");
    let fetched = fetch(&stage.service, &text(&form["files"][0]["url"])).await;
    assert_eq!(fetched.headers["content-type"], "application/pdf", "the content decides: {form}");
    assert!(fetched.bytes == PAYSLIP);
}

#[tokio::test]
async fn person_removes_a_file_without_a_script() {
    let stage = Stage::set(Backend::Sqlite).await;
    let cookie = open(&stage, json!(null)).await;
    stage.send_parts(&cookie, "", &[(NAME, PAYSLIP)], "").await;
    let form = stage.form("?status=STARTED").await;
    let remove = format!(
        "--b\r\nContent-Disposition: form-data; name=\"_remove\"\r\n\r\n{}\r\n",
        text(&form["files"][0]["id"])
    );
    assert_eq!(stage.send_parts(&cookie, "Oaxaca", &[], &remove).await.0, 303);
    let form = stage.form("?status=STARTED").await;
    assert_eq!((&form["files"], &form["data"]), (&json!([]), &json!({"proof": null, "city": "Oaxaca"})));
    let id = text(&form["id"]);
    wait::until("its objects are gone", async || stage.objects(&id).await == 0).await;
    assert_eq!(stage.send_parts(&cookie, "Oaxaca", &[], &remove).await.0, 303, "an old page changes nothing");
}

#[tokio::test]
async fn fields_bound_their_files() {
    let stage = Stage::set(Backend::Sqlite).await;
    let cookie = open(&stage, json!({"maxBytes": 50_000, "formats": ["PNG"]})).await;
    let refused = async |field: &str, length: usize| {
        let response = stage.announce(&cookie, field, length).await;
        (response.status.as_u16(), response.body["fileFault"].clone())
    };
    assert_eq!(refused("proof", 50_001).await, (413, json!("TOO_LARGE")));
    assert_eq!(refused("city", 10).await, (404, json!(null)));
    for (file, fault) in [
        (PAYSLIP.to_vec(), "This file has another format. Add one of these: \u{2068}PNG\u{2069}."),
        (picture(60_000), "This file is larger than \u{2068}0.05\u{2069} MB."),
        (Vec::new(), "This file is empty."),
        (b"<script>alert(1)</script>".to_vec(), "This file has another format."),
    ] {
        let (status, page) = stage.send_parts(&cookie, "Oaxaca", &[("a.png", &file)], "").await;
        let shown = page.replace("\u{2068}", "").replace("\u{2069}", "");
        let fault = fault.replace("\u{2068}", "").replace("\u{2069}", "");
        let faults = format!("<p class=\"fault\">{fault}");
        assert!(status == 422 && shown.contains(&faults), "{fault} {shown}");
    }
    assert_eq!(stage.send_parts(&cookie, "Oaxaca", &[("a.pdf", &picture(40_000))], "").await.0, 303);
}

/// Makes a PNG of exactly this many bytes, with a comment after its header.
fn picture_of(length: usize) -> Vec<u8> {
    let mut file = picture(length / 2);
    let text = length - file.len() - 12;
    let mut chunk = b"tEXtComment\0".to_vec();
    chunk.resize(text + 4, b'a');
    let crc = !chunk.iter().fold(u32::MAX, |crc, byte| {
        (0..8).fold(crc ^ u32::from(*byte), |crc, _| (crc >> 1) ^ (0xedb8_8320 & (crc & 1).wrapping_neg()))
    });
    let written = [&(text as u32).to_be_bytes(), chunk.as_slice(), &crc.to_be_bytes()].concat();
    file.splice(33..33, written);
    assert_eq!(file.len(), length);
    file
}

#[rstest]
#[tokio::test]
async fn file_of_whole_segments_is_complete(#[values(262_144, 524_288)] length: usize) {
    let stage = Stage::set(Backend::Sqlite).await;
    let cookie = open(&stage, json!({"maxFiles": 2})).await;
    let file = picture_of(length);
    assert_eq!(stage.send_parts(&cookie, "Oaxaca", &[("a.png", &file)], "").await.0, 303);
    let form = stage.form("").await;
    assert_eq!(form["files"][0]["sizeBytes"], length, "{form}");
    assert!(fetch(&stage.service, &text(&form["files"][0]["url"])).await.bytes == file);
}

#[tokio::test]
async fn too_many_parts_are_rejected_and_texts_stay() {
    let stage = Stage::set(Backend::Sqlite).await;
    let cookie = open(&stage, json!(null)).await;
    let many = "--b\r\nContent-Disposition: form-data; name=\"\"\r\n\r\n\r\n".repeat(200);
    assert_eq!(stage.send_parts(&cookie, "Oaxaca", &[], &many).await.0, 413);
    let form = stage.form("?status=STARTED").await;
    assert_eq!(form["data"]["city"], "Oaxaca");
}

#[tokio::test]
async fn form_that_ends_early_leaves_no_unfinished_file() {
    let stage = Stage::set(Backend::Sqlite).await;
    let cookie = open(&stage, json!(null)).await;
    let cut = "--b\r\nContent-Disposition: form-data; name=\"proof\"; filename=\"a.pdf\"\r\n\r\n%PDF-\r\n--c";
    let hosted = stage.service.app.settings.hosted_url.split_once("://").unwrap().1;
    let request = Request::post("/visit/form")
        .header("host", hosted)
        .header(header::COOKIE, &cookie)
        .header(header::CONTENT_TYPE, "multipart/form-data; boundary=b");
    assert_eq!(stage.service.send_raw(request.body(Body::from(cut)).unwrap()).await.status, 400);
    assert_eq!(
        stage.send_parts(&cookie, "Oaxaca", &[(NAME, PAYSLIP)], "").await.0,
        303,
        "the field has room"
    );
}

#[tokio::test]
async fn full_site_stores_no_files() {
    let stage = Stage::set(Backend::Sqlite).await;
    let mut body = site(&stage.service, "proofs");
    body["prefill"] = json!([]);
    body["limits"] = json!({"submissions": 1});
    body["form"]["fields"] = json!([{"name": "proof", "label": "Proof", "type": "FILE", "required": true}]);
    stage.site(body).await;
    let (first, second) = (stage.enter("/s/proofs").await, stage.enter("/s/proofs").await);
    stage.read();
    assert_eq!(stage.send_parts(&first, "", &[(NAME, PAYSLIP)], "").await.0, 303);
    assert_eq!(stage.announce(&second, "proof", 10).await.status, 409);
    assert_eq!(stage.send_parts(&second, "", &[(NAME, PAYSLIP)], "").await.0, 410);
    assert_eq!(stage.service.get("/alpha/forms?status=STARTED").await.body["items"], json!([]));
}

#[tokio::test]
async fn files_after_a_submission_lead_to_the_next_page() {
    let stage = Stage::set(Backend::Sqlite).await;
    let cookie = open(&stage, json!(null)).await;
    for _ in 0..2 {
        assert_eq!(stage.send_parts(&cookie, "Oaxaca", &[(NAME, PAYSLIP)], "").await.0, 303);
    }
    assert_eq!(stage.form("").await["files"].as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn upload_of_another_visit_is_missing() {
    let stage = Stage::set(Backend::Sqlite).await;
    let cookie = open(&stage, json!(null)).await;
    let upload = stage.begin(&cookie, PAYSLIP.len()).await;
    let other = stage.enter("/s/proofs").await;
    assert_eq!(stage.announce(&other, "proof", 10).await.status, 201);
    for method in [Method::HEAD, Method::DELETE] {
        let response = stage.tus((method, &upload), &other, &[], Body::empty()).await;
        assert_eq!(response.status, 404);
    }
    assert_eq!(stage.append(&other, &upload, 0, PAYSLIP).await.status, 404);
    assert_eq!(stage.append("", &upload, 0, PAYSLIP).await.status, 401);
    assert_eq!(stage.append(&cookie, &upload, 0, PAYSLIP).await.status, 204);
    let removed = stage.tus((Method::DELETE, &upload), &cookie, &[], Body::empty()).await;
    assert_eq!(removed.status, 204);
    assert_eq!(stage.append(&cookie, &upload, 0, PAYSLIP).await.status, 404);
}

#[rstest]
#[tokio::test]
async fn abandoned_upload_is_removed_after_a_day(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let stage = Stage::set(backend).await;
    let cookie = open(&stage, json!(null)).await;
    let file = picture(600_000);
    let upload = stage.begin(&cookie, file.len()).await;
    assert_eq!(stage.append(&cookie, &upload, 0, &file[..300_000]).await.status, 204);
    let form = stage.form("?status=STARTED").await;
    assert_eq!(form["files"], json!([]), "an unfinished file is not an answer");
    let id = text(&form["id"]);
    assert!(stage.objects(&id).await > 0);
    // On PostgreSQL, jobs are due by the clock of the database, which the clock of the test does not move.
    set_sandbox_offset(&stage.service, UPLOAD_LIFE).await;
    // A new job of the same queue lets the workers look at the moved clock.
    let other = stage.enter("/s/proofs").await;
    stage.begin(&other, 10).await;
    wait::until("its objects are gone", async || stage.objects(&id).await == 0).await;
}

#[tokio::test]
async fn erased_files_leave_nothing_readable() {
    let stage = Stage::set(Backend::Sqlite).await;
    let cookie = open(&stage, json!(null)).await;
    stage.send_parts(&cookie, "Oaxaca", &[(NAME, PAYSLIP)], "").await;
    let form = stage.form("").await;
    let folder = Segment::folder(&text(&form["id"]).parse::<link_types::id::FormId>().unwrap());
    let stored = stage.service.app.ports.files.list(&folder).await.unwrap();
    let sealed = stage.service.app.ports.files.get(&stored[0].name).await.unwrap();
    assert!(!sealed.windows(5).any(|it| it == b"%PDF-"), "the object is sealed");
    let user = text(&form["userId"]);
    assert_eq!(stage.service.delete(&format!("/users/{user}")).await.status, 204);
    assert_eq!(fetch(&stage.service, &text(&form["files"][0]["url"])).await.status, 404);
    let id = text(&form["id"]);
    wait::until("its objects are gone", async || stage.objects(&id).await == 0).await;
}
