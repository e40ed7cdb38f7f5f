//! Filters, one of which is selected.

use link_flow::event::Event;
use link_flow::view::Text;
use link_flow::view::block::Tab;
use yew::prelude::*;

use crate::element::{element, onclick};
use crate::ui::Ui;

pub fn tabs(ui: &Ui, label: &Text, tabs: &[Tab]) -> Html {
    element("div", "tabs")
        .set("role", "group")
        .put("aria-label", ui.words(label))
        .list(tabs.iter().map(|tab| draw(ui, tab)).collect())
        .html()
}

fn draw(ui: &Ui, tab: &Tab) -> Html {
    let id = tab.id.clone();
    element("button", "tab")
        .set("type", "button")
        .set("aria-pressed", if tab.selected { "true" } else { "false" })
        .on(onclick(ui.events.reform(move |_| Event::Filtered { tab: id.clone() })))
        .text(ui.words(&tab.label))
        .keyed(tab.id.clone())
}
