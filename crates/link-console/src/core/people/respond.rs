//! The responses to the requests of support's pages.

use link_types::Mode;
use link_types::console::people::{Happening, Person};
use link_types::webhook::DeliveryStatus;

use super::Removal;
use super::request::{PeopleRequest, PeopleResponse};
use crate::core::failure::Failure;
use crate::core::page::Page;
use crate::core::state::{Loaded, State};
use crate::core::{Effect, Request, Text};

/// Returns whether a delivery of the person is about to change. One that is sent again has earlier attempts.
fn has_pending(person: &Person) -> bool {
    person.timeline.iter().any(|entry| match &entry.what {
        Happening::Event { deliveries, .. } => {
            deliveries.iter().any(|it| it.status == DeliveryStatus::Pending)
        }
        Happening::Session { .. } | Happening::Step { .. } => false,
    })
}

impl State {
    /// Handles a successful response of support's pages.
    pub(in crate::core) fn accept_people(
        &mut self,
        mode: Mode,
        sent: PeopleRequest,
        response: PeopleResponse,
    ) -> Vec<Effect> {
        match (sent, response) {
            (PeopleRequest::Search(_), PeopleResponse::Found(found)) if self.people.mode == Some(mode) => {
                self.people.search.is_sending = false;
                self.people.found = Some(found);
                vec![Effect::Focus("#found")]
            }
            (PeopleRequest::Get(key), PeopleResponse::Person(person))
                if self.page == Page::Person(mode, key) =>
            {
                let is_pending = has_pending(&person);
                self.people.person = Loaded::Ready(person);
                if !is_pending {
                    return Vec::new();
                }
                self.poll(Request::People(mode, PeopleRequest::Get(key)))
            }
            (PeopleRequest::Mail(key, _), _) => {
                self.people.acting = None;
                if self.page != Page::Person(mode, key) {
                    return Vec::new();
                }
                self.notice = Some(Text::InviteSent);
                self.load()
            }
            (PeopleRequest::Remove(removal), _) => self.finish_removal(mode, removal),
            (PeopleRequest::Search(_) | PeopleRequest::Get(_), _) => Vec::new(),
        }
    }

    fn finish_removal(&mut self, mode: Mode, removal: Removal) -> Vec<Effect> {
        let text = match &removal {
            Removal::Invite(_) => Text::InviteRevoked,
            Removal::Account(_) => Text::AccountRevoked,
            Removal::Archive(_) => Text::ArchiveRevoked,
            Removal::User(_) => Text::PersonErased,
        };
        let leaves = matches!(removal, Removal::User(_));
        let request = Request::People(mode, removal.request());
        self.question.take_if(|it| it.request() == request);
        if leaves {
            self.people.found = None;
            self.next_notice = Some(text);
            return vec![Effect::GoTo(Page::People(mode))];
        }
        self.notice = Some(text);
        self.load().into_iter().chain([Effect::Focus("h1")]).collect()
    }

    /// Handles a failed request of support's pages.
    pub(in crate::core) fn refuse_people(
        &mut self,
        mode: Mode,
        sent: &PeopleRequest,
        failure: Failure,
    ) -> Vec<Effect> {
        match sent {
            PeopleRequest::Search(_) => {
                self.people.search.refuse(failure);
                vec![Effect::Focus("[aria-invalid=true], #failure")]
            }
            PeopleRequest::Get(key) => {
                if self.page == Page::Person(mode, *key) {
                    self.people.person = Loaded::Failed(failure);
                }
                Vec::new()
            }
            PeopleRequest::Mail(..) => {
                self.people.acting = None;
                self.fail(failure)
            }
            PeopleRequest::Remove(_) => {
                let request = Request::People(mode, sent.clone());
                match self.question.as_mut().filter(|it| it.request() == request) {
                    Some(question) => (question.is_sending, question.failure) = (false, Some(failure)),
                    None => self.failure = Some(failure),
                }
                Vec::new()
            }
        }
    }
}
