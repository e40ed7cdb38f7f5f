//! The page's one heading, with its emblem above.

use link_flow::view::Text;
use link_flow::view::block::Emblem;
use yew::prelude::*;

use super::emblem::emblem as draw_emblem;
use crate::element::{element, group};
use crate::page::Place;
use crate::ui::Ui;

pub fn heading(ui: &Ui, place: Place, text: &Text, emblem: Option<Emblem>) -> Html {
    let heading = element(place.heading_tag(), "heading")
        .set("id", place.heading_id())
        .set("tabindex", "-1")
        .text(ui.words(text))
        .html();
    group(vec![emblem.map(draw_emblem).unwrap_or_default(), heading], "heading".to_owned())
}
