//! The page with the form of a hosted link site.

use std::collections::BTreeMap;

use axum::http::StatusCode;
use axum::response::Response;
use link_domain::invitations::form_submission::{AnswerFault, FormTexts};
use link_domain::notifications::service_text::{ServiceText, Value};
use link_types::form_submission::{LinkSiteField, LinkSiteFieldType, LinkSiteForm};
use link_types::format::FormatFaultError;
use maud::{Markup, html};

use super::page::{Look, Page};
use super::passage::Passage;
use super::visitor::Invited;
use crate::app::App;

/// Renders the page with a form, the answers so far and the faults in them.
pub(super) fn page(
    app: &App,
    invited: &Invited,
    form: &LinkSiteForm,
    status: StatusCode,
    answers: &BTreeMap<String, String>,
    faults: &[AnswerFault],
) -> Response {
    let questions = Questions { look: &invited.look(app), texts: FormTexts::of(form, &invited.languages) };
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
