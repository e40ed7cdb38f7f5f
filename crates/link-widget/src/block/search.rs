//! The search box, and filters of which one is selected: both narrow a list.

use link_flow::event::{Event, Press};
use link_flow::view::block::Tab;
use link_flow::view::{Text, Typed};
use yew::prelude::*;

use crate::attribute::Attribute;
use crate::element::{element, onclick, oninput};
use crate::icon::{Icon, icon};
use crate::ui::{Ui, input_text};

pub fn search(ui: &Ui, label: &Text, placeholder: &Text, value: &Typed, clear: Option<&Text>) -> Html {
    let input = element("input", "input")
        .set(Attribute::Type, "search")
        .set(Attribute::Id, "search")
        .put(Attribute::AriaLabel, ui.words(label))
        .put(Attribute::Placeholder, ui.words(placeholder))
        .set(Attribute::Autocomplete, "off")
        .set(Attribute::Autocapitalize, "none")
        .set(Attribute::Spellcheck, "false")
        .set(Attribute::Enterkeyhint, "search")
        .value(value.as_str())
        .on(oninput(ui.events.reform(|event| Event::Searched { text: input_text(&event) })));
    element("div", "control")
        .set(Attribute::Role, "search")
        .child(element("span", "leading").child(icon(Icon::Search)).html())
        .child(input.html())
        .maybe(
            clear
                .map(|clear| ui.icon_button(Icon::Cross, clear, "icon-button", ui.press(Press::ClearSearch))),
        )
        .html()
}

pub fn tabs(ui: &Ui, label: &Text, tabs: &[Tab]) -> Html {
    element("div", "tabs")
        .set(Attribute::Role, "group")
        .put(Attribute::AriaLabel, ui.words(label))
        .list(tabs.iter().map(|it| tab(ui, it)).collect())
        .html()
}

fn tab(ui: &Ui, tab: &Tab) -> Html {
    let id = tab.id.clone();
    element("button", "tab")
        .set(Attribute::Type, "button")
        .set(Attribute::AriaPressed, if tab.selected { "true" } else { "false" })
        .on(onclick(ui.events.reform(move |_| Event::Filtered { tab: id.clone() })))
        .text(ui.words(&tab.label))
        .with_key(tab.id.clone())
}
