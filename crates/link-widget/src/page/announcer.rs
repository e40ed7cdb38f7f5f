//! The one polite live region. It is always there; its words are a new node each turn, so that the same words twice
//! are read twice.

use link_flow::view::Announcement;
use yew::prelude::*;

use crate::ui::Ui;

pub fn announcer(ui: &Ui, announcement: &Announcement) -> Html {
    html! {
        <div class="hidden-text" role="status" aria-live="polite">
            if let Some(text) = &announcement.text {
                <span key={announcement.turn.to_string()}>{ ui.words(text) }</span>
            }
        </div>
    }
}
