//! The bar at the top: back, the tenant, close. The bottom of the card: the page's buttons and the line that says who sees
//! the data.

use link_flow::Event;
use link_flow::event::Press;
use link_flow::view::{Block, Header, Help, Text};
use yew::prelude::*;

use crate::attribute::Attribute;
use crate::block::{self, MarkSize, mark};
use crate::element::{element, onclick};
use crate::icon::{Icon, icon};
use crate::ui::{Surface, Ui};

pub fn header(ui: &Ui, header: &Header) -> Html {
    let back = |label| ui.icon_button(Icon::ArrowLeft, label, "icon-button", ui.press(Press::Back));
    let mut brand = element("div", "brand");
    if let Some(company) = &header.company {
        let name = element("span", "brand-name").text(company.name.clone().into()).html();
        brand = brand.child(mark(&company.mark, MarkSize::Small)).child(name);
    }
    let badge = header.badge.as_ref().map(|badge| element("span", "mode").text(ui.words(badge)).html());
    let close = ui.events.reform(|_| Event::CloseRequested);
    element("header", "header")
        .maybe(header.back.as_ref().map(back))
        .child(brand.maybe(badge).html())
        .child(ui.icon_button(Icon::Cross, &header.close, "icon-button icon-close", close))
        .html()
}

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
            .put(Attribute::Href, help.url.clone().into())
            .set(Attribute::Target, "_blank")
            .set(Attribute::Rel, "noopener noreferrer")
            .text(ui.words(&help.label))
            .on(onclick(ui.press(Press::Help)));
        element("p", "footnote").child(link.html()).html()
    });
    let actions = block::draw_all(ui, Surface::Page, actions);
    element("footer", "foot").list(actions).maybe(line).maybe(help).html()
}
