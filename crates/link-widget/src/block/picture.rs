//! A picture to read from, with the button for its recording, or a code to scan.

use link_flow::event::Press;
use link_flow::view::Text;
use link_flow::view::block::Recording;
use link_types::Sensitive;
use yew::prelude::*;

use crate::element::{element, onclick};
use crate::ui::Ui;

#[inline(never)] // only screens of the deferred chunk draw it
pub fn picture(ui: &Ui, src: &Sensitive, alt: &Text, scan: bool, recording: Option<&Recording>) -> Html {
    let class = if scan { "scan-code" } else { "picture" };
    let picture = element("img", class).put("src", src.expose().to_owned().into()).put("alt", ui.words(alt));
    let Some(Recording { label, state, failed, disabled }) = recording else { return picture.html() };
    let mut button = element("button", "button button-quiet")
        .set("type", "button")
        .flag("aria-disabled", *disabled)
        .text(ui.words(label));
    if !*disabled {
        button = button.on(onclick(ui.press(Press::Listen)));
    }
    let class = if *failed { "error" } else { "hint" };
    let state = state.as_ref().map(|state| element("p", class).text(ui.words(state)).html());
    element("div", "pictured").child(picture.html()).child(button.html()).maybe(state).html()
}
