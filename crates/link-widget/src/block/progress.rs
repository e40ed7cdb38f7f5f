//! What the service does, stage by stage.

use link_flow::view::block::{Stage, StageState};
use yew::prelude::*;

use crate::icon::{Icon, icon};
use crate::ui::Ui;

pub fn progress(ui: &Ui, stages: &[Stage]) -> Html {
    html! { <ol class="steps">{ for stages.iter().map(|stage| draw(ui, stage)) }</ol> }
}

fn draw(ui: &Ui, stage: &Stage) -> Html {
    let (state, current) = match stage.state {
        StageState::Done => ("done", None),
        StageState::Current => ("current", Some("step")),
        StageState::Waiting => ("waiting", None),
    };
    html! {
        <li class="step" data-state={state} aria-current={current}>
            <span class="step-dot">if stage.state == StageState::Done { { icon(Icon::Check) } }</span>
            <span class="step-label">{ ui.words(&stage.text) }</span>
        </li>
    }
}
