//! The page with the form of a hosted link site.

use std::collections::BTreeMap;

use axum::http::StatusCode;
use axum::response::Response;
use link_domain::form_submission::AnswerFault;
use link_types::form_submission::{LinkSiteField, LinkSiteFieldType, LinkSiteForm};
use maud::{Markup, html};

use super::page::Page;
use super::visitor::Invited;
use crate::app::App;

const HEADING: &str = "A few questions first";

/// Renders the page with a form's card.
pub(super) fn page(
    app: &App,
    invited: &Invited,
    form: &LinkSiteForm,
    status: StatusCode,
    card: Markup,
) -> Response {
    let title = form.name.clone().unwrap_or_else(|| HEADING.to_owned());
    invited.look(app).show(status, &Page { kind: "form", title, widget: None, card })
}

/// Renders the card of a form, with the answers so far and the faults in them.
pub(super) fn card(
    form: &LinkSiteForm,
    answers: &BTreeMap<String, String>,
    faults: &[AnswerFault],
) -> Markup {
    html! {
        h1 { (form.name.as_deref().unwrap_or(HEADING)) }
        @if !faults.is_empty() {
            p.trouble role="alert" { "Please correct the fields marked below." }
        }
        form.questions method="post" action="/visit/form" novalidate {
            @for (index, field) in form.fields.iter().enumerate() {
                @let answer = answers.get(&field.name).map_or("", String::as_str);
                @let fault = faults.iter().find(|it| it.field == field.name).map(|it| it.fault.to_string());
                (question(index, field, answer, fault))
            }
            button.primary type="submit" { "Continue" }
        }
    }
}

fn question(index: usize, field: &LinkSiteField, answer: &str, fault: Option<String>) -> Markup {
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
                option value="" { "Choose…" }
                @for choice in &field.choices {
                    option value=(choice) selected[answer == choice] { (choice) }
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
                (field.label)
                @if !field.required { " " span.optional { "(optional)" } }
            }
            @if !is_box { (control) }
            @if is_noted {
                div.note id={ (id) "-note" } {
                    @if let Some(fault) = fault { p.fault { (sentence(&fault)) } }
                    @if let Some(help) = &field.help { p { (help) } }
                }
            }
        }
    }
}

/// Turns a fault, such as "is required", into a sentence to show under the field.
fn sentence(fault: &str) -> String {
    format!("This {fault}.")
}
