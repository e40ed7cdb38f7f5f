//! A picture to read from.

use link_flow::view::Text;
use yew::prelude::*;

use crate::element::element;
use crate::ui::Ui;

#[inline(never)] // only screens of the deferred chunk draw it
pub fn picture(ui: &Ui, src: &str, alt: &Text) -> Html {
    element("img", "picture").put("src", src.to_owned().into()).put("alt", ui.words(alt)).html()
}
