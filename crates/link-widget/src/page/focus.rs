//! Moves the focus only when the flow asks for it.

use link_flow::view::{Focus, FocusTarget, View};
use web_sys::Element;

use crate::host::LinkHost;
use crate::ui::{Surface, field_id};

/// Remembers the last move, and which element had the focus before an overlay took it.
#[derive(Default)]
pub struct FocusKeeper {
    turn: Option<u32>,
    before_overlay: Option<Element>,
}

impl FocusKeeper {
    /// Remembers the focus before an overlay is drawn, because an inert page loses its focus.
    pub fn remember(&mut self, before: &View, after: &View) {
        if before.overlay.is_none() && after.overlay.is_some() {
            self.before_overlay = active_element();
        }
    }

    /// Moves the focus after drawing, if the move is new.
    pub fn follow(&mut self, host: &LinkHost, card: &Element, view: &View) {
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
            host.focus(&element);
        }
    }
}

fn active_element() -> Option<Element> {
    web_sys::window()?.document()?.active_element()
}

/// Selects by attribute, because a provider's field names may not be valid in a selector.
fn within(card: &Element, id: &str) -> Option<Element> {
    card.owner_document()?.get_element_by_id(id).filter(|found| card.contains(Some(found)))
}
