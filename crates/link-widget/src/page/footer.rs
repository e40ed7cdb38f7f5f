//! The bottom of the card: the page's buttons and the line that says who sees the data.

use link_flow::event::Press;
use link_flow::view::{Block, Help, Text};
use yew::prelude::*;

use super::surface::Surface;
use crate::block;
use crate::element::{element, onclick};
use crate::icon::{Icon, icon};
use crate::ui::Ui;

pub fn footer(ui: &Ui, actions: &[&Block], line: Option<&Text>, help: Option<&Help>) -> Html {
    if actions.is_empty() && line.is_none() && help.is_none() {
        return Html::default();
    }
    let line = line.map(|line| {
        let words = element("span", "").text(ui.words(line)).html();
        element("p", "footnote").child(icon(Icon::Lock)).child(words).html()
    });
    let help = help.map(|help| {
        let link = element("a", "")
            .put("href", help.url.clone().into())
            .set("target", "_blank")
            .set("rel", "noopener noreferrer")
            .text(ui.words(&help.label))
            .on(onclick(ui.press(Press::Help)));
        element("p", "footnote").child(link.html()).html()
    });
    let actions = block::draw_all(ui, Surface::Page, actions);
    element("footer", "foot").list(actions).maybe(line).maybe(help).html()
}
