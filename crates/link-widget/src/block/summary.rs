//! Facts with icons.

use link_flow::view::block::{Fact, FactIcon};
use yew::prelude::*;

use crate::element::element;
use crate::icon::{Icon, icon};
use crate::ui::Ui;

pub fn summary(ui: &Ui, items: &[Fact]) -> Html {
    element("ul", "points").list(items.iter().map(|item| fact(ui, item)).collect()).html()
}

fn fact(ui: &Ui, fact: &Fact) -> Html {
    let picture = match fact.icon {
        FactIcon::Data => Icon::File,
        FactIcon::Calendar => Icon::Calendar,
        FactIcon::Shield => Icon::Shield,
        FactIcon::Undo => Icon::Undo,
        FactIcon::Check => Icon::CircleCheck,
    };
    let words = element("p", "")
        .child(element("strong", "point-title").text(ui.words(&fact.title)).html())
        .child(element("span", "text-soft").text(ui.words(&fact.detail)).html());
    element("li", "point").child(icon(picture)).child(words.html()).html()
}
