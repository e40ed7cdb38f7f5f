//! A picture to read from with the button for its recording, a code to scan, and a photo with the frame to crop it.
//! uploads.ts moves the frame, and finds its edges by their `data-edge`.

use link_flow::event::Press;
use link_flow::view::Text;
use link_flow::view::block::{PhotoEdge, Recording};
use link_types::Sensitive;
use yew::prelude::*;

use crate::attribute::Attribute;
use crate::element::{element, onclick};
use crate::ui::Ui;

#[inline(never)] // only screens of the deferred chunk draw it
pub fn picture(ui: &Ui, src: &Sensitive, alt: &Text, scan: bool, recording: Option<&Recording>) -> Html {
    let class = if scan { "scan-code" } else { "picture" };
    let picture = element("img", class)
        .put(Attribute::Src, src.expose().to_owned().into())
        .put(Attribute::Alt, ui.words(alt));
    let Some(Recording { label, state, failed, disabled }) = recording else { return picture.html() };
    let mut button = element("button", "button button-quiet")
        .set(Attribute::Type, "button")
        .flag(Attribute::AriaDisabled, *disabled)
        .text(ui.words(label));
    if !*disabled {
        button = button.on(onclick(ui.press(Press::Listen)));
    }
    let class = if *failed { "error" } else { "hint" };
    let state = state.as_ref().map(|state| element("p", class).text(ui.words(state)).html());
    element("div", "pictured").child(picture.html()).child(button.html()).maybe(state).html()
}

#[inline(never)] // only screens of the deferred chunk draw it
pub fn photo(ui: &Ui, src: &str, alt: &Text, edges: &[(PhotoEdge, Text)], tools: &[(Press, Text)]) -> Html {
    let picture = element("img", "")
        .put(Attribute::Src, src.to_owned().into())
        .put(Attribute::Alt, ui.words(alt))
        .html();
    element("div", "photo")
        .flag(Attribute::DataFramed, !edges.is_empty())
        .child(element("div", "photo-stage").child(picture).html())
        .list(edges.iter().map(|(side, label)| edge(ui, *side, label)).collect())
        .list(tools.iter().map(|(press, label)| tool(ui, *press, label)).collect())
        // uploads.ts writes the frame on the element. Another photo or frame starts with a new one.
        .with_key([src, if edges.is_empty() { "" } else { "#frame" }].concat())
}

fn edge(ui: &Ui, edge: PhotoEdge, label: &Text) -> Html {
    let start = match edge {
        PhotoEdge::Left | PhotoEdge::Top => "0",
        PhotoEdge::Right | PhotoEdge::Bottom => "100",
    };
    // The attribute is only the first value. A drawing must not move an edge back.
    let input = element("input", "")
        .set(Attribute::Type, "range")
        .set(Attribute::DataEdge, edge.as_str())
        .set(Attribute::Value, start);
    element("label", "photo-edge")
        .child(element("span", "hint").text(ui.words(label)).html())
        .child(input.html())
        .with_key(edge.as_str().to_owned())
}

fn tool(ui: &Ui, press: Press, label: &Text) -> Html {
    element("button", "button button-quiet")
        .set(Attribute::Type, "button")
        .on(onclick(ui.press(press)))
        .text(ui.words(label))
        .html()
}
