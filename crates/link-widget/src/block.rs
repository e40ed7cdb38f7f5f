//! One file a block: how each piece of a page is drawn. Nothing here decides; it only draws.

mod actions;
mod choices;
mod countdown;
mod document;
mod emblem;
mod field;
mod heading;
mod mark;
mod notice;
mod paragraph;
mod password;
mod progress;
mod provider;
mod search;
mod skeleton;
mod summary;
mod tabs;

use link_flow::view::Block;
use yew::prelude::*;

pub use actions::actions;
pub use field::field_id;
pub use mark::{MarkSize, mark};

use crate::page::Place;
use crate::ui::Ui;

/// Draws one block of a page or of its overlay.
pub fn draw(ui: &Ui, place: Place, block: &Block) -> Html {
    match block {
        Block::Heading { text, emblem } => heading::heading(ui, place, text, *emblem),
        Block::Paragraph { text, tone } => paragraph::paragraph(ui, text, *tone),
        Block::Notice { severity, title, text } => notice::notice(ui, *severity, title.as_ref(), text),
        Block::Provider { mark, name, detail } => provider::provider(ui, mark, name, detail.as_ref()),
        Block::Summary { items } => summary::summary(ui, items),
        Block::Document { title, version, paragraphs } => document::document(ui, title, version, paragraphs),
        Block::Field(field) => field::field(ui, field),
        Block::Choices(list) => choices::choices(ui, list),
        Block::Search { label, placeholder, value, clear } => {
            search::search(ui, label, placeholder, value, clear.as_ref())
        }
        Block::Tabs { label, tabs } => tabs::tabs(ui, label, tabs),
        Block::Progress { stages } => progress::progress(ui, stages),
        Block::Countdown { text, left, total } => countdown::countdown(ui, text, *left, *total),
        Block::Skeleton { rows } => skeleton::skeleton(*rows),
        Block::Actions { primary, secondary } => actions(ui, primary, secondary.as_ref()),
    }
}
