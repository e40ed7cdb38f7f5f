//! A logo over its monogram, which shows until the logo has loaded or if there is none.

use link_flow::view::block::Mark;
use wasm_bindgen::JsCast;
use yew::prelude::*;

use crate::attribute::Attribute;
use crate::element::{element, onload};

/// The size of a mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MarkSize {
    /// 24 px, in the header.
    Small,
    /// 40 px, in rows.
    Row,
}

/// Draws a mark. It is decoration, because the name is next to it.
pub fn mark(mark: &Mark, size: MarkSize) -> Html {
    let class = match size {
        MarkSize::Small => "mark mark-small",
        MarkSize::Row => "mark",
    };
    let logo = mark.logo_url.as_ref().map(|address| {
        element("img", "")
            .put(Attribute::Src, address.clone().into())
            .set(Attribute::Alt, "")
            .on(onload(Callback::from(uncover)))
            .html()
    });
    element("span", class)
        .put(Attribute::DataHue, mark.hue.to_string().into())
        .set(Attribute::AriaHidden, "true")
        .words(mark.monogram.clone().into())
        .maybe(logo)
        .html()
}

/// Hides the monogram, which would show through a logo's transparent parts.
fn uncover(event: Event) {
    let image = event.target().and_then(|target| target.dyn_into::<web_sys::Element>().ok());
    if let Some(mark) = image.and_then(|image| image.parent_element()) {
        // Fails only for an invalid attribute name.
        let _ = mark.set_attribute("data-logo", "");
    }
}
