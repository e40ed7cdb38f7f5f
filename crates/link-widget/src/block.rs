//! Draws the blocks of a page. Makes no decisions.

mod actions;
mod choices;
pub(crate) mod deferred;
mod heading;
mod mark;
mod search;
mod text;

use link_flow::view::Block;
use yew::prelude::*;

pub use mark::{MarkSize, mark};

use self::deferred::{field, files, link, picture, progress};
use crate::element::group;
use crate::ui::{Surface, Ui, field_id};

/// Draws blocks, each with a key among its siblings. Without keys, a notice that appears could replace the input next
/// to it, and the text of that input is only in the DOM.
pub fn draw_all(ui: &Ui, surface: Surface, blocks: &[&Block]) -> Vec<Html> {
    let draw = |(at, block): (usize, &&Block)| {
        let key = if let Block::Field(field) = block {
            field_id(&field.id)
        } else {
            let before = blocks[..at].iter().filter(|other| kind(other) == kind(block)).count();
            (kind(block) * 1_000 + before).to_string()
        };
        group(vec![draw(ui, surface, block)], key)
    };
    blocks.iter().enumerate().map(draw).collect()
}

/// Numbers the kinds in the order of the variants, so that the program has no table of them.
const fn kind(block: &Block) -> usize {
    match block {
        Block::Heading { .. } => 0,
        Block::Paragraph { .. } => 1,
        Block::Notice { .. } => 2,
        Block::Provider { .. } => 3,
        Block::Summary { .. } => 4,
        Block::Document { .. } => 5,
        Block::Picture { .. } => 6,
        Block::Photo { .. } => 7,
        Block::Link { .. } => 8,
        Block::Field(_) => 9,
        Block::Choices(_) => 10,
        Block::Search { .. } => 11,
        Block::Tabs { .. } => 12,
        Block::DropZone { .. } => 13,
        Block::Files { .. } => 14,
        Block::Progress { .. } => 15,
        Block::Countdown { .. } => 16,
        Block::Skeleton { .. } => 17,
        Block::Actions { .. } => 18,
    }
}

/// Draws one block of a page or overlay.
fn draw(ui: &Ui, surface: Surface, block: &Block) -> Html {
    match block {
        Block::Heading { text, emblem } => heading::heading(ui, surface, text, *emblem),
        Block::Paragraph { text, tone } => text::paragraph(ui, text, *tone),
        Block::Notice { severity, title, text } => text::notice(ui, *severity, title.as_ref(), text),
        Block::Provider { mark, name, detail } => text::provider(ui, mark, name, detail.as_ref()),
        Block::Summary { items } => text::summary(ui, items),
        Block::Document { title, version, paragraphs } => text::document(ui, title, version, paragraphs),
        Block::Photo { src, alt, edges, tools } => picture::photo(ui, src, alt, edges, tools),
        Block::Picture { src, alt, scan, recording } => {
            picture::picture(ui, src, alt, *scan, recording.as_ref())
        }
        Block::Link { href, label, again } => link::link(ui, href, label, *again),
        Block::Field(field) => field::field(ui, field),
        Block::Choices(list) => choices::choices(ui, list),
        Block::Search { label, placeholder, value, clear } => {
            search::search(ui, label, placeholder, value, clear.as_ref())
        }
        Block::Tabs { label, tabs } => search::tabs(ui, label, tabs),
        Block::DropZone { slot, title, text, choose, camera, camera_help } => {
            files::drop_zone(ui, *slot, (title, text), choose, (camera, camera_help))
        }
        Block::Files { label, rows, clear } => files::files(ui, label, rows, clear.as_ref()),
        Block::Progress { stages } => progress::progress(ui, stages),
        Block::Countdown { text, left, total } => progress::countdown(ui, text, *left, *total),
        Block::Skeleton { rows } => choices::skeleton(*rows),
        Block::Actions { primary, secondary } => actions::actions(ui, primary, secondary.as_ref()),
    }
}
