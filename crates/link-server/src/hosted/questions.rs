//! The page with a form: its fields, the answers so far, and the faults in them.

use axum::http::StatusCode;
use axum::response::Response;
use link_domain::invitations::form_submission::{
    AnswerError, AnswerErrorKind, FormFile, FormReading, FormTexts,
};
use link_domain::kernel::languages::Languages;
use link_domain::notifications::service_text::{ServiceText, Value};
use link_types::form_submission::{FormAnswer, LinkSiteField, LinkSiteFieldType, LinkSiteForm};
use link_types::format::{FieldFormat, FormatError};
use maud::{Markup, html};

use super::embedding::Embedding;
use super::files::FileControl;
use super::page::{Look, Page, Passage};

/// The field that people do not see. Programs that fill every field are recognized by it.
pub(super) const BAIT: &str = "_website";
/// The name under which the browser sends the names of the fields with a condition that it shows.
pub(super) const SHOWN: &str = "_shown";

/// The name under which the browser sends the file that the person removes.
pub(super) const REMOVE: &str = "_remove";

/// The content of the page with a form.
pub(super) struct Questions<'a> {
    /// The branding of the page.
    pub(super) look: &'a Look,
    /// The form.
    pub(super) form: &'a LinkSiteForm,
    /// The answers, and the fields that they hide.
    pub(super) reading: &'a FormReading,
    /// The invalid answers.
    pub(super) faults: &'a [AnswerError],
    /// The task of the person, above the form.
    pub(super) alert: Option<ServiceText>,
}

impl Questions<'_> {
    /// Renders the page, with the field that people do not see if it is at a public address.
    pub(super) fn page(&self, languages: &Languages, has_bait: bool, status: StatusCode) -> Response {
        let texts = FormTexts::for_languages(self.form, languages);
        let title = match &self.form.name {
            Some(name) => self.passage(texts, name),
            None => Passage::ours(self.look.text(ServiceText::PageFormTitle)),
        };
        let has_files = self.form.fields.iter().any(|it| it.field_type == LinkSiteFieldType::File);
        let card = html! {
            (title.heading())
            @if let Some(alert) = self.alert { p.trouble role="alert" { (self.look.text(alert)) } }
            form.questions method="post" action=(self.action()) enctype=[has_files.then_some("multipart/form-data")]
                data-wrong=[has_files.then(|| self.look.text(ServiceText::PageFormWrong))] novalidate {
                // The first field: the service reads the rest of the body only if it knows the visit.
                @if let Some(embedding) = self.look.embedding() { (embedding.secret_field()) }
                @if has_files {
                    // Enter in a text presses the first button of a form, which must not remove a file.
                    button.bait type="submit" tabindex="-1" aria-hidden="true" {}
                }
                @for (index, field) in self.form.fields.iter().enumerate() {
                    (self.show_question(&Question { look: self.look, texts, index, field, files: &self.reading.files }))
                }
                @if has_bait {
                    div.bait aria-hidden="true" {
                        label for="bait" { (self.look.text(ServiceText::PageFormBait)) }
                        input type="text" id="bait" name=(BAIT) tabindex="-1" autocomplete="off";
                    }
                }
                p.note { (self.look.text_with_company(ServiceText::PageFormSaved)) }
                button.primary type="submit" { (self.look.text(ServiceText::PageFormContinue)) }
            }
        };
        self.look.show(status, &Page { kind: "form", title, widget: None, redirect: None, card })
    }

    fn action(&self) -> String {
        self.look.embedding().map_or_else(|| "/visit/form".to_owned(), Embedding::form_address)
    }

    fn passage(&self, texts: FormTexts<'_>, text: &str) -> Passage {
        passage(self.look, texts, text)
    }

    /// Renders a field. The browser does not send one that its condition hides, and says which others it shows.
    fn show_question(&self, question: &Question<'_>) -> Markup {
        let field = question.field;
        if field.field_type == LinkSiteFieldType::Hidden {
            return html! {};
        }
        let fault = self.faults.iter().find(|it| it.field == field.name).map(|it| it.kind);
        let asked = question.ask(self.reading.data.get(&field.name), fault);
        if field.condition.is_none() {
            return asked;
        }
        let is_hidden = self.reading.hidden.contains(&field.name);
        html! {
            fieldset.conditional data-field=(field.name) hidden[is_hidden] disabled[is_hidden] {
                input type="hidden" name=(SHOWN) value=(field.name);
                (asked)
            }
        }
    }
}

fn passage(look: &Look, texts: FormTexts<'_>, text: &str) -> Passage {
    let (text, locale) = texts.text(text);
    Passage::of_tenant(text.to_owned(), locale, look.locale())
}

/// One field of the form.
struct Question<'a> {
    look: &'a Look,
    texts: FormTexts<'a>,
    index: usize,
    field: &'a LinkSiteField,
    files: &'a [FormFile],
}

impl Question<'_> {
    fn passage(&self, text: &str) -> Passage {
        passage(self.look, self.texts, text)
    }

    fn ask(&self, answer: Option<&FormAnswer>, fault: Option<AnswerErrorKind>) -> Markup {
        let field = self.field;
        let id = format!("field-{}", self.index);
        let is_noted = fault.is_some() || field.help.is_some();
        let note_id = format!("{id}-note");
        let described = is_noted.then_some(note_id.as_str());
        let note = html! {
            @if is_noted {
                div.note id=(note_id) {
                    @if let Some(fault) = fault { p.fault { (self.explain(fault)) } }
                    @if let Some(help) = &field.help { (self.passage(help).paragraphs()) }
                }
            }
        };
        let name = html! {
            (self.passage(&field.label).inline())
            @if !field.required { " " span.optional { (self.look.text(ServiceText::PageFormOptional)) } }
        };
        let invalid = fault.map(|_| "true");
        match field.field_type {
            LinkSiteFieldType::Hidden => html! {},
            LinkSiteFieldType::Statement => html! {
                div.question { p.statement { (self.passage(&field.label).inline()) } (note) }
            },
            LinkSiteFieldType::Checkbox => html! {
                div.question.tick {
                    input type="checkbox" id=(id) name=(field.name) value="on" required[field.required]
                        checked[answer == Some(&FormAnswer::Ticked(true))] aria-describedby=[described]
                        aria-invalid=[invalid];
                    label for=(id) { (name) }
                    (note)
                }
            },
            LinkSiteFieldType::Several => html! {
                fieldset.question aria-describedby=[described] {
                    legend { (name) }
                    @for (number, choice) in field.choices.iter().enumerate() {
                        @let (id, label) = (format!("{id}-{number}"), self.passage(choice));
                        div.tick {
                            input type="checkbox" id=(id) name=(field.name) value=(choice)
                                checked[is_chosen(answer, choice)] aria-invalid=[invalid];
                            label for=(id) lang=[label.lang()] dir=[label.dir()] { (label.text()) }
                        }
                    }
                    (note)
                }
            },
            LinkSiteFieldType::File => {
                let rules = field.files.clone().unwrap_or_default();
                let files =
                    FileControl { look: self.look, name: &field.name, rules: &rules, files: self.files };
                html! {
                    div.question.upload data-field=(field.name) {
                        label for=(id) { (name) }
                        (files.control(&id, &note_id, fault.is_some()))
                        div.note id=(note_id) {
                            @if let Some(fault) = fault { p.fault { (self.explain(fault)) } }
                            p { (files.hint()) }
                            @if let Some(help) = &field.help { (self.passage(help).paragraphs()) }
                        }
                    }
                }
            }
            LinkSiteFieldType::Text
            | LinkSiteFieldType::LongText
            | LinkSiteFieldType::Number
            | LinkSiteFieldType::Date
            | LinkSiteFieldType::Choice
            | LinkSiteFieldType::Email
            | LinkSiteFieldType::Phone
            | LinkSiteFieldType::Address => html! {
                div.question {
                    label for=(id) { (name) }
                    (self.control(&id, answer, described, invalid))
                    (note)
                }
            },
        }
    }

    /// Renders the control of a field with one text.
    fn control(
        &self,
        id: &str,
        answer: Option<&FormAnswer>,
        described: Option<&str>,
        invalid: Option<&str>,
    ) -> Markup {
        let field = self.field;
        let answer = match answer {
            Some(FormAnswer::Text(text)) => text.as_str(),
            _ => "",
        };
        match field.field_type {
            LinkSiteFieldType::LongText | LinkSiteFieldType::Address => {
                let is_address = field.field_type == LinkSiteFieldType::Address;
                html! {
                    textarea id=(id) name=(field.name) rows=(if is_address { 3 } else { 5 })
                        autocomplete=[is_address.then_some("street-address")] required[field.required]
                        aria-describedby=[described] aria-invalid=[invalid] {
                        // The browser drops one line break at the start.
                        "\n" (answer)
                    }
                }
            }
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
            LinkSiteFieldType::Text
            | LinkSiteFieldType::Number
            | LinkSiteFieldType::Date
            | LinkSiteFieldType::Several
            | LinkSiteFieldType::Email
            | LinkSiteFieldType::Phone
            | LinkSiteFieldType::Checkbox
            | LinkSiteFieldType::File
            | LinkSiteFieldType::Statement
            | LinkSiteFieldType::Hidden => {
                let (kind, autocomplete) = if field.field_type == LinkSiteFieldType::Email {
                    ("email", Some("email"))
                } else if field.field_type == LinkSiteFieldType::Phone {
                    ("tel", Some("tel"))
                } else if field.field_type == LinkSiteFieldType::Date {
                    ("date", None)
                } else {
                    ("text", None)
                };
                let mode = match (field.field_type, &field.format) {
                    (LinkSiteFieldType::Number, _) => Some("decimal"),
                    (_, Some(FieldFormat::Digits { .. })) => Some("numeric"),
                    _ => None,
                };
                html! {
                    input type=(kind) id=(id) name=(field.name) value=(answer) inputmode=[mode]
                        required[field.required] autocomplete=[autocomplete] aria-describedby=[described]
                        aria-invalid=[invalid];
                }
            }
        }
    }

    /// Returns the sentence under a field that explains a fault.
    fn explain(&self, fault: AnswerErrorKind) -> String {
        let fault = match fault {
            AnswerErrorKind::NotNumber => return self.look.text(ServiceText::PageFormNumber),
            AnswerErrorKind::File(fault) => {
                let rules = self.field.files.clone().unwrap_or_default();
                let name = &self.field.name;
                return FileControl { look: self.look, name, rules: &rules, files: self.files }
                    .explain(fault);
            }
            AnswerErrorKind::Format(fault) => fault,
        };
        let text = match fault {
            FormatError::TooLong { max } => {
                return self.look.text_with(ServiceText::PageFormLong, Value::Count(max.into()));
            }
            FormatError::TooShort { min } => {
                return self.look.text_with(ServiceText::PageFormShort, Value::Count(min.into()));
            }
            FormatError::Empty => ServiceText::PageFormRequired,
            FormatError::NotEmail => ServiceText::PageFormEmail,
            FormatError::NotPhone => ServiceText::PageFormPhone,
            FormatError::NotDate => ServiceText::PageFormDate,
            FormatError::NotAChoice => ServiceText::PageFormChoice,
            FormatError::NotDigits => ServiceText::PageFormDigits,
            FormatError::NotAlphanumeric => ServiceText::PageFormAlphanumeric,
            FormatError::NotCurp => ServiceText::PageFormCurp,
        };
        self.look.text(text)
    }
}

fn is_chosen(answer: Option<&FormAnswer>, choice: &String) -> bool {
    matches!(answer, Some(FormAnswer::Chosen(chosen)) if chosen.contains(choice))
}
