//! A link site in a frame: who may contain it, and a visit without a cookie.

use std::num::NonZeroU32;

use axum::body::Body;
use axum::http::{Method, Request, header};
use futures_util::stream;
use link_store::test_support::Backend;
use rstest::rstest;
use serde_json::{Value, json};

use super::{Stage, site};
use crate::invites::{HOSTED, html};
use crate::service::{TestResponse, text};

const EMBED: &str = "/s/loans/embed";
const SHOP: &str = "https://shop.example";

/// Creates a site that pages of [`SHOP`] may embed, with these changes.
pub(super) async fn embeddable(stage: &Stage, change: impl FnOnce(&mut Value)) -> Value {
    let template = format!("/linkTemplates/{}", stage.service.sandbox.template);
    let allowed = json!({"allowedOrigins": [SHOP, "https://other.example"]});
    assert_eq!(stage.service.patch(&template, allowed).await.status, 200);
    let mut body = site(&stage.service, "loans");
    body["embedOrigins"] = json!([SHOP]);
    change(&mut body);
    stage.site(body).await
}

fn ancestors(response: &TestResponse) -> String {
    let policy = response.headers[header::CONTENT_SECURITY_POLICY].to_str().unwrap();
    policy.rsplit_once("frame-ancestors ").unwrap().1.to_owned()
}

/// Returns the secret that a page has for its script.
fn secret(page: &str) -> String {
    page.split_once("data-visit=\"")
        .unwrap_or_else(|| panic!("{page}"))
        .1
        .split('"')
        .next()
        .unwrap()
        .to_owned()
}

impl Stage {
    async fn frame(&self, method: Method, path: &str, form: Option<&str>) -> TestResponse {
        self.service.browse(method, path, "", form).await
    }

    /// Presses the button of the first page in a frame. Returns the visit's secret.
    pub(super) async fn enter_frame(&self) -> String {
        let entered = self.frame(Method::POST, &format!("{EMBED}?campaign=spring"), None).await;
        assert_eq!((entered.status.as_u16(), entered.headers.get(header::SET_COOKIE)), (200, None));
        secret(&html(&entered))
    }

    /// Sends a request of a page's script.
    pub(super) async fn script(&self, path: &str, secret: &str) -> TestResponse {
        let request = Request::post(path).header("host", HOSTED.split_once("://").unwrap().1);
        self.service.send_raw(request.header("linchpin-visit", secret).body(Body::empty()).unwrap()).await
    }
}

#[rstest]
#[tokio::test]
async fn whole_visit_in_a_frame_needs_no_cookie(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let stage = Stage::set(backend).await;
    embeddable(&stage, |it| it["steps"] = json!(["FORM", "WIDGET", "THANK_YOU"])).await;
    let first = stage.frame(Method::GET, EMBED, None).await;
    assert_eq!((first.status.as_u16(), ancestors(&first).as_str()), (200, SHOP));
    let secret = stage.enter_frame().await;
    stage.read();
    let wrong = stage
        .frame(Method::POST, "/s/loans/embed/form", Some(&format!("_visit={secret}&purpose=Boat")))
        .await;
    assert_eq!((wrong.status.as_u16(), ancestors(&wrong).as_str()), (422, SHOP));
    assert!(html(&wrong).contains(&secret) && !html(&wrong).contains("data-submitted"), "{}", html(&wrong));
    let keeps = "action=\"/s/loans/embed/form?campaign=spring\"";
    let form = stage
        .frame(Method::POST, &format!("{EMBED}?campaign=spring"), Some(&format!("_visit={secret}")))
        .await;
    assert!(html(&form).contains(keeps), "a visit that begins again has the values, too: {}", html(&form));
    let next = stage
        .frame(Method::POST, "/s/loans/embed/form", Some(&format!("_visit={secret}&purpose=Home")))
        .await;
    let page = html(&next);
    assert!(page.contains("data-page=\"widget\"") && page.contains("data-submitted=\"true\""), "{page}");
    assert_eq!(ancestors(&next), SHOP);
    let token = stage.script("/visit/token", &secret).await;
    assert_eq!(token.status, 201, "{:?}", token.body);
    let form = stage.service.get("/alpha/forms").await.body["items"][0].clone();
    assert_eq!(form["data"], json!({"purpose": "Home", "campaign": "spring"}));
    assert!(page.contains(&format!("data-session=\"{}\"", text(&form["linkSiteSessionId"]))), "{page}");
    let again = stage.frame(Method::POST, EMBED, Some(&format!("_visit={secret}"))).await;
    assert!(html(&again).contains("data-page=\"widget\""), "the visit continues after a reload");
}

#[tokio::test]
async fn end_page_in_a_frame_leaves_it_only_by_a_press() {
    let stage = Stage::set(Backend::Sqlite).await;
    embeddable(&stage, |body| {
        body["steps"] = json!(["FORM", "THANK_YOU"]);
        body["endPage"]["redirectUrl"] = json!("https://shop.example/end");
    })
    .await;
    let secret = stage.enter_frame().await;
    stage.read();
    let end = stage
        .frame(Method::POST, "/s/loans/embed/form", Some(&format!("_visit={secret}&purpose=Home")))
        .await;
    let page = html(&end);
    assert!(page.contains("data-page=\"done\"") && !page.contains("http-equiv"), "{page}");
    assert!(
        page.contains("href=\"https://shop.example/end?linkSiteSessionId=")
            && page.contains("target=\"_top\"")
    );
    assert_eq!(ancestors(&end), SHOP);
}

#[tokio::test]
async fn only_listed_origins_embed_only_the_pages_of_the_frame() {
    let stage = Stage::set(Backend::Sqlite).await;
    let made = embeddable(&stage, |_| {}).await;
    let cookie = stage.enter("/s/loans").await;
    for (path, cookie) in [("/s/loans", ""), ("/visit", &cookie)] {
        let page = stage.service.browse(Method::GET, path, cookie, None).await;
        assert_eq!(ancestors(&page), "'none'", "{path} uses a cookie");
    }
    let path = format!("/alpha/linkSites/{}", text(&made["id"]));
    let template = format!("/linkTemplates/{}", stage.service.sandbox.template);
    for (change, status) in [(json!({"access": "INVITATION"}), 403), (json!({"status": "CLOSED"}), 410)] {
        assert_eq!(stage.service.patch(&path, change).await.status, 200);
        let page = stage.frame(Method::GET, EMBED, None).await;
        assert_eq!((page.status.as_u16(), ancestors(&page).as_str()), (status, SHOP));
    }
    // The widget could not open there any more.
    let other = json!({"allowedOrigins": ["https://other.example"]});
    assert_eq!(stage.service.patch(&template, other).await.status, 200);
    assert_eq!(ancestors(&stage.frame(Method::GET, EMBED, None).await), "'none'");
    assert_eq!(
        stage.service.patch(&path, json!({"name": "Old loans"})).await.status,
        200,
        "other parts can change"
    );
    for unknown in ["/s/unknown/embed", "/s/%00/embed"] {
        let page = stage.frame(Method::GET, unknown, None).await;
        assert_eq!((page.status.as_u16(), ancestors(&page).as_str()), (404, "'none'"), "{unknown}");
    }
}

#[tokio::test]
async fn secret_of_a_frame_is_of_its_site_and_its_time() {
    let stage = Stage::set(Backend::Sqlite).await;
    embeddable(&stage, |_| {}).await;
    let mut body = site(&stage.service, "cars");
    body["embedOrigins"] = json!([SHOP]);
    stage.site(body).await;
    let secret = stage.enter_frame().await;
    for (path, field) in
        [("/s/cars/embed", secret.clone()), ("/s/loans/embed", format!("lpv_{}", "0".repeat(64)))]
    {
        let form = format!("{path}/form?reference=r-1");
        let refused = stage.frame(Method::POST, &form, Some(&format!("_visit={field}&purpose=Home"))).await;
        let page = html(&refused);
        assert!(refused.status == 403 && page.contains("Your visit has ended"), "{path}: {page}");
        assert!(page.contains(&format!("href=\"{path}?reference=r-1\"")), "{page}");
        assert_eq!(ancestors(&refused), SHOP, "the explanation is in the frame");
    }
    let first = stage.frame(Method::POST, EMBED, Some(&format!("_visit=lpv_{}", "0".repeat(64)))).await;
    let page = html(&first);
    assert!(
        page.contains("data-page=\"start\"") && page.contains("data-over=\"true\""),
        "it begins again: {page}"
    );
    assert!(!html(&stage.frame(Method::GET, EMBED, None).await).contains("data-over"), "none is over");
    let forms = stage.service.get("/alpha/forms?status=STARTED").await.body;
    assert_eq!(forms["items"].as_array().unwrap().len(), 1, "only the prefilled one: {forms}");
}

#[tokio::test]
async fn cookie_does_not_replace_the_secret_of_a_frame() {
    let stage = Stage::set(Backend::Sqlite).await;
    embeddable(&stage, |_| {}).await;
    let cookie = stage.enter("/s/loans").await;
    stage.read();
    let sent = stage.service.browse(Method::POST, "/s/loans/embed/form", &cookie, Some("purpose=Home")).await;
    assert_eq!(sent.status, 403, "a page around the frame cannot make a person submit their visit");
    let first = stage.service.browse(Method::GET, EMBED, &cookie, None).await;
    assert!(html(&first).contains("data-page=\"start\""), "{}", html(&first));
}

#[tokio::test]
async fn origins_that_cannot_embed_are_faults_of_their_field() {
    let stage = Stage::set(Backend::Sqlite).await;
    embeddable(&stage, |_| {}).await;
    let mut body = site(&stage.service, "cars");
    body["embedOrigins"] =
        json!(["HTTPS://Shop.example:443/", "https://*.example", SHOP, "https://evil.example"]);
    let refused = stage.service.post("/alpha/linkSites", body.clone()).await;
    let errors = refused.body["errors"].as_array().unwrap_or_else(|| panic!("{:?}", refused.body)).iter();
    let fields: Vec<_> = errors.map(|it| text(&it["field"])).collect();
    assert_eq!(fields, ["embedOrigins[1]", "embedOrigins[2]", "embedOrigins[3]"]);
    body["embedOrigins"] = json!(["HTTPS://Shop.example:443/"]);
    let made = stage.site(body.clone()).await;
    assert_eq!(made["embedOrigins"], json!([SHOP]));
    let many: Vec<String> = (1..=21).map(|it| format!("https://shop-{it}.example")).collect();
    let template = format!("/linkTemplates/{}", stage.service.sandbox.template);
    assert_eq!(stage.service.patch(&template, json!({"allowedOrigins": many})).await.status, 200);
    (body["slug"], body["embedOrigins"]) = (json!("boats"), json!(many));
    let made = format!("/alpha/linkSites/{}", text(&made["id"]));
    for refused in [
        stage.service.post("/alpha/linkSites", body).await,
        stage.service.patch(&made, json!({"embedOrigins": many})).await,
    ] {
        assert_eq!(
            (refused.status.as_u16(), &refused.body["errors"][0]["field"]),
            (422, &json!("embedOrigins"))
        );
    }
    assert_eq!(stage.service.patch(&made, json!({"embedOrigins": many[1..]})).await.status, 200);
}

#[tokio::test]
async fn form_that_is_stored_is_followed_by_its_next_step() {
    let stage = Stage::with(Backend::Sqlite, |settings| {
        settings.live.edit(|live| {
            live.rate_per_second = NonZeroU32::MIN;
            live.rate_burst = NonZeroU32::new(25).unwrap();
        });
    })
    .await;
    embeddable(&stage, |_| {}).await;
    let secret = stage.enter_frame().await;
    stage.read();
    // The submission is the last request that the limit allows.
    for _ in 0..23 {
        let again = stage.frame(Method::POST, EMBED, Some(&format!("_visit={secret}"))).await;
        assert_eq!(again.status, 200);
    }
    let body = format!("_visit={secret}&purpose=Home");
    let next = stage.frame(Method::POST, "/s/loans/embed/form", Some(&body)).await;
    assert!(next.status == 200 && html(&next).contains("data-submitted=\"true\""), "{}", html(&next));
}

#[tokio::test]
async fn failures_in_a_frame_are_pages_that_lead_on() {
    let stage = Stage::set(Backend::Sqlite).await;
    embeddable(&stage, |_| {}).await;
    let secret = stage.enter_frame().await;
    let host = HOSTED.split_once("://").unwrap().1;
    let request = || Request::post("/s/loans/embed/form?reference=r-1").header("host", host);
    let broken = stream::iter([Ok("_visit=".to_owned()), Err(std::io::Error::other("reset"))]);
    let whole = format!("_visit={secret}&purpose=Home");
    for request in [
        request().body(Body::from_stream(broken)).unwrap(),
        request().header(header::CONTENT_TYPE, "multipart/form-data").body(Body::from(whole)).unwrap(),
    ] {
        let refused = stage.service.send_raw(request).await;
        let page = html(&refused);
        assert!(page.contains("data-page=\"message\""), "{}: {page}", refused.status);
        assert!(page.contains("href=\"/s/loans/embed?reference=r-1\""), "{page}");
        assert_eq!((refused.status.as_u16(), ancestors(&refused).as_str()), (400, SHOP));
    }
}
