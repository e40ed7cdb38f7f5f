//! The buttons at the foot of a page.

use link_flow::event::Press;
use link_flow::view::block::{Action, ActionState};
use yew::prelude::*;

use crate::ui::Ui;

/// Draws a page's buttons, the primary one first.
pub fn actions(ui: &Ui, primary: &Action, secondary: Option<&Action>) -> Html {
    html! {
        <>
            { button(ui, primary, "button button-primary") }
            if let Some(secondary) = secondary { { button(ui, secondary, "button button-quiet") } }
        </>
    }
}

fn button(ui: &Ui, action: &Action, class: &'static str) -> Html {
    let ready = action.state == ActionState::Ready;
    let busy = action.state == ActionState::Busy;
    let submits = action.press == Press::Submit;
    html! {
        <button class={classes!(class, action.destructive.then_some("button-danger"))}
            type={if submits { "submit" } else { "button" }}
            aria-disabled={(!ready).then_some("true")}
            aria-busy={busy.then_some("true")}
            onclick={(ready && !submits).then(|| ui.press(action.press))}>
            if busy { <span class="spinner spinner-small" aria-hidden="true" /> }
            { ui.words(&action.label) }
        </button>
    }
}
