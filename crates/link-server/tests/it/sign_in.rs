//! A login on the provider's own page: the ticket, the sandbox provider, and the response.

use axum::body::Body;
use axum::http::{Method, Request, header};
use link_store::test_support::Backend;
use rstest::rstest;
use serde_json::Value;

use crate::invites::html;
use crate::sealed::{assert_absent, each_file};
use crate::service::{As, TestResponse, TestService, text};

mod own_host;
mod same_tab;

const PROVIDER: &str = "mx_social_security";

/// A login that waits for the person, and the address that the widget shows.
struct Waiting {
    session: String,
    progress: Value,
    address: String,
}

/// A browser that left for the provider's page.
struct Away {
    cookie: String,
    page: String,
}

async fn wait_for_redirect(service: &TestService) -> Waiting {
    let session = service.session().await;
    let progress = service.submit(&session, PROVIDER, "oauth", "pass").await;
    let progress = service.until_settled(&session, &progress).await;
    let address = text(&progress["phase"]["challenge"]["challenge"]["kind"]["redirect"]["address"]);
    let hosted = &service.app.settings.hosted_url;
    assert!(address.starts_with(&format!("{hosted}/sign-in/start/demo.s.a-")), "{address}");
    Waiting { session, progress, address }
}

async fn browse(service: &TestService, address: &str, cookie: &str) -> TestResponse {
    let path = address.trim_start_matches(service.app.settings.hosted_url.as_str());
    service.browse(Method::GET, path, cookie, None).await
}

fn location(response: &TestResponse) -> String {
    response.headers["location"].to_str().unwrap().to_owned()
}

/// Opens the address as a browser does that says from which site the link is.
async fn open_from(service: &TestService, method: Method, address: &str, site: &str) -> TestResponse {
    let hosted = &service.app.settings.hosted_url;
    let request = Request::builder()
        .method(method)
        .uri(address.trim_start_matches(hosted.as_str()))
        .header(header::HOST, hosted.split_once("://").unwrap().1)
        .header("sec-fetch-site", site);
    service.send_raw(request.body(Body::empty()).unwrap()).await
}

async fn leave(service: &TestService, address: &str) -> Away {
    let left = open_from(service, Method::GET, address, "same-site").await;
    assert_eq!(left.status, 303, "{}", html(&left));
    assert_eq!(left.headers["referrer-policy"], "no-referrer");
    assert_eq!(left.headers["cache-control"], "no-store");
    let cookie = left.headers["set-cookie"].to_str().unwrap();
    assert!(cookie.contains("HttpOnly") && cookie.contains("SameSite=Lax"), "{cookie}");
    Away { cookie: cookie.split(';').next().unwrap().to_owned(), page: location(&left) }
}

/// Sends a request to a page of the sandbox provider, which is on the public host. A form is posted.
async fn at_provider(service: &TestService, page: &str, cookie: &str, form: Option<&str>) -> TestResponse {
    let public = &service.app.settings.public_url;
    let path = page.trim_start_matches(public.as_str());
    assert!(path.starts_with("/sandbox/provider/"), "{page} is not below {public}");
    let method = if form.is_some() { Method::POST } else { Method::GET };
    let request = Request::builder()
        .method(method)
        .uri(path)
        .header(header::HOST, public.split_once("://").unwrap().1)
        .header(header::COOKIE, cookie)
        .header(header::CONTENT_TYPE, "application/x-www-form-urlencoded");
    service.send_raw(request.body(Body::from(form.unwrap_or_default().to_owned())).unwrap()).await
}

/// Signs in on the provider's login page. Returns the page that asks, and the cookie of the session there.
async fn sign_in(service: &TestService, page: &str) -> (String, String) {
    let shown = at_provider(service, page, "", None).await;
    assert!(html(&shown).contains("type=\"password\""), "{}", html(&shown));
    let signed_in = at_provider(service, page, "", Some("login=oauth&password=pass")).await;
    assert_eq!(signed_in.status, 303, "{}", html(&signed_in));
    let cookie = signed_in.headers["set-cookie"].to_str().unwrap();
    assert!(cookie.contains("HttpOnly") && cookie.contains("Path=/sandbox/provider;"), "{cookie}");
    (location(&signed_in), cookie.split(';').next().unwrap().to_owned())
}

/// Signs in at the provider and presses a button. Returns the address that the browser opens.
async fn press(service: &TestService, away: &Away, outcome: &str) -> String {
    let (page, cookie) = sign_in(service, &away.page).await;
    let asked = at_provider(service, &page, &cookie, None).await;
    assert!(html(&asked).contains(&format!("value=\"{outcome}\"")), "{}", html(&asked));
    let decided = at_provider(service, &page, &cookie, Some(&format!("outcome={outcome}"))).await;
    assert_eq!(decided.status, 303, "{}", html(&decided));
    location(&decided)
}

/// Opens the callback address. Returns the path of the page that follows.
async fn come_back(service: &TestService, address: &str, cookie: &str) -> String {
    let received = browse(service, address, cookie).await;
    assert_eq!(received.status, 303, "{}", html(&received));
    assert_eq!(received.headers["referrer-policy"], "no-referrer");
    location(&received)
}

/// Waits until the account has left its challenge and its last step.
async fn until_over(service: &TestService, waiting: &Waiting) -> Value {
    let path = |progress: &Value| {
        let (id, version) = (text(&progress["accountId"]), &progress["version"]);
        format!("/link/accounts/{id}?after={version}&wait=10000")
    };
    let mut progress = waiting.progress.clone();
    for _ in 0..10 {
        let phase = &progress["phase"];
        if phase.get("challenge").is_none() && phase.get("connecting").is_none() {
            return progress;
        }
        progress =
            service.send(Method::GET, &path(&progress), As::Session(&waiting.session), None).await.body;
    }
    panic!("the login never ended: {progress}");
}

/// Walks through the provider's page with one of its buttons, and returns the end and the progress.
async fn walk(service: &TestService, waiting: &Waiting, outcome: &str) -> (String, Value) {
    let away = leave(service, &waiting.address).await;
    let back = press(service, &away, outcome).await;
    let end = come_back(service, &back, &away.cookie).await;
    (end, until_over(service, waiting).await)
}

#[rstest]
#[tokio::test]
async fn person_signs_in_on_the_providers_page(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let service = TestService::start(backend).await;
    let waiting = wait_for_redirect(&service).await;
    let away = leave(&service, &waiting.address).await;
    let back = press(&service, &away, "allow").await;
    assert_eq!(come_back(&service, &back, &away.cookie).await, "/sign-in/done/received");
    let linked = until_over(&service, &waiting).await;
    assert!(linked["phase"].get("connected").is_some(), "{linked}");
    let page = browse(&service, "/sign-in/done/received", "").await;
    assert!(html(&page).contains("You can go back now"), "{}", html(&page));
    let code = back.split("code=").nth(1).unwrap().split('&').next().unwrap().to_owned();
    each_file(&service.database.files(), &mut |path, bytes| {
        for secret in [code.as_str(), waiting.address.rsplit('.').next().unwrap()] {
            assert_absent(&path.display().to_string(), &bytes, secret);
        }
    });
}

#[rstest]
#[case::slow("slow", "received", None)]
#[case::ended_access("ended-access", "received", None)]
#[case::refusal("refuse", "refused", Some("INVALID_MFA"))]
#[case::provider_error("error", "failed", Some("SERVICE_UNAVAILABLE"))]
#[case::expired_code("expired-code", "received", Some("MFA_TIMEOUT"))]
#[tokio::test]
async fn outcome_of_the_providers_page_reaches_the_widget(
    #[case] button: &str,
    #[case] expected: &str,
    #[case] error: Option<&str>,
) {
    let service = TestService::start(Backend::Sqlite).await;
    let waiting = wait_for_redirect(&service).await;
    let (end, progress) = walk(&service, &waiting, button).await;
    assert_eq!(end, format!("/sign-in/done/{expected}"));
    let failed = &progress["phase"]["failed"];
    match error {
        None => assert!(progress["phase"].get("connected").is_some(), "{progress}"),
        Some(code) => assert_eq!(failed["errorCode"], code, "{progress}"),
    }
    assert_eq!(failed["declined"] == true, button == "refuse", "{progress}");
}

#[rstest]
#[case::no_issuer("no-issuer")]
#[case::other_issuer("wrong-issuer")]
#[tokio::test]
async fn response_of_another_issuer_is_not_used(#[case] button: &str) {
    let service = TestService::start(Backend::Sqlite).await;
    let waiting = wait_for_redirect(&service).await;
    let away = leave(&service, &waiting.address).await;
    let back = press(&service, &away, button).await;
    assert_eq!(come_back(&service, &back, &away.cookie).await, "/sign-in/done/wrong-issuer");
    let (end, linked) = walk(&service, &waiting, "allow").await;
    assert_eq!(end, "/sign-in/done/received");
    assert!(linked["phase"].get("connected").is_some(), "the person can start again: {linked}");
}

#[tokio::test]
async fn response_at_another_providers_callback_is_not_used() {
    let service = TestService::start(Backend::Sqlite).await;
    let waiting = wait_for_redirect(&service).await;
    let away = leave(&service, &waiting.address).await;
    let own = format!("callback%2F{PROVIDER}");
    assert!(away.page.contains(&own), "each provider has its callback: {}", away.page);
    // A page that sends the person on to another provider, with the callback address that is registered there.
    let page = away.page.replace(&own, "callback%2Fmx_government_pension");
    let mixed = Away { page, cookie: away.cookie.clone() };
    let back = press(&service, &mixed, "allow").await;
    assert_eq!(come_back(&service, &back, &mixed.cookie).await, "/sign-in/done/wrong-issuer");
    let invalid = back.replace("mx_government_pension", "MX");
    assert_eq!(come_back(&service, &invalid, &mixed.cookie).await, "/sign-in/done/unknown");
    let back = press(&service, &away, "allow").await;
    assert_eq!(come_back(&service, &back, &away.cookie).await, "/sign-in/done/received");
}

#[tokio::test]
async fn wrong_replayed_and_foreign_responses_are_rejected() {
    let service = TestService::start(Backend::Sqlite).await;
    let waiting = wait_for_redirect(&service).await;
    let away = leave(&service, &waiting.address).await;
    let back = press(&service, &away, "allow").await;
    assert_eq!(come_back(&service, &back, "").await, "/sign-in/done/other-browser");
    let forged = back.replacen("state=demo.s.", "state=demo.p.", 1);
    assert_eq!(come_back(&service, &forged, &away.cookie).await, "/sign-in/done/over");
    let broken = back.replacen("state=", "state=.", 1);
    assert_eq!(come_back(&service, &broken, &away.cookie).await, "/sign-in/done/unknown");
    let second = leave(&service, &waiting.address).await;
    let later = press(&service, &second, "allow").await;
    assert_eq!(come_back(&service, &later, &second.cookie).await, "/sign-in/done/received");
    for late in [&back, &later] {
        assert_eq!(come_back(&service, late, &second.cookie).await, "/sign-in/done/over", "the replay");
    }
    let linked = until_over(&service, &waiting).await;
    assert!(linked["phase"].get("connected").is_some(), "{linked}");
    let over = browse(&service, &waiting.address, "").await;
    assert_eq!(over.status, 410);
    assert!(html(&over).contains("This sign-in has already ended"), "{}", html(&over));
}

#[rstest]
#[case::another_site("cross-site")]
#[case::link_of_a_message("none")]
#[tokio::test]
async fn link_from_elsewhere_asks_the_person_first(#[case] site: &str) {
    let service = TestService::start(Backend::Sqlite).await;
    let waiting = wait_for_redirect(&service).await;
    let asked = open_from(&service, Method::GET, &waiting.address, site).await;
    assert_eq!(asked.status, 200);
    assert!(!asked.headers.contains_key("set-cookie"), "{:?}", asked.headers);
    assert_eq!(asked.headers["referrer-policy"], "same-origin", "the form keeps its origin");
    for part in ["If someone sent you this address", "asks you to sign in", "<form method=\"post\">"] {
        assert!(html(&asked).contains(part), "{}", html(&asked));
    }
    let foreign = open_from(&service, Method::POST, &waiting.address, "cross-site").await;
    assert_eq!(foreign.status, 403);
    assert!(!foreign.headers.contains_key("set-cookie"), "{:?}", foreign.headers);
    let agreed = open_from(&service, Method::POST, &waiting.address, "same-origin").await;
    assert_eq!(
        (agreed.status.as_u16(), &agreed.headers["referrer-policy"]),
        (200, &"no-referrer".parse().unwrap())
    );
    let cookie = agreed.headers["set-cookie"].to_str().unwrap().split(';').next().unwrap().to_owned();
    let shown = html(&agreed);
    let page = shown.split("content=\"0;url=").nth(1).unwrap().split('"').next().unwrap();
    let away = Away { cookie, page: page.replace("&amp;", "&") };
    let back = press(&service, &away, "allow").await;
    assert_eq!(come_back(&service, &back, &away.cookie).await, "/sign-in/done/received");
}

#[tokio::test]
async fn pages_of_a_sign_in_keep_their_texts_in_every_language() {
    let service = TestService::start(Backend::Sqlite).await;
    for (language, title) in [
        ("en", "This address is not valid"),
        ("es-MX", "Esta dirección no es válida"),
        ("ar", "هذا العنوان غير صالح"),
    ] {
        let page = service.browse_in(language, Method::GET, "/sign-in/start/x", "", None).await;
        assert_eq!(page.status, 404);
        assert!(html(&page).contains(title), "{}", html(&page));
    }
}

#[tokio::test]
async fn sandbox_provider_sends_people_only_to_this_service() {
    let service = TestService::start(Backend::Sqlite).await;
    let waiting = wait_for_redirect(&service).await;
    let away = leave(&service, &waiting.address).await;
    let elsewhere = away.page.replacen("redirect_uri=http", "redirect_uri=https", 1);
    assert_ne!(elsewhere, away.page);
    assert_eq!(at_provider(&service, &elsewhere, "", None).await.status, 400);
    let login = Some("login=oauth&password=pass");
    assert_eq!(at_provider(&service, &elsewhere, "", login).await.status, 400);
    let (page, cookie) = sign_in(&service, &away.page).await;
    let elsewhere = page.replacen("redirect_uri=http", "redirect_uri=https", 1);
    assert_eq!(at_provider(&service, &elsewhere, &cookie, None).await.status, 400);
    assert_eq!(at_provider(&service, &elsewhere, &cookie, Some("outcome=allow")).await.status, 400);
    assert_eq!(at_provider(&service, &page, &cookie, Some("outcome=other")).await.status, 400);
}

#[tokio::test]
async fn sandbox_provider_asks_only_after_its_own_login() {
    let service = TestService::start(Backend::Sqlite).await;
    let waiting = wait_for_redirect(&service).await;
    let away = leave(&service, &waiting.address).await;
    for wrong in
        ["login=oauth&password=wrong-0815", "login=good&password=pass", "login=%3Cb%3E&password=", ""]
    {
        let refused = at_provider(&service, &away.page, "", Some(wrong)).await;
        assert_eq!(refused.status, 200);
        assert!(!refused.headers.contains_key("set-cookie"), "{:?}", refused.headers);
        for part in ["The user name or the password is wrong.", "aria-invalid=\"true\""] {
            assert!(html(&refused).contains(part), "{}", html(&refused));
        }
        assert!(!html(&refused).contains("wrong-0815"), "the password is not repeated: {}", html(&refused));
    }
    let (page, _) = sign_in(&service, &away.page).await;
    for form in [None, Some("outcome=allow")] {
        let stranger = at_provider(&service, &page, "", form).await;
        assert_eq!(
            (stranger.status.as_u16(), location(&stranger)),
            (303, away.page.replace(&service.app.settings.public_url, ""))
        );
    }
}
