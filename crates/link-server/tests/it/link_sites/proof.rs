//! The proof of an email address on a link site: the code, what it opens, and who gets a mail.

use std::time::Duration;

use axum::http::Method;
use link_connectors::mail::to_readable;
use link_domain::invitations::address_proof::CODE_WAIT;
use link_server::adapters::kept_mail;
use link_server::workers::housekeeping;
use link_store::code_mail_name;
use link_store::test_support::Backend;
use link_test_support::wait;
use rstest::rstest;
use serde_json::{Value, json};

use super::{Stage, site};
use crate::invites::{ana, html};
use crate::sealed::{assert_absent, each_file, log};
use crate::service::text;

pub const ANA: &str = "ana@example.com";
const PROOF: &str = "/visit/proof";

/// Returns a link site that asks for a proven address.
pub fn proving(stage: &Stage) -> Value {
    let mut body = site(&stage.service, "loans");
    body["access"] = json!("PROVEN_EMAIL");
    body
}

impl Stage {
    /// Begins a visit that awaits a proof, and waits until a person can have read its page.
    pub async fn enter_unproven(&self) -> String {
        let cookie = self.enter("/s/loans?campaign=spring&reference=customer-7").await;
        self.read();
        cookie
    }

    /// Sends a form of the proof. Returns the status and the page.
    pub async fn prove(&self, cookie: &str, fields: &[(&str, &str)]) -> (u16, String) {
        let form = form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).finish();
        let response = self.service.browse(Method::POST, PROOF, cookie, Some(&form)).await;
        (response.status.as_u16(), html(&response))
    }

    /// Requests a code for an address, and reads it in the stored mail.
    pub async fn code_for(&self, cookie: &str, address: &str) -> String {
        let (status, page) = self.prove(cookie, &[("address", address)]).await;
        assert_eq!(status, 303, "{page}");
        self.read_stored_code(address).await
    }

    /// Returns the code in the newest stored mail to an address.
    pub async fn read_stored_code(&self, address: &str) -> String {
        let mail = wait::until_ok("the mail is stored", async || self.read_stored_mail(address).await).await;
        assert!(mail.contains("Your code for Demo Company"), "{mail}");
        let is_code = |line: &&str| line.len() == 6 && line.bytes().all(|it| it.is_ascii_digit());
        mail.lines().map(str::trim).find(is_code).unwrap_or_else(|| panic!("{mail}")).to_owned()
    }

    async fn read_stored_mail(&self, address: &str) -> Result<String, String> {
        let (app, address) = (&self.service.app, address.to_owned());
        let codes = app.store.read(move |reader| reader.visits().codes_of_address(&address)).await.unwrap();
        let name = codes.first().map(code_mail_name).ok_or("no code")?;
        let mail = kept_mail::read_named(&app.store, app.ports.files.as_ref(), &name).await;
        mail.map(|it| to_readable(it.as_bytes())).map_err(|error| error.to_string())
    }
}

/// Returns another code.
pub fn other_than(code: &str) -> String {
    format!("{:06}", (code.parse::<u32>().unwrap() + 1) % 1_000_000)
}

#[rstest]
#[tokio::test(flavor = "multi_thread")]
async fn visit_goes_on_with_the_code_of_its_mail(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let stage = Stage::set(backend).await;
    stage.site(proving(&stage)).await;
    let cookie = stage.enter_unproven().await;
    let (status, page) = stage.page("/visit", &cookie).await;
    assert!(status == 200 && page.contains("Confirm your email address"), "{page}");
    let (status, page) = stage.prove(&cookie, &[("address", "ana@exa mple.com")]).await;
    assert!(status == 422 && page.contains("value=\"ana@exa mple.com\""), "nothing typed is lost: {page}");
    assert!(page.contains("aria-invalid=\"true\"") && page.contains("must be an email address"), "{page}");
    let code = stage.code_for(&cookie, ANA).await;
    let (_, page) = stage.page("/visit", &cookie).await;
    assert!(page.contains("autocomplete=\"one-time-code\"") && page.contains(ANA), "{page}");
    let (status, page) = stage.prove(&cookie, &[("code", &other_than(&code))]).await;
    assert!(status == 422 && page.contains(&format!("value=\"{}\"", other_than(&code))), "{page}");
    assert!(page.contains("This is not the code in our last email."), "{page}");
    let spaced = format!("{} {}", &code[..3], &code[3..]);
    assert_eq!(stage.prove(&cookie, &[("code", &spaced)]).await.0, 303);
    let started = stage.service.get("/alpha/forms?status=STARTED").await.body["items"][0].clone();
    assert_eq!(started["provenEmail"], ANA, "the prefilled answers have the address, too");
    assert!(stage.page("/visit", &cookie).await.1.contains("About the loan"));
    assert_eq!(stage.send(&cookie, "purpose=Home").await.0, 303);
    let form = stage.service.get("/alpha/forms").await.body["items"][0].clone();
    assert_eq!((&form["provenEmail"], &form["reference"]), (&json!(ANA), &json!("customer-7")));
    let user = stage.service.get(&format!("/users/{}", text(&form["userId"]))).await.body;
    assert_eq!(user["provenEmail"], ANA);
    let csv = html(&stage.service.get("/alpha/forms/export?format=CSV").await);
    assert!(csv.contains("\"provenEmail\"") && csv.contains("\"ana@example.com\""), "{csv}");
    let again = stage.prove(&cookie, &[("address", "bo@example.com")]).await;
    assert_eq!(again.0, 303, "a proven address does not change");
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_of_a_visit_goes_on_before_the_proof() {
    let stage = Stage::set(Backend::Sqlite).await;
    let mut body = proving(&stage);
    body["steps"] = json!(["WIDGET", "FORM", "THANK_YOU"]);
    stage.site(body).await;
    let cookie = stage.enter_unproven().await;
    let browse =
        async |path: &str, form: &str| stage.service.browse(Method::POST, path, &cookie, Some(form)).await;
    for _ in 0..2 {
        for path in ["/visit/form", "/visit/draft"] {
            let refused = browse(path, "purpose=Home").await;
            let to = refused.headers["location"].to_str().unwrap();
            assert_eq!((refused.status.as_u16(), to), (303, "/visit"), "{path}");
        }
        let token = browse("/visit/token", "").await;
        assert_eq!(token.status, 409, "{:?}", token.body);
        let upload = axum::http::Request::post("/visit/uploads")
            .header("host", crate::invites::HOSTED.split_once("://").unwrap().1)
            .header("cookie", &cookie)
            .header("tus-resumable", "1.0.0")
            .header("upload-length", "5")
            .header("upload-metadata", "field cHVycG9zZQ==,filename YQ==");
        let upload = stage.service.send_raw(upload.body(axum::body::Body::empty()).unwrap()).await;
        assert_eq!(upload.status, 409, "{:?}", upload.body);
        assert_eq!(stage.page("/visit/done", &cookie).await.0, 303);
        // A mailed code proves nothing.
        stage.prove(&cookie, &[("address", ANA)]).await;
    }
    let forms = stage.service.get("/alpha/forms?status=STARTED").await.body["items"].clone();
    assert_eq!(
        forms[0]["data"],
        json!({"campaign": "spring", "purpose": null}),
        "only the prefilled value: {forms}"
    );
    let code = stage.read_stored_code(ANA).await;
    assert_eq!(stage.prove(&cookie, &[("code", &code)]).await.0, 303);
    assert_eq!(browse("/visit/token", "").await.status, 201);
}

#[tokio::test(flavor = "multi_thread")]
async fn address_can_be_corrected_and_a_code_requested_again() {
    let stage = Stage::set(Backend::Sqlite).await;
    stage.site(proving(&stage)).await;
    let cookie = stage.enter_unproven().await;
    let first = stage.code_for(&cookie, ANA).await;
    let (status, page) = stage.prove(&cookie, &[("act", "correct")]).await;
    assert!(status == 200 && page.contains("value=\"ana@example.com\""), "{page}");
    let second = stage.code_for(&cookie, "anna@example.com").await;
    if first != second {
        assert_eq!(stage.prove(&cookie, &[("code", &first)]).await.0, 422, "an earlier code is useless");
    }
    let (status, page) = stage.prove(&cookie, &[("act", "again")]).await;
    assert!(status == 422 && page.contains("less than a minute ago"), "{page}");
    let (status, page) = stage.prove(&cookie, &[("address", "Anna+x@example.com")]).await;
    assert!(status == 422 && page.contains("less than a minute ago"), "{page}");
    assert!(page.contains("value=\"Anna+x@example.com\""), "nothing typed is lost: {page}");
    for _ in 0..2 {
        stage.clock.advance(CODE_WAIT);
        assert_eq!(stage.prove(&cookie, &[("act", "again")]).await.0, 303);
    }
    stage.clock.advance(CODE_WAIT);
    let (status, page) = stage.prove(&cookie, &[("act", "again")]).await;
    assert!(status == 422 && page.contains("We have sent 4 codes"), "{page}");
    assert!(!page.contains("Send another code") && !page.contains("Use another address"), "{page}");
    let (_, page) = stage.prove(&cookie, &[("address", "cy@example.com")]).await;
    assert!(page.contains("value=\"cy@example.com\""), "nothing typed is lost: {page}");
    let last = stage.read_stored_code("anna@example.com").await;
    assert_eq!(stage.prove(&cookie, &[("code", &last)]).await.0, 303, "the last code still works");
}

#[rstest]
#[tokio::test(flavor = "multi_thread")]
async fn concurrent_attempts_at_a_code_are_all_counted(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let stage = Stage::set(backend).await;
    stage.site(proving(&stage)).await;
    let cookie = stage.enter_unproven().await;
    let code = stage.code_for(&cookie, ANA).await;
    let wrong = other_than(&code);
    let fields = [("code", wrong.as_str())];
    let attempts = (0..6).map(|_| stage.prove(&cookie, &fields));
    let pages = futures_util::future::join_all(attempts).await;
    assert!(pages.iter().all(|(status, _)| *status == 422), "{pages:?}");
    let (status, page) = stage.prove(&cookie, &[("code", &code)]).await;
    assert!(status == 422 && page.contains("This code does not work any more."), "{page}");
}

#[tokio::test(flavor = "multi_thread")]
async fn program_gets_no_code() {
    let stage = Stage::set(Backend::Sqlite).await;
    stage.site(proving(&stage)).await;
    let cookie = stage.enter("/s/loans").await;
    let address = ("address", ANA);
    let early = stage.prove(&cookie, &[address]).await;
    stage.read();
    let filled = stage.prove(&cookie, &[address, ("_website", "x")]).await;
    for (status, page) in [early, filled] {
        assert!(status == 422 && page.contains("press the button again"), "{page}");
        assert!(page.contains("value=\"ana@example.com\""), "{page}");
    }
    assert_eq!(stage.prove(&cookie, &[address, ("_website", "")]).await.0, 303);
}

#[tokio::test(flavor = "multi_thread")]
async fn invited_person_and_other_sites_are_not_asked() {
    let stage = Stage::set(Backend::Sqlite).await;
    let made = stage.site(proving(&stage)).await;
    let mut whom = ana(&stage.service);
    whom["linkSiteId"] = made["id"].clone();
    let invite = stage.service.post("/invites", whom).await.body;
    let cookie = stage.enter(&text(&invite["landingPageUrl"])).await;
    assert!(stage.page("/visit", &cookie).await.1.contains("About the loan"));
    let path = format!("/alpha/linkSites/{}", text(&made["id"]));
    let asked = stage.enter_unproven().await;
    assert_eq!(stage.service.patch(&path, json!({"access": "OPEN"})).await.status, 200);
    let open = stage.enter("/s/loans").await;
    assert!(stage.page("/visit", &open).await.1.contains("About the loan"));
    assert_eq!(stage.prove(&open, &[("address", ANA)]).await.0, 303, "it leads back to the visit");
    let (_, page) = stage.page("/visit", &asked).await;
    assert!(page.contains("Confirm your email address"), "a visit keeps what it began with: {page}");
}

#[tokio::test(flavor = "multi_thread")]
async fn whole_proof_in_a_frame_needs_no_cookie() {
    let stage = Stage::set(Backend::Sqlite).await;
    super::embedded::embeddable(&stage, |it| it["access"] = json!("PROVEN_EMAIL")).await;
    let secret = stage.enter_frame().await;
    stage.read();
    let path = "/s/loans/embed/proof?campaign=spring";
    let send = async |form: &str| {
        let form = format!("_visit={secret}&{form}");
        html(&stage.service.browse(Method::POST, path, "", Some(&form)).await)
    };
    let page = send("address=ana%40example.com").await;
    assert!(page.contains("Enter the code") && page.contains(&format!("action=\"{path}\"")), "{page}");
    assert_eq!(page.matches(&format!("name=\"_visit\" value=\"{secret}\"")).count(), 3, "{page}");
    let code = stage.read_stored_code(ANA).await;
    let wrong = send(&format!("code={}", other_than(&code))).await;
    assert!(wrong.contains("aria-invalid"), "{wrong}");
    let token = stage.script("/visit/token", &secret).await;
    assert_eq!(token.status, 409, "{:?}", token.body);
    let form = send(&format!("code={code}")).await;
    assert!(form.contains("About the loan") && form.contains("/s/loans/embed/form"), "{form}");
    let reloaded = stage.service.browse(Method::GET, path, "", None).await;
    assert_eq!(reloaded.headers["location"], "/s/loans/embed?campaign=spring");
    let elsewhere = stage.service.browse(Method::POST, PROOF, "", Some("address=ana%40example.com")).await;
    assert_eq!(elsewhere.status, 403);
}

#[rstest]
#[tokio::test(flavor = "multi_thread")]
async fn address_and_code_are_in_no_log_event_or_file(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let canary = "canary-proof-9d41@example.com";
    let log = log();
    let stage = Stage::set(backend).await;
    stage.site(proving(&stage)).await;
    let cookie = stage.enter_unproven().await;
    let code = stage.code_for(&cookie, canary).await;
    let refused = stage.prove(&cookie, &[("code", &other_than(&code))]).await;
    assert_eq!(refused.0, 422);
    assert_eq!(stage.prove(&cookie, &[("code", &code)]).await.0, 303);
    let codes = stage.service.app.store.write(|tx| tx.visits().codes_of_address(canary)).await.unwrap();
    assert!(codes.is_empty(), "a proven visit is not found by its address");
    let events = stage.service.get("/events?size=150").await;
    assert_absent("the log", log.text().as_bytes(), canary);
    assert_absent("an event", &events.bytes, canary);
    // A longer number, like that of a time, can contain the digits.
    let has_code = |text: &str| text.split(|it: char| !it.is_alphanumeric()).any(|it| it == code);
    assert!(!has_code(&log.text()), "the log contains {code}");
    assert!(!has_code(&String::from_utf8_lossy(&events.bytes)), "an event contains {code}");
    each_file(stage.service.database.folder(), &mut |path, bytes| {
        assert_absent(&path.display().to_string(), &bytes, canary);
    });
}

#[tokio::test(flavor = "multi_thread")]
async fn erased_user_and_old_visit_keep_no_address() {
    let stage = Stage::set(Backend::Sqlite).await;
    stage.site(proving(&stage)).await;
    let cookie = stage.enter_unproven().await;
    let code = stage.code_for(&cookie, ANA).await;
    let user = text(&stage.service.get("/alpha/forms?status=STARTED").await.body["items"][0]["userId"]);
    let find = async || {
        let app = &stage.service.app;
        app.store.read(|reader| reader.visits().codes_of_address(ANA)).await.unwrap()
    };
    assert_eq!(find().await.len(), 1);
    assert_eq!(stage.service.delete(&format!("/users/{user}")).await.status, 204);
    assert!(find().await.is_empty());
    assert_eq!(stage.prove(&cookie, &[("code", &code)]).await.0, 403);
    let other = stage.enter_unproven().await;
    stage.code_for(&other, ANA).await;
    stage.clock.advance(Duration::from_secs(8 * 86_400));
    housekeeping::tidy(&stage.service.app, stage.service.app.wall()).await.unwrap();
    assert!(find().await.is_empty());
}
