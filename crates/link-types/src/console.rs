//! The types that the developer portal's program and the service share. They are not part of the REST interface.

pub mod funnel;
pub mod invite_files;
pub mod people;
mod sign_in;
pub mod single_sign_on;
pub mod templates;

use serde::{Deserialize, Serialize};

use crate::id::{ConsoleSessionId, MemberId, PasskeyId, TenantId, WebhookId};
use crate::problem::ProblemCode;
use crate::time::Timestamp;

pub use self::sign_in::{ProviderAddress, ProviderSignIn, SignInCode, SignInLinkRequest, SignInOptions};

words! {
    /// The role of a member of a tenant. docs/reference/console-roles.md lists the permissions of each role.
    Role {
        /// Manages members, and has every permission in both environments.
        Owner = "OWNER",
        /// Builds the integration.
        Developer = "DEVELOPER",
        /// Helps people who link their accounts.
        Support = "SUPPORT",
        /// Only reads.
        Viewer = "VIEWER",
    }
}

words! {
    /// A permission. A role has it in one environment, in both, or in neither.
    Permission {
        /// List API keys, without their secrets.
        ReadKeys = "READ_KEYS",
        /// Create, rotate and revoke API keys. The secret of a new key is shown once.
        ManageKeys = "MANAGE_KEYS",
        /// List the members of the tenant.
        ReadMembers = "READ_MEMBERS",
        /// Invite members, create one-time addresses for them, change their roles, end their sessions, remove them, and
        /// configure single sign-on.
        ManageMembers = "MANAGE_MEMBERS",
        /// List webhooks, their deliveries, and what the receivers answered. Without secrets and without bodies of events.
        ReadWebhooks = "READ_WEBHOOKS",
        /// Register, change, ping, pause and delete webhooks, and rotate their secrets. A new secret is shown once.
        ManageWebhooks = "MANAGE_WEBHOOKS",
        /// Send a delivery again.
        ResendDeliveries = "RESEND_DELIVERIES",
        /// Read the body of an event, which can have the login name of a person.
        ReadEvents = "READ_EVENTS",
        /// List the logins of the sandbox, read its clock, and see examples of events.
        ReadSandbox = "READ_SANDBOX",
        /// Create and delete logins of the sandbox, advance its clock, and emit test events.
        ManageSandbox = "MANAGE_SANDBOX",
        /// List the latest requests to the REST interface.
        ReadRequests = "READ_REQUESTS",
        /// List and export the audit log.
        ReadAudit = "READ_AUDIT",
        /// Read the funnel, and how many chargeable events a month has.
        ReadUsage = "READ_USAGE",
        /// List link templates, consent templates and invite templates, with their versions, and providers.
        ReadTemplates = "READ_TEMPLATES",
        /// Create, change, restore and delete link templates, consent templates and invite templates.
        ManageTemplates = "MANAGE_TEMPLATES",
        /// List link sites with their forms.
        ReadLinkSites = "READ_LINK_SITES",
        /// Create, change, preview, publish, close and delete link sites.
        ManageLinkSites = "MANAGE_LINK_SITES",
        /// List and export the answers of people to forms.
        ReadAnswers = "READ_ANSWERS",
        /// Find a person by reference, id or an invitation's address, and read the timeline. Without sealed data.
        ReadPeople = "READ_PEOPLE",
        /// Send an invitation again or revoke it, and revoke the accounts and archives of a person.
        HelpPeople = "HELP_PEOPLE",
        /// Invite people from a file.
        InvitePeople = "INVITE_PEOPLE",
        /// Erase a person.
        ErasePeople = "ERASE_PEOPLE",
    }
}

/// The signed-in member, and what they may do.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SignedIn {
    /// The member.
    pub member: Member,
    /// Identifier of the tenant.
    pub tenant_id: TenantId,
    /// Name of the tenant.
    pub tenant_name: String,
    /// Permissions in the sandbox.
    pub sandbox: Vec<Permission>,
    /// Permissions in production.
    pub production: Vec<Permission>,
    /// Base URL of the REST interface in the sandbox.
    pub sandbox_url: String,
    /// Base URL of the REST interface in production.
    pub production_url: String,
    /// When the session ends at the latest.
    pub ends_at: Timestamp,
    /// Whether the portal's address allows passkeys: browsers do not create them for an IP address.
    pub has_passkeys: bool,
}

/// A member of a tenant.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Member {
    /// Identifier of the member.
    pub id: MemberId,
    /// E-mail address of the member.
    pub email: String,
    /// Name of the member, as other members see it.
    pub name: String,
    /// Role of the member.
    pub role: Role,
    /// When the member was invited.
    pub created_at: Timestamp,
}

/// A member to invite.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct MemberDraft {
    /// E-mail address, at most 254 characters. Unique within the tenant.
    pub email: String,
    /// Name, 1 to 80 characters.
    pub name: String,
    /// Role.
    pub role: Role,
}

/// A new role for a member.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RoleChange {
    /// The role.
    pub role: Role,
}

/// An address that signs a member in once.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct OneTimeAddress {
    /// The member whom the address signs in.
    pub member: Member,
    /// The address. It is shown only once.
    pub url: String,
    /// When the address stops working.
    pub expires_at: Timestamp,
}

impl core::fmt::Debug for OneTimeAddress {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("OneTimeAddress").field("expires_at", &self.expires_at).finish_non_exhaustive()
    }
}

/// A member's passkey.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Passkey {
    /// Identifier of the passkey, which is not secret.
    pub id: PasskeyId,
    /// Browser and system that created it, for example `Firefox on Linux`.
    pub browser: String,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it last signed the member in, or confirmed an act. Null if it was not used yet.
    pub last_used_at: Option<Timestamp>,
}

/// A challenge that a passkey must sign.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PasskeyChallenge {
    /// The challenge, signed by the service. The response to it repeats it. It is valid for 5 minutes, and once.
    pub challenge: String,
    /// The argument of `navigator.credentials.create` or `get`: a JSON text, as the WebAuthn standard defines it.
    pub options: String,
}

/// The response of a browser to a challenge.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PasskeyResponse {
    /// The `challenge` of the [`PasskeyChallenge`].
    pub challenge: String,
    /// The credential: a JSON text, as `PublicKeyCredential.toJSON` returns it.
    pub credential: String,
}

/// A member's session in the portal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ConsoleSession {
    /// Identifier of the session.
    pub id: ConsoleSessionId,
    /// Member whose session it is.
    pub member_id: MemberId,
    /// Browser and system, for example `Firefox on Linux`.
    pub browser: String,
    /// When the member signed in.
    pub created_at: Timestamp,
    /// When the session was last used, accurate to a minute.
    pub last_used_at: Timestamp,
    /// Whether this session sent the request.
    pub is_current: bool,
    /// Whether the member proved in this session who they are. False after a mailed link, until a passkey confirms it.
    pub is_confirmed: bool,
}

words! {
    /// Scope of an API key: what it may do. A key has one or more scopes, and `WRITE` includes the others.
    KeyScope {
        /// Read everything, change nothing.
        Read = "READ",
        /// Read and change everything.
        Write = "WRITE",
        /// Read and change webhooks, their deliveries, and events.
        Webhooks = "WEBHOOKS",
    }
}

words! {
    /// Whether an API key works.
    KeyState {
        /// It works.
        Active = "ACTIVE",
        /// Its last day has passed.
        Expired = "EXPIRED",
        /// It was revoked.
        Revoked = "REVOKED",
    }
}

/// An API key, without its secret.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ConsoleKey {
    /// Identifier of the key, which is not secret.
    pub id: String,
    /// Name of the key. Empty if it has none.
    pub name: String,
    /// The last four characters of the key.
    pub last_four: String,
    /// Scopes of the key.
    pub scopes: Vec<KeyScope>,
    /// Whether the key works.
    pub state: KeyState,
    /// When the key was created.
    pub created_at: Timestamp,
    /// When the key stops working. Null if it does not expire.
    pub expires_at: Option<Timestamp>,
    /// When the key was last used, accurate to about a minute. Null if it never was.
    pub last_used_at: Option<Timestamp>,
    /// When the key was revoked. Null while it works.
    pub revoked_at: Option<Timestamp>,
}

/// A key to create.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct KeyDraft {
    /// Name, 1 to 80 characters.
    pub name: String,
    /// Scopes, at least one. Defaults to `WRITE`.
    #[serde(default = "full_access")]
    pub scopes: Vec<KeyScope>,
    /// Number of days after which the key stops working, 1 to 3,650. Null if it does not expire.
    #[serde(default)]
    pub expires_in_days: Option<u32>,
    /// Code of a program that waits for the key: 8 letters, with or without a hyphen. Null if the response contains the key.
    #[serde(default)]
    pub code: Option<String>,
}

/// Returns the scopes of a key that may do everything.
pub fn full_access() -> Vec<KeyScope> {
    vec![KeyScope::Write]
}

/// When a key stops working that gets a successor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct KeyRotation {
    /// Number of hours for which the old key still works, 0 to 168.
    pub hours: u32,
}

/// A new key with its secret, which is shown only once.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CreatedKey {
    /// The key as lists show it.
    pub key: ConsoleKey,
    /// The key and its secret. Null if a program gets them that waited with a code.
    pub credentials: Option<KeyCredentials>,
}

/// A key and its secret in plain text.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct KeyCredentials {
    /// The key: the user name of Basic authentication.
    pub api_key: String,
    /// The secret: the password of Basic authentication.
    pub api_secret: String,
}

impl core::fmt::Debug for CreatedKey {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("CreatedKey").field("key", &self.key).finish_non_exhaustive()
    }
}

words! {
    /// The outcome of a delivery so far.
    DeliveryHealth {
        /// The receiver accepted it.
        Accepted = "ACCEPTED",
        /// It was not attempted yet, or it was cancelled.
        Waiting = "WAITING",
        /// The last attempt failed.
        Failing = "FAILING",
    }
}

/// How the latest deliveries of a webhook went.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct WebhookHealth {
    /// Identifier of the webhook.
    pub webhook_id: WebhookId,
    /// The outcomes of the latest deliveries, at most 20, newest first.
    pub recent: Vec<DeliveryHealth>,
    /// Time of the last accepted attempt of these deliveries. Null if there is none.
    pub last_success_at: Option<Timestamp>,
    /// Time of the last failed attempt of these deliveries. Null if there is none.
    pub last_failure_at: Option<Timestamp>,
}

/// A request to the REST interface. It has neither body, nor query, nor the ids of its path.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct LoggedRequest {
    /// Identifier of the request, as in the header `X-Request-Id`.
    pub id: String,
    /// When the request was authenticated.
    pub at: Timestamp,
    /// Method.
    pub method: String,
    /// Path of the operation, with `{id}` in place of ids.
    pub route: String,
    /// Status of the response.
    pub status: u16,
    /// Code of the problem document. Null if the response was not one.
    pub code: Option<ProblemCode>,
    /// Time until the response, in microseconds.
    pub micros: u64,
}

/// The latest requests of an environment to one process of the service.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct LoggedRequests {
    /// When the process started. Earlier requests are not known.
    pub since: Timestamp,
    /// The requests, newest first, at most 500.
    pub items: Vec<LoggedRequest>,
}

/// A complete list. The portal's lists are short: each has a limit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Items<T> {
    /// The items.
    pub items: Vec<T>,
}
