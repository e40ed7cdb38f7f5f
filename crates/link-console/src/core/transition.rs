//! How events change the state.

use std::rc::Rc;

use link_types::Mode;
use link_types::console::{KeyDraft, OneTimeAddress, Permission, RoleChange};

use super::Effect;
use super::audit::AuditLog;
use super::ceremony::{Ceremony, PasskeyRequest};
use super::failure::Failure;
use super::insights::Insights;
use super::inviting::Inviting;
use super::loaded::{no_key, no_member};
use super::page::Page;
use super::question::Question;
use super::request::{Request, Response};
use super::single_sign_on::request::{SignOnRequest, Way};
use super::sites::Sites;
use super::state::{Event, Form, Loaded, Once, ROTATION_HOURS, State, Visitor};
use super::templates::Templates;
use super::texts::Text;

impl Event {
    /// Creates the event of a response.
    pub fn respond(request: Request, result: Result<Response, Failure>) -> Self {
        Self::Responded(request, Rc::new(result))
    }
}

impl State {
    /// Handles an event. Returns what the shell must do.
    pub fn handle(&mut self, event: Event) -> Vec<Effect> {
        match event {
            Event::Started(page, has_code) => {
                (self.page, self.has_code) = (page, has_code);
                self.poll_again();
                vec![Effect::Send(Request::WhoIsThere)]
            }
            Event::CodeChanged(has_code) if self.page == Page::Enter => {
                (self.has_code, self.failure, self.is_signing) = (has_code, None, false);
                vec![Effect::Focus("h1")]
            }
            // A link within the page.
            Event::CodeChanged(_) => Vec::new(),
            Event::Opened(page) => self.open(page),
            Event::SignIn | Event::SignOut if self.is_signing => Vec::new(),
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
                if let Page::Keys(mode) = self.page {
                    self.key_form_mut(mode).draft.name = name;
                } else if self.page == Page::Members {
                    self.member_form.draft.name = name;
                }
                Vec::new()
            }
            edit @ (Event::KeyCodeTyped(_) | Event::AccessChosen(_) | Event::LifeChosen(_)) => {
                self.edit_key(edit)
            }
            Event::HoursChosen(place) => {
                let question = self.question.as_mut().filter(|it| !it.is_sending);
                if let (Some(question), Some(hours)) = (question, ROTATION_HOURS.get(place)) {
                    question.hours = *hours;
                }
                Vec::new()
            }
            Event::EmailTyped(address) if self.type_own_address(&address) => Vec::new(),
            Event::EmailTyped(email) => {
                self.member_form.draft.email = email;
                Vec::new()
            }
            Event::RoleChosen(role) => {
                self.member_form.draft.role = role;
                Vec::new()
            }
            Event::AuditFiltered(filters) => vec![Effect::Send(self.audit.filter(|it| *it = filters))],
            Event::MoreWanted => self.audit.more().map(Effect::Send).into_iter().collect(),
            Event::Submitted => self.submit(),
            Event::Dismissed(place) => {
                if place < self.once.len() {
                    self.once.remove(place);
                }
                vec![Effect::Focus("h1")]
            }
            Event::Asked(act) => {
                let question =
                    Question { act, hours: 24, typed: String::new(), is_sending: false, failure: None };
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
            Event::AddressWanted(_) if self.awaits_address() => Vec::new(),
            Event::AddressWanted(member) => {
                self.is_creating_address = true;
                (self.failure, self.notice) = (None, None);
                vec![Effect::Send(Request::CreateAddress(member.id))]
            }
            Event::Developer(input) => self.handle_input(input),
            Event::Site(input) => self.handle_site(input),
            Event::Template(input) => self.handle_template(input),
            Event::People(input) => self.handle_people(input),
            Event::Inviting(input) => self.handle_inviting(input),
            Event::Insight(input) => self.handle_insight(input),
            Event::MenuToggled => {
                self.is_menu_open = !self.is_menu_open;
                Vec::new()
            }
            Event::Passkey(event) => self.handle_passkey(event),
            Event::SignOn(input) => self.handle_sign_on(input),
            Event::Responded(request, _) if self.is_late(&request) => Vec::new(),
            Event::Responded(request, result) => match Rc::into_inner(result) {
                Some(Ok(response)) => self.accept(request, response),
                Some(Err(failure)) => self.refuse(&request, failure),
                // Only events of the page are copied.
                None => Vec::new(),
            },
        }
    }

    pub(super) const fn key_form_mut(&mut self, mode: Mode) -> &mut Form<KeyDraft> {
        match mode {
            Mode::Sandbox => &mut self.sandbox_form,
            Mode::Production => &mut self.production_form,
        }
    }

    /// Returns whether a request belongs to a session that has ended, or to the time before the present one.
    const fn is_late(&self, request: &Request) -> bool {
        let is_signed_in = matches!(self.visitor, Visitor::SignedIn(_));
        match request {
            Request::SignIn
            | Request::SignOut
            | Request::SignOn(SignOnRequest::Leave(Way::Invitation, _)) => false,
            Request::SignOn(SignOnRequest::Leave(Way::Organization, _)) => is_signed_in,
            Request::Passkey(request) => request.needs_session() && !is_signed_in,
            Request::WhoIsThere | Request::SignInOptions | Request::MailLink(_) => is_signed_in,
            Request::ListKeys(_)
            | Request::CreateKey(..)
            | Request::RotateKey(..)
            | Request::RevokeKey(..)
            | Request::Rest(..)
            | Request::Site(..)
            | Request::Template(..)
            | Request::Inviting(..)
            | Request::People(..)
            | Request::Insight(..)
            | Request::ListMembers
            | Request::InviteMember(_)
            | Request::ChangeRole(..)
            | Request::RemoveMember(_)
            | Request::CreateAddress(_)
            | Request::ListAudit(..)
            | Request::ListSessions
            | Request::SignOn(_)
            | Request::EndSession(_) => !is_signed_in,
        }
    }

    fn open(&mut self, page: Page) -> Vec<Effect> {
        (self.page, self.is_menu_open) = (page, false);
        self.open_developer_page();
        self.sites = Sites::default();
        let copied = self.templates.copied.take().filter(|_| matches!(page, Page::CopiedTemplate(..)));
        self.templates = Templates { copied, opened: self.templates.opened, ..Templates::default() };
        self.inviting = Inviting::default();
        self.insights = Insights::default();
        self.open_people_page();
        (self.question, self.failure, self.unconfirmed) = (None, None, None);
        self.notice = self.next_notice.take();
        self.forget_lists();
        // Typed text stays. The errors of the last attempt do not.
        (self.sandbox_form.failure, self.production_form.failure) = (None, None);
        self.member_form.failure = None;
        let mut effects = vec![Effect::Focus("h1")];
        effects.extend(self.load());
        effects
    }

    fn forget_lists(&mut self) {
        (self.keys, self.members, self.sessions) = (Loaded::Loading, Loaded::Loading, Loaded::Loading);
        self.passkeys = Loaded::Loading;
        self.sign_on.forget();
        self.audit = AuditLog { filters: std::mem::take(&mut self.audit.filters), ..AuditLog::default() };
    }

    /// Loads the lists of the page, if a member is signed in.
    pub(super) fn load(&self) -> Vec<Effect> {
        match &self.visitor {
            Visitor::SignedIn(_) if self.page == Page::Audit => {
                [self.audit.first(), Request::ListMembers].map(Effect::Send).into()
            }
            Visitor::SignedIn(_) if self.insights.request(self.page).is_some() => {
                self.insights.request(self.page).map(Effect::Send).into_iter().collect()
            }
            Visitor::SignedIn(_) => {
                let mut requests = self.page.lists(&self.developer.query);
                // Only owners see the settings.
                let may = self.may(Mode::Production, Permission::ManageMembers);
                requests.retain(|it| may || *it != Request::SignOn(SignOnRequest::Settings));
                let requests = requests.into_iter().map(Effect::Send);
                let is_new = matches!(self.page, Page::NewSite(_));
                let draft = self.draft_name().filter(|_| is_new).map(Effect::Recall);
                let is_new = matches!(self.page, Page::NewTemplate(..) | Page::CopiedTemplate(..));
                let template = self.template_draft_name().filter(|_| is_new).map(Effect::RecallTemplate);
                requests.chain(draft).chain(template).collect()
            }
            Visitor::Unknown | Visitor::SignedOut | Visitor::Failed(_) => Vec::new(),
        }
    }

    fn retry(&mut self) -> Vec<Effect> {
        self.failure = None;
        match &self.visitor {
            Visitor::SignedIn(_) => {
                self.forget_lists();
                let query = self.developer.query.clone();
                self.open_developer_page();
                self.sites.forget_lists();
                self.templates.forget_lists();
                self.people.person = Loaded::Loading;
                self.insights.forget_lists();
                self.developer.query = query;
                self.load()
            }
            Visitor::Unknown | Visitor::SignedOut | Visitor::Failed(_) => {
                self.visitor = Visitor::Unknown;
                vec![Effect::Send(Request::WhoIsThere)]
            }
        }
    }

    fn accept(&mut self, request: Request, response: Response) -> Vec<Effect> {
        match (request, response) {
            (
                Request::SignIn | Request::Passkey(PasskeyRequest::Respond(Ceremony::SignIn, _)),
                Response::SignedIn(signed_in),
            ) => {
                self.welcome(signed_in);
                (self.is_signing, self.has_code) = (false, false);
                vec![Effect::GoTo(Page::Overview)]
            }
            (_, Response::SignedIn(signed_in)) => {
                self.welcome(signed_in);
                self.load()
            }
            (Request::ListKeys(mode), Response::Keys(keys)) if self.page == Page::Keys(mode) => {
                self.keys = Loaded::Ready(keys);
                Vec::new()
            }
            (_, Response::Members(members)) => {
                self.members = Loaded::Ready(members);
                Vec::new()
            }
            (Request::ListAudit(filters, cursor), Response::Audit(page)) => {
                self.audit.accept(&filters, cursor.as_deref(), page);
                Vec::new()
            }
            (_, Response::Sessions(sessions)) => {
                self.sessions = Loaded::Ready(sessions);
                Vec::new()
            }
            (Request::CreateKey(mode, sent), Response::CreatedKey(created)) => {
                self.key_form_mut(mode).accept(&sent, no_key());
                self.show_once(Once::Key(mode, *created))
            }
            (Request::RotateKey(mode, ..), Response::CreatedKey(created)) => {
                self.question = None;
                self.show_once(Once::Key(mode, *created))
            }
            (Request::InviteMember(sent), Response::Address(address)) => {
                self.member_form.accept(&sent, no_member());
                self.show_address(*address)
            }
            (_, Response::Address(address)) => {
                self.is_creating_address = false;
                self.show_address(*address)
            }
            (Request::Rest(mode, sent), Response::Rest(response)) => self.accept_rest(mode, sent, response),
            (Request::Site(mode, sent), Response::Site(response)) => self.accept_site(mode, sent, response),
            (Request::Template(mode, sent), Response::Template(response)) => {
                self.accept_template(mode, sent, response)
            }
            (Request::People(mode, sent), Response::People(response)) => {
                self.accept_people(mode, sent, response)
            }
            (Request::Inviting(mode, sent), Response::Inviting(response)) => {
                self.accept_inviting(mode, sent, response)
            }
            (Request::Insight(mode, sent), Response::Insight(response)) => {
                self.accept_insight(mode, &sent, response)
            }
            (Request::Passkey(PasskeyRequest::Remove(id)), Response::Done) => {
                self.finish(&Request::Passkey(PasskeyRequest::Remove(id)))
            }
            (Request::Passkey(request), response) => self.accept_passkey(request, response),
            (_, Response::SignInOptions(options)) => self.accept_sign_in_options(options),
            (Request::MailLink(sent), Response::Done) => self.accept_link_request(sent),
            (Request::SignOn(sent), Response::SignOn(response)) => self.accept_sign_on(sent, response),
            (Request::SignOut, Response::Done) => self.sign_out(),
            (request, Response::Done) => self.finish(&request),
            (
                _,
                Response::Keys(_)
                | Response::CreatedKey(_)
                | Response::Audit(_)
                | Response::Rest(_)
                | Response::Site(_)
                | Response::Template(_)
                | Response::Inviting(_)
                | Response::People(_)
                | Response::Insight(_)
                | Response::SignOn(_)
                | Response::Passkeys(_)
                | Response::Challenge(_),
            ) => Vec::new(),
        }
    }

    /// Shows a one-time address. An earlier one for the same member does not work any more.
    fn show_address(&mut self, address: OneTimeAddress) -> Vec<Effect> {
        let id = &address.member.id;
        self.once.retain(|it| !matches!(it, Once::Address(earlier) if earlier.member.id == *id));
        self.show_once(Once::Address(address))
    }

    /// Shows something new above the page, whose list is loaded again.
    pub(super) fn show_once(&mut self, new: Once) -> Vec<Effect> {
        self.once.insert(0, new);
        let mut effects = vec![Effect::Focus(".once")];
        effects.extend(self.load());
        effects
    }

    fn finish(&mut self, request: &Request) -> Vec<Effect> {
        self.notice = match request {
            Request::RevokeKey(..) => Some(Text::KeyRevoked),
            Request::RemoveMember(_) => Some(Text::MemberRemoved),
            Request::ChangeRole(..) => Some(Text::RoleChanged),
            Request::EndSession(_) => Some(Text::SessionEnded),
            Request::Passkey(PasskeyRequest::Remove(_)) => Some(Text::PasskeyRemoved),
            Request::WhoIsThere
            | Request::SignIn
            | Request::SignInOptions
            | Request::MailLink(_)
            | Request::SignOut
            | Request::ListKeys(_)
            | Request::CreateKey(..)
            | Request::Rest(..)
            | Request::Site(..)
            | Request::Template(..)
            | Request::Inviting(..)
            | Request::People(..)
            | Request::Insight(..)
            | Request::RotateKey(..)
            | Request::ListMembers
            | Request::InviteMember(_)
            | Request::CreateAddress(_)
            | Request::ListAudit(..)
            | Request::ListSessions
            | Request::SignOn(_)
            | Request::Passkey(_) => None,
        };
        let had_question = self.question.take_if(|it| it.request() == *request).is_some();
        let mut effects: Vec<Effect> = had_question.then_some(Effect::Focus("h1")).into_iter().collect();
        effects.extend(self.load());
        effects
    }
}
