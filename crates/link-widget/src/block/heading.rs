//! The page's only heading, with its emblem above.

use link_flow::view::Text;
use link_flow::view::block::Emblem;
use yew::prelude::*;

use super::emblem::emblem as draw_emblem;
use crate::element::{element, group};
use crate::page::surface::Surface;
use crate::ui::Ui;

pub fn heading(ui: &Ui, surface: Surface, text: &Text, emblem: Option<Emblem>) -> Html {
    let heading = element(surface.heading_tag(), "heading")
        .set("id", surface.heading_id())
        .set("tabindex", "-1")
        .text(ui.words(text))
        .html();
    group(vec![emblem.map(draw_emblem).unwrap_or_default(), heading], "heading".to_owned())
}
