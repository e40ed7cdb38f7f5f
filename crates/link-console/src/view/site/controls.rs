//! The controls of the editor, each with its label, help and fault.

use wasm_bindgen::JsCast as _;
use web_sys::{HtmlInputElement, HtmlTextAreaElement};
use yew::prelude::*;

use crate::core::sites::editor::Editor;
use crate::core::sites::spot::{Spot, element_id};
use crate::core::texts::sites::SiteText;
use crate::core::{Event, SiteInput};
use crate::view::parts::value_of;
use crate::view::shown::Shown;

/// The kind of a text's control.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Control {
    /// An input of this type.
    Input(&'static str),
    /// A text area.
    Area,
}

/// Returns the value of the input or text area that an event comes from.
pub(super) fn read_text(event: &InputEvent) -> String {
    let Some(target) = event.target() else { return String::new() };
    match target.dyn_into::<HtmlTextAreaElement>() {
        Ok(area) => area.value(),
        Err(target) => target.dyn_into::<HtmlInputElement>().map(|it| it.value()).unwrap_or_default(),
    }
}

/// Returns a callback that emits an input.
pub(super) fn on<E: 'static>(shown: &Shown<'_>, input: SiteInput) -> Callback<E> {
    shown.send(Event::Site(input))
}

/// Draws a control with its label, help and fault. `path` is that of its faults.
pub(super) fn draw_labelled(
    shown: &Shown<'_>,
    editor: &Editor,
    path: &str,
    (label, help): (&str, Option<SiteText>),
    control: impl FnOnce(&str, Option<&'static str>, Option<String>) -> Html,
) -> Html {
    let id = element_id(path);
    let fault = editor.fault(path);
    let note_id = format!("{id}-note");
    let described = (fault.is_some() || help.is_some()).then(|| note_id.clone());
    html! {
        <div class="field">
            <label for={id.clone()}>{ label.to_owned() }</label>
            { control(&id, fault.map(|_| "true"), described) }
            if let Some(fault) = fault {
                <p class="fault" id={note_id}>{ fault.to_owned() }</p>
            } else if let Some(help) = help {
                <p class="soft small" id={note_id}>{ shown.text(help) }</p>
            }
        </div>
    }
}

/// Draws a text of the draft.
pub(super) fn text(
    shown: &Shown<'_>,
    editor: &Editor,
    spot: Spot,
    control: Control,
    label: SiteText,
    help: Option<SiteText>,
) -> Html {
    let value = editor.edited.form.draft.text(spot);
    let oninput =
        shown.emit.reform(move |event: InputEvent| Event::Site(SiteInput::Typed(spot, read_text(&event))));
    draw_labelled(shown, editor, &spot.path(), (shown.text(label), help), |id, invalid, described| {
        match control {
            Control::Input(kind) => html! {
                <input id={id.to_owned()} type={kind} {value} {oninput} autocomplete="off" step={(kind == "datetime-local").then_some("any")}
                    aria-invalid={invalid} aria-describedby={described} />
            },
            Control::Area => html! {
                <textarea id={id.to_owned()} class="words" rows="3" {value} {oninput} aria-invalid={invalid}
                    aria-describedby={described} />
            },
        }
    })
}

/// An option of a list: its value, its name, and whether it is chosen.
pub(super) type Choice = (String, String, bool);

/// Draws a list to choose from.
pub(super) fn select(
    shown: &Shown<'_>,
    editor: &Editor,
    path: &str,
    (label, help): (&str, Option<SiteText>),
    choices: Vec<Choice>,
    chosen: impl Fn(String) -> SiteInput + 'static,
) -> Html {
    let onchange = shown.emit.reform(move |event: yew::Event| Event::Site(chosen(value_of(&event))));
    draw_labelled(shown, editor, path, (label, help), |id, invalid, described| {
        html! {
            <select id={id.to_owned()} {onchange} aria-invalid={invalid} aria-describedby={described}>
                { for choices.into_iter().map(|(value, name, selected)| html! {
                    <option {value} {selected}>{ name }</option>
                }) }
            </select>
        }
    })
}

/// Draws a checkbox.
pub(super) fn tick(
    shown: &Shown<'_>,
    path: &str,
    label: &str,
    checked: bool,
    chosen: impl Fn(bool) -> SiteInput + 'static,
) -> Html {
    html! {
        <label class="choice"><input id={element_id(path)} type="checkbox" {checked}
            onchange={on::<yew::Event>(shown, chosen(!checked))} />{ label.to_owned() }</label>
    }
}
