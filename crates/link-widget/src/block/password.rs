//! A secret input: uncontrolled, so that its text is the DOM's alone, with a button that shows it.

use web_sys::KeyboardEvent;
use yew::prelude::*;

use super::field::Attributes;
use crate::icon::{Icon, icon};

/// The input with what only the screen knows of it.
pub struct Password {
    shown: bool,
    caps_lock: bool,
}

/// What the input and its button are called.
#[derive(Clone, PartialEq, Properties)]
pub struct Props {
    /// Label of the button while the text is hidden.
    pub reveal: AttrValue,
    /// Label of the button while the text is shown.
    pub conceal: AttrValue,
    /// Said while caps lock is on.
    pub caps_lock: AttrValue,
    /// What every input has.
    pub attributes: Attributes,
}

/// What happens to it on the screen.
pub enum Change {
    /// The button was pressed.
    Toggled,
    /// A key was pressed while caps lock was on or off.
    CapsLock(bool),
}

impl Component for Password {
    type Message = Change;
    type Properties = Props;

    fn create(_: &Context<Self>) -> Self {
        Self { shown: false, caps_lock: false }
    }

    fn update(&mut self, _: &Context<Self>, change: Change) -> bool {
        match change {
            Change::Toggled => {
                self.shown = !self.shown;
                true
            }
            Change::CapsLock(on) => std::mem::replace(&mut self.caps_lock, on) != on,
        }
    }

    fn view(&self, context: &Context<Self>) -> Html {
        let Props { reveal, conceal, caps_lock, attributes } = context.props();
        let Attributes {
            id, name, described_by, required, disabled, autocomplete, max_length, onleave, ..
        } = attributes.clone();
        let (label, sign) = if self.shown { (conceal, Icon::EyeOff) } else { (reveal, Icon::Eye) };
        let onkeyup = context
            .link()
            .callback(|event: KeyboardEvent| Change::CapsLock(event.get_modifier_state("CapsLock")));
        html! {
            <>
                <div class="control" data-invalid={attributes.aria_invalid()}>
                    <input class="input" {id} {name} type={if self.shown { "text" } else { "password" }} data-secret=""
                        aria-describedby={described_by} aria-invalid={attributes.aria_invalid()}
                        aria-required={required.to_string()} readonly={disabled} {autocomplete} maxlength={max_length}
                        autocapitalize="none" autocorrect="off" spellcheck="false" onblur={onleave} {onkeyup} />
                    <button class="icon-button" type="button" onclick={context.link().callback(|_| Change::Toggled)}>
                        <span class="hidden-text">{ label }</span>{ icon(sign) }
                    </button>
                </div>
                <p class="hint-warning" role="status">
                    if self.caps_lock { { icon(Icon::Info) }<span>{ caps_lock }</span> }
                </p>
            </>
        }
    }
}
