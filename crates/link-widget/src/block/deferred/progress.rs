//! The stages of the service's work, and a countdown: a sentence next to a ring.

use link_flow::view::Text;
use link_flow::view::block::{Stage, StageState};
use yew::prelude::*;

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
        StageState::Done => (step.set("data-state", "done"), Some(icon(Icon::Check))),
        StageState::Current => (step.set("data-state", "current").set("aria-current", "step"), None),
        StageState::Waiting => (step.set("data-state", "waiting"), None),
    };
    step.child(element("span", "step-dot").maybe(sign).html())
        .child(element("span", "step-label").text(ui.words(&stage.text)).html())
        .html()
}

#[inline(never)] // only screens of the deferred chunk draw it
pub fn countdown(ui: &Ui, text: &Text, left: u32, total: u32) -> Html {
    let filled = circle("ring-left")
        .put("pathLength", total.max(1).to_string().into())
        .put("stroke-dasharray", format!("{left} {total}").into());
    let ring = element("svg", "ring")
        .set("width", "20")
        .set("height", "20")
        .set("viewBox", "0 0 20 20")
        .set("fill", "none")
        .set("stroke-width", "2.5")
        .set("aria-hidden", "true")
        .child(circle("ring-track").html())
        .child(filled.html());
    element("p", "countdown").child(ring.html()).words(ui.words(text)).html()
}

fn circle(class: &'static str) -> Element {
    element("circle", class).set("cx", "10").set("cy", "10").set("r", "8")
}
