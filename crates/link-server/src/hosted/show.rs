//! `/visit`: the form, the widget and its link token, and the end page.

use std::collections::BTreeSet;
use std::sync::Arc;

use axum::Json;
use axum::body::Body;
use axum::extract::{RawQuery, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Redirect, Response};
use link_domain::documents::archive::FileInput;
use link_domain::invitations::form_submission::{
    AnswerError, FormOfVisit, FormReading, FormSubmission, InvalidAnswersError,
};
use link_domain::invitations::invite::Completion;
use link_domain::invitations::link_site::{VisitProgress, next_step, redirects_to};
use link_domain::notifications::service_text::ServiceText;
use link_domain::use_cases::{SubmitFormError, submit_form};
use link_types::form_submission::LinkSiteForm;
use link_types::invite::InviteStatus;
use link_types::link_site::LinkSiteStep;
use maud::html;
use serde::Serialize;

use super::answers::Sent;
use super::hosted_links::introduce;
use super::invited::Invited;
use super::link_pages::LinkPages;
use super::link_sites::closed_page;
use super::page::{Look, Page, Passage};
use super::proof;
use super::questions::Questions;
use super::token::token_over;
use super::uploads::record_giver;
use super::visitor::{Browser, Host, Visitor, nowhere, over};
use crate::app::App;
use crate::http::limits::network::Network;
use crate::http::problem::ApiResult;

/// The page with the widget, also for a person who has linked something: they come back from a provider's page.
pub(super) const WIDGET_PATH: &str = "/visit?widget";

pub(super) async fn handler(
    State(app): State<App>,
    RawQuery(query): RawQuery,
    network: Network,
    browser: Browser,
    headers: HeaderMap,
) -> ApiResult<Response> {
    let Some(visitor) = Visitor::find_limited(&app, &headers, network).await? else {
        return Ok(over(&app, &browser));
    };
    show_step(&app, &visitor, &browser, query.as_deref() == Some("widget")).await
}

/// Returns the page of the step that is next. In a frame, this is also the end page, which otherwise has its own address.
pub(super) async fn show_step(
    app: &App,
    visitor: &Visitor,
    browser: &Browser,
    wants_widget: bool,
) -> ApiResult<Response> {
    let Some(template) = visitor.link_template().map(|it| it.id.as_str().to_owned()) else {
        return Ok(nowhere(app, browser));
    };
    if visitor.visit.proof.is_awaited() {
        return Ok(proof::first_page(app, visitor));
    }
    let (progress, started) = visitor.progress(app).await?;
    let keeps_widget = match &visitor.host {
        // An invited person can link another account in the same visit.
        Host::Invite(invited) if invited.site.is_none() => true,
        Host::Invite(_) | Host::Site(_) | Host::Link(_) => {
            wants_widget || visitor.has_login_under_way(app).await?
        }
    };
    let open = VisitProgress { is_linked: false, is_uploaded: false, ..progress };
    let step = next_step(&visitor.steps(), if keeps_widget { open } else { progress });
    Ok(match (step, &visitor.form, visitor.site_id()) {
        (LinkSiteStep::Form, Some(form), Some(site)) => {
            let reading = FormOfVisit { form, site, visit: &visitor.visit, started }.read_stored();
            form_page(app, visitor, (form, &reading), StatusCode::OK, &[], None)
        }
        (LinkSiteStep::Widget, ..) => widget(app, visitor, template),
        _ if browser.embedding.is_some() => done_page(app, visitor, progress),
        _ => Redirect::to("/visit/done").into_response(),
    })
}

fn form_page(
    app: &App,
    visitor: &Visitor,
    (form, reading): (&LinkSiteForm, &FormReading),
    status: StatusCode,
    faults: &[AnswerError],
    alert: Option<ServiceText>,
) -> Response {
    let has_bait = matches!(visitor.host, Host::Site(_));
    let questions = Questions { look: &visitor.look(app), form, reading, faults, alert };
    questions.page(visitor.languages(), has_bait, status)
}

fn widget(app: &App, visitor: &Visitor, template_id: String) -> Response {
    let look = visitor.look(app);
    let (title, description, button) = match &visitor.host {
        Host::Invite(invited) => (
            invited.passage(&look, |it| &it.landing_page.header),
            invited.passage(&look, |it| &it.landing_page.description),
            invited.passage(&look, |it| &it.landing_page.button),
        ),
        Host::Site(pages) => {
            let texts = &pages.site.site.start_page;
            let button = Passage::ours(look.text(ServiceText::DefaultLandingButton));
            (pages.passage(&look, &texts.title), pages.passage(&look, &texts.text), button)
        }
        Host::Link(_) => introduce(&look),
    };
    let card = html! {
        (title.heading())
        (description.paragraphs())
        // The script shows the other texts.
        p.status role="status" id="status" data-closed=(look.text(ServiceText::PageWidgetClosed))
            data-limited=(look.text(ServiceText::PageWidgetLimited))
            data-broken=(look.text(ServiceText::PageWidgetBroken)) {
            (look.text(ServiceText::PageWidgetOpening))
        }
        button.primary id="connect" type="button" disabled lang=[button.lang()] dir=[button.dir()] {
            (button.text())
        }
        @if look.embedding().is_some() {
            // The script shows it if the browser does not open the provider's page in another tab.
            a.primary id="tab" target="_blank" rel="noopener" hidden { (look.text(ServiceText::PageFormContinue)) }
        }
        @if matches!(visitor.host, Host::Link(_)) {
            // The script sets its address when the widget closes.
            a.primary id="return" hidden { (look.text_with_company(ServiceText::PageSiteRedirect)) }
        }
        noscript { p.trouble { (look.text(ServiceText::PageWidgetScript)) } }
    };
    let page = Page { kind: "widget", title, widget: Some(template_id), redirect: None, card };
    look.show(StatusCode::OK, &page)
}

/// Redirects to the form, so that reloading the URL of a rejected submission works.
pub(super) async fn back_to_form() -> Redirect {
    Redirect::to("/visit")
}

pub(super) async fn submit(
    State(app): State<App>,
    network: Network,
    browser: Browser,
    headers: HeaderMap,
    body: Body,
) -> ApiResult<Response> {
    let submitted = submit_answers(&app, network, &browser, &headers, body).await?;
    Ok(submitted.map_or_else(|page| page, |_| Redirect::to("/visit").into_response()))
}

/// Submits the answers, or removes a file. `Err` is the page to show instead of the next step.
pub(super) async fn submit_answers(
    app: &App,
    network: Network,
    browser: &Browser,
    headers: &HeaderMap,
    body: Body,
) -> ApiResult<Result<Arc<Sent>, Response>> {
    let sent = match Sent::receive(app, network, browser, headers, body).await? {
        Ok(sent) => Arc::new(sent),
        Err(page) => return Ok(Err(page)),
    };
    let context = app.context(app.offset_of(&sent.visitor.visit.owner).await?);
    let unit = Arc::clone(&sent);
    let submitted = app
        .store
        .write(move |tx| -> ApiResult<_> {
            let mut context = context.clone();
            let Some(of) = unit.lock(tx)? else { return Ok(None) };
            if of.started.as_ref().is_some_and(FormSubmission::is_submitted) {
                return Ok(Some(Ok(())));
            }
            if let Some(file) = &unit.removed {
                let (form, saved) = FormSubmission::save(of, &unit.answers.texts, &mut context);
                let given = record_giver(tx, &unit.visitor.visit, &form)?;
                tx.apply(&saved.then(given), context.now())?;
                let Some(of) = unit.lock(tx)? else { return Ok(None) };
                // The file may be gone: a person presses the button of an old page.
                let removed = FormSubmission::change_file(of, FileInput::Remove(file.clone()), &mut context);
                if let Ok((_, change)) = removed {
                    tx.apply(&change, context.now())?;
                }
                let faults = unit.answers.faults.clone();
                if faults.is_empty() {
                    return Ok(Some(Ok(())));
                }
                let Some(of) = unit.lock(tx)? else { return Ok(None) };
                let rejected = InvalidAnswersError { faults, has_more_fields: false };
                return Ok(Some(Err((SubmitFormError::Rejected(rejected), of.read(&unit.answers.texts)))));
            }
            let site = match unit.visitor.site() {
                Some(site) => {
                    let Some(site) = tx.link_sites().get(&site.owner, site.id())? else { return Ok(None) };
                    Some(site)
                }
                None => None,
            };
            let reading = of.read(&unit.answers.texts);
            Ok(Some(match submit_form(of, site, &unit.answers, &mut context) {
                Ok((form, change)) => {
                    let given = record_giver(tx, &unit.visitor.visit, &form)?;
                    Ok(tx.apply(&change.then(given), context.now())?)
                }
                Err(refused) => Err((refused, reading)),
            }))
        })
        .await?;
    let (refused, reading) = match submitted {
        None => return Ok(Err(over(app, browser))),
        Some(Ok(())) => return Ok(Ok(sent)),
        Some(Err(refused)) => refused,
    };
    let (faults, alert) = match refused {
        SubmitFormError::Full(closed) => return Ok(Err(closed_page(&sent.visitor.look(app), closed))),
        SubmitFormError::Program => {
            network.count(app)?;
            // A rejected file is gone, even if the form is sent again.
            (sent.answers.faults.clone(), ServiceText::PageFormRetry)
        }
        SubmitFormError::Rejected(rejected) if rejected.faults.is_empty() => {
            (rejected.faults, ServiceText::PageFormMore)
        }
        SubmitFormError::Rejected(rejected) => (rejected.faults, ServiceText::PageFormWrong),
    };
    let status = StatusCode::UNPROCESSABLE_ENTITY;
    Ok(Err(form_page(app, &sent.visitor, (&sent.form, &reading), status, &faults, Some(alert))))
}

/// The response to the page's script: the names of the fields that the answers hide.
#[derive(Serialize)]
struct HiddenFields {
    hidden: BTreeSet<String>,
}

/// `POST /visit/draft`: stores the answers so far. The page's script sends it after each answer.
pub(super) async fn save(
    State(app): State<App>,
    network: Network,
    browser: Browser,
    headers: HeaderMap,
    body: Body,
) -> ApiResult<Response> {
    let sent = match Sent::receive(&app, network, &browser, &headers, body).await? {
        Ok(sent) if !sent.answers.has_bait => sent,
        Ok(_) => return Err(token_over()),
        Err(page) => return Ok(page),
    };
    let context = app.context(app.offset_of(&sent.visitor.visit.owner).await?);
    let hidden = app
        .store
        .write(move |tx| -> ApiResult<_> {
            let mut context = context.clone();
            let Some(of) = sent.lock(tx)? else { return Err(token_over()) };
            let hidden = of.read(&sent.answers.texts).hidden;
            if !of.started.as_ref().is_some_and(FormSubmission::is_submitted) {
                let (form, change) = FormSubmission::save(of, &sent.answers.texts, &mut context);
                let given = record_giver(tx, &sent.visitor.visit, &form)?;
                tx.apply(&change.then(given), context.now())?;
            }
            Ok(hidden)
        })
        .await?;
    let no_store = [(header::CACHE_CONTROL, HeaderValue::from_static("no-store"))];
    Ok((no_store, Json(HiddenFields { hidden })).into_response())
}

pub(super) async fn show_done(
    State(app): State<App>,
    network: Network,
    browser: Browser,
    headers: HeaderMap,
) -> ApiResult<Response> {
    let Some(visitor) = Visitor::find_limited(&app, &headers, network).await? else {
        return Ok(over(&app, &browser));
    };
    let (progress, _) = visitor.progress(&app).await?;
    let is_done = match (&visitor.host, visitor.site()) {
        (Host::Invite(invited), None) => invited.invite.progress.status >= InviteStatus::WidgetOpened,
        _ => next_step(&visitor.steps(), progress) == LinkSiteStep::ThankYou,
    };
    match is_done {
        true => Ok(done_page(&app, &visitor, progress)),
        false => Ok(Redirect::to("/visit").into_response()),
    }
}

/// Returns the page of a link that has done its work. It names no person, because anybody may have the link. `is_known`
/// says whether this browser took part in the invitation.
pub(super) fn again(app: &App, invited: &Invited, completion: Completion, is_known: bool) -> Response {
    let (heading, message) = match (is_known, completion) {
        (true, Completion::Linked) => {
            (ServiceText::PageCompleteKnownTitle, ServiceText::PageCompleteKnownLinked)
        }
        (true, Completion::Uploaded) => {
            (ServiceText::PageCompleteKnownTitle, ServiceText::PageCompleteKnownUploaded)
        }
        (false, Completion::Linked) => (ServiceText::PageCompleteTitle, ServiceText::PageCompleteLinked),
        (false, Completion::Uploaded) => (ServiceText::PageCompleteTitle, ServiceText::PageCompleteUploaded),
    };
    invited.look(app).say_with_company(StatusCode::OK, heading, message)
}

/// Returns what the person did, as the end page says it. `None` if they only opened the widget.
const fn outcome(progress: VisitProgress) -> Option<ServiceText> {
    match (progress.is_linked, progress.is_uploaded) {
        (true, true) => Some(ServiceText::PageDoneBoth),
        (true, false) => Some(ServiceText::PageDoneLinked),
        (false, true) => Some(ServiceText::PageDoneUploaded),
        (false, false) => None,
    }
}

/// Returns the end page. It redirects if the link site has a page of the tenant that its link template still allows.
fn done_page(app: &App, visitor: &Visitor, progress: VisitProgress) -> Response {
    let look = visitor.look(app);
    let (title, text) = match &visitor.host {
        Host::Invite(invited) => (
            invited.passage(&look, |it| &it.success_page.header),
            invited.passage(&look, |it| &it.success_page.description),
        ),
        Host::Site(pages) => {
            let texts = &pages.site.site.end_page;
            (pages.passage(&look, &texts.title), pages.passage(&look, &texts.text))
        }
        Host::Link(pages) => return linked_page(&look, pages, progress),
    };
    let redirect = visitor.site().and_then(|it| it.site.end_page.redirect_url.as_deref());
    let redirect =
        redirect.zip(visitor.link_template()).filter(|(url, template)| redirects_to(url, template));
    let redirect = redirect.map(|(url, _)| {
        let mark = if url.contains('?') { '&' } else { '?' };
        format!("{url}{mark}linkSiteSessionId={}", visitor.visit.id)
    });
    let has_own_page = matches!(visitor.host, Host::Invite(_)) || visitor.visit.proof.address().is_some();
    let page = end_page(&look, (title, text), outcome(progress), redirect, has_own_page);
    look.show(StatusCode::OK, &page)
}

/// Returns the end page of a hosted link, which returns the person to the tenant.
fn linked_page(look: &Look, pages: &LinkPages, progress: VisitProgress) -> Response {
    let title = look.text(outcome(progress).unwrap_or(ServiceText::PageDoneLinked));
    let text = look.text_with_company(ServiceText::DefaultSuccessText);
    let passages = (Passage::ours(title), Passage::ours(text));
    let redirect = pages.link.return_url(&pages.link_template);
    look.show(StatusCode::OK, &end_page(look, passages, None, redirect, false))
}

/// Renders the end page. It redirects to the page of the tenant, if there is one.
pub(super) fn end_page(
    look: &Look,
    (title, text): (Passage, Passage),
    outcome: Option<ServiceText>,
    redirect: Option<String>,
    has_own_page: bool,
) -> Page {
    let card = html! {
        svg.done viewBox="0 0 48 48" aria-hidden="true" {
            circle cx="24" cy="24" r="22" {}
            path d="M15 24.5l6.5 6.5L34 18" {}
        }
        (title.heading())
        @if let Some(outcome) = outcome { p.outcome { (look.text(outcome)) } }
        (text.paragraphs())
        @if let Some(address) = &redirect {
            // In a frame, only a press leaves the page of the tenant.
            a.primary href=(address) target=[look.embedding().map(|_| "_top")] { (look.text_with_company(ServiceText::PageSiteRedirect)) }
        }
        @if has_own_page {
            p { a href="/me" { (look.text(ServiceText::MePageLink)) } }
        }
    };
    Page { kind: "done", title, widget: None, redirect, card }
}
