//! The bottom of the card: the page's buttons and the line that says who sees the data.

use link_flow::view::{Block, Text};
use yew::prelude::*;

use super::surface::Surface;
use crate::block;
use crate::element::element;
use crate::icon::{Icon, icon};
use crate::ui::Ui;

pub fn footer(ui: &Ui, actions: &[&Block], line: Option<&Text>) -> Html {
    if actions.is_empty() && line.is_none() {
        return Html::default();
    }
    let line = line.map(|line| {
        let words = element("span", "").text(ui.words(line)).html();
        element("p", "footnote").child(icon(Icon::Lock)).child(words).html()
    });
    element("footer", "foot").list(block::draw_all(ui, Surface::Page, actions)).maybe(line).html()
}
