//! The page's one heading, with its emblem above.

use link_flow::view::Text;
use link_flow::view::block::Emblem;
use yew::prelude::*;

use super::emblem::emblem as draw_emblem;
use crate::page::Place;
use crate::ui::Ui;

pub fn heading(ui: &Ui, place: Place, text: &Text, emblem: Option<Emblem>) -> Html {
    let words = ui.words(text);
    html! {
        <>
            if let Some(emblem) = emblem { { draw_emblem(emblem) } }
            <@{place.heading_tag()} id={place.heading_id()} class="heading" tabindex="-1">{ words }</@>
        </>
    }
}
