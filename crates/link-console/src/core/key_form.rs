//! The form of a new key.

use link_types::console::KeyScope;

use super::Effect;
use super::page::Page;
use super::state::{Event, State};
use super::texts::Text;

/// The accesses that the form of a new key offers.
pub const ACCESSES: [(Text, &[KeyScope]); 4] = [
    (Text::FullAccess, &[KeyScope::Write]),
    (Text::ReadAccess, &[KeyScope::Read]),
    (Text::WebhookAccess, &[KeyScope::Webhooks]),
    (Text::ReadAndWebhookAccess, &[KeyScope::Read, KeyScope::Webhooks]),
];
/// The lives that the form of a new key offers, in days. `None` does not expire.
pub const LIVES: [Option<u32>; 4] = [None, Some(30), Some(90), Some(365)];
/// The numbers of hours for which a key may still work after it got a successor.
pub const ROTATION_HOURS: [u32; 4] = [0, 1, 24, 168];

/// Returns what the scopes of a key allow.
pub fn access_of(scopes: &[KeyScope]) -> Text {
    ACCESSES.iter().find(|(_, it)| *it == scopes).map_or(Text::FullAccess, |(text, _)| *text)
}

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
