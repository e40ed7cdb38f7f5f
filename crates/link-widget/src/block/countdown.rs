//! Time that runs out, as a sentence beside a ring.

use link_flow::view::Text;
use yew::prelude::*;

use crate::ui::Ui;

pub fn countdown(ui: &Ui, text: &Text, left: u32, total: u32) -> Html {
    html! {
        <p class="countdown">
            <svg class="ring" width="20" height="20" viewBox="0 0 20 20" fill="none" stroke-width="2.5" aria-hidden="true">
                <circle class="ring-track" cx="10" cy="10" r="8" />
                <circle class="ring-left" cx="10" cy="10" r="8" pathLength={total.max(1).to_string()}
                    stroke-dasharray={format!("{left} {total}")} />
            </svg>
            { ui.words(text) }
        </p>
    }
}
