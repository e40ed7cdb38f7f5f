//! An input with its label, help, hint and error.

use link_flow::event::Event;
use link_flow::view::Typed;
use link_flow::view::block::{Field, Input, Keyboard, SelectOption};
use wasm_bindgen::{JsCast, UnwrapThrowExt};
use web_sys::HtmlSelectElement;
use yew::prelude::*;

use super::secret::{code, password};
use crate::attribute::Attribute;
use crate::element::{Element, element, onblur, onchange, oninput};
use crate::icon::{Icon, icon};
use crate::ui::{Ui, field_id, input_text};

#[inline(never)] // only screens of the deferred chunk draw it
pub fn field(ui: &Ui, field: &Field) -> Html {
    let id = field_id(&field.id);
    let optional =
        field.optional.as_ref().map(|words| element("span", "optional").text(ui.words(words)).html());
    let label = element("label", "label")
        .put(Attribute::For, id.clone().into())
        .words([&*ui.words(&field.label), " "].concat().into())
        .maybe(optional);
    let remark = |class, part: &str, sign: Option<Icon>, words| {
        element("p", class)
            .put(Attribute::Id, format!("{id}-{part}").into())
            .maybe(sign.map(icon))
            .child(element("span", "").text(ui.words(words)).html())
            .html()
    };
    element("div", "field")
        .child(label.html())
        .child(control(ui, field))
        .maybe(field.error.as_ref().map(|words| remark("error", "error", Some(Icon::CircleAlert), words)))
        .maybe(field.hint.as_ref().map(|words| remark("hint-warning", "hint", Some(Icon::Info), words)))
        .maybe(field.help.as_ref().map(|words| remark("hint", "help", None, words)))
        .html()
}

fn control(ui: &Ui, field: &Field) -> Html {
    match &field.input {
        Input::Text { value, keyboard } => {
            let (kind, mode) = match keyboard {
                Keyboard::Text => ("text", "text"),
                Keyboard::Email => ("email", "email"),
                Keyboard::Telephone => ("tel", "tel"),
                Keyboard::Digits => ("text", "numeric"),
            };
            line(ui, field, kind, mode, value)
        }
        Input::Date { value } => line(ui, field, "date", "", value),
        Input::Select { value, placeholder, options } => {
            select(ui, field, value, ui.words(placeholder), options)
        }
        Input::Password { reveal, conceal, caps_lock } => password(ui, field, reveal, conceal, caps_lock),
        Input::OneTimeCode { numeric, .. } => code(ui, field, *numeric),
    }
}

/// Draws the frame around an input.
pub fn frame(field: &Field, class: &'static str) -> Element {
    element("div", class).flag(Attribute::DataInvalid, field.error.is_some())
}

/// Adds the attributes that all kinds of input have.
pub fn input(field: &Field, tag: &'static str, class: &'static str) -> Element {
    let id = field_id(&field.id);
    let parts = [("-error", &field.error), ("-hint", &field.hint), ("-help", &field.help)];
    let mut described_by = String::new();
    for (part, _) in parts.iter().filter(|(_, words)| words.is_some()) {
        described_by.push_str(&id);
        described_by.push_str(part);
        described_by.push(' ');
    }
    let mut input = element(tag, class)
        .put(Attribute::Id, id.into())
        .put(Attribute::Name, field.id.clone().into())
        .flag(Attribute::AriaInvalid, field.error.is_some())
        .flag(Attribute::AriaRequired, field.required)
        .flag(if tag == "select" { Attribute::Disabled } else { Attribute::Readonly }, field.disabled)
        .put(Attribute::Autocomplete, field.autocomplete.clone().into())
        .set(Attribute::Autocapitalize, "none")
        .set(Attribute::Autocorrect, "off")
        .set(Attribute::Spellcheck, "false");
    if !described_by.is_empty() {
        input = input.put(Attribute::AriaDescribedby, described_by.into());
    }
    input
}

fn on_leave(ui: &Ui, field: &Field) -> Callback<FocusEvent> {
    let id = field.id.clone();
    ui.events.reform(move |_| Event::Left { field: id.clone() })
}

fn on_edit(ui: &Ui, field: &Field) -> Callback<Typed> {
    let id = field.id.clone();
    ui.events.reform(move |text| Event::Edited { field: id.clone(), text })
}

fn line(ui: &Ui, field: &Field, kind: &'static str, mode: &'static str, value: &Typed) -> Html {
    let prefix = field.prefix.as_ref().map(|prefix| {
        element("span", "prefix").set(Attribute::AriaHidden, "true").text(prefix.clone().into()).html()
    });
    let input = input(field, "input", "input")
        .set(Attribute::Type, kind)
        .set(Attribute::Inputmode, mode)
        .value(value.as_str())
        .on(onblur(on_leave(ui, field)))
        .on(oninput(on_edit(ui, field).reform(|event| input_text(&event))));
    frame(field, "control").maybe(prefix).child(input.html()).html()
}

fn select(ui: &Ui, field: &Field, value: &Typed, placeholder: AttrValue, options: &[SelectOption]) -> Html {
    let chosen = |event: web_sys::Event| {
        Typed::new(event.target().unwrap_throw().unchecked_into::<HtmlSelectElement>().value())
    };
    let option = |name: &str, label: AttrValue| {
        element("option", "")
            .put(Attribute::Value, name.to_owned().into())
            .flag(Attribute::Selected, name == value.as_str())
            .text(label)
    };
    let select = input(field, "select", "input")
        .on(onblur(on_leave(ui, field)))
        .on(onchange(on_edit(ui, field).reform(chosen)))
        .child(option("", placeholder).set(Attribute::Disabled, "").html())
        .list(options.iter().map(|it| option(&it.value, ui.words(&it.label)).html()).collect());
    frame(field, "control control-select").child(select.html()).child(icon(Icon::ChevronDown)).html()
}
