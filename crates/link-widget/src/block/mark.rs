//! A logo, over the monogram that is there until it has loaded, or when there is none.

use link_flow::view::block::Mark;
use wasm_bindgen::JsCast;
use yew::prelude::*;

use crate::element::{element, onload};

/// How large a mark is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MarkSize {
    /// 24 px, in the header.
    Small,
    /// 40 px, in rows.
    Row,
}

/// Draws a mark. It is decoration: the name stands beside it.
pub fn mark(mark: &Mark, size: MarkSize) -> Html {
    let class = match size {
        MarkSize::Small => "mark mark-small",
        MarkSize::Row => "mark",
    };
    let logo = mark.logo_url.as_ref().map(|address| {
        element("img", "")
            .put("src", address.clone().into())
            .set("alt", "")
            .on(onload(Callback::from(uncover)))
            .html()
    });
    element("span", class)
        .put("data-hue", mark.hue.to_string().into())
        .set("aria-hidden", "true")
        .text(mark.monogram.clone().into())
        .maybe(logo)
        .html()
}

/// The monogram would shine through a logo's transparent parts.
fn uncover(event: Event) {
    let image = event.target().and_then(|target| target.dyn_into::<web_sys::Element>().ok());
    if let Some(mark) = image.and_then(|image| image.parent_element()) {
        // Fails only for a name that is no attribute's.
        let _ = mark.set_attribute("data-logo", "");
    }
}
