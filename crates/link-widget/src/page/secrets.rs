//! Reads the inputs of a form when it is submitted.

use link_flow::view::Typed;
use link_flow::{Event, Secrets};
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlInputElement};
use yew::prelude::*;

/// Reports the text of every open field, which a password manager may have filled without an event. Removes and returns the
/// text of every secret input. No other code reads it.
#[inline(never)] // only screens of the deferred chunk have a form
pub fn gather(event: &SubmitEvent, events: &Callback<Event>) -> Secrets {
    let mut secrets = Secrets::none();
    let Some(form) = event.target().and_then(|target| target.dyn_into::<Element>().ok()) else {
        return secrets;
    };
    let Ok(inputs) = form.query_selector_all(".input[name]") else { return secrets };
    for at in 0..inputs.length() {
        // A select has a name and a value, too.
        let Some(input) = inputs.get(at).map(JsCast::unchecked_into::<HtmlInputElement>) else { continue };
        if input.has_attribute("data-secret") {
            secrets.insert(input.name(), input.value());
        } else {
            events.emit(Event::Edited { field: input.name(), text: Typed::new(input.value()) });
        }
    }
    secrets
}
