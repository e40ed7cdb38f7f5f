//! The form of a new key.

use super::Effect;
use super::page::Page;
use super::state::{ACCESSES, Event, LIVES, State};

impl State {
    /// Changes the draft of the page's key.
    pub(super) fn edit_key(&mut self, edit: Event) -> Vec<Effect> {
        let Page::Keys(mode) = self.page else { return Vec::new() };
        let draft = &mut self.key_form_mut(mode).draft;
        if let Event::KeyCodeTyped(code) = edit {
            draft.code = (!code.trim().is_empty()).then_some(code);
        } else if let Event::AccessChosen(place) = edit
            && let Some((_, scopes)) = ACCESSES.get(place)
        {
            draft.scopes = scopes.to_vec();
        } else if let Event::LifeChosen(place) = edit
            && let Some(days) = LIVES.get(place)
        {
            draft.expires_in_days = *days;
        }
        Vec::new()
    }
}
