//! The audit log of a tenant: which acts it records, what an event contains, and the chain of hashes that shows changes.

mod chain;

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use link_types::audit::{ActorType, AuditAction, AuditActor, AuditEvent, AuditOutcome};
use link_types::id::AuditEventId;
use link_types::problem::ProblemCode;

use crate::kernel::browser::browser_of;
use crate::kernel::clock::TenantTime;
use crate::kernel::context::Context;

pub use self::chain::{Chain, ChainCheck, ChainEnd, ChainError, ChainedEvent};

/// Maximum length of an agent, in characters.
const AGENT_LIMIT: usize = 100;

/// The meaning of a route's requests for the audit log. Each route declares it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Act {
    /// They only read.
    Read,
    /// They are recorded as this action.
    Audited(AuditAction),
    /// They write, and are not recorded for this reason.
    NoAudit(&'static str),
}

/// The acts of a person at the widget.
pub const PERSON: Act =
    Act::NoAudit("An act of a person about their own data, not of the tenant. Events report it.");
/// The acts of the operator that concern the whole service.
pub const SERVICE: Act = Act::NoAudit("It concerns the whole service and no tenant.");

/// Where a request came from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin {
    /// Address of the client.
    pub address: IpAddr,
    /// `User-Agent` of the client.
    pub user_agent: String,
    /// Identifier of the request.
    pub request_id: String,
}

/// How an act ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// It was done.
    Done,
    /// The actor was not allowed to do it.
    Denied(ProblemCode),
    /// It failed.
    Failed(Option<ProblemCode>),
}

/// Creates an event. `origin` is `None` for the operator.
pub fn event(
    action: AuditAction,
    actor: AuditActor,
    ending: Ending,
    subject: Option<&str>,
    origin: Option<&Origin>,
    context: &mut Context,
) -> AuditEvent {
    let (outcome, code) = match ending {
        Ending::Done => (AuditOutcome::Done, None),
        Ending::Denied(code) => (AuditOutcome::Denied, Some(code)),
        Ending::Failed(code) => (AuditOutcome::Failed, code),
    };
    let kind = actor.kind;
    AuditEvent {
        id: AuditEventId::from_bytes(context.uuid()),
        created_at: TenantTime::from_micros(context.now().wall().micros()).into(),
        action,
        actor,
        outcome,
        code,
        subject_id: subject.filter(|it| is_identifier(it)).map(str::to_owned),
        address: origin.map(|it| show_address(kind, it.address)),
        agent: origin.map(|it| show_agent(kind, &it.user_agent)).unwrap_or_else(|| "linchpin".to_owned()),
        request_id: origin.map(|it| it.request_id.clone()),
    }
}

/// Returns the JSON of an event, as the store keeps it and the interface returns it.
pub fn body_of(event: &AuditEvent) -> String {
    serde_json::to_string(event).unwrap_or_default()
}

/// Returns the event of a stored body.
pub fn event_of(body: &str) -> Option<AuditEvent> {
    serde_json::from_str(body).ok()
}

/// Returns the last identifier of a resource in a path.
pub fn subject_in(path: &str) -> Option<&str> {
    path.rsplit('/').find(|it| is_identifier(it))
}

/// Returns whether a text has the form of an identifier that the service creates. Other texts may be personal data.
fn is_identifier(text: &str) -> bool {
    let is_hex = |it: &str| it.bytes().all(|it| it.is_ascii_digit() || (b'a'..=b'f').contains(&it));
    match text.rsplit_once('-') {
        Some((prefix, rest)) => {
            let is_prefix = (1..=32).contains(&prefix.len())
                && prefix.bytes().all(|it| it.is_ascii_lowercase() || it.is_ascii_digit());
            is_prefix && rest.len() == 32 && is_hex(rest)
        }
        // An API key.
        None => text.len() == 12 && is_hex(text),
    }
}

/// Returns a server's address, or the network of a member, whose address may be their home's.
fn show_address(kind: ActorType, address: IpAddr) -> String {
    let address = address.to_canonical();
    match (kind, address) {
        (ActorType::ApiKey | ActorType::Operator, address) => address.to_string(),
        (ActorType::Member, IpAddr::V4(it)) => {
            let [a, b, c, _] = it.octets();
            format!("{}/24", Ipv4Addr::new(a, b, c, 0))
        }
        (ActorType::Member, IpAddr::V6(it)) => {
            let [a, b, c, ..] = it.segments();
            format!("{}/48", Ipv6Addr::new(a, b, c, 0, 0, 0, 0, 0))
        }
    }
}

fn show_agent(kind: ActorType, user_agent: &str) -> String {
    match kind {
        ActorType::Member => browser_of(user_agent),
        ActorType::ApiKey | ActorType::Operator => {
            user_agent.chars().filter(|it| matches!(it, ' '..='~')).take(AGENT_LIMIT).collect()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture;

    fn audit_event(kind: ActorType, address: &str, user_agent: &str, subject: &str) -> AuditEvent {
        let origin = Origin {
            address: address.parse().unwrap(),
            user_agent: user_agent.to_owned(),
            request_id: "req-1".to_owned(),
        };
        let actor = AuditActor { kind, id: Some("4d40a7b62890".to_owned()) };
        let context = &mut fixture::context();
        event(AuditAction::UserCreated, actor, Ending::Done, Some(subject), Some(&origin), context)
    }

    #[test]
    fn member_is_recorded_with_network_and_browser_only() {
        let agent = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";
        let event =
            audit_event(ActorType::Member, "203.0.113.77", agent, "mb-0192f0c1a2b37c4d8e5f60718293a4b5");
        assert_eq!(event.address.as_deref(), Some("203.0.113.0/24"));
        assert_eq!(event.agent, "Firefox on Linux");
        let event = audit_event(ActorType::Member, "2001:db8:1:2::7", agent, "");
        assert_eq!(event.address.as_deref(), Some("2001:db8:1::/48"));
    }

    #[test]
    fn server_is_recorded_with_address_and_bounded_agent() {
        let agent = format!("shop/1.0\n\u{e9}{}", "x".repeat(200));
        let event = audit_event(ActorType::ApiKey, "::ffff:203.0.113.77", &agent, "");
        assert_eq!(event.address.as_deref(), Some("203.0.113.77"));
        assert_eq!((event.agent.len(), event.agent.starts_with("shop/1.0x")), (AGENT_LIMIT, true));
    }

    #[test]
    fn only_identifiers_are_recorded_as_subjects() {
        let user = "demo-0192f0c1a2b37c4d8e5f60718293a4b5";
        assert_eq!(audit_event(ActorType::ApiKey, "::1", "", user).subject_id.as_deref(), Some(user));
        for text in ["ana@shop.example", "GOMA800101HDFRRN09", "Ana-0192f0c1a2b37c4d8e5f60718293a4b5", ""] {
            assert_eq!(audit_event(ActorType::ApiKey, "::1", "", text).subject_id, None, "{text}");
        }
        let path = format!("/v1/users/{user}/payload");
        assert_eq!((subject_in(&path), subject_in("/v1/users/ana")), (Some(user), None));
    }
}
