//! The alert dialog over a page, which stays mounted and inert beneath it.

use link_flow::view::{Block, Overlay};
use yew::prelude::*;

use super::Place;
use crate::block;
use crate::ui::Ui;

pub fn overlay(ui: &Ui, overlay: &Overlay) -> Html {
    let (actions, content): (Vec<&Block>, Vec<&Block>) =
        overlay.blocks.iter().partition(|block| matches!(block, Block::Actions { .. }));
    html! {
        <div class="scrim">
            <div class="alert" role="alertdialog" aria-modal="true" aria-label={ui.words(&overlay.title)}
                aria-describedby="overlay-text">
                <div class="alert-text" id="overlay-text">
                    { for content.iter().map(|block| block::draw(ui, Place::Overlay, block)) }
                </div>
                <div class="alert-actions">
                    { for actions.iter().map(|block| block::draw(ui, Place::Overlay, block)) }
                </div>
            </div>
        </div>
    }
}
