//! How events change the state.

use link_types::console::{KeyDraft, MemberDraft, Role, RoleChange};

use super::Effect;
use super::failure::Failure;
use super::page::Page;
use super::request::{Answer, Request};
use super::state::{Act, Event, Form, Loaded, Question, State, Visitor};
use super::texts::Text;

impl State {
    /// Handles an event. Returns what the shell must do.
    pub fn handle(&mut self, event: Event) -> Vec<Effect> {
        match event {
            Event::Started(page, has_code) => {
                (self.page, self.has_code) = (page, has_code);
                vec![Effect::Send(Request::WhoIsThere)]
            }
            Event::Opened(page) => self.open(page),
            Event::SignIn if self.is_signing => Vec::new(),
            Event::SignIn => {
                (self.is_signing, self.failure) = (true, None);
                vec![Effect::Send(Request::SignIn)]
            }
            Event::SignOut => {
                self.is_signing = true;
                vec![Effect::Send(Request::SignOut)]
            }
            Event::Retry => self.retry(),
            Event::NameTyped(name) => {
                if self.page == Page::Members {
                    self.member_form.draft.name = name;
                } else {
                    self.key_form.draft.name = name;
                }
                Vec::new()
            }
            Event::EmailTyped(email) => {
                self.member_form.draft.email = email;
                Vec::new()
            }
            Event::RoleChosen(role) => {
                self.member_form.draft.role = role;
                Vec::new()
            }
            Event::Submitted => self.submit(),
            Event::Dismissed => {
                (self.created_key, self.address) = (None, None);
                vec![Effect::Focus("h1")]
            }
            Event::Asked(act) => {
                let question = Question { act, typed: String::new(), is_sending: false, failure: None };
                (self.question, self.notice) = (Some(question), None);
                vec![Effect::Focus("#question")]
            }
            Event::WordTyped(word) => {
                if let Some(question) = &mut self.question {
                    question.typed = word;
                }
                Vec::new()
            }
            Event::Confirmed => self.confirm(),
            Event::Kept => {
                self.question = None;
                vec![Effect::Focus("h1")]
            }
            Event::RoleGiven(member, role) => {
                (self.failure, self.notice) = (None, None);
                vec![Effect::Send(Request::ChangeRole(member.id, RoleChange { role }))]
            }
            Event::AddressWanted(member) => {
                (self.failure, self.notice) = (None, None);
                vec![Effect::Send(Request::CreateAddress(member.id))]
            }
            Event::Answered(request, Ok(answer)) => self.accept(request, answer),
            Event::Answered(request, Err(failure)) => self.refuse(&request, failure),
        }
    }

    fn open(&mut self, page: Page) -> Vec<Effect> {
        self.page = page;
        (self.question, self.failure, self.notice) = (None, None, None);
        (self.created_key, self.address) = (None, None);
        (self.keys, self.members, self.sessions) = (Loaded::Loading, Loaded::Loading, Loaded::Loading);
        // What was typed stays. What the service said about it belonged to the last attempt.
        (self.key_form.failure, self.member_form.failure) = (None, None);
        let mut effects = vec![Effect::Focus("h1")];
        effects.extend(self.load());
        effects
    }

    /// Loads the lists of the page, if a member is signed in.
    fn load(&self) -> Vec<Effect> {
        match &self.visitor {
            Visitor::SignedIn(_) => self.page.lists().into_iter().map(Effect::Send).collect(),
            Visitor::Unknown | Visitor::SignedOut | Visitor::Failed(_) => Vec::new(),
        }
    }

    fn retry(&mut self) -> Vec<Effect> {
        self.failure = None;
        match &self.visitor {
            Visitor::SignedIn(_) => {
                (self.keys, self.members, self.sessions) =
                    (Loaded::Loading, Loaded::Loading, Loaded::Loading);
                self.load()
            }
            Visitor::Unknown | Visitor::SignedOut | Visitor::Failed(_) => {
                self.visitor = Visitor::Unknown;
                vec![Effect::Send(Request::WhoIsThere)]
            }
        }
    }

    fn submit(&mut self) -> Vec<Effect> {
        self.notice = None;
        match self.page {
            Page::Keys(mode) if !self.key_form.is_sending => {
                (self.key_form.is_sending, self.key_form.failure) = (true, None);
                vec![Effect::Send(Request::CreateKey(mode, self.key_form.draft.clone()))]
            }
            Page::Members if !self.member_form.is_sending => {
                (self.member_form.is_sending, self.member_form.failure) = (true, None);
                vec![Effect::Send(Request::InviteMember(self.member_form.draft.clone()))]
            }
            Page::Keys(_) | Page::Members | Page::Enter | Page::Overview | Page::Sessions | Page::Missing => {
                Vec::new()
            }
        }
    }

    fn confirm(&mut self) -> Vec<Effect> {
        let Some(question) = self.question.as_mut().filter(|it| it.is_ready()) else { return Vec::new() };
        (question.is_sending, question.failure) = (true, None);
        let request = match &question.act {
            Act::RevokeKey(mode, key) => Request::RevokeKey(*mode, key.id.clone()),
            Act::RemoveMember(member) => Request::RemoveMember(member.id.clone()),
            Act::EndSession(session) => Request::EndSession(session.id.clone()),
        };
        vec![Effect::Send(request)]
    }

    fn accept(&mut self, request: Request, answer: Answer) -> Vec<Effect> {
        match (request, answer) {
            (Request::SignIn, Answer::SignedIn(signed_in)) => {
                self.visitor = Visitor::SignedIn(signed_in);
                (self.is_signing, self.has_code) = (false, false);
                vec![Effect::GoTo(Page::Overview)]
            }
            (_, Answer::SignedIn(signed_in)) => {
                self.visitor = Visitor::SignedIn(signed_in);
                self.load()
            }
            (Request::ListKeys(mode), Answer::Keys(keys)) if self.page == Page::Keys(mode) => {
                self.keys = Loaded::Ready(keys);
                Vec::new()
            }
            (_, Answer::Members(members)) => {
                self.members = Loaded::Ready(members);
                Vec::new()
            }
            (_, Answer::Sessions(sessions)) => {
                self.sessions = Loaded::Ready(sessions);
                Vec::new()
            }
            (_, Answer::CreatedKey(created)) => {
                self.key_form = Form::new(KeyDraft { name: String::new() });
                self.created_key = Some(*created);
                self.show_new()
            }
            (_, Answer::Address(address)) => {
                if self.member_form.is_sending {
                    let draft =
                        MemberDraft { email: String::new(), name: String::new(), role: Role::Developer };
                    self.member_form = Form::new(draft);
                }
                self.address = Some(*address);
                self.show_new()
            }
            (Request::SignOut, Answer::Done) => {
                // A new state, so that the next person sees nothing of this one.
                *self = Self { page: self.page, visitor: Visitor::SignedOut, ..Self::new() };
                vec![Effect::Focus("h1")]
            }
            (request, Answer::Done) => self.done(&request),
            (_, Answer::Keys(_)) => Vec::new(),
        }
    }

    /// Shows something new above the list, which is loaded again.
    fn show_new(&mut self) -> Vec<Effect> {
        let mut effects = vec![Effect::Focus("#once")];
        effects.extend(self.load());
        effects
    }

    fn done(&mut self, request: &Request) -> Vec<Effect> {
        self.notice = match request {
            Request::RevokeKey(..) => Some(Text::KeyRevoked),
            Request::RemoveMember(_) => Some(Text::MemberRemoved),
            Request::ChangeRole(..) => Some(Text::RoleChanged),
            Request::EndSession(_) => Some(Text::SessionEnded),
            Request::WhoIsThere
            | Request::SignIn
            | Request::SignOut
            | Request::ListKeys(_)
            | Request::CreateKey(..)
            | Request::ListMembers
            | Request::InviteMember(_)
            | Request::CreateAddress(_)
            | Request::ListSessions => None,
        };
        let had_question = self.question.take().is_some();
        let mut effects: Vec<Effect> = had_question.then_some(Effect::Focus("h1")).into_iter().collect();
        effects.extend(self.load());
        effects
    }

    fn refuse(&mut self, request: &Request, failure: Failure) -> Vec<Effect> {
        if *request == Request::SignIn {
            (self.is_signing, self.failure) = (false, Some(failure));
            return vec![Effect::Focus("#failure")];
        }
        if failure == Failure::SignedOut {
            // What was typed stays, for after the next sign-in.
            self.visitor = Visitor::SignedOut;
            (self.key_form.is_sending, self.member_form.is_sending) = (false, false);
            (self.is_signing, self.question) = (false, None);
            return vec![Effect::Focus("h1")];
        }
        match request {
            Request::WhoIsThere => self.visitor = Visitor::Failed(failure),
            Request::ListKeys(mode) if self.page == Page::Keys(*mode) => {
                self.keys = Loaded::Failed(failure);
            }
            Request::ListKeys(_) => {}
            Request::ListMembers => self.members = Loaded::Failed(failure),
            Request::ListSessions => self.sessions = Loaded::Failed(failure),
            Request::CreateKey(..) => {
                (self.key_form.is_sending, self.key_form.failure) = (false, Some(failure));
                return vec![Effect::Focus("[aria-invalid=true], #failure")];
            }
            Request::InviteMember(_) => {
                (self.member_form.is_sending, self.member_form.failure) = (false, Some(failure));
                return vec![Effect::Focus("[aria-invalid=true], #failure")];
            }
            Request::RevokeKey(..) | Request::RemoveMember(_) | Request::EndSession(_) => {
                if let Some(question) = &mut self.question {
                    (question.is_sending, question.failure) = (false, Some(failure));
                }
            }
            Request::SignIn | Request::SignOut | Request::ChangeRole(..) | Request::CreateAddress(_) => {
                (self.is_signing, self.failure) = (false, Some(failure));
                // The list shows what is true, not what was chosen.
                return self.load().into_iter().chain([Effect::Focus("#failure")]).collect();
            }
        }
        Vec::new()
    }
}
