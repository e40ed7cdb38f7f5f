//! The bar at the top: back, the tenant, close.

use link_flow::Event;
use link_flow::event::Press;
use link_flow::view::Header;
use yew::prelude::*;

use crate::block::{MarkSize, mark};
use crate::element::element;
use crate::icon::Icon;
use crate::ui::Ui;

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
