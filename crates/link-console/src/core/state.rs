//! The state of the portal, and the events that change it.

use std::rc::Rc;

use link_types::Mode;
use link_types::console::{
    ConsoleKey, ConsoleSession, CreatedKey, KeyDraft, Member, MemberDraft, OneTimeAddress, Passkey,
    Permission, Role, SignedIn,
};
use link_types::id::MemberId;

use super::audit::{AuditFilters, AuditLog};
use super::ceremony::PasskeyEvent;
use super::developer::{Developer, Input};
use super::failure::Failure;
use super::insights::{InsightInput, Insights};
use super::inviting::{Inviting, InvitingInput};
use super::loaded::{no_key, no_member};
use super::mailed_link::MailedLink;
use super::page::Page;
use super::people::{People, PeopleInput};
use super::question::{Act, Question};
use super::request::{Request, Response};
use super::single_sign_on::{SignOn, SignOnInput};
use super::sites::{SiteInput, Sites};
use super::templates::{TemplateInput, Templates};
use super::texts::Text;

pub use super::key_form::{ACCESSES, LIVES, ROTATION_HOURS, access_of};
pub use super::loaded::{Form, Loaded};

/// The visitor: a member, or a person who is not signed in.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Visitor {
    /// Not known yet.
    #[default]
    Unknown,
    /// No one is signed in, or the session has ended.
    SignedOut,
    /// A member.
    SignedIn(Box<SignedIn>),
    /// The service did not say.
    Failed(Failure),
}

/// A request that the service refused until the member confirms that it is them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unconfirmed {
    /// The request.
    pub request: Request,
    /// Whether the ceremony is under way.
    pub is_asking: bool,
    /// Why it failed.
    pub failure: Option<Failure>,
}

/// Something that the service returns only once. It is shown on every page until the member dismisses it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Once {
    /// A new key of an environment, with its secret.
    Key(Mode, CreatedKey),
    /// A one-time address to pass on.
    Address(OneTimeAddress),
    /// The new secret of a webhook of an environment, and the webhook's name.
    WebhookSecret(Mode, String, String),
}

/// The state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct State {
    /// The visitor: a member, or a person who is not signed in.
    pub visitor: Visitor,
    /// The page that is shown.
    pub page: Page,
    /// Whether the page's address has a code.
    pub has_code: bool,
    /// Whether signing in or out is under way.
    pub is_signing: bool,
    /// The request of a mailed link, on the page without a session.
    pub mailed_link: MailedLink,
    /// Single sign-on.
    pub sign_on: SignOn,
    /// API keys of the page's environment.
    pub keys: Loaded<Vec<ConsoleKey>>,
    /// Members of the tenant.
    pub members: Loaded<Vec<Member>>,
    /// The audit log.
    pub audit: AuditLog,
    /// Sessions.
    pub sessions: Loaded<Vec<ConsoleSession>>,
    /// Passkeys of the member.
    pub passkeys: Loaded<Vec<Passkey>>,
    /// Whether a passkey is being added.
    pub is_adding_passkey: bool,
    /// A request that waits until the member confirms that it is them.
    pub unconfirmed: Option<Unconfirmed>,
    /// The form for a new key of the sandbox.
    pub sandbox_form: Form<KeyDraft>,
    /// The form for a new key of production.
    pub production_form: Form<KeyDraft>,
    /// The form for a new member.
    pub member_form: Form<MemberDraft>,
    /// The developers' pages.
    pub developer: Developer,
    /// The pages of link sites.
    pub sites: Sites,
    /// The pages of templates.
    pub templates: Templates,
    /// The page that invites people.
    pub inviting: Inviting,
    /// Support's pages.
    pub people: People,
    /// The pages of the funnel and the usage.
    pub insights: Insights,
    /// Whether the browser keeps a draft of the session that has ended.
    pub has_kept_draft: bool,
    /// Whether the list of pages is open, on a narrow screen.
    pub is_menu_open: bool,
    /// Whether a one-time address is being created for a member who exists.
    pub is_creating_address: bool,
    /// Whose text the forms have: the member who was signed in last.
    pub last_member: Option<MemberId>,
    /// New keys and addresses, the newest first.
    pub once: Vec<Once>,
    /// A destructive act to confirm.
    pub question: Option<Question>,
    /// Why the last act without a form failed.
    pub failure: Option<Failure>,
    /// The last success, which screen readers announce.
    pub notice: Option<Text>,
    /// The success that the next page shows.
    pub next_notice: Option<Text>,
}

/// Something that happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// The program starts on a page. `has_code`: its address has a code.
    Started(Page, bool),
    /// The fragment of the page's address changed. Whether it has a code.
    CodeChanged(bool),
    /// The member opened a page.
    Opened(Page),
    /// The member wants to sign in with the code.
    SignIn,
    /// The member wants to sign out.
    SignOut,
    /// The member wants to try again what failed.
    Retry,
    /// The name of the new key or member changed.
    NameTyped(String),
    /// The member typed the code of a program that waits for a key.
    KeyCodeTyped(String),
    /// The access of the new key changed: its place in [`ACCESSES`].
    AccessChosen(usize),
    /// The life of the new key changed: its place in [`LIVES`].
    LifeChosen(usize),
    /// The hours changed for which the old key still works: their place in [`ROTATION_HOURS`].
    HoursChosen(usize),
    /// The e-mail address of the new member, or of the person who signs in, changed.
    EmailTyped(String),
    /// The role of the new member changed.
    RoleChosen(Role),
    /// A filter of the audit log changed.
    AuditFiltered(AuditFilters),
    /// The member wants the next page of the audit log.
    MoreWanted,
    /// The form of the page was submitted.
    Submitted,
    /// The member closes a panel with a secret: its place in [`State::once`].
    Dismissed(usize),
    /// The member wants a destructive act.
    Asked(Act),
    /// The member typed the word that confirms it.
    WordTyped(String),
    /// The member confirms the act.
    Confirmed,
    /// The member does not want the act.
    Kept,
    /// The member gives another member a role.
    RoleGiven(Member, Role),
    /// The member wants a one-time address for another member.
    AddressWanted(Member),
    /// Something happened on one of the developers' pages.
    Developer(Input),
    /// Something happened on one of the pages of link sites.
    Site(SiteInput),
    /// Something happened on one of the pages of templates.
    Template(TemplateInput),
    /// Something happened on one of support's pages.
    People(PeopleInput),
    /// Something happened on the page that invites people.
    Inviting(InvitingInput),
    /// Something happened on the page of the funnel or the usage.
    Insight(InsightInput),
    /// The member opens or closes the list of pages.
    MenuToggled,
    /// Something about passkeys.
    Passkey(PasskeyEvent),
    /// Something happened about single sign-on.
    SignOn(SignOnInput),
    /// The service responded, or did not. The result is shared so that a copy of an event contains no code for every response.
    Responded(Request, Rc<Result<Response, Failure>>),
}

impl State {
    /// Returns the state before the program has started.
    pub fn new() -> Self {
        Self {
            visitor: Visitor::Unknown,
            page: Page::Overview,
            has_code: false,
            is_signing: false,
            mailed_link: MailedLink::default(),
            sign_on: SignOn::default(),
            keys: Loaded::Loading,
            members: Loaded::Loading,
            audit: AuditLog::default(),
            sessions: Loaded::Loading,
            passkeys: Loaded::Loading,
            is_adding_passkey: false,
            unconfirmed: None,
            sandbox_form: Form::new(no_key()),
            production_form: Form::new(no_key()),
            member_form: Form::new(no_member()),
            developer: Developer::default(),
            sites: Sites::default(),
            templates: Templates::default(),
            inviting: Inviting::default(),
            people: People::default(),
            insights: Insights::default(),
            has_kept_draft: false,
            is_menu_open: false,
            is_creating_address: false,
            last_member: None,
            once: Vec::new(),
            question: None,
            failure: None,
            notice: None,
            next_notice: None,
        }
    }

    /// Returns whether a form has text that was not sent.
    pub fn has_typed(&self) -> bool {
        let (sandbox, production) = (&self.sandbox_form.draft, &self.production_form.draft);
        let member = &self.member_form.draft;
        let texts = [&sandbox.name, &production.name, &member.name, &member.email];
        texts.iter().any(|it| !it.is_empty()) || self.developer.has_typed() || self.has_kept_draft
    }

    /// Returns the form for a new key of an environment.
    pub const fn key_form(&self, mode: Mode) -> &Form<KeyDraft> {
        match mode {
            Mode::Sandbox => &self.sandbox_form,
            Mode::Production => &self.production_form,
        }
    }

    /// Returns whether a request that returns a one-time address is under way. There is at most one.
    pub const fn awaits_address(&self) -> bool {
        self.member_form.is_sending || self.is_creating_address
    }

    /// Returns whether the signed-in member has a permission.
    pub fn may(&self, mode: Mode, permission: Permission) -> bool {
        let Visitor::SignedIn(signed_in) = &self.visitor else { return false };
        let permissions = match mode {
            Mode::Sandbox => &signed_in.sandbox,
            Mode::Production => &signed_in.production,
        };
        permissions.contains(&permission)
    }
}

impl Default for State {
    fn default() -> Self {
        Self::new()
    }
}
