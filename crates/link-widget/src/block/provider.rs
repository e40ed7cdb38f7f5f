//! The provider of the page.

use link_flow::view::Text;
use link_flow::view::block::Mark;
use yew::prelude::*;

use super::mark::{MarkSize, mark as draw_mark};
use super::named::named;
use crate::element::element;
use crate::ui::Ui;

pub fn provider(ui: &Ui, mark: &Mark, name: &Text, detail: Option<&Text>) -> Html {
    element("div", "provider").child(draw_mark(mark, MarkSize::Row)).child(named(ui, name, detail)).html()
}
