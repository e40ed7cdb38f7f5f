//! The picture above a heading. It never carries the meaning alone.

use link_flow::view::block::Emblem;
use yew::prelude::*;

use crate::element::element;
use crate::icon::{Icon, icon};

pub fn emblem(emblem: Emblem) -> Html {
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
    element("div", "sign").set("data-tone", tone).child(icon(picture)).html()
}
