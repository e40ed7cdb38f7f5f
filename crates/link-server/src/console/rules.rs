//! The routes of the portal, and the permission that each needs.

use axum::http::Method;
use link_types::console::Permission;

/// The caller's own session.
pub const SESSION: &str = "/console/api/session";
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
/// The successor of an API key.
pub const KEY_ROTATION: &str = "/console/api/{environment}/keys/{id}/rotation";

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

/// A route and what it needs.
#[derive(Debug)]
pub struct Rule {
    /// Method of the route.
    pub method: Method,
    /// Path of the route.
    pub path: &'static str,
    /// Requirement of the route.
    pub needs: Needs,
}

const fn rule(method: Method, path: &'static str, needs: Needs) -> Rule {
    Rule { method, path, needs }
}

/// Every route. Requests to another one get 404.
pub const RULES: [Rule; 14] = [
    rule(Method::POST, SESSION, Needs::Nothing),
    rule(Method::GET, SESSION, Needs::Session),
    rule(Method::DELETE, SESSION, Needs::Session),
    rule(Method::GET, SESSIONS, Needs::Session),
    rule(Method::DELETE, ONE_SESSION, Needs::Session),
    rule(Method::GET, MEMBERS, Needs::Permission(Permission::ReadMembers)),
    rule(Method::POST, MEMBERS, Needs::Permission(Permission::ManageMembers)),
    rule(Method::PATCH, MEMBER, Needs::Permission(Permission::ManageMembers)),
    rule(Method::DELETE, MEMBER, Needs::Permission(Permission::ManageMembers)),
    rule(Method::POST, ADDRESS, Needs::Permission(Permission::ManageMembers)),
    rule(Method::GET, KEYS, Needs::Permission(Permission::ReadKeys)),
    rule(Method::POST, KEYS, Needs::Permission(Permission::ManageKeys)),
    rule(Method::POST, KEY_ROTATION, Needs::Permission(Permission::ManageKeys)),
    rule(Method::DELETE, KEY, Needs::Permission(Permission::ManageKeys)),
];

/// Returns the requirement of a route, or `None` if it has no rule. HEAD needs what GET needs.
pub fn needs(method: &Method, path: &str) -> Option<Needs> {
    let method = if method == Method::HEAD { &Method::GET } else { method };
    RULES.iter().find(|rule| rule.method == *method && rule.path == path).map(|rule| rule.needs)
}
