//! The card: header, the page with its form, the overlay, the live region.

mod bars;
mod focus;
mod overlay;

use link_flow::Event;
use link_flow::view::block::{Action, ActionState, Emblem};
use link_flow::view::{Announcement, Block, Page, View};
use yew::prelude::*;

pub use focus::FocusKeeper;

use crate::attribute::Attribute;
use crate::block;
use crate::block::deferred::secret;
use crate::element::{element, onsubmit};
use crate::ui::{Surface, Ui};

/// Draws the whole screen.
pub fn card(ui: &Ui, view: &View) -> Html {
    let under = element("div", "under")
        .flag(Attribute::Inert, view.overlay.is_some())
        .child(bars::header(ui, &view.page.header))
        .child(page(ui, &view.page));
    element("div", "card")
        .child(under.html())
        .maybe(view.overlay.as_ref().map(|overlay| overlay::overlay(ui, overlay)))
        .child(live_region(ui, &view.announcement))
        .html()
}

fn page(ui: &Ui, page: &Page) -> Html {
    let (actions, content) = split_actions(&page.blocks);
    let mut screen = element(if page.form { "form" } else { "div" }, "screen")
        .child(element("main", "content").list(block::draw_all(ui, Surface::Page, &content)).html())
        .child(bars::footer(ui, &actions, page.footer.as_ref(), page.help.as_ref()));
    if is_statement(&page.blocks) {
        screen = screen.set(Attribute::DataLayout, "center");
    }
    if page.form {
        screen = screen.set(Attribute::Novalidate, "").on(onsubmit(submit(ui, &actions)));
    }
    screen.with_key(page.key.to_string())
}

/// Splits the buttons from the other blocks.
fn split_actions(blocks: &[Block]) -> (Vec<&Block>, Vec<&Block>) {
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
            let secrets = secret::gather(&event, &events);
            events.emit(Event::Submitted(secrets));
        }
    })
}

/// Draws the polite live region. It always exists; each announcement is a new node, so that a repeated text is read again.
fn live_region(ui: &Ui, announcement: &Announcement) -> Html {
    let words = announcement
        .text
        .as_ref()
        .map(|text| element("span", "").text(ui.words(text)).with_key(announcement.turn.to_string()));
    element("div", "hidden-text")
        .set(Attribute::Role, "status")
        .set(Attribute::AriaLive, "polite")
        .maybe(words)
        .html()
}
