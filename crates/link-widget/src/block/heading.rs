//! The page's only heading, with its emblem above.

use link_flow::view::Text;
use link_flow::view::block::Emblem;
use yew::prelude::*;

use crate::attribute::Attribute;
use crate::element::{element, group};
use crate::icon::{Icon, icon};
use crate::ui::{Surface, Ui};

pub fn heading(ui: &Ui, surface: Surface, text: &Text, emblem: Option<Emblem>) -> Html {
    let heading = element(surface.heading_tag(), "heading")
        .set(Attribute::Id, surface.heading_id())
        .set(Attribute::Tabindex, "-1")
        .text(ui.words(text))
        .html();
    group(vec![emblem.map(draw_emblem).unwrap_or_default(), heading], "heading".to_owned())
}

/// Draws the picture above a heading. It never carries the meaning alone.
fn draw_emblem(emblem: Emblem) -> Html {
    let (tone, picture) = match emblem {
        Emblem::Link => ("accent", Icon::Link),
        Emblem::Success => ("success", Icon::Check),
        Emblem::Warning => ("warning", Icon::Triangle),
        Emblem::Lock => ("danger", Icon::Lock),
        Emblem::Clock => ("warning", Icon::Clock),
        Emblem::Offline => ("warning", Icon::Unplugged),
        Emblem::Phone => ("accent", Icon::Phone),
        Emblem::Shield => ("accent", Icon::Shield),
    };
    element("div", "sign").set(Attribute::DataTone, tone).child(icon(picture)).html()
}
