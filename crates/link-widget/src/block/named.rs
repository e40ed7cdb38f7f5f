//! A name with a line of detail below it.

use link_flow::view::Text;
use yew::prelude::*;

use crate::element::element;
use crate::ui::Ui;

pub fn named(ui: &Ui, name: &Text, detail: Option<&Text>) -> Html {
    let detail = detail.map(|detail| element("span", "row-detail").text(ui.words(detail)).html());
    element("span", "row-names")
        .child(element("span", "row-name").text(ui.words(name)).html())
        .maybe(detail)
        .html()
}
