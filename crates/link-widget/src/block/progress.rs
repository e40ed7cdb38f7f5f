//! The stages of the service's work.

use link_flow::view::block::{Stage, StageState};
use yew::prelude::*;

use crate::element::element;
use crate::icon::{Icon, icon};
use crate::ui::Ui;

#[inline(never)] // only screens of the deferred chunk draw them
pub fn progress(ui: &Ui, stages: &[Stage]) -> Html {
    element("ol", "steps").list(stages.iter().map(|stage| draw(ui, stage)).collect()).html()
}

fn draw(ui: &Ui, stage: &Stage) -> Html {
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
