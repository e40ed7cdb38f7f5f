//! The routes of the portal, and the permission that each needs.

use axum::http::Method;
use link_domain::tenancy::audit::Act;
use link_types::audit::AuditAction;
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

/// The audit log of an environment.
pub const AUDIT: &str = "/console/api/{environment}/audit";
/// A file with the audit log: `audit.csv` or `audit.json`.
pub const AUDIT_FILE: &str = "/console/api/{environment}/audit/{format}";

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
    /// Meaning of its requests for the audit log.
    pub act: Act,
}

const fn read(path: &'static str, needs: Needs) -> Rule {
    Rule { method: Method::GET, path, needs, act: Act::Read }
}

const fn act(method: Method, path: &'static str, needs: Needs, action: AuditAction) -> Rule {
    Rule { method, path, needs, act: Act::Audited(action) }
}

/// Every route. Requests to another one get 404.
pub const RULES: [Rule; 16] = [
    act(Method::POST, SESSION, Needs::Nothing, AuditAction::SessionStarted),
    read(SESSION, Needs::Session),
    act(Method::DELETE, SESSION, Needs::Session, AuditAction::SessionEnded),
    read(SESSIONS, Needs::Session),
    act(Method::DELETE, ONE_SESSION, Needs::Session, AuditAction::SessionEnded),
    read(MEMBERS, Needs::Permission(Permission::ReadMembers)),
    act(Method::POST, MEMBERS, Needs::Permission(Permission::ManageMembers), AuditAction::MemberInvited),
    act(Method::PATCH, MEMBER, Needs::Permission(Permission::ManageMembers), AuditAction::MemberRoleChanged),
    act(Method::DELETE, MEMBER, Needs::Permission(Permission::ManageMembers), AuditAction::MemberRemoved),
    act(
        Method::POST,
        ADDRESS,
        Needs::Permission(Permission::ManageMembers),
        AuditAction::MemberAddressCreated,
    ),
    read(KEYS, Needs::Permission(Permission::ReadKeys)),
    act(Method::POST, KEYS, Needs::Permission(Permission::ManageKeys), AuditAction::ApiKeyCreated),
    act(Method::POST, KEY_ROTATION, Needs::Permission(Permission::ManageKeys), AuditAction::ApiKeyReplaced),
    act(Method::DELETE, KEY, Needs::Permission(Permission::ManageKeys), AuditAction::ApiKeyRevoked),
    read(AUDIT, Needs::Permission(Permission::ReadAudit)),
    act(Method::GET, AUDIT_FILE, Needs::Permission(Permission::ReadAudit), AuditAction::AuditExported),
];

/// Returns the rule of a route, or `None` if it has none. HEAD has the rule of GET.
pub fn rule(method: &Method, path: &str) -> Option<&'static Rule> {
    static ALL: [Rule; 16] = RULES;
    let method = if method == Method::HEAD { &Method::GET } else { method };
    ALL.iter().find(|rule| rule.method == *method && rule.path == path)
}

/// Returns the requirement of a route, or `None` if it has no rule.
pub fn needs(method: &Method, path: &str) -> Option<Needs> {
    rule(method, path).map(|rule| rule.needs)
}
