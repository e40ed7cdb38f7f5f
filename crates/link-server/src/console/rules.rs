//! The routes of the portal, and the permission that each needs.

use axum::http::Method;
use link_types::console::Permission;

/// The caller's own session.
pub const SESSION: &str = "/console/api/session";
/// A challenge for a passkey that signs in or confirms an act.
pub const SESSION_CHALLENGE: &str = "/console/api/session/challenge";
/// The sign-in with a passkey.
pub const SESSION_PASSKEY: &str = "/console/api/session/passkey";
/// The confirmation of the caller's own session with a passkey.
pub const SESSION_CONFIRMATION: &str = "/console/api/session/confirmation";
/// The caller's own passkeys.
pub const PASSKEYS: &str = "/console/api/passkeys";
/// A challenge for a new passkey.
pub const PASSKEY_CHALLENGE: &str = "/console/api/passkeys/challenge";
/// A passkey.
pub const ONE_PASSKEY: &str = "/console/api/passkeys/{id}";
/// Sessions that are valid.
pub const SESSIONS: &str = "/console/api/sessions";
/// A session.
pub const ONE_SESSION: &str = "/console/api/sessions/{id}";
/// The members of the tenant.
pub const MEMBERS: &str = "/console/api/members";
/// A member.
pub const MEMBER: &str = "/console/api/members/{id}";
/// The one-time address of a member.
pub const ADDRESS: &str = "/console/api/members/{id}/address";
/// The API keys of an environment.
pub const KEYS: &str = "/console/api/{environment}/keys";
/// An API key of an environment.
pub const KEY: &str = "/console/api/{environment}/keys/{id}";

/// The requirement of a route.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Needs {
    /// No session.
    Nothing,
    /// A session of any role. The handler shows and changes only what is the member's own.
    Session,
    /// A permission, in the environment that the path names if it names one.
    Permission(Permission),
}

/// Whether the member must have proved who they are in the last minutes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Confirmation {
    /// Never.
    No,
    /// In production, where a secret is shown.
    InProduction,
    /// Always: the route changes who has access.
    Yes,
}

/// A route and what it needs.
#[derive(Debug)]
pub struct Rule {
    /// Method of the route.
    pub method: Method,
    /// Path of the route.
    pub path: &'static str,
    /// Requirement of the route.
    pub needs: Needs,
    /// Whether the route needs a confirmation.
    pub confirmation: Confirmation,
}

const fn rule(method: Method, path: &'static str, needs: Needs) -> Rule {
    Rule { method, path, needs, confirmation: Confirmation::No }
}

impl Rule {
    const fn confirmed(mut self, confirmation: Confirmation) -> Self {
        self.confirmation = confirmation;
        self
    }
}

/// Every route. Requests to another one get 404.
pub static RULES: [Rule; 20] = [
    rule(Method::POST, SESSION, Needs::Nothing),
    rule(Method::GET, SESSION, Needs::Session),
    rule(Method::DELETE, SESSION, Needs::Session),
    rule(Method::POST, SESSION_CHALLENGE, Needs::Nothing),
    rule(Method::POST, SESSION_PASSKEY, Needs::Nothing),
    rule(Method::POST, SESSION_CONFIRMATION, Needs::Session),
    rule(Method::GET, PASSKEYS, Needs::Session),
    rule(Method::POST, PASSKEYS, Needs::Session).confirmed(Confirmation::Yes),
    rule(Method::POST, PASSKEY_CHALLENGE, Needs::Session).confirmed(Confirmation::Yes),
    rule(Method::DELETE, ONE_PASSKEY, Needs::Session).confirmed(Confirmation::Yes),
    rule(Method::GET, SESSIONS, Needs::Session),
    rule(Method::DELETE, ONE_SESSION, Needs::Session),
    rule(Method::GET, MEMBERS, Needs::Permission(Permission::ReadMembers)),
    rule(Method::POST, MEMBERS, Needs::Permission(Permission::ManageMembers)).confirmed(Confirmation::Yes),
    rule(Method::PATCH, MEMBER, Needs::Permission(Permission::ManageMembers)).confirmed(Confirmation::Yes),
    rule(Method::DELETE, MEMBER, Needs::Permission(Permission::ManageMembers)).confirmed(Confirmation::Yes),
    rule(Method::POST, ADDRESS, Needs::Permission(Permission::ManageMembers)).confirmed(Confirmation::Yes),
    rule(Method::GET, KEYS, Needs::Permission(Permission::ReadKeys)),
    rule(Method::POST, KEYS, Needs::Permission(Permission::ManageKeys)).confirmed(Confirmation::InProduction),
    rule(Method::DELETE, KEY, Needs::Permission(Permission::ManageKeys)),
];

/// Returns the rule of a route, or `None` if it has none. HEAD needs what GET needs.
pub fn find(method: &Method, path: &str) -> Option<&'static Rule> {
    let method = if method == Method::HEAD { &Method::GET } else { method };
    RULES.iter().find(|rule| rule.method == *method && rule.path == path)
}
