//! A secret input: uncontrolled, so that its text is the DOM's alone, with a button that shows it.
//!
//! Whether it is shown, and whether caps lock is on, is the DOM's alone too: a component for these two bits would weigh
//! more than all the rest of this file.

use link_flow::view::Text;
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlInputElement, KeyboardEvent};
use yew::prelude::*;

use super::field::Attributes;
use crate::icon::{Icon, icon};
use crate::ui::Ui;

pub fn password(ui: &Ui, attributes: &Attributes, reveal: &Text, conceal: &Text, caps_lock: &Text) -> Html {
    let Attributes { id, name, described_by, required, disabled, autocomplete, max_length, onleave, .. } =
        attributes.clone();
    html! {
        <>
            <div class="control" data-invalid={attributes.aria_invalid()}>
                <input class="input" {id} {name} type="password" data-secret="" aria-describedby={described_by}
                    aria-invalid={attributes.aria_invalid()} aria-required={required.to_string()} readonly={disabled}
                    {autocomplete} maxlength={max_length} autocapitalize="none" autocorrect="off" spellcheck="false"
                    onblur={onleave} onkeyup={Callback::from(warn)} />
                <button class="icon-button reveal" type="button" onclick={Callback::from(toggle)}>
                    <span class="when-hidden">
                        <span class="hidden-text">{ ui.words(reveal) }</span>{ icon(Icon::Eye) }
                    </span>
                    <span class="when-shown">
                        <span class="hidden-text">{ ui.words(conceal) }</span>{ icon(Icon::EyeOff) }
                    </span>
                </button>
            </div>
            <p class="hint-warning caps-lock" role="status">
                <span hidden=true>{ ui.words(caps_lock) }</span>
            </p>
        </>
    }
}

fn toggle(event: MouseEvent) {
    let target: Option<Element> = event.target().and_then(|target| target.dyn_into().ok());
    let Some(button) = target.and_then(|target| target.closest("button").ok().flatten()) else { return };
    let Some(input) = button.previous_element_sibling() else { return };
    // Fails only for a name that is no attribute's.
    let shown = button.toggle_attribute("data-shown").unwrap_or_default();
    input.unchecked_into::<HtmlInputElement>().set_type(if shown { "text" } else { "password" });
}

fn warn(event: KeyboardEvent) {
    let target: Option<Element> = event.target().and_then(|target| target.dyn_into().ok());
    let line =
        target.and_then(|input| input.parent_element()).and_then(|control| control.next_element_sibling());
    if let Some(words) = line.and_then(|line| line.first_element_child()) {
        // As above.
        let _ = words.toggle_attribute_with_force("hidden", !event.get_modifier_state("CapsLock"));
    }
}
