//! The languages of hosted pages and mails: a walk through every page and the mail in every language.

use std::collections::BTreeSet;
use std::num::NonZeroU32;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::http::Method;
use link_domain::kernel::system::BoxFuture;
use link_domain::kernel::system::Clock;
use link_domain::notifications::generated::service_texts::{SERVICE_KEYS, SERVICE_TEXTS};
use link_domain::notifications::generated::text_keys::LOCALES;
use link_domain::notifications::mail::Mail;
use link_domain::notifications::mail::{MailError, Mailer};
use link_domain::notifications::service_text::Part;
use link_store::test_support::Backend;
use link_test_support::wait;
use serde_json::{Value, json};

use super::{HOSTED, ana, html};
use crate::archives::TestClock;
use crate::service::{As, TestService, text};
use crate::uploads::{Uploader, picture};

mod proofs;
mod sign_ins;
mod sites;

/// Texts that no request of the walk causes: the service would have to fail.
const UNSEEN: [&str; 2] = ["page-failed-text", "page-failed-title"];
/// Minimum number of letters of a sentence that belongs to one language.
const MIN_LETTERS: usize = 12;
/// The same for Chinese, whose words are shorter.
const SIGNS: usize = 5;

/// Returns the literal pieces of a text.
fn pieces(parts: &'static [Part]) -> Vec<&'static str> {
    parts
        .iter()
        .flat_map(|part| match part {
            Part::Text(text) => vec![*text],
            Part::Argument(_) => Vec::new(),
            Part::Plural { forms, .. } => forms.iter().flat_map(|(_, parts)| pieces(parts)).collect(),
        })
        .collect()
}

/// Returns the pieces of every text of a language that are not also in another.
fn sentences_of(locale: usize, not_in: usize) -> Vec<&'static str> {
    let own: String = SERVICE_TEXTS[not_in].iter().flat_map(|parts| pieces(parts)).collect();
    let least = if LOCALES[locale] == "zh-Hans" { SIGNS } else { MIN_LETTERS };
    let all = SERVICE_TEXTS[locale].iter().flat_map(|parts| pieces(parts)).map(str::trim);
    all.filter(|it| it.chars().count() >= least && !own.contains(it)).collect()
}

fn plain(html: &str) -> String {
    html.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&amp;", "&")
}

/// Everything that a person saw in one language.
struct Seen {
    locale: usize,
    pages: Vec<(String, String)>,
}

impl Seen {
    fn page(&mut self, name: &str, html: &str) {
        let tag = LOCALES[self.locale];
        let direction = if tag == "ar" { "rtl" } else { "ltr" };
        let start = format!("<!DOCTYPE html><html lang=\"{tag}\" dir=\"{direction}\">");
        assert!(html.starts_with(&start), "{tag} {name}: {html}");
        self.text(name, html);
    }

    fn text(&mut self, name: &str, text: &str) {
        let (tag, text) = (LOCALES[self.locale], plain(text));
        for other in (0..LOCALES.len()).filter(|other| *other != self.locale) {
            for sentence in sentences_of(other, self.locale) {
                assert!(!text.contains(sentence), "{tag} {name} has {:?} of {}", sentence, LOCALES[other]);
            }
        }
        self.pages.push((name.to_owned(), text));
    }

    /// Checks that the walk has seen every text of pages and mails, so that it cannot miss a new page.
    fn is_complete(&self) {
        let all: String = self.pages.iter().map(|(_, text)| text.as_str()).collect();
        let is_seen =
            |parts| pieces(parts).iter().any(|piece| !piece.trim().is_empty() && all.contains(piece));
        let unseen: BTreeSet<&str> = SERVICE_KEYS
            .iter()
            .zip(SERVICE_TEXTS[self.locale])
            // The walk leads neither to the person's own page nor to the sign-in of a member, and sends no files.
            .filter(|((key, _), _)| !["me-", "portal-", "page-file-"].iter().any(|it| key.starts_with(it)))
            .filter(|((key, _), parts)| !UNSEEN.contains(key) && !is_seen(parts))
            .map(|((key, _), _)| *key)
            .collect();
        assert_eq!(unseen, BTreeSet::new(), "{}", LOCALES[self.locale]);
    }
}

/// A mailer that records mails.
#[derive(Clone, Default)]
struct Recorder(Arc<Mutex<Vec<Mail>>>);

impl Mailer for Recorder {
    fn send<'a>(&'a self, mail: &'a Mail) -> BoxFuture<'a, Result<(), MailError>> {
        self.0.lock().unwrap().push(mail.clone());
        Box::pin(std::future::ready(Ok(())))
    }

    fn forget<'a>(&'a self, _: &'a str) -> BoxFuture<'a, Result<(), MailError>> {
        Box::pin(std::future::ready(Ok(())))
    }
}

/// A service in which invitations have reached every state.
struct Stage {
    service: TestService,
    clock: Arc<TestClock>,
    mails: Recorder,
}

impl Stage {
    async fn set() -> Self {
        let (clock, mails) = (Arc::new(TestClock::default()), Recorder::default());
        let (moved, recorder) = (Arc::clone(&clock), mails.clone());
        let service = TestService::start_of(
            Backend::Sqlite,
            |settings| settings.live.edit(|live| live.rate_burst = NonZeroU32::new(10_000).unwrap()),
            move |parts| {
                parts.ports.clock = moved as Arc<dyn Clock>;
                parts.ports.mailer = Arc::new(recorder);
            },
        )
        .await;
        Self { service, clock, mails }
    }

    async fn invite(&self, locale: Option<&str>) -> Value {
        let mut body = ana(&self.service);
        body["locale"] = json!(locale);
        // Each language stops the mail to another address.
        body["emailAddress"] = json!(format!("ana-{}@example.com", locale.unwrap_or("ruiz")));
        let made = self.service.post("/invites", body).await;
        assert_eq!((made.status.as_u16(), &made.body["locale"]), (201, &json!(locale)), "{:?}", made.body);
        made.body
    }

    async fn mail_of(&self, invite: &Value) -> Mail {
        let name = format!("{}.1", text(&invite["id"]));
        let found = || self.mails.0.lock().unwrap().iter().find(|mail| mail.name == name).cloned();
        wait::until("the mail is sent", async || found().is_some()).await;
        found().unwrap()
    }

    async fn form(&self, form: Value) {
        let path = format!("/linkTemplates/{}", self.service.sandbox.template);
        let changed = self.service.patch(&path, json!({"form": form})).await;
        assert_eq!(changed.status, 200, "{:?}", changed.body);
    }

    /// Looks at one page.
    async fn look(&self, seen: &mut Seen, name: &str, method: Method, path: &str, cookie: &str) {
        let tag = LOCALES[seen.locale];
        let response = self.service.browse_in(tag, method, path, cookie, None).await;
        seen.page(name, &html(&response));
    }

    async fn link(&self, session: &str) {
        let progress = self.service.submit(session, "mx_social_security", "good", "pass").await;
        self.service.until_settled(session, &progress).await;
    }

    async fn upload(&self, session: &str) {
        let uploader = Uploader { service: &self.service, session: session.to_owned() };
        uploader.submit("PAYSLIP", &picture(1_000)).await;
    }
}

fn form() -> Value {
    json!({"reference": "loan", "fields": [
        {"name": "purpose", "label": "Zweck", "type": "CHOICE", "required": true, "choices": ["Auto"]},
        {"name": "email", "label": "Mail", "type": "EMAIL", "required": true},
        {"name": "phone", "label": "Ruf", "type": "PHONE"},
        {"name": "day", "label": "Tag", "type": "DATE"},
        {"name": "notes", "label": "Notiz", "type": "TEXT"},
        {"name": "truth", "label": "Wahr", "type": "CHECKBOX", "required": true},
    ], "locale": "de"})
}

#[tokio::test(flavor = "multi_thread")]
async fn every_page_and_mail_speaks_the_language_of_the_person() {
    let stage = Stage::set().await;
    let service = &stage.service;
    for (locale, tag) in LOCALES.iter().enumerate() {
        let mut seen = Seen { locale, pages: Vec::new() };
        let see = &mut seen;
        let (get, post) = (|| Method::GET, || Method::POST);

        stage.look(see, "unknown link", get(), &format!("/invite/{}", "0".repeat(64)), "").await;
        stage.look(see, "no visit", get(), "/visit", "").await;
        let phone = format!("/continue/{}", service.sandbox.template);
        stage.look(see, "phone", get(), &phone, "").await;
        stage.look(see, "phone with an unknown code", get(), "/continue/unknown", "").await;
        let response = service.send_raw(foreign(tag)).await;
        see.page("another site", &html(&response));

        let invite = stage.invite(Some(tag)).await;
        let mail = stage.mail_of(&invite).await;
        see.page("mail", mail.html.expose());
        see.text("plain mail", mail.text.expose());
        see.text("subject", mail.subject.expose());
        assert_eq!(mail.languages, [*tag]);
        let stop = mail.unsubscribe.as_ref().unwrap().expose().trim_start_matches(HOSTED).to_owned();
        stage.look(see, "stop mail", get(), &stop, "").await;
        stage.look(see, "wrong stop link", get(), &format!("/mail/stop/{}", "0".repeat(96)), "").await;

        let link = text(&stage.invite(None).await["landingPageUrl"]);
        stage.look(see, "landing page", get(), &link, "").await;
        stage.form(form()).await;
        let cookie = service.enter(&link).await;
        stage.look(see, "form", get(), "/visit", &cookie).await;
        for answers in ["purpose=x&email=x&phone=x&day=x", &format!("notes={}", "x".repeat(2_001))] {
            let response = service.browse_in(tag, post(), "/visit/form", &cookie, Some(answers)).await;
            assert_eq!(response.status, 422);
            see.page("form with faults", &html(&response));
        }
        assert!(see.pages.last().unwrap().1.contains("<span lang=\"de\" dir=\"ltr\">Notiz</span>"));
        stage.form(json!({"reference": "none", "fields": []})).await;
        stage.look(see, "widget", get(), "/visit", &cookie).await;
        stage.look(see, "used link", get(), &link, "").await;
        stage.look(see, "asked again early", post(), &format!("{link}/again"), "").await;
        stage.clock.advance(Duration::from_secs(60));
        stage.look(see, "asked again", post(), &format!("{link}/again"), "").await;

        let link = text(&stage.invite(None).await["landingPageUrl"]);
        let cookie = service.enter(&link).await;
        let session = service.widget_of(&cookie).await;
        stage.upload(&session).await;
        stage.look(see, "uploaded", get(), "/visit/done", &cookie).await;
        stage.look(see, "known upload", get(), &link, &cookie).await;
        stage.look(see, "unknown upload", get(), &link, "").await;
        stage.link(&session).await;
        stage.look(see, "linked and uploaded", get(), "/visit/done", &cookie).await;

        let invite = stage.invite(None).await;
        let link = text(&invite["landingPageUrl"]);
        let resend = format!("/invites/{}/resend", text(&invite["id"]));
        for _ in 0..19 {
            let again = service.send(Method::POST, &resend, As::Tenant(&service.sandbox), None).await;
            assert_eq!(again.status, 200, "{:?}", again.body);
        }
        let cookie = service.enter(&link).await;
        stage.look(see, "no more mails", get(), &link, "").await;
        let session = service.widget_of(&cookie).await;
        stage.link(&session).await;
        stage.look(see, "linked", get(), "/visit/done", &cookie).await;
        stage.look(see, "known link", get(), &link, &cookie).await;
        stage.look(see, "unknown link of another", get(), &link, "").await;

        let lapsing = text(&stage.invite(None).await["landingPageUrl"]);
        stage.clock.advance(Duration::from_secs(30 * 86_400));
        stage.look(see, "expired link", get(), &lapsing, "").await;
        stage.look(see, "mail stopped", post(), &stop, "").await;
        stage.look_at_sites(see).await;
        stage.look_at_links(see).await;
        stage.look_at_sign_ins(see).await;
        stage.look_at_suspended(see).await;
        proofs::look_at_proofs(see).await;
        busy(see).await;
        seen.is_complete();
    }
}

impl Stage {
    /// Looks at the pages of a hosted link that was used, and of one that has expired.
    async fn look_at_links(&self, see: &mut Seen) {
        let body = json!({"templateId": self.service.sandbox.template});
        let links = [
            self.service.post("/linkSessions", body.clone()).await,
            self.service.post("/linkSessions", body).await,
        ];
        let [used, expired] = links.map(|it| text(&it.body["url"]));
        self.look(see, "hosted link", Method::GET, &used, "").await;
        let cookie = self.service.enter(&used).await;
        self.look(see, "widget of a hosted link", Method::GET, "/visit", &cookie).await;
        self.look(see, "used hosted link", Method::GET, &used, "").await;
        self.clock.advance(Duration::from_secs(1_800));
        self.look(see, "expired hosted link", Method::GET, &expired, "").await;
    }
}

fn foreign(tag: &str) -> axum::http::Request<axum::body::Body> {
    let request =
        axum::http::Request::post("/visit/form").header("host", HOSTED.trim_start_matches("http://"));
    let request = request.header("sec-fetch-site", "cross-site").header("accept-language", tag);
    request.body(axum::body::Body::empty()).unwrap()
}

/// Looks at the page for too many requests.
async fn busy(see: &mut Seen) {
    let service = TestService::start_with(Backend::Sqlite, |settings| {
        settings.live.edit(|live| {
            live.rate_per_second = NonZeroU32::MIN;
            live.rate_burst = NonZeroU32::new(5).unwrap();
        });
    })
    .await;
    let link = text(&service.invite_ana().await["landingPageUrl"]);
    for _ in 0..20 {
        let response = service.browse_in(LOCALES[see.locale], Method::GET, &link, "", None).await;
        if response.status == 429 {
            return see.page("too many requests", &html(&response));
        }
    }
    panic!("no request was rejected");
}

#[tokio::test]
async fn language_of_the_invitation_precedes_the_browser() {
    let service = TestService::start(Backend::Sqlite).await;
    let page = async |locale: Value, languages: &str| {
        let mut body = ana(&service);
        body["locale"] = locale;
        let made = service.post("/invites", body).await.body;
        let link = text(&made["landingPageUrl"]);
        html(&service.browse_in(languages, Method::GET, &link, "", None).await)
    };
    for (locale, languages, tag) in [
        (json!("fil"), "en", "fil"),
        (json!("fr"), "id", "id"),
        (Value::Null, "fr, pt;q=0.5", "pt-BR"),
        (Value::Null, "fr", "en"),
    ] {
        let page = page(locale.clone(), languages).await;
        assert!(page.contains(&format!("<html lang=\"{tag}\"")), "{locale} {languages}: {page}");
    }
    let mut wrong = ana(&service);
    wrong["locale"] = json!("not a tag");
    assert_eq!(service.post("/invites", wrong).await.status, 422);
}

#[tokio::test]
async fn text_of_the_tenant_names_its_language_on_other_pages() {
    let service = TestService::start(Backend::Sqlite).await;
    let template = format!("/inviteTemplates/{}", service.sandbox.invite_template);
    let spanish = json!({
        "email": {"subject": "Hola", "body": "Hola"},
        "landingPage": {"header": "Hola", "description": "Conecta", "button": "Empezar"},
        "successPage": {"header": "Gracias", "description": "Listo"},
    });
    let changed = service.patch(&template, json!({"translations": {"es-MX": spanish}})).await;
    assert_eq!(changed.status, 200, "{:?}", changed.body);
    let link = text(&service.invite_ana().await["landingPageUrl"]);
    let page = |response: &crate::service::TestResponse| html(response);
    let arabic = page(&service.browse_in("ar", Method::GET, &link, "", None).await);
    assert!(arabic.contains("<h1 lang=\"en\" dir=\"ltr\">Hello Ana"), "{arabic}");
    assert!(arabic.contains("type=\"submit\" lang=\"en\" dir=\"ltr\">"), "{arabic}");
    assert!(arabic.contains("<title lang=\"en\" dir=\"ltr\">"), "{arabic}");
    let mexican = page(&service.browse_in("es", Method::GET, &link, "", None).await);
    assert!(mexican.contains("<h1>Hola</h1>") && mexican.contains("<html lang=\"es-MX\" dir=\"ltr\">"));

    for key in ["EN", "es_MX"] {
        let refused = service.patch(&template, json!({"translations": {(key): spanish}})).await;
        assert_eq!(refused.status, 422, "{key}: {:?}", refused.body);
    }
    let mut wrong = spanish.clone();
    wrong["email"]["body"] = json!("${firstName}");
    let refused = service.patch(&template, json!({"translations": {"fil": wrong}})).await;
    assert_eq!(refused.body["errors"][0]["field"], "translations.fil.email.body", "{:?}", refused.body);
}

#[tokio::test]
async fn own_texts_replace_those_of_the_pages() {
    let service = TestService::start(Backend::Sqlite).await;
    let template = format!("/linkTemplates/{}", service.sandbox.template);
    let own = json!({"es-MX": {"page-footer": "{$company} cuida tus datos."}});
    assert_eq!(service.patch(&template, json!({"texts": own})).await.status, 200);
    let link = text(&service.invite_ana().await["landingPageUrl"]);
    let mexican = html(&service.browse_in("es", Method::GET, &link, "", None).await);
    assert!(mexican.contains("<footer>Demo Company cuida tus datos.</footer>"), "{mexican}");
    let english = html(&service.browse_in("en", Method::GET, &link, "", None).await);
    assert!(english.contains("Demo Company uses Linchpin"), "{english}");
    let protected = json!({"en": {"mail-stop": "Read more"}});
    assert_eq!(service.patch(&template, json!({"texts": protected})).await.status, 422);
}
