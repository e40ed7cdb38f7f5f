//! The search box.

use link_flow::event::{Event, Press};
use link_flow::view::{Text, Typed};
use yew::prelude::*;

use crate::element::{element, oninput};
use crate::icon::{Icon, icon};
use crate::input::typed;
use crate::ui::Ui;

pub fn search(ui: &Ui, label: &Text, placeholder: &Text, value: &Typed, clear: Option<&Text>) -> Html {
    let input = element("input", "input")
        .set("type", "search")
        .set("id", "search")
        .put("aria-label", ui.words(label))
        .put("placeholder", ui.words(placeholder))
        .set("autocomplete", "off")
        .set("autocapitalize", "none")
        .set("spellcheck", "false")
        .set("enterkeyhint", "search")
        .value(value.as_str())
        .on(oninput(ui.events.reform(|event| Event::Searched { text: typed(&event) })));
    element("div", "control")
        .set("role", "search")
        .child(element("span", "leading").child(icon(Icon::Search)).html())
        .child(input.html())
        .maybe(
            clear
                .map(|clear| ui.icon_button(Icon::Cross, clear, "icon-button", ui.press(Press::ClearSearch))),
        )
        .html()
}
