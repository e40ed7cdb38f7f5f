//! The stages of the service's work, and a countdown: a sentence next to a ring.

use link_flow::view::Text;
use link_flow::view::block::{Stage, StageState};
use yew::prelude::*;

use crate::attribute::Attribute;
use crate::element::{Element, element};
use crate::icon::{Icon, icon};
use crate::ui::Ui;

#[inline(never)] // only screens of the deferred chunk draw them
pub fn progress(ui: &Ui, stages: &[Stage]) -> Html {
    element("ol", "steps").list(stages.iter().map(|it| stage(ui, it)).collect()).html()
}

fn stage(ui: &Ui, stage: &Stage) -> Html {
    let step = element("li", "step");
    let (step, sign) = match stage.state {
        StageState::Done => (step.set(Attribute::DataState, "done"), Some(icon(Icon::Check))),
        StageState::Current => {
            (step.set(Attribute::DataState, "current").set(Attribute::AriaCurrent, "step"), None)
        }
        StageState::Waiting => (step.set(Attribute::DataState, "waiting"), None),
    };
    step.child(element("span", "step-dot").maybe(sign).html())
        .child(element("span", "step-label").text(ui.words(&stage.text)).html())
        .html()
}

#[inline(never)] // only screens of the deferred chunk draw it
pub fn countdown(ui: &Ui, text: &Text, left: u32, total: u32) -> Html {
    let filled = circle("ring-left")
        .put(Attribute::PathLength, total.max(1).to_string().into())
        .put(Attribute::StrokeDasharray, format!("{left} {total}").into());
    let ring = element("svg", "ring")
        .set(Attribute::Width, "20")
        .set(Attribute::Height, "20")
        .set(Attribute::ViewBox, "0 0 20 20")
        .set(Attribute::Fill, "none")
        .set(Attribute::StrokeWidth, "2.5")
        .set(Attribute::AriaHidden, "true")
        .child(circle("ring-track").html())
        .child(filled.html());
    element("p", "countdown").child(ring.html()).words(ui.words(text)).html()
}

fn circle(class: &'static str) -> Element {
    element("circle", class).set(Attribute::Cx, "10").set(Attribute::Cy, "10").set(Attribute::R, "8")
}
