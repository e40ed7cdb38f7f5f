//! A framed message.

use link_flow::view::Text;
use link_flow::view::block::Severity;
use yew::prelude::*;

use crate::element::element;
use crate::icon::{Icon, icon};
use crate::ui::Ui;

pub fn notice(ui: &Ui, severity: Severity, title: Option<&Text>, text: &Text) -> Html {
    let (tone, sign) = match severity {
        Severity::Info => ("info", Icon::Info),
        Severity::Success => ("success", Icon::CircleCheck),
        Severity::Warning => ("warning", Icon::Triangle),
        Severity::Danger => ("danger", Icon::CircleAlert),
    };
    let title = title.map(|title| element("strong", "notice-title").text(ui.words(title)).html());
    element("div", "notice")
        .set("data-tone", tone)
        .child(icon(sign))
        .child(element("p", "").maybe(title).words(ui.words(text)).html())
        .html()
}
