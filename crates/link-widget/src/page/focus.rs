//! Moves the focus when the flow says so, and only then.

use link_flow::view::{Focus, FocusTarget, View};
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement};

use super::Place;
use crate::block::field_id;

/// Remembers which move was the last, and where the focus was before an overlay took it.
#[derive(Default)]
pub struct FocusKeeper {
    turn: Option<u32>,
    before_overlay: Option<HtmlElement>,
}

impl FocusKeeper {
    /// Before an overlay is drawn: an inert page loses its focus.
    pub fn remember(&mut self, before: &View, after: &View) {
        if before.overlay.is_none() && after.overlay.is_some() {
            self.before_overlay = active_element();
        }
    }

    /// After drawing: carries out the move, if it is a new one.
    pub fn follow(&mut self, card: &Element, view: &View) {
        let Focus { turn, target } = &view.focus;
        if self.turn.replace(*turn) == Some(*turn) {
            return;
        }
        let found = match target {
            FocusTarget::Heading => {
                let place = if view.overlay.is_some() { Place::Overlay } else { Place::Page };
                within(card, place.heading_id())
            }
            FocusTarget::Field(field) => within(card, &field_id(field)),
            FocusTarget::Restore => self.before_overlay.take(),
        };
        if let Some(element) = found {
            // A focus that the browser refuses leaves the person where they are; nothing better can be done.
            let _ = element.focus();
        }
    }
}

fn active_element() -> Option<HtmlElement> {
    web_sys::window()?.document()?.active_element()?.dyn_into().ok()
}

/// By attribute, because a provider's field names need not be valid in a selector.
fn within(card: &Element, id: &str) -> Option<HtmlElement> {
    let found = card.owner_document()?.get_element_by_id(id)?;
    card.contains(Some(&found)).then(|| found.dyn_into().ok()).flatten()
}
