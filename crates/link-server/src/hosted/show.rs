//! `/visit`: the form, the widget and its link token, and the success page.

use std::collections::BTreeMap;

use axum::Json;
use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Redirect, Response};
use link_domain::invitations::form_submission::{AnswerFault, FormSubmission, FormTexts, site_of};
use link_domain::invitations::invite::{Completion, Invite};
use link_domain::notifications::service_text::{ServiceText, Value};
use link_domain::person_page::given_data;
use link_domain::tenancy::quota::Quota;
use link_domain::use_cases::{HostedPage, HostedTokenError, issue_hosted_token};
use link_types::form_submission::{LinkSiteField, LinkSiteFieldType, LinkSiteForm};
use link_types::format::FormatFaultError;
use link_types::invite::InviteStatus;
use link_types::problem::ProblemCode;
use maud::{Markup, html};
use serde::Serialize;

use super::page::{Look, Page, Passage};
use super::visitor::{Browser, Invited, Visitor, nowhere, over};
use crate::app::App;
use crate::http::extract::body::BODY_LIMIT;
use crate::http::limits::body::{BodyTimeouts, read};
use crate::http::limits::network::Network;
use crate::http::problem::{ApiResult, Problem};

pub(super) async fn handler(
    State(app): State<App>,
    network: Network,
    browser: Browser,
    headers: HeaderMap,
) -> ApiResult<Response> {
    let Some(Visitor { visit, invited }) = Visitor::of(&app, &headers, network).await? else {
        return Ok(over(&app, &browser));
    };
    let Some(link_template) = &invited.link_template else { return Ok(nowhere(&app, &browser)) };
    let is_answered =
        app.store.read(move |reader| reader.forms().exists_for_visit(&visit.owner, &visit.id)).await?;
    match &link_template.template.form {
        Some(form) if !is_answered => {
            Ok(form_page(&app, &invited, form, StatusCode::OK, &BTreeMap::new(), &[]))
        }
        Some(_) | None => Ok(widget(&app, &invited, link_template.template.id.as_str())),
    }
}

fn widget(app: &App, invited: &Invited, template_id: &str) -> Response {
    let look = invited.look(app);
    let title = invited.passage(&look, |it| &it.landing_page.header);
    let button = invited.passage(&look, |it| &it.landing_page.button);
    let card = html! {
        (title.heading())
        (invited.passage(&look, |it| &it.landing_page.description).paragraphs())
        // The script shows the other texts.
        p.status role="status" id="status" data-closed=(look.text(ServiceText::PageWidgetClosed))
            data-limited=(look.text(ServiceText::PageWidgetLimited))
            data-broken=(look.text(ServiceText::PageWidgetBroken)) {
            (look.text(ServiceText::PageWidgetOpening))
        }
        button.primary id="connect" type="button" disabled lang=[button.lang()] dir=[button.dir()] {
            (button.text())
        }
        noscript { p.trouble { (look.text(ServiceText::PageWidgetScript)) } }
    };
    let page = Page { kind: "widget", title, widget: Some(template_id.to_owned()), card };
    look.show(StatusCode::OK, &page)
}

/// Renders the page with a form, the answers so far and the faults in them.
pub(super) fn form_page(
    app: &App,
    invited: &Invited,
    form: &LinkSiteForm,
    status: StatusCode,
    answers: &BTreeMap<String, String>,
    faults: &[AnswerFault],
) -> Response {
    let questions =
        Questions { look: &invited.look(app), texts: FormTexts::for_languages(form, &invited.languages) };
    let title = match &form.name {
        Some(name) => questions.passage(name),
        None => Passage::ours(questions.look.text(ServiceText::PageFormTitle)),
    };
    let card = html! {
        (title.heading())
        @if !faults.is_empty() {
            p.trouble role="alert" { (questions.look.text(ServiceText::PageFormWrong)) }
        }
        form.questions method="post" action="/visit/form" novalidate {
            @for (index, field) in form.fields.iter().enumerate() {
                @let answer = answers.get(&field.name).map_or("", String::as_str);
                @let fault = faults.iter().find(|it| it.field == field.name).map(|it| it.fault);
                (questions.question(index, field, answer, fault))
            }
            button.primary type="submit" { (questions.look.text(ServiceText::PageFormContinue)) }
        }
    };
    questions.look.show(status, &Page { kind: "form", title, widget: None, card })
}

/// The texts around and in a form.
struct Questions<'a> {
    look: &'a Look,
    texts: FormTexts<'a>,
}

impl<'a> Questions<'a> {
    fn passage(&self, text: &'a str) -> Passage {
        let (text, locale) = self.texts.text(text);
        Passage::of_tenant(text.to_owned(), locale, self.look.locale())
    }

    fn question(
        &self,
        index: usize,
        field: &'a LinkSiteField,
        answer: &str,
        fault: Option<FormatFaultError>,
    ) -> Markup {
        let id = format!("field-{index}");
        let described = format!("{id}-note");
        let is_noted = fault.is_some() || field.help.is_some();
        let described = is_noted.then_some(described.as_str());
        let invalid = fault.is_some().then_some("true");
        let input = |kind: &str, autocomplete: Option<&str>| {
            html! {
                input type=(kind) id=(id) name=(field.name) value=(answer) required[field.required]
                    autocomplete=[autocomplete] aria-describedby=[described] aria-invalid=[invalid];
            }
        };
        let control = match field.field_type {
            LinkSiteFieldType::Text => input("text", None),
            LinkSiteFieldType::Email => input("email", Some("email")),
            LinkSiteFieldType::Phone => input("tel", Some("tel")),
            LinkSiteFieldType::Date => input("date", None),
            LinkSiteFieldType::Choice => html! {
                select id=(id) name=(field.name) required[field.required] aria-describedby=[described]
                    aria-invalid=[invalid] {
                    option value="" { (self.look.text(ServiceText::PageFormChoose)) }
                    @for choice in &field.choices {
                        @let label = self.passage(choice);
                        option value=(choice) selected[answer == choice] lang=[label.lang()] dir=[label.dir()] {
                            (label.text())
                        }
                    }
                }
            },
            LinkSiteFieldType::Checkbox => html! {
                input type="checkbox" id=(id) name=(field.name) value="on" checked[!answer.is_empty()]
                    required[field.required] aria-describedby=[described] aria-invalid=[invalid];
            },
        };
        let is_box = field.field_type == LinkSiteFieldType::Checkbox;
        html! {
            div.question.tick[is_box] {
                @if is_box { (control) }
                label for=(id) {
                    (self.passage(&field.label).inline())
                    @if !field.required {
                        " " span.optional { (self.look.text(ServiceText::PageFormOptional)) }
                    }
                }
                @if !is_box { (control) }
                @if is_noted {
                    div.note id={ (id) "-note" } {
                        @if let Some(fault) = fault { p.fault { (self.explain(fault)) } }
                        @if let Some(help) = &field.help { (self.passage(help).paragraphs()) }
                    }
                }
            }
        }
    }

    /// Returns the sentence under a field that explains a fault.
    fn explain(&self, fault: FormatFaultError) -> String {
        let text = match fault {
            FormatFaultError::TooLong { max } => {
                return self.look.text_with(ServiceText::PageFormLong, Value::Count(max.into()));
            }
            FormatFaultError::Empty => ServiceText::PageFormRequired,
            FormatFaultError::NotEmail => ServiceText::PageFormEmail,
            FormatFaultError::NotPhone => ServiceText::PageFormPhone,
            FormatFaultError::NotDate => ServiceText::PageFormDate,
            FormatFaultError::NotAChoice => ServiceText::PageFormChoice,
            // No field of a form has a format with these faults.
            FormatFaultError::TooShort { .. }
            | FormatFaultError::NotDigits
            | FormatFaultError::NotAlphanumeric
            | FormatFaultError::NotCurp => ServiceText::PageFormInvalid,
        };
        self.look.text(text)
    }
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
    let Some(Visitor { visit, invited }) = Visitor::of(&app, &headers, network).await? else {
        return Ok(over(&app, &browser));
    };
    let link_template = invited.link_template.as_ref().map(|it| &it.template);
    let Some((form, site)) = link_template.and_then(|it| Some((it.form.clone()?, site_of(&it.id)))) else {
        return Ok(Redirect::to("/visit").into_response());
    };
    // Reads the body only now, so that requests without a visit or without a form cannot occupy the service.
    let body = read(body, BODY_LIMIT, BodyTimeouts::default()).await?;
    let answers: BTreeMap<String, String> = form_urlencoded::parse(&body).into_owned().collect();
    let context = app.context(app.offset_of(&visit.owner).await?);
    let user_id = invited.invite.user_id.clone();
    let (submitted_form, submitted_answers) = (form.clone(), answers.clone());
    let submitted = app
        .store
        .write(move |tx| -> ApiResult<Option<Result<(), Vec<AnswerFault>>>> {
            let mut context = context.clone();
            // Locks the visit, so that the second of two concurrent submissions finds the first.
            if !Visitor::still_exists(tx, &visit, &user_id)? {
                return Ok(None);
            }
            if tx.forms().exists_for_visit(&visit.owner, &visit.id)? {
                return Ok(Some(Ok(())));
            }
            let submitted = FormSubmission::submit(
                &submitted_form,
                site.clone(),
                &visit,
                user_id.clone(),
                &submitted_answers,
                &mut context,
            );
            Ok(Some(match submitted {
                Ok((form, change)) => {
                    let invite = tx.invites().get(&visit.owner, &visit.invite_id)?;
                    let given = given_data::given(form.scope(), invite.as_ref());
                    Ok(tx.apply(&change.then(given), context.now())?)
                }
                Err(faults) => Err(faults),
            }))
        })
        .await?;
    match submitted {
        None => Ok(over(&app, &browser)),
        Some(Ok(())) => Ok(Redirect::to("/visit").into_response()),
        Some(Err(faults)) => {
            let status = StatusCode::UNPROCESSABLE_ENTITY;
            Ok(form_page(&app, &invited, &form, status, &answers, &faults))
        }
    }
}

pub(super) async fn show_done(
    State(app): State<App>,
    network: Network,
    browser: Browser,
    headers: HeaderMap,
) -> ApiResult<Response> {
    let Some(Visitor { invited, .. }) = Visitor::of(&app, &headers, network).await? else {
        return Ok(over(&app, &browser));
    };
    match invited.invite.progress.status < InviteStatus::WidgetOpened {
        true => Ok(Redirect::to("/visit").into_response()),
        false => Ok(done_page(&app, &invited)),
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

/// Returns what the person did, as the success page says it. `None` if they only opened the widget.
const fn outcome(invite: &Invite) -> Option<ServiceText> {
    match (invite.progress.linked_at, invite.progress.uploaded_at) {
        (Some(_), Some(_)) => Some(ServiceText::PageDoneBoth),
        (Some(_), None) => Some(ServiceText::PageDoneLinked),
        (None, Some(_)) => Some(ServiceText::PageDoneUploaded),
        (None, None) => None,
    }
}

/// Returns the success page.
fn done_page(app: &App, invited: &Invited) -> Response {
    let look = invited.look(app);
    let title = invited.passage(&look, |it| &it.success_page.header);
    let card = html! {
        svg.done viewBox="0 0 48 48" aria-hidden="true" {
            circle cx="24" cy="24" r="22" {}
            path d="M15 24.5l6.5 6.5L34 18" {}
        }
        (title.heading())
        @if let Some(outcome) = outcome(&invited.invite) { p.outcome { (look.text(outcome)) } }
        (invited.passage(&look, |it| &it.success_page.description).paragraphs())
        p { a href="/me" { (look.text(ServiceText::MePageLink)) } }
    };
    look.show(StatusCode::OK, &Page { kind: "done", title, widget: None, card })
}

/// The maximum number of unused tokens of an invitation. Each open page needs one.
const UNUSED: usize = 5;

/// The response to the page's script, which passes the token to the widget.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct PageToken {
    user_token: String,
}

pub(super) async fn create_token(
    State(app): State<App>,
    network: Network,
    headers: HeaderMap,
) -> ApiResult<Response> {
    let visitor = Visitor::of(&app, &headers, network).await?;
    let Visitor { visit, invited } = visitor.ok_or_else(token_over)?;
    let context = app.context(app.offset_of(&visit.owner).await?);
    let user_id = invited.invite.user_id.clone();
    let requires_form = invited.link_template.is_some_and(|it| it.template.form.is_some());
    let life = app.settings.token_life();
    let token = app
        .store
        .write(move |tx| -> ApiResult<_> {
            let mut context = context.clone();
            if !Visitor::still_exists(tx, &visit, &user_id)? {
                return Err(token_over());
            }
            let page = HostedPage {
                visit: &visit,
                user_id: user_id.clone(),
                awaits_form: requires_form && !tx.forms().exists_for_visit(&visit.owner, &visit.id)?,
                used: tx.quota_uses().get(&visit.owner, &user_id, Quota::HostedTokens, "")?,
            };
            let (token, change) = issue_hosted_token(page, life, &mut context)?;
            tx.invites().delete_unused_tokens(&visit.invite_id, UNUSED - 1)?;
            tx.apply(&change, context.now())?;
            Ok(token)
        })
        .await?;
    let no_store = [(header::CACHE_CONTROL, HeaderValue::from_static("no-store"))];
    Ok((StatusCode::CREATED, no_store, Json(PageToken { user_token: token.access_token })).into_response())
}

impl From<HostedTokenError> for Problem {
    fn from(refused: HostedTokenError) -> Self {
        match refused {
            HostedTokenError::FormMissing => Self::conflict("The form has not been submitted yet."),
            HostedTokenError::Quota(exceeded) => exceeded.into(),
        }
    }
}

fn token_over() -> Problem {
    Problem::new(ProblemCode::TokenExpired, "The visit has ended. Open the link in the invitation again.")
}
