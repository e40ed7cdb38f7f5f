//! A logo, over the monogram that is there until it has loaded, or when there is none.

use link_flow::view::block::Mark;
use wasm_bindgen::JsCast;
use yew::prelude::*;

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
    html! {
        <span {class} data-hue={mark.hue.to_string()} aria-hidden="true">
            { &mark.monogram }
            if let Some(address) = &mark.logo_url {
                <img src={address.clone()} alt="" onload={Callback::from(uncover)} />
            }
        </span>
    }
}

/// The monogram would shine through a logo's transparent parts.
fn uncover(event: Event) {
    let image = event.target().and_then(|target| target.dyn_into::<web_sys::Element>().ok());
    if let Some(mark) = image.and_then(|image| image.parent_element()) {
        // Fails only for a name that is no attribute's.
        let _ = mark.set_attribute("data-logo", "");
    }
}
