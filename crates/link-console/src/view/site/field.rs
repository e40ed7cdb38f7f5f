//! The settings of one field.

use link_types::form_submission::LinkSiteFieldType;
use yew::prelude::*;

use super::condition;
use super::controls::{Control, select, text, tick};
use super::fields::kind_name;
use crate::core::SiteInput;
use crate::core::sites::draft::{FieldDraft, FormatKind};
use crate::core::sites::editor::Editor;
use crate::core::sites::spot::{Part, Spot, field_path};
use crate::core::texts::sites::SiteText;
use crate::view::shown::Shown;

/// Draws the settings.
pub(super) fn form(shown: &Shown<'_>, editor: &Editor, field: &FieldDraft) -> Html {
    let uid = field.uid;
    let spot = |part| Spot::Field(uid, part);
    let input = |part, label, help| text(shown, editor, spot(part), Control::Input("text"), label, help);
    let is_statement = field.kind == LinkSiteFieldType::Statement;
    let is_hidden = field.kind == LinkSiteFieldType::Hidden;
    let label = if is_statement { SiteText::Statement } else { SiteText::Label };
    html! {
        <div class="builder-form">
            <div class="fields">
                { input(Part::Label, label, None) }
                { kind(shown, editor, field) }
                { input(Part::Name, SiteText::FieldName, None) }
                if !is_hidden { { input(Part::Help, SiteText::Help, None) } }
                if field.has_choices() {
                    { text(shown, editor, spot(Part::Choices), Control::Area, SiteText::Choices, None) }
                }
                if field.kind == LinkSiteFieldType::File {
                    { text(shown, editor, spot(Part::MaxFiles), Control::Input("number"), SiteText::MaxFiles, None) }
                }
                if field.kind == LinkSiteFieldType::Text { { format(shown, editor, field) } }
            </div>
            if is_hidden {
                { tick(shown, &field_path(uid, "prefill"), &shown.language.fill(SiteText::Prefilled, &field.name),
                    field.is_prefilled, move |it| SiteInput::PrefilledChosen(uid, it)) }
            } else {
                if !is_statement {
                    { tick(shown, &field_path(uid, "required"), shown.text(SiteText::Required), field.required,
                        move |it| SiteInput::RequiredChosen(uid, it)) }
                }
                { condition::panel(shown, editor, field) }
            }
        </div>
    }
}

fn kind(shown: &Shown<'_>, editor: &Editor, field: &FieldDraft) -> Html {
    let uid = field.uid;
    let choices = LinkSiteFieldType::ALL
        .iter()
        .map(|it| (it.to_string(), shown.text(kind_name(*it)).to_owned(), *it == field.kind));
    let chosen = move |value: String| {
        let kind = LinkSiteFieldType::ALL.iter().find(|it| it.as_str() == value);
        SiteInput::KindChosen(uid, kind.copied().unwrap_or(LinkSiteFieldType::Text))
    };
    let texts = (shown.text(SiteText::FieldKind), None);
    select(shown, editor, &field_path(uid, "type"), texts, choices.collect(), chosen)
}

fn format(shown: &Shown<'_>, editor: &Editor, field: &FieldDraft) -> Html {
    let uid = field.uid;
    let name = |kind: FormatKind| match kind {
        FormatKind::Any => SiteText::AnyText,
        FormatKind::Text => SiteText::TextLength,
        FormatKind::Digits => SiteText::Digits,
        FormatKind::Alphanumeric => SiteText::Alphanumeric,
        FormatKind::Email => SiteText::EmailFormat,
        FormatKind::Phone => SiteText::PhoneFormat,
        FormatKind::Curp => SiteText::Curp,
        FormatKind::Date => SiteText::DateFormat,
    };
    let choices = FormatKind::ALL.iter().zip(0_usize..).map(|(kind, place)| {
        (place.to_string(), shown.text(name(*kind)).to_owned(), *kind == field.format.kind)
    });
    let chosen = move |place: String| {
        let kind = place.parse::<usize>().ok().and_then(|it| FormatKind::ALL.get(it));
        SiteInput::FormatChosen(uid, kind.copied().unwrap_or_default())
    };
    let texts = (shown.text(SiteText::Format), None);
    let bound =
        |part, label| text(shown, editor, Spot::Field(uid, part), Control::Input("number"), label, None);
    html! {
        <>
            { select(shown, editor, &field_path(uid, "format"), texts, choices.collect(), chosen) }
            if field.format.kind.has_bounds() {
                { bound(Part::Min, SiteText::Min) }
                { bound(Part::Max, SiteText::Max) }
            }
        </>
    }
}
