//! The control of each field, with its label, help and fault.

use yew::prelude::*;

use super::{logo, providers};
use crate::core::sites::spot::element_id;
use crate::core::templates::TemplateInput;
use crate::core::templates::editor::TemplateEditor;
use crate::core::templates::fields::{Control, Field, list_translated};
use crate::core::texts::templates::TemplateText;
use crate::core::{Event, Loaded};
use crate::view::parts::{text_of, value_of};
use crate::view::shown::Shown;

/// Returns a callback that emits an input.
pub(super) fn on<E: 'static>(shown: &Shown<'_>, input: TemplateInput) -> Callback<E> {
    shown.send(Event::Template(input))
}

/// The identifiers with which a control refers to its note: its own, whether it has a fault, and that of the note.
pub(super) struct Noted {
    /// Identifier of the control.
    pub(super) id: String,
    /// Whether it has a fault.
    pub(super) invalid: Option<&'static str>,
    /// Identifier of the note, if there is one.
    pub(super) described: Option<String>,
}

/// Draws a field. `path` is its path in the draft, which has the language of a translation.
pub(super) fn draw_field(shown: &Shown<'_>, editor: &TemplateEditor, field: &Field, path: &str) -> Html {
    let id = element_id(path);
    let fault = editor.fault(path).map(str::to_owned).or_else(|| {
        let is_large = editor.large_logo.as_deref() == Some(path);
        is_large.then(|| shown.text(TemplateText::LogoTooLarge).to_owned())
    });
    let note_id = format!("{id}-note");
    let described = (fault.is_some() || field.help.is_some()).then(|| note_id.clone());
    let noted = Noted { id: id.clone(), invalid: fault.as_ref().map(|_| "true"), described };
    let note = html! {
        if let Some(fault) = fault {
            <p class="fault" id={note_id}>{ fault }</p>
        } else if let Some(help) = field.help {
            <p class="soft small" id={note_id}>{ shown.text(help) }</p>
        }
    };
    let label = shown.text(field.label);
    match field.control {
        Control::Tick => {
            let is_on = editor.edited.form.draft.is_on(path);
            let value = if is_on { "" } else { "true" };
            let changed = on::<yew::Event>(shown, TemplateInput::Typed(path.to_owned(), value.to_owned()));
            html! {
                <div class="field" key={path.to_owned()}>
                    <label class="choice"><input {id} type="checkbox" checked={is_on} onchange={changed}
                        aria-invalid={noted.invalid} aria-describedby={noted.described} />{ label }</label>
                    { note }
                </div>
            }
        }
        Control::Several(values) => {
            let choices =
                values.iter().map(|(value, name)| ((*value).to_owned(), shown.text(*name).to_owned()));
            group(label, noted, note, providers::choices(shown, editor, path, choices.collect()))
        }
        Control::Providers => {
            group(label, noted, note, providers::choices(shown, editor, path, providers::all(shown)))
        }
        Control::OrderedProviders => group(label, noted, note, providers::draw_order(shown, editor, path)),
        Control::Logo => group(label, noted, note, logo::draw(shown, editor, path, label)),
        Control::Line
        | Control::Area
        | Control::Lines
        | Control::Color
        | Control::Choose(_)
        | Control::Consent => {
            let is_words = list_translated(editor.kind).iter().any(|it| it.path == field.path);
            let class = if is_words { "field whole" } else { "field" };
            html! {
                <div {class} key={path.to_owned()}>
                    <label for={id}>{ label }</label>
                    { draw_control(shown, editor, (field, path), noted) }
                    { note }
                </div>
            }
        }
    }
}

/// Draws controls that belong together.
fn group(label: &str, noted: Noted, note: Html, controls: Html) -> Html {
    html! {
        <fieldset class="field" id={noted.id} tabindex="-1" aria-describedby={noted.described}>
            <legend>{ label.to_owned() }</legend>
            { note }
            { controls }
        </fieldset>
    }
}

fn draw_control(
    shown: &Shown<'_>,
    editor: &TemplateEditor,
    (field, path): (&Field, &str),
    noted: Noted,
) -> Html {
    let value = editor.edited.form.draft.get(path).to_owned();
    let typed = path.to_owned();
    let oninput = shown.emit.reform(move |event: InputEvent| {
        Event::Template(TemplateInput::Typed(typed.clone(), text_of(&event)))
    });
    let chosen = path.to_owned();
    let onchange = shown.emit.reform(move |event: yew::Event| {
        Event::Template(TemplateInput::Typed(chosen.clone(), value_of(&event)))
    });
    let Noted { id, invalid, described } = noted;
    // The label stays in the language of the page.
    let language =
        path.strip_prefix("translations.").and_then(|it| it.split_once('.')).map(|(it, _)| it.to_owned());
    match field.control {
        Control::Area | Control::Lines => {
            let rows = if field.control == Control::Area { "6" } else { "3" };
            html! {
                <textarea {id} class="words" {rows} dir="auto" lang={language} {value} {oninput} aria-invalid={invalid}
                    aria-describedby={described} />
            }
        }
        Control::Choose(values) => {
            let options =
                values.iter().map(|(option, name)| ((*option).to_owned(), shown.text(*name).to_owned()));
            draw_select((id, invalid, described), &value, options.collect(), onchange)
        }
        Control::Consent => {
            let mut options = Vec::new();
            if let Loaded::Ready(consents) = &shown.state.templates.consents {
                options.extend(
                    consents.iter().map(|it| {
                        (it.id.to_string(), format!("{} ({}, {})", it.title, it.version, it.locale))
                    }),
                );
            }
            if options.iter().all(|(option, _)| *option != value) {
                // A deleted template, or the list is on its way.
                options.insert(0, (value.clone(), value.clone()));
            }
            draw_select((id, invalid, described), &value, options, onchange)
        }
        Control::Color => {
            // A browser's color control has no empty value.
            let picked = if value.is_empty() { "#3355cc".to_owned() } else { value.clone() };
            let name = shown.language.fill(TemplateText::PickColor, shown.text(field.label));
            html! {
                <div class="color">
                    <input {id} type="text" {value} oninput={oninput.clone()} autocomplete="off" spellcheck="false"
                        translate="no" aria-invalid={invalid} aria-describedby={described} />
                    <input type="color" value={picked} {oninput} aria-label={name} />
                </div>
            }
        }
        Control::Line
        | Control::Tick
        | Control::Several(_)
        | Control::Providers
        | Control::OrderedProviders
        | Control::Logo => html! {
            <input {id} type="text" dir="auto" lang={language} {value} {oninput} autocomplete="off" aria-invalid={invalid}
                aria-describedby={described} />
        },
    }
}

fn draw_select(
    (id, invalid, described): (String, Option<&'static str>, Option<String>),
    value: &str,
    options: Vec<(String, String)>,
    onchange: Callback<yew::Event>,
) -> Html {
    html! {
        <select {id} {onchange} aria-invalid={invalid} aria-describedby={described}>
            { for options.into_iter().map(|(option, name)| html! {
                <option selected={option == value} value={option.clone()}>{ name }</option>
            }) }
        </select>
    }
}
