//! The state that is drawn, and where events go.

use yew::Callback;

use crate::core::failure::BrowserError;
use crate::core::texts::Words;
use crate::core::{Event, Failure, Language, State, Text};

/// The state that is drawn, and where events go.
#[derive(Debug)]
pub struct Shown<'s> {
    /// The state.
    pub state: &'s State,
    /// The language.
    pub language: Language,
    /// Receives events.
    pub emit: Callback<Event>,
}

impl Shown<'_> {
    pub(super) fn text(&self, text: impl Words) -> &'static str {
        text.words_in(self.language)
    }

    /// Returns a callback that emits an event.
    pub(super) fn send<E: 'static>(&self, event: Event) -> Callback<E> {
        self.emit.reform(move |_| event.clone())
    }

    /// Returns the message of a failure.
    pub(super) fn message(&self, failure: &Failure) -> String {
        let text = |text: Text| self.text(text).to_owned();
        match failure {
            Failure::SignedOut => text(Text::SignedOutTitle),
            Failure::Denied => text(Text::Denied),
            Failure::Unconfirmed => text(Text::ConfirmText),
            Failure::Browser(BrowserError::Unsupported) => text(Text::PasskeyUnsupported),
            Failure::Browser(BrowserError::Exists) => text(Text::PasskeyExists),
            Failure::Browser(BrowserError::NotAllowed) => text(Text::PasskeyCancelled),
            Failure::Gone => text(Text::Gone),
            Failure::Refused(detail) => detail.clone(),
            Failure::Busy(seconds) => self.language.fill(Text::Busy, &seconds.to_string()),
            Failure::Invalid(_) => text(Text::CheckFields),
            Failure::Offline => text(Text::Offline),
            Failure::Broken(id) => self.language.fill(Text::Broken, id),
        }
    }
}
