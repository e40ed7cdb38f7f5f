//! The card: header, the page with its form, the overlay, the live region.

mod announcer;
mod focus;
mod footer;
mod header;
mod overlay;
mod secrets;
pub mod surface;

use link_flow::Event;
use link_flow::view::block::{Action, ActionState, Emblem};
use link_flow::view::{Block, Page, View};
use yew::prelude::*;

pub use focus::FocusKeeper;

use crate::block;
use crate::element::{element, onsubmit};
use crate::ui::Ui;

/// Draws the whole screen.
pub fn card(ui: &Ui, view: &View) -> Html {
    let under = element("div", "under")
        .flag("inert", view.overlay.is_some())
        .child(header::header(ui, &view.page.header))
        .child(page(ui, &view.page));
    element("div", "card")
        .child(under.html())
        .maybe(view.overlay.as_ref().map(|overlay| overlay::overlay(ui, overlay)))
        .child(announcer::announcer(ui, &view.announcement))
        .html()
}

fn page(ui: &Ui, page: &Page) -> Html {
    let (actions, content) = parted(&page.blocks);
    let mut screen = element(if page.form { "form" } else { "div" }, "screen")
        .child(element("main", "content").list(block::draw_all(ui, surface::Surface::Page, &content)).html())
        .child(footer::footer(ui, &actions, page.footer.as_ref(), page.help.as_ref()));
    if is_statement(&page.blocks) {
        screen = screen.set("data-layout", "center");
    }
    if page.form {
        screen = screen.set("novalidate", "").on(onsubmit(submit(ui, &actions)));
    }
    screen.keyed(page.key.to_string())
}

/// Splits the buttons from the other blocks.
fn parted(blocks: &[Block]) -> (Vec<&Block>, Vec<&Block>) {
    blocks.iter().partition(|block| matches!(block, Block::Actions { .. }))
}

/// Returns whether the page only says that something succeeded, so that it is centred in the card. Errors and challenges
/// begin at the same edge as each other, whether or not they offer rows.
fn is_statement(blocks: &[Block]) -> bool {
    blocks.iter().any(|block| matches!(block, Block::Heading { emblem: Some(Emblem::Success), .. }))
        && !blocks.iter().any(|block| {
            matches!(
                block,
                Block::Field(_) | Block::Choices(_) | Block::Document { .. } | Block::Search { .. }
            )
        })
}

fn submit(ui: &Ui, actions: &[&Block]) -> Callback<SubmitEvent> {
    let ready = actions.iter().any(|block| {
        matches!(block, Block::Actions { primary: Action { state: ActionState::Ready, .. }, .. })
    });
    let events = ui.events.clone();
    Callback::from(move |event: SubmitEvent| {
        event.prevent_default();
        if ready {
            let secrets = secrets::gather(&event, &events);
            events.emit(Event::Submitted(secrets));
        }
    })
}
