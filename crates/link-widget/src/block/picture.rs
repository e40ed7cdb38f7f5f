//! A picture to read from, or a code to scan.

use link_flow::view::Text;
use link_types::Sensitive;
use yew::prelude::*;

use crate::element::element;
use crate::ui::Ui;

#[inline(never)] // only screens of the deferred chunk draw it
pub fn picture(ui: &Ui, src: &Sensitive, alt: &Text, scan: bool) -> Html {
    let class = if scan { "scan-code" } else { "picture" };
    element("img", class).put("src", src.expose().to_owned().into()).put("alt", ui.words(alt)).html()
}
