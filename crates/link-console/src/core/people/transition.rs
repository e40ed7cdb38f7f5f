//! Acts of the member on support's pages.

use link_types::Mode;

use super::request::PeopleRequest;
use super::{People, PeopleInput};
use crate::core::loaded::Form;
use crate::core::page::Page;
use crate::core::rest::Rest;
use crate::core::state::State;
use crate::core::webhook_key::WebhookKey;
use crate::core::{Effect, Request};

impl State {
    /// Handles what happened on one of support's pages.
    pub(in crate::core) fn handle_people(&mut self, input: PeopleInput) -> Vec<Effect> {
        let request = match (input, self.page) {
            (PeopleInput::FindTyped(text), _) => {
                self.people.search.draft = text;
                return Vec::new();
            }
            (PeopleInput::MailWanted(invite), Page::Person(mode, key)) => {
                Request::People(mode, PeopleRequest::Mail(key, invite))
            }
            (PeopleInput::ResendWanted(webhook, delivery), Page::Person(mode, _)) => {
                Request::Rest(mode, Rest::Resend(WebhookKey::new(&webhook), delivery))
            }
            (PeopleInput::MailWanted(_) | PeopleInput::ResendWanted(..), _) => return Vec::new(),
        };
        if self.people.acting.is_some() {
            return Vec::new();
        }
        (self.failure, self.notice) = (None, None);
        self.people.acting = Some(request.clone());
        vec![Effect::Send(request)]
    }

    /// Begins a search, unless one is under way.
    pub(in crate::core) fn find_people(&mut self, mode: Mode) -> Option<Request> {
        self.people.mode = Some(mode);
        let text = self.people.search.start()?;
        Some(Request::People(mode, PeopleRequest::Search(text)))
    }

    /// Forgets the person of the last page. The last search stays while the member looks at its people.
    pub(in crate::core) fn open_people_page(&mut self) {
        let is_shown = self.page.mode().is_some() && self.people.mode == self.page.mode();
        let is_about = is_shown && matches!(self.page, Page::People(_) | Page::Person(..));
        let before = std::mem::take(&mut self.people);
        if is_about {
            let search = Form::new(before.search.draft);
            self.people = People { mode: before.mode, search, found: before.found, ..People::default() };
        }
    }
}
