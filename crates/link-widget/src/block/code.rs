//! The input of a one-time code. Only challenges have one.

use link_flow::view::block::{Field, Input};
use link_types::Sensitive;
use wasm_bindgen::JsCast;
use web_sys::{HtmlElement, HtmlInputElement};
use yew::prelude::*;

use super::field::frame;
use super::secret::secret;
use crate::element::oninput;
use crate::ui::Ui;

#[inline(never)] // only screens of the deferred chunk draw it
pub fn code(ui: &Ui, field: &Field, numeric: bool) -> Html {
    let kind = field.input.clone();
    let input = secret(ui, field, "input input-code")
        .on(oninput(Callback::from(move |event| submit_complete(&kind, &event))))
        .set("type", "text")
        .set("inputmode", if numeric { "numeric" } else { "text" })
        .set("enterkeyhint", "done");
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
