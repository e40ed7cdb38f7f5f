//! Moves the focus only when the flow asks for it.

use link_flow::view::{Focus, FocusTarget, View};
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement};

use super::surface::Surface;
use crate::input::field_id;

/// Remembers the last move, and which element had the focus before an overlay took it.
#[derive(Default)]
pub struct FocusKeeper {
    turn: Option<u32>,
    before_overlay: Option<HtmlElement>,
}

impl FocusKeeper {
    /// Remembers the focus before an overlay is drawn, because an inert page loses its focus.
    pub fn remember(&mut self, before: &View, after: &View) {
        if before.overlay.is_none() && after.overlay.is_some() {
            self.before_overlay = active_element();
        }
    }

    /// Moves the focus after drawing, if the move is new.
    pub fn follow(&mut self, card: &Element, view: &View) {
        let Focus { turn, target } = &view.focus;
        if self.turn.replace(*turn) == Some(*turn) {
            return;
        }
        let found = match target {
            FocusTarget::Heading => {
                let surface = if view.overlay.is_some() { Surface::Overlay } else { Surface::Page };
                within(card, surface.heading_id())
            }
            FocusTarget::Field(field) => within(card, &field_id(field)),
            FocusTarget::Restore => self.before_overlay.take(),
        };
        if let Some(element) = found {
            // If the browser refuses the focus, it stays where it is.
            let _ = element.focus();
        }
    }
}

fn active_element() -> Option<HtmlElement> {
    web_sys::window()?.document()?.active_element()?.dyn_into().ok()
}

/// Selects by attribute, because a provider's field names may not be valid in a selector.
fn within(card: &Element, id: &str) -> Option<HtmlElement> {
    let found = card.owner_document()?.get_element_by_id(id)?;
    card.contains(Some(&found)).then(|| found.dyn_into().ok()).flatten()
}
