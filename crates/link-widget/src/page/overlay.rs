//! The alert dialog over a page, which stays mounted and inert below it.

use link_flow::view::{Block, Overlay};
use yew::prelude::*;

use crate::attribute::Attribute;
use crate::block;
use crate::element::element;
use crate::ui::{Surface, Ui};

pub fn overlay(ui: &Ui, overlay: &Overlay) -> Html {
    let (actions, content): (Vec<&Block>, Vec<&Block>) = super::split_actions(&overlay.blocks);
    let part =
        |class, blocks: &[&Block]| element("div", class).list(block::draw_all(ui, Surface::Overlay, blocks));
    let dialog = element("div", "alert")
        .set(Attribute::Role, "alertdialog")
        .set(Attribute::AriaModal, "true")
        .put(Attribute::AriaLabel, ui.words(&overlay.title))
        .set(Attribute::AriaDescribedby, "overlay-text")
        .child(part("alert-text", &content).set(Attribute::Id, "overlay-text").html())
        .child(part("alert-actions", &actions).html());
    element("div", "scrim").child(dialog.html()).html()
}
