//! Secret inputs. They are uncontrolled: only the DOM holds their text.
//!
//! Only the DOM knows whether a password is shown and whether caps lock is on: a component for these two bits
//! would be larger than this file.

use link_flow::view::block::{Field, Input};
use link_flow::view::{Text, Typed};
use link_flow::{Event, Secrets};
use link_types::Sensitive;
use wasm_bindgen::JsCast;
use web_sys::{Element as DomElement, HtmlElement, HtmlInputElement};
use yew::prelude::*;

use super::field::{frame, input};
use crate::attribute::Attribute;
use crate::element::{Element, element, onblur, onclick, oninput, onkeyup};
use crate::icon::{Icon, icon};
use crate::ui::Ui;

pub fn password(ui: &Ui, field: &Field, reveal: &Text, conceal: &Text, caps_lock: &Text) -> Html {
    let (shown, warned) = (NodeRef::default(), NodeRef::default());
    let warning = element("span", "")
        .set(Attribute::Hidden, "")
        .with_reference(&warned)
        .text(ui.words(caps_lock))
        .html();
    let input = secret(ui, field, "input")
        .set(Attribute::Type, "password")
        .with_reference(&shown)
        .on(onkeyup(Callback::from(move |event| warn(&warned, &event))));
    let face = |class, words, sign| {
        let words = element("span", "hidden-text").text(ui.words(words)).html();
        element("span", class).child(words).child(icon(sign)).html()
    };
    let button = element("button", "icon-button reveal")
        .set(Attribute::Type, "button")
        .on(onclick(Callback::from(move |event| toggle(&shown, &event))))
        .child(face("when-hidden", reveal, Icon::Eye))
        .child(face("when-shown", conceal, Icon::EyeOff));
    element("div", "secret")
        .child(frame(field, "control").child(input.html()).child(button.html()).html())
        .child(element("p", "hint-warning caps-lock").set(Attribute::Role, "status").child(warning).html())
        .html()
}

/// Builds an input whose text only the DOM holds.
pub fn secret(ui: &Ui, field: &Field, class: &'static str) -> Element {
    let id = field.id.clone();
    let left = ui.events.reform(move |event| secret_left(&id, &event));
    input(field, "input", class).put(Attribute::DataSecret, field.id.clone().into()).on(onblur(left))
}

/// Returns the facts that may be known about a secret input while it is edited; never its text.
fn secret_left(field: &str, event: &FocusEvent) -> Event {
    let text = Sensitive::new(event.target_unchecked_into::<HtmlInputElement>().value());
    let bytes = text.expose().as_bytes();
    Event::SecretLeft {
        field: field.to_owned(),
        empty: bytes.is_empty(),
        stray_space: bytes.first() == Some(&b' ') || bytes.last() == Some(&b' '),
    }
}

/// Shows or hides the text. Finds the input by its reference: password managers add elements next to it.
fn toggle(input: &NodeRef, event: &MouseEvent) {
    let target: Option<DomElement> = event.target().and_then(|target| target.dyn_into().ok());
    let Some(button) = target.and_then(|target| target.closest("button").ok().flatten()) else { return };
    let Some(input) = input.cast::<HtmlInputElement>() else { return };
    // Fails only for an invalid attribute name.
    let shown = button.toggle_attribute("data-shown").unwrap_or_default();
    input.set_type(if shown { "text" } else { "password" });
}

fn warn(words: &NodeRef, event: &KeyboardEvent) {
    if let Some(words) = words.cast::<DomElement>() {
        // Fails only for an invalid attribute name.
        let _ = words.toggle_attribute_with_force("hidden", !event.get_modifier_state("CapsLock"));
    }
}

/// Draws the input of a one-time code. Only challenges have one.
#[inline(never)]
pub fn code(ui: &Ui, field: &Field, numeric: bool) -> Html {
    let kind = field.input.clone();
    let input = secret(ui, field, "input input-code")
        .on(oninput(Callback::from(move |event| submit_complete(&kind, &event))))
        .set(Attribute::Type, "text")
        .set(Attribute::Inputmode, if numeric { "numeric" } else { "text" })
        .set(Attribute::Enterkeyhint, "done");
    frame(field, "control").child(input.html()).html()
}

/// Presses the form's submit button once the code is complete. A click also works in a sandbox without `allow-forms`.
fn submit_complete(kind: &Input, event: &InputEvent) {
    let input: HtmlInputElement = event.target_unchecked_into();
    if !event.is_composing() && kind.is_complete(Sensitive::new(input.value()).expose()) {
        let button = input.closest("form").ok().flatten();
        let button = button.and_then(|form| form.query_selector("button[type=submit]").ok().flatten());
        if let Some(button) = button.and_then(|button| button.dyn_into::<HtmlElement>().ok()) {
            button.click();
        }
    }
}

/// Reports the text of every open field, which a password manager may have filled without an event. Removes and returns the
/// text of every secret input. No other code reads it.
#[inline(never)] // only screens of the deferred chunk have a form
pub fn gather(event: &SubmitEvent, events: &Callback<Event>) -> Secrets {
    let mut secrets = Secrets::none();
    let Some(form) = event.target().and_then(|target| target.dyn_into::<DomElement>().ok()) else {
        return secrets;
    };
    let Ok(inputs) = form.query_selector_all(".input[name],[data-secret]") else { return secrets };
    for at in 0..inputs.length() {
        // A select has a name and a value, too.
        let Some(input) = inputs.get(at).map(JsCast::unchecked_into::<HtmlInputElement>) else { continue };
        // Not the name: password managers change it.
        if let Some(field) = input.get_attribute("data-secret") {
            secrets.insert(field, input.value());
        } else {
            events.emit(Event::Edited { field: input.name(), text: Typed::new(input.value()) });
        }
    }
    secrets
}
