//! One input with its label, help, hint and error.

use link_flow::event::Event;
use link_flow::view::Typed;
use link_flow::view::block::{Field, Input, Keyboard, SelectOption};
use link_types::Sensitive;
use wasm_bindgen::{JsCast, UnwrapThrowExt};
use web_sys::{HtmlInputElement, HtmlSelectElement};
use yew::prelude::*;

use super::password::password;
use crate::icon::{Icon, icon};
use crate::ui::Ui;

pub fn field(ui: &Ui, field: &Field) -> Html {
    let id = field_id(&field.id);
    let about = |part: &str| format!("{id}-{part}");
    html! {
        <div class="field">
            <label class="label" for={id.clone()}>
                { ui.words(&field.label) }
                if let Some(optional) = &field.optional { { " " }<span class="optional">{ ui.words(optional) }</span> }
            </label>
            { control(ui, field, &id) }
            if let Some(error) = &field.error {
                <p class="error" id={about("error")}>{ icon(Icon::CircleAlert) }<span>{ ui.words(error) }</span></p>
            }
            if let Some(hint) = &field.hint {
                <p class="hint-warning" id={about("hint")}>{ icon(Icon::Info) }<span>{ ui.words(hint) }</span></p>
            }
            if let Some(help) = &field.help { <p class="hint" id={about("help")}>{ ui.words(help) }</p> }
        </div>
    }
}

/// The DOM id of a field's input. Names are the provider's, and an id must not hold spaces.
pub fn field_id(field: &str) -> String {
    format!("field-{}", String::from(js_sys::encode_uri_component(field)))
}

/// What may be known of a secret input while it is filled in: never its text.
fn secret_left(field: &str, event: &FocusEvent) -> Event {
    let text = Sensitive::new(event.target_unchecked_into::<HtmlInputElement>().value());
    let bytes = text.expose().as_bytes();
    Event::SecretLeft {
        field: field.to_owned(),
        empty: bytes.is_empty(),
        stray_space: bytes.first() == Some(&b' ') || bytes.last() == Some(&b' '),
    }
}

/// What an open field's input holds after an edit.
pub fn typed(event: &InputEvent) -> Typed {
    Typed::new(event.target_unchecked_into::<HtmlInputElement>().value())
}

fn control(ui: &Ui, field: &Field, id: &str) -> Html {
    let attributes = Attributes::of(ui, field, id);
    match &field.input {
        Input::Text { value, keyboard } => text(&attributes, field, value, *keyboard),
        Input::Date { value } => line(&attributes, field, "date", "", value),
        Input::Select { value, placeholder, options } => {
            select(ui, &attributes, value, &ui.words(placeholder), options)
        }
        Input::Password { reveal, conceal, caps_lock } => {
            password(ui, &attributes, reveal, conceal, caps_lock)
        }
        Input::OneTimeCode { numeric } => code(&attributes, field, *numeric),
    }
}

/// What every kind of input has.
#[derive(Clone)]
pub struct Attributes {
    pub id: AttrValue,
    pub name: AttrValue,
    pub described_by: Option<AttrValue>,
    pub invalid: bool,
    pub required: bool,
    pub disabled: bool,
    pub autocomplete: AttrValue,
    pub max_length: Option<AttrValue>,
    /// The focus left the input.
    pub onblur: Callback<FocusEvent>,
    /// The focus left a secret input.
    pub onleave: Callback<FocusEvent>,
    /// An open input holds another text.
    pub onedit: Callback<Typed>,
}

impl Attributes {
    fn of(ui: &Ui, field: &Field, id: &str) -> Self {
        let parts = [
            ("error", field.error.is_some()),
            ("hint", field.hint.is_some()),
            ("help", field.help.is_some()),
        ];
        let described_by: Vec<String> =
            parts.iter().filter(|(_, there)| *there).map(|(part, _)| format!("{id}-{part}")).collect();
        let (left, secret, edited) = (field.id.clone(), field.id.clone(), field.id.clone());
        Self {
            id: AttrValue::from(id.to_owned()),
            name: AttrValue::from(field.id.clone()),
            described_by: (!described_by.is_empty()).then(|| AttrValue::from(described_by.join(" "))),
            invalid: field.error.is_some(),
            required: field.required,
            disabled: field.disabled,
            autocomplete: AttrValue::from(field.autocomplete.clone()),
            max_length: field.max_length.map(|length| AttrValue::from(length.to_string())),
            onblur: ui.events.reform(move |_| Event::Left { field: left.clone() }),
            onleave: ui.events.reform(move |event| secret_left(&secret, &event)),
            onedit: ui.events.reform(move |text| Event::Edited { field: edited.clone(), text }),
        }
    }

    /// `aria-invalid`, which says nothing while all is well.
    pub fn aria_invalid(&self) -> Option<&'static str> {
        self.invalid.then_some("true")
    }
}

fn text(attributes: &Attributes, field: &Field, value: &Typed, keyboard: Keyboard) -> Html {
    match keyboard {
        Keyboard::Text => line(attributes, field, "text", "text", value),
        Keyboard::Email => line(attributes, field, "email", "email", value),
        Keyboard::Telephone => line(attributes, field, "tel", "tel", value),
        Keyboard::Digits => line(attributes, field, "text", "numeric", value),
    }
}

fn line(
    attributes: &Attributes,
    field: &Field,
    kind: &'static str,
    mode: &'static str,
    value: &Typed,
) -> Html {
    let Attributes {
        id,
        name,
        described_by,
        required,
        disabled,
        autocomplete,
        max_length,
        onblur,
        onedit,
        ..
    } = attributes.clone();
    html! {
        <div class="control" data-invalid={attributes.aria_invalid()}>
            if let Some(prefix) = &field.prefix { <span class="prefix" aria-hidden="true">{ prefix }</span> }
            <input class="input" {id} {name} type={kind} inputmode={mode} value={value.as_str().to_owned()}
                aria-describedby={described_by} aria-invalid={attributes.aria_invalid()} aria-required={required.to_string()}
                readonly={disabled} {autocomplete} maxlength={max_length} autocapitalize="none" autocorrect="off"
                spellcheck="false" {onblur} oninput={onedit.reform(|event| typed(&event))} />
        </div>
    }
}

fn code(attributes: &Attributes, field: &Field, numeric: bool) -> Html {
    let Attributes { id, name, described_by, required, disabled, max_length, onleave, .. } =
        attributes.clone();
    let autocomplete = field.autocomplete.clone();
    html! {
        <div class="control" data-invalid={attributes.aria_invalid()}>
            <input class="input input-code" {id} {name} type="text" data-secret="" inputmode={if numeric { "numeric" } else { "text" }}
                aria-describedby={described_by} aria-invalid={attributes.aria_invalid()} aria-required={required.to_string()}
                readonly={disabled} {autocomplete} maxlength={max_length} autocapitalize="none" autocorrect="off"
                spellcheck="false" enterkeyhint="done" onblur={onleave} />
        </div>
    }
}

fn select(
    ui: &Ui,
    attributes: &Attributes,
    value: &Typed,
    placeholder: &AttrValue,
    options: &[SelectOption],
) -> Html {
    let Attributes { id, name, described_by, required, disabled, autocomplete, onblur, onedit, .. } =
        attributes.clone();
    let onchange = onedit.reform(|event: web_sys::Event| {
        Typed::new(event.target().unwrap_throw().unchecked_into::<HtmlSelectElement>().value())
    });
    html! {
        <div class="control control-select" data-invalid={attributes.aria_invalid()}>
            <select class="input" {id} {name} aria-describedby={described_by} aria-invalid={attributes.aria_invalid()}
                aria-required={required.to_string()} {disabled} {autocomplete} {onblur} {onchange}>
                <option value="" disabled=true selected={value.as_str().is_empty()}>{ placeholder }</option>
                { for options.iter().map(|option| html! {
                    <option value={option.value.clone()} selected={option.value == value.as_str()}>
                        { ui.words(&option.label) }
                    </option>
                }) }
            </select>
            { icon(Icon::ChevronDown) }
        </div>
    }
}
