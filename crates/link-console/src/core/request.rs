//! The requests of the portal, and their responses.

use link_types::Mode;
use link_types::audit::AuditEvent;
use link_types::console::{
    ConsoleKey, ConsoleSession, CreatedKey, KeyDraft, KeyRotation, Member, MemberDraft, OneTimeAddress,
    Passkey, PasskeyChallenge, PasskeyResponse, RoleChange, SignInOptions, SignedIn,
};
use link_types::id::{ConsoleSessionId, MemberId};
use link_types::list::Page;

use super::audit::AuditFilters;

use super::ceremony::PasskeyRequest;
use super::insights::request::{InsightRequest, InsightResponse};
use super::inviting::request::{FileBody, InvitingRequest, InvitingResponse};
use super::people::request::{PeopleRequest, PeopleResponse};
use super::rest::{Activity, Advance, Fired, LoginDraft, Rest, RestResponse, WebhookDraft};
use super::single_sign_on::request::{SignOnRequest, SignOnResponse, Way};
use super::sites::request::{SiteClosing, SiteRequest, SiteResponse};
use super::sites::wire::SiteBody;
use super::templates::request::{TemplateRequest, TemplateResponse};
use super::templates::value::Value;

/// A request to the service.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Request {
    /// Ask who is signed in.
    WhoIsThere,
    /// Exchange the code of the one-time address, which only the shell has.
    SignIn,
    /// Ask how a member can sign in.
    SignInOptions,
    /// Request a mail to this address with a link that signs a member in.
    MailLink(String),
    /// End the session.
    SignOut,
    /// List the API keys of an environment.
    ListKeys(Mode),
    /// Create an API key.
    CreateKey(Mode, KeyDraft),
    /// Create the successor of an API key.
    RotateKey(Mode, String, KeyRotation),
    /// Revoke an API key.
    RevokeKey(Mode, String),
    /// A request about an environment that the REST interface has too.
    Rest(Mode, Rest),
    /// A request about link sites.
    Site(Mode, SiteRequest),
    /// A request about templates.
    Template(Mode, TemplateRequest),
    /// A request of support's pages.
    People(Mode, PeopleRequest),
    /// A request of the page that invites people.
    Inviting(Mode, InvitingRequest),
    /// A request of the page of the funnel or the usage.
    Insight(Mode, InsightRequest),
    /// List the members.
    ListMembers,
    /// Invite a member.
    InviteMember(MemberDraft),
    /// Give a member another role.
    ChangeRole(MemberId, RoleChange),
    /// Remove a member.
    RemoveMember(MemberId),
    /// Create a one-time address for a member.
    CreateAddress(MemberId),
    /// List the audit log, from the start or after a cursor.
    ListAudit(AuditFilters, Option<String>),
    /// List sessions.
    ListSessions,
    /// End a session.
    EndSession(ConsoleSessionId),
    /// A request about passkeys.
    Passkey(PasskeyRequest),
    /// A request about single sign-on.
    SignOn(SignOnRequest),
}

/// The body of a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Body<'r> {
    /// No body.
    None,
    /// The code of the one-time address.
    Code,
    /// A key to create.
    Key(&'r KeyDraft),
    /// The end of a key that gets a successor.
    Rotation(&'r KeyRotation),
    /// A member to invite.
    Member(&'r MemberDraft),
    /// A new role.
    Role(&'r RoleChange),
    /// A webhook to register. The shell adds a new secret.
    NewWebhook(&'r WebhookDraft),
    /// A new secret, which the shell creates.
    NewSecret,
    /// Whether a webhook receives events.
    Activity(&'r Activity),
    /// A test event.
    Fired(&'r Fired),
    /// A login to create.
    Login(&'r LoginDraft),
    /// How far to advance the clock.
    Advance(&'r Advance),
    /// A response to a challenge.
    Passkey(&'r PasskeyResponse),
    /// A link site to create or change.
    Site(Box<SiteBody>),
    /// A template to create or change.
    Template(Box<Value>),
    /// A file with people to invite.
    InviteFile(Box<FileBody<'r>>),
    /// A text to find.
    Search(&'r str),
    /// An e-mail address.
    Email(&'r str),
    /// A link site to close.
    SiteClosing(&'r SiteClosing),
}

/// The successful response to a request, for each kind of body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Response {
    /// The signed-in member.
    SignedIn(Box<SignedIn>),
    /// How a member can sign in.
    SignInOptions(SignInOptions),
    /// API keys.
    Keys(Vec<ConsoleKey>),
    /// A new key with its secret.
    CreatedKey(Box<CreatedKey>),
    /// Members.
    Members(Vec<Member>),
    /// A one-time address.
    Address(Box<OneTimeAddress>),
    /// A page of the audit log.
    Audit(Page<AuditEvent>),
    /// Sessions.
    Sessions(Vec<ConsoleSession>),
    /// The response to a request about an environment.
    Rest(RestResponse),
    /// The response to a request about link sites.
    Site(SiteResponse),
    /// The response to a request about templates.
    Template(TemplateResponse),
    /// The response to a request of support's pages.
    People(PeopleResponse),
    /// The response to a request of the page that invites people.
    Inviting(InvitingResponse),
    /// The response to a request of the page of the funnel or the usage.
    Insight(InsightResponse),
    /// Passkeys.
    Passkeys(Vec<Passkey>),
    /// A challenge for a passkey.
    Challenge(PasskeyChallenge),
    /// The response to a request about single sign-on.
    SignOn(SignOnResponse),
    /// Done. A body, if there is one, is not needed.
    Done,
}

impl Request {
    /// Returns the method, the path below `/console/api`, and the body.
    pub fn parts(&self) -> (&'static str, String, Body<'_>) {
        let keys = |mode: &Mode| match mode {
            Mode::Sandbox => "/sandbox/keys",
            Mode::Production => "/production/keys",
        };
        match self {
            Self::WhoIsThere => ("GET", "/session".into(), Body::None),
            Self::SignIn => ("POST", "/session".into(), Body::Code),
            Self::SignInOptions => ("GET", "/session/options".into(), Body::None),
            Self::MailLink(email) => ("POST", "/session/link".into(), Body::Email(email)),
            Self::SignOut => ("DELETE", "/session".into(), Body::None),
            Self::ListKeys(mode) => ("GET", keys(mode).into(), Body::None),
            Self::CreateKey(mode, draft) => ("POST", keys(mode).into(), Body::Key(draft)),
            Self::RotateKey(mode, id, rotation) => {
                ("POST", format!("{}/{id}/rotation", keys(mode)), Body::Rotation(rotation))
            }
            Self::RevokeKey(mode, id) => ("DELETE", format!("{}/{id}", keys(mode)), Body::None),
            Self::Rest(mode, rest) => rest.parts(*mode),
            Self::Site(mode, request) => request.parts(*mode),
            Self::Template(mode, request) => {
                let (method, path, body) = request.parts(*mode);
                (method, path, body.map_or(Body::None, |it| Body::Template(Box::new(it))))
            }
            Self::People(mode, request) => {
                let (method, path, text) = request.parts(*mode);
                (method, path, text.map_or(Body::None, Body::Search))
            }
            Self::Inviting(mode, request) => {
                let (method, path, body) = request.parts(*mode);
                (method, path, body.map_or(Body::None, |it| Body::InviteFile(Box::new(it))))
            }
            Self::Insight(mode, request) => ("GET", request.path(*mode), Body::None),
            Self::ListMembers => ("GET", "/members".into(), Body::None),
            Self::InviteMember(draft) => ("POST", "/members".into(), Body::Member(draft)),
            Self::ChangeRole(id, role) => ("PATCH", format!("/members/{id}"), Body::Role(role)),
            Self::RemoveMember(id) => ("DELETE", format!("/members/{id}"), Body::None),
            Self::CreateAddress(id) => ("POST", format!("/members/{id}/address"), Body::None),
            Self::ListAudit(filters, cursor) => ("GET", filters.path(cursor.as_deref()), Body::None),
            Self::ListSessions => ("GET", "/sessions".into(), Body::None),
            Self::EndSession(id) => ("DELETE", format!("/sessions/{id}"), Body::None),
            Self::SignOn(request) => {
                let (method, path, body) = request.parts();
                let is_invitation = matches!(request, SignOnRequest::Leave(Way::Invitation, _));
                let other = if is_invitation { Body::Code } else { Body::None };
                (method, path, body.map_or(other, |it| Body::Template(Box::new(it))))
            }
            Self::Passkey(request) => {
                let (method, path, body) = request.parts();
                (method, path, body.map_or(Body::None, Body::Passkey))
            }
        }
    }

    /// Returns whether the member chooses from a whole list, so that its further pages are loaded too.
    pub const fn is_whole_list(&self) -> bool {
        matches!(
            self,
            Self::Site(_, SiteRequest::Templates)
                | Self::Template(_, TemplateRequest::Consents | TemplateRequest::Providers)
                | Self::Inviting(
                    _,
                    InvitingRequest::InviteTemplates
                        | InvitingRequest::LinkTemplates
                        | InvitingRequest::Sites
                )
        )
    }

    /// Returns whether the request only reads.
    pub fn is_read(&self) -> bool {
        let asks = matches!(
            self,
            Self::People(_, PeopleRequest::Search(_)) | Self::Inviting(_, InvitingRequest::Check(_))
        );
        asks || self.parts().0 == "GET"
    }
}
