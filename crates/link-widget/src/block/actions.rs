//! The buttons at the bottom of a page.

use link_flow::event::Press;
use link_flow::view::block::{Action, ActionState};
use yew::prelude::*;

use crate::attribute::Attribute;
use crate::element::{element, group, onclick};
use crate::ui::Ui;

/// Draws a page's buttons, the primary one first.
pub fn actions(ui: &Ui, primary: &Action, secondary: Option<&Action>) -> Html {
    let class =
        if primary.destructive { "button button-primary button-danger" } else { "button button-primary" };
    let secondary = secondary.map(|action| {
        button(
            ui,
            action,
            if action.destructive { "button button-quiet button-danger" } else { "button button-quiet" },
        )
    });
    group(vec![button(ui, primary, class), secondary.unwrap_or_default()], "actions".to_owned())
}

fn button(ui: &Ui, action: &Action, class: &'static str) -> Html {
    let ready = action.state == ActionState::Ready;
    let busy = action.state == ActionState::Busy;
    let submits = action.press == Press::Submit;
    let spinner = busy.then(|| element("span", "spinner").set(Attribute::AriaHidden, "true").html());
    let mut button = element("button", class)
        .set(Attribute::Type, if submits { "submit" } else { "button" })
        .flag(Attribute::AriaDisabled, !ready)
        .flag(Attribute::AriaBusy, busy)
        .maybe(spinner)
        .words(ui.words(&action.label));
    if ready && !submits {
        button = button.on(onclick(ui.press(action.press)));
    }
    button.html()
}
