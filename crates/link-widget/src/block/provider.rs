//! The provider that a page is about.

use link_flow::view::Text;
use link_flow::view::block::Mark;
use yew::prelude::*;

use super::mark::{MarkSize, mark as draw_mark};
use crate::ui::Ui;

pub fn provider(ui: &Ui, mark: &Mark, name: &Text, detail: Option<&Text>) -> Html {
    html! {
        <div class="provider">
            { draw_mark(mark, MarkSize::Row) }
            <p>
                <span class="row-name">{ ui.words(name) }</span>
                if let Some(detail) = detail { <span class="row-detail">{ ui.words(detail) }</span> }
            </p>
        </div>
    }
}
