//! Secret inputs. They are uncontrolled: only the DOM holds their text.
//!
//! Only the DOM knows whether a password is shown and whether caps lock is on: a component for these two bits
//! would be larger than this file.

use link_flow::Event;
use link_flow::view::Text;
use link_flow::view::block::Field;
use link_types::Sensitive;
use wasm_bindgen::JsCast;
use web_sys::{Element as DomElement, HtmlInputElement};
use yew::prelude::*;

use super::field::{frame, input};
use crate::element::{Element, element, onblur, onclick, onkeyup};
use crate::icon::{Icon, icon};
use crate::ui::Ui;

pub fn password(ui: &Ui, field: &Field, reveal: &Text, conceal: &Text, caps_lock: &Text) -> Html {
    let (shown, warned) = (NodeRef::default(), NodeRef::default());
    let warning = element("span", "").set("hidden", "").found_by(&warned).text(ui.words(caps_lock)).html();
    let input = secret(ui, field, "input")
        .set("type", "password")
        .found_by(&shown)
        .on(onkeyup(Callback::from(move |event| warn(&warned, &event))));
    let face = |class, words, sign| {
        let words = element("span", "hidden-text").text(ui.words(words)).html();
        element("span", class).child(words).child(icon(sign)).html()
    };
    let button = element("button", "icon-button reveal")
        .set("type", "button")
        .on(onclick(Callback::from(move |event| toggle(&shown, &event))))
        .child(face("when-hidden", reveal, Icon::Eye))
        .child(face("when-shown", conceal, Icon::EyeOff));
    element("div", "secret")
        .child(frame(field, "control").child(input.html()).child(button.html()).html())
        .child(element("p", "hint-warning caps-lock").set("role", "status").child(warning).html())
        .html()
}

/// Builds an input whose text only the DOM holds.
pub fn secret(ui: &Ui, field: &Field, class: &'static str) -> Element {
    let id = field.id.clone();
    let left = ui.events.reform(move |event| secret_left(&id, &event));
    input(field, "input", class).set("data-secret", "").on(onblur(left))
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
