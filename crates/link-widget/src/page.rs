//! The card: header, the page with its form, the overlay, the live region.

mod announcer;
mod focus;
mod footer;
mod header;
mod overlay;
mod secrets;

use link_flow::Event;
use link_flow::view::block::{Action, ActionState};
use link_flow::view::{Block, Page, View};
use yew::prelude::*;

pub use focus::FocusKeeper;

use crate::block;
use crate::ui::Ui;

/// Where a block stands: ids and heading levels differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// On the page.
    Page,
    /// In the alert dialog over it.
    Overlay,
}

impl Place {
    /// The id of the heading here: names the page or the dialog, takes the focus.
    pub const fn heading_id(self) -> &'static str {
        match self {
            Self::Page => "heading",
            Self::Overlay => "overlay-heading",
        }
    }

    /// The level of the heading here.
    pub const fn heading_tag(self) -> &'static str {
        match self {
            Self::Page => "h1",
            Self::Overlay => "h2",
        }
    }
}

/// Draws everything on the screen.
pub fn card(ui: &Ui, view: &View) -> Html {
    let covered = view.overlay.is_some();
    html! {
        <div class="card">
            <div class="under" inert={covered}>
                { header::header(ui, &view.page.header) }
                { page(ui, &view.page) }
            </div>
            if let Some(overlay) = &view.overlay { { overlay::overlay(ui, overlay) } }
            { announcer::announcer(ui, &view.announcement) }
        </div>
    }
}

fn page(ui: &Ui, page: &Page) -> Html {
    let (actions, content): (Vec<&Block>, Vec<&Block>) =
        page.blocks.iter().partition(|block| matches!(block, Block::Actions { .. }));
    let inner = html! {
        <>
            <main class="content">
                { for content.iter().map(|block| block::draw(ui, Place::Page, block)) }
            </main>
            { footer::footer(ui, &actions, page.footer.as_ref()) }
        </>
    };
    let layout = is_statement(&page.blocks).then_some("center");
    if page.form {
        let onsubmit = submit(ui, &actions);
        html! { <form class="screen" key={page.key.to_string()} data-layout={layout} novalidate=true {onsubmit}>{ inner }</form> }
    } else {
        html! { <div class="screen" key={page.key.to_string()} data-layout={layout}>{ inner }</div> }
    }
}

/// A page under an emblem that only tells something stands in the middle of the card.
fn is_statement(blocks: &[Block]) -> bool {
    blocks.iter().any(|block| matches!(block, Block::Heading { emblem: Some(_), .. }))
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
            events.emit(Event::Submitted(secrets::gather(&event)));
        }
    })
}
