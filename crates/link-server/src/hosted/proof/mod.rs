//! `/visit/proof`: a visitor of a link site proves an email address, before anything else of the visit.
//!
//! Each page is the response to a form, so that it works without a script and in a frame.

mod pages;

use std::collections::BTreeMap;

use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse as _, Redirect, Response};
use link_domain::invitations::address_proof::{CodeError, CodeRequest, CodeRequestError, CodeStanding};
use link_domain::invitations::visit::Visit;
use link_domain::kernel::clock::Wall;
use link_domain::notifications::mail::{
    Admission, AllowedRecipients, counted_code, is_mailbox, mail_day, recipient_hash,
};
use link_domain::notifications::service_text::ServiceText;
use link_domain::use_cases::{StoredProof, prove_address, request_code};
use link_store::{Label, Tx};
use link_types::Sensitive;

pub(super) use self::pages::first_page;
use self::pages::{AddressPage, CodePage};
use super::embedding::Embedding;
use super::questions::BAIT;
use super::show::show_step;
use super::visitor::{Browser, Visitor, over};
use crate::app::App;
use crate::http::limits::body::{BodyTimeouts, read};
use crate::http::limits::network::Network;
use crate::http::problem::ApiResult;

/// The maximum size of a form in bytes.
const FORM_LIMIT: usize = 8 * 1024;
/// The maximum number of characters of a typed text that is used.
const MAX_TYPED: usize = 320;

/// The name of the buttons that say what a form does.
const ACT: &str = "act";
/// The value of the button that sends another code.
const AGAIN: &str = "again";
/// The value of the button that shows the form for an address.
const CORRECT: &str = "correct";

/// An act of the person on one of the pages.
enum Act {
    /// Requests a code for an address.
    Address(Sensitive),
    /// Requests another code for the same address.
    Again,
    /// Returns to the form for an address.
    Correct,
    /// Types a code.
    Code(Sensitive),
}

/// Redirects to the page that is next, so that reloading the URL of a form works.
pub(super) async fn back(browser: Browser) -> Redirect {
    let page = browser.embedding.as_ref().map(Embedding::address);
    Redirect::to(page.as_deref().unwrap_or("/visit"))
}

pub(super) async fn submit(
    State(app): State<App>,
    network: Network,
    browser: Browser,
    headers: HeaderMap,
    body: Body,
) -> ApiResult<Response> {
    let Some(mut visitor) = Visitor::find_for(&app, &headers, network, &browser).await? else {
        return Ok(over(&app, &browser));
    };
    if !visitor.visit.proof.is_awaited() {
        return go_on(&app, &visitor, &browser).await;
    }
    // Each form may try a code, in any number of visits.
    network.count(&app)?;
    let body = read(body, FORM_LIMIT, BodyTimeouts::default()).await?;
    let mut fields: BTreeMap<String, String> = form_urlencoded::parse(&body).into_owned().collect();
    let has_bait = fields.get(BAIT).is_some_and(|it| !it.is_empty());
    let last = visitor.visit.proof.sent_code().map(|it| it.address.clone()).unwrap_or_default();
    let page = match read_act(&mut fields) {
        Act::Correct => Some(AddressPage { address: &last, fault: None, alert: None }.show(&app, &visitor)),
        Act::Address(address) => {
            request(&app, network, (&mut visitor, &browser), (address, has_bait)).await?
        }
        Act::Again => request(&app, network, (&mut visitor, &browser), (last, false)).await?,
        Act::Code(typed) => prove(&app, (&mut visitor, &browser), typed).await?,
    };
    match page {
        Some(page) => Ok(page),
        None => go_on(&app, &visitor, &browser).await,
    }
}

/// Shows what is next. In a frame, the response is the page itself.
async fn go_on(app: &App, visitor: &Visitor, browser: &Browser) -> ApiResult<Response> {
    match &browser.embedding {
        Some(_) => show_step(app, visitor, browser, false).await,
        None => Ok(Redirect::to("/visit").into_response()),
    }
}

fn read_act(fields: &mut BTreeMap<String, String>) -> Act {
    let mut take = |name: &str| {
        let typed = fields.remove(name)?;
        Some(Sensitive::new(typed.trim().chars().take(MAX_TYPED).collect::<String>()))
    };
    match take(ACT).as_ref().map(Sensitive::expose) {
        Some(AGAIN) => return Act::Again,
        Some(CORRECT) => return Act::Correct,
        _ => {}
    }
    match take("code") {
        Some(code) => Act::Code(code),
        None => Act::Address(take("address").unwrap_or_default()),
    }
}

/// Requests a code. Returns the page that explains why none is mailed.
async fn request(
    app: &App,
    network: Network,
    (visitor, browser): (&mut Visitor, &Browser),
    (address, has_bait): (Sensitive, bool),
) -> ApiResult<Option<Response>> {
    // A typing error costs nothing.
    if is_mailbox(address.expose()) && app.limits.rates.count_code(network.bytes()).is_err() {
        // The page itself, because the one of a failed request would lose the address.
        let alert = Some(ServiceText::PageProofBusy);
        return Ok(Some(AddressPage { address: &address, fault: None, alert }.show(app, visitor)));
    }
    let context = app.context(app.offset_of(&visitor.visit.owner).await?);
    let (limits, has_server) = (app.settings.mail_limits(), app.settings.smtp_url.is_some());
    let (visit, typed) = (visitor.visit.clone(), address.clone());
    let locale = visitor.look(app).locale().tag().to_owned();
    let requested = app
        .store
        .write(move |tx| -> ApiResult<_> {
            let mut context = context.clone();
            let Some(visit) = lock(tx, &visit)? else { return Ok(None) };
            if has_bait || visit.is_too_early(context.now().wall()) {
                return Ok(Some(Err((visit, CodeRequestError::Program))));
            }
            let key = tx.derive_key(Label::Lookup);
            let id = visit.id.clone();
            let request =
                || CodeRequest { visit_id: &id, address: typed.clone(), locale: locale.clone(), key: &key };
            if let Err(refused) = visit.proof.check_request(&request(), context.now().wall()) {
                return Ok(Some(Err((visit, refused))));
            }
            let at = (context.now().wall(), has_server);
            let counted = Counted::for_mail(tx, &visit, &typed, at)?;
            let found = (&counted.standing, limits);
            let (visit, admission, change) = match request_code(visit.clone(), request(), found, &mut context)
            {
                Ok(requested) => requested,
                Err(refused) => return Ok(Some(Err((visit, refused)))),
            };
            if admission == (Admission::HandOver { counts: true }) {
                counted.count(tx)?;
            }
            tx.apply(&change, context.now())?;
            Ok(Some(Ok(visit)))
        })
        .await?;
    let refused = match requested {
        None => return Ok(Some(over(app, browser))),
        Some(Ok(visit)) => {
            visitor.visit = visit;
            return Ok(None);
        }
        Some(Err((visit, refused))) => {
            visitor.visit = visit;
            refused
        }
    };
    Ok(explain_request(app, visitor, &address, refused))
}

/// Returns the page that explains why no code is mailed. `None` if the visit goes on.
fn explain_request(
    app: &App,
    visitor: &Visitor,
    address: &Sensitive,
    refused: CodeRequestError,
) -> Option<Response> {
    let at_address = |fault, alert| Some(AddressPage { address, fault, alert }.show(app, visitor));
    // The person may have asked for another code on the page of the code.
    let sent = visitor.visit.proof.sent_code().filter(|it| it.address == *address);
    let at_code = |alert| {
        let empty = Sensitive::default();
        sent.map(|sent| CodePage { sent, typed: &empty, fault: None, alert: Some(alert) }.show(app, visitor))
    };
    let alert = |text| at_code(text).or_else(|| at_address(None, Some(text)));
    match refused {
        CodeRequestError::NotNeeded => None,
        CodeRequestError::TooSoon => alert(ServiceText::PageProofSoon),
        CodeRequestError::TooMany => alert(ServiceText::PageProofMost),
        CodeRequestError::Unavailable => alert(ServiceText::PageProofUnavailable),
        CodeRequestError::Refused => at_code(ServiceText::PageProofRefused)
            .or_else(|| at_address(Some(ServiceText::PageProofRefused), None)),
        CodeRequestError::Program => at_address(None, Some(ServiceText::PageFormRetry)),
        CodeRequestError::Address => at_address(Some(ServiceText::PageFormEmail), None),
    }
}

/// Compares a typed code. Returns the page that explains why it proves nothing.
async fn prove(
    app: &App,
    (visitor, browser): (&mut Visitor, &Browser),
    typed: Sensitive,
) -> ApiResult<Option<Response>> {
    let context = app.context(app.offset_of(&visitor.visit.owner).await?);
    let (visit, code, now) = (visitor.visit.clone(), typed.clone(), context.now().wall());
    let compared = app
        .store
        .write(move |tx| -> ApiResult<_> {
            let Some(visit) = lock(tx, &visit)? else { return Ok(None) };
            let Some(user) = tx.users().get(&visit.owner, &visit.user_id)? else { return Ok(None) };
            let started = tx.forms().of_visit(&visit.owner, &visit.id)?;
            let key = tx.derive_key(Label::Lookup);
            let stored = StoredProof { visit, user, started };
            let (visit, result, change) = prove_address(stored, &code, &key, &context);
            tx.apply(&change, context.now())?;
            Ok(Some((visit, result)))
        })
        .await?;
    let Some((visit, result)) = compared else { return Ok(Some(over(app, browser))) };
    visitor.visit = visit;
    let Err(error) = result else { return Ok(None) };
    if visitor.visit.proof.is_used_up(now) {
        return Ok(Some(used_up_page(app, visitor, browser)));
    }
    let Some(sent) = visitor.visit.proof.sent_code() else { return Ok(None) };
    let (fault, alert) = match error {
        CodeError::Digits => (Some(ServiceText::PageProofDigits), None),
        CodeError::Wrong => (Some(ServiceText::PageProofWrong), None),
        CodeError::Over | CodeError::Missing => (None, Some(ServiceText::PageProofOver)),
    };
    Ok(Some(CodePage { sent, typed: &typed, fault, alert }.show(app, visitor)))
}

/// Returns the page of a visit that can prove no address any more. It leads to the first page of the site, for another visit.
fn used_up_page(app: &App, visitor: &Visitor, browser: &Browser) -> Response {
    let embedding = browser.embedding.clone().map(Embedding::after_end);
    let look = visitor.look(app).into_embedded(embedding.as_ref());
    let of_site = || visitor.site().map(|it| format!("/s/{}", it.site.slug));
    let again = embedding.as_ref().map(Embedding::address).or_else(of_site);
    let text = look.text(ServiceText::PageProofEnded);
    look.stop(StatusCode::FORBIDDEN, ServiceText::PageVisitOverTitle, text, again.as_deref())
}

/// Locks the visit, and returns it as it is. `None` if it has ended.
fn lock(tx: &mut Tx<'_>, visit: &Visit) -> ApiResult<Option<Visit>> {
    if !Visitor::still_exists(tx, visit)? {
        return Ok(None);
    }
    Ok(tx.visits().by_secret(&visit.secret_hash)?)
}

/// The standing of an address, and the names under which its code is counted.
struct Counted {
    standing: CodeStanding,
    day: i64,
    names: [String; 3],
}

impl Counted {
    /// Reads the standing of an address. Its counts stay locked until the unit ends.
    fn for_mail(
        tx: &mut Tx<'_>,
        visit: &Visit,
        address: &Sensitive,
        (local, has_server): (Wall, bool),
    ) -> ApiResult<Self> {
        let (owner, key) = (&visit.owner, tx.derive_key(Label::Lookup));
        let day = mail_day(tx.wall_clock(local)?);
        let recipient = recipient_hash(&key, address.expose());
        let names = counted_code(owner, &recipient);
        let hashes = AllowedRecipients::hashes_of(&key, address.expose());
        let mut standing = CodeStanding {
            mode: owner.mode,
            is_allowed: tx.mails().is_allowed(&owner.tenant, &hashes)?,
            is_suppressed: tx.mails().is_suppressed(&recipient)?,
            has_server,
            tenant_today: 0,
            codes_today: 0,
            codes_to_mailbox_today: 0,
        };
        // Read, and thereby lock, the counts only for mails that depend on them.
        if standing.is_counted() {
            let [tenant, codes, mailbox] = &names;
            standing.tenant_today = tx.mails().count_of_day(day, tenant)?;
            standing.codes_today = tx.mails().count_of_day(day, codes)?;
            standing.codes_to_mailbox_today = tx.mails().count_of_day(day, mailbox)?;
        }
        Ok(Self { standing, day, names })
    }

    fn count(&self, tx: &mut Tx<'_>) -> ApiResult<()> {
        for name in &self.names {
            tx.mails().count(self.day, name)?;
        }
        Ok(())
    }
}

/// Returns the status of the page of a form with faults, or of one without.
const fn status_of(has_faults: bool) -> StatusCode {
    if has_faults { StatusCode::UNPROCESSABLE_ENTITY } else { StatusCode::OK }
}
