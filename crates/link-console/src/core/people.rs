//! Support's pages: the search for people, and a person with their timeline.

pub mod request;
mod respond;
#[cfg(test)]
mod tests;

use link_types::Mode;
use link_types::console::people::{FoundPerson, Person};
use link_types::id::{AccountId, ArchiveId, DeliveryId, InviteId, UserId, WebhookId};

use self::request::PeopleRequest;
use super::loaded::{Form, Loaded};
use super::page::Page;
use super::rest::Rest;
use super::state::State;
use super::webhook_key::WebhookKey;
use super::{Effect, Request};

/// The state of support's pages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct People {
    /// Environment of the search. `None` before the first one.
    pub mode: Option<Mode>,
    /// The text to find.
    pub search: Form<String>,
    /// The people that the last search found. `None` before the first one.
    pub found: Option<Vec<FoundPerson>>,
    /// The person of the page.
    pub person: Loaded<Box<Person>>,
    /// The act without a question that is under way.
    pub acting: Option<Request>,
}

impl Default for People {
    fn default() -> Self {
        Self {
            mode: None,
            search: Form::new(String::new()),
            found: None,
            person: Loaded::Loading,
            acting: None,
        }
    }
}

/// An act that the member must confirm.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Removal {
    /// Revoke an invitation.
    Invite(InviteId),
    /// Revoke an account.
    Account(AccountId),
    /// Revoke an archive.
    Archive(ArchiveId),
    /// Erase a user.
    User(UserId),
}

impl Removal {
    /// Returns the request of the act.
    pub fn request(&self) -> PeopleRequest {
        PeopleRequest::Remove(self.clone())
    }

    /// Returns the word that confirms the act in production: the last six characters of the id.
    pub fn word(&self) -> &str {
        let id = match self {
            Self::Invite(id) => id.as_str(),
            Self::Account(id) => id.as_str(),
            Self::Archive(id) => id.as_str(),
            Self::User(id) => id.as_str(),
        };
        id.get(id.len().saturating_sub(6)..).unwrap_or(id)
    }
}

/// Something that happened on one of support's pages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PeopleInput {
    /// The text to find changed.
    FindTyped(String),
    /// The member wants the mail of an invitation to be sent again.
    MailWanted(InviteId),
    /// The member wants a delivery to be sent again.
    ResendWanted(WebhookId, DeliveryId),
}

impl State {
    /// Handles what happened on one of support's pages.
    pub(super) fn handle_people(&mut self, input: PeopleInput) -> Vec<Effect> {
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
    pub(super) fn find_people(&mut self, mode: Mode) -> Option<Request> {
        self.people.mode = Some(mode);
        let text = self.people.search.start()?;
        Some(Request::People(mode, PeopleRequest::Search(text)))
    }

    /// Forgets the person of the last page. The last search stays while the member looks at its people.
    pub(super) fn open_people_page(&mut self) {
        let is_shown = self.page.mode().is_some() && self.people.mode == self.page.mode();
        let is_about = is_shown && matches!(self.page, Page::People(_) | Page::Person(..));
        let before = std::mem::take(&mut self.people);
        if is_about {
            let search = Form::new(before.search.draft);
            self.people = People { mode: before.mode, search, found: before.found, ..People::default() };
        }
    }
}
