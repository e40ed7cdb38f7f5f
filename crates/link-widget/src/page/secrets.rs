//! Reads the secret inputs of a form when it is submitted.

use link_flow::Secrets;
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlInputElement};
use yew::prelude::*;

/// Removes and returns the text of every secret input of a submitted form. No other code reads it.
pub fn gather(event: &SubmitEvent) -> Secrets {
    let mut secrets = Secrets::none();
    let Some(form) = event.target().and_then(|target| target.dyn_into::<Element>().ok()) else {
        return secrets;
    };
    let Ok(inputs) = form.query_selector_all("input[data-secret]") else { return secrets };
    for at in 0..inputs.length() {
        if let Some(input) = inputs.get(at).and_then(|node| node.dyn_into::<HtmlInputElement>().ok()) {
            secrets.insert(input.name(), input.value());
        }
    }
    secrets
}
