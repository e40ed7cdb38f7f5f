//! The chain of a tenant's events: each event's hash covers the event and the hash before it.

use link_types::audit::AuditEvent;
use link_types::id::TenantId;
use sha2::{Digest, Sha256};

use super::event_of;
use crate::kernel::digest::{Digest32, hex};

/// An event's place in the chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChainEnd {
    /// Number of the event. The first one is 1.
    pub sequence: u64,
    /// Hash of the event and of everything before it.
    pub hash: Digest32,
}

impl ChainEnd {
    /// Returns the place before the first event of a tenant.
    pub fn start(tenant: &TenantId) -> Self {
        Self { sequence: 0, hash: Digest32::from_text(tenant.as_str()) }
    }

    /// Returns the place of the next event. `body` is the event's stored JSON.
    #[must_use]
    pub fn next(self, body: &str) -> Self {
        let sequence = self.sequence + 1;
        let hash = Sha256::new()
            .chain_update(self.hash.as_bytes())
            .chain_update(sequence.to_be_bytes())
            .chain_update(body.as_bytes())
            .finalize();
        Self { sequence, hash: Digest32::from_bytes(hash.into()) }
    }

    /// Returns the hash as hex digits.
    pub fn hash_text(&self) -> String {
        hex(self.hash.as_bytes())
    }
}

/// The ends of a tenant's chain, which are stored apart from its events.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chain {
    /// The last event that the retention removed.
    pub removed: ChainEnd,
    /// The last event.
    pub last: ChainEnd,
}

/// A stored event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChainedEvent {
    /// Place of the event.
    pub end: ChainEnd,
    /// The columns by which lists find the event: id, action and actor.
    pub columns: [String; 3],
    /// The event as JSON.
    pub body: String,
}

impl ChainedEvent {
    /// Returns the columns of an event.
    pub fn columns_of(event: &AuditEvent) -> [String; 3] {
        let actor = event.actor.id.clone().unwrap_or_else(|| event.actor.kind.as_str().to_owned());
        [event.id.as_str().to_owned(), event.action.as_str().to_owned(), actor]
    }
}

/// Why a chain is not as the service wrote it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ChainError {
    /// An event is missing.
    #[error("event {0} is missing")]
    Missing(u64),
    /// An event was changed, or replaced by another one.
    #[error("event {0} was changed")]
    Changed(u64),
    /// An event was added after the last one.
    #[error("event {0} was not written by the service")]
    Added(u64),
}

/// A check of a chain, event by event.
#[derive(Clone, Copy, Debug)]
pub struct ChainCheck {
    reached: ChainEnd,
    last: ChainEnd,
}

impl ChainCheck {
    /// Begins a check.
    pub const fn new(chain: Chain) -> Self {
        Self { reached: chain.removed, last: chain.last }
    }

    /// Checks the next event, in the order of their numbers.
    ///
    /// # Errors
    ///
    /// The fault that it shows.
    pub fn check(&mut self, event: &ChainedEvent) -> Result<(), ChainError> {
        let expected = self.reached.next(&event.body);
        if event.end.sequence > self.last.sequence {
            return Err(ChainError::Added(event.end.sequence));
        }
        if event.end.sequence != expected.sequence {
            return Err(ChainError::Missing(expected.sequence));
        }
        let columns = event_of(&event.body).map(|it| ChainedEvent::columns_of(&it));
        if event.end.hash != expected.hash || columns.as_ref() != Some(&event.columns) {
            return Err(ChainError::Changed(expected.sequence));
        }
        self.reached = expected;
        Ok(())
    }

    /// Ends the check after the last stored event.
    ///
    /// # Errors
    ///
    /// The fault, if the events end before the chain.
    pub fn end(self) -> Result<(), ChainError> {
        if self.reached.sequence < self.last.sequence {
            return Err(ChainError::Missing(self.reached.sequence + 1));
        }
        if self.reached.hash == self.last.hash {
            Ok(())
        } else {
            Err(ChainError::Changed(self.last.sequence))
        }
    }
}

#[cfg(test)]
mod tests {
    use link_types::audit::{ActorType, AuditAction, AuditActor};

    use super::super::{Ending, body_of, event};
    use super::*;
    use crate::fixture;

    fn chain() -> (Chain, Vec<ChainedEvent>) {
        let mut context = fixture::context();
        let mut end = ChainEnd::start(&fixture::owner().tenant);
        let removed = end;
        let events = (0..4).map(|_| {
            let actor = AuditActor { kind: ActorType::Operator, id: None };
            let event = event(AuditAction::UserCreated, actor, Ending::Done, None, None, &mut context);
            let body = body_of(&event);
            end = end.next(&body);
            ChainedEvent { end, columns: ChainedEvent::columns_of(&event), body }
        });
        let events = events.collect();
        (Chain { removed, last: end }, events)
    }

    fn check(chain: Chain, events: &[ChainedEvent]) -> Result<(), ChainError> {
        let mut check = ChainCheck::new(chain);
        events.iter().try_for_each(|it| check.check(it))?;
        check.end()
    }

    #[test]
    fn untouched_chain_passes() {
        let (chain, events) = chain();
        assert_eq!(check(chain, &events), Ok(()));
        let removed = Chain { removed: events[1].end, ..chain };
        assert_eq!(check(removed, &events[2..]), Ok(()), "after the retention removed two");
    }

    #[test]
    fn changed_missing_and_added_events_are_found() {
        let (chain, events) = chain();
        let with = |change: &dyn Fn(&mut Vec<ChainedEvent>)| {
            let mut events = events.clone();
            change(&mut events);
            check(chain, &events)
        };
        assert_eq!(
            with(&|it| it[1].body = it[1].body.replace("DONE", "DENIED")),
            Err(ChainError::Changed(2))
        );
        assert_eq!(with(&|it| it[1].columns[1] = "USER_DELETED".into()), Err(ChainError::Changed(2)));
        assert_eq!(with(&|it| drop(it.remove(1))), Err(ChainError::Missing(2)));
        assert_eq!(with(&|it| drop(it.pop())), Err(ChainError::Missing(4)));
        assert_eq!(with(&|it| drop(it.remove(0))), Err(ChainError::Missing(1)));
        let added = |it: &mut Vec<ChainedEvent>| {
            let mut more = it[3].clone();
            more.end = more.end.next(&more.body);
            it.push(more);
        };
        assert_eq!(with(&added), Err(ChainError::Added(5)));
        let replaced = |it: &mut Vec<ChainedEvent>| {
            let body = it[3].body.replace("USER_CREATED", "USER_DELETED");
            it[3].columns[1] = "USER_DELETED".into();
            it[3] = ChainedEvent { end: it[2].end.next(&body), body, columns: it[3].columns.clone() };
        };
        assert_eq!(with(&replaced), Err(ChainError::Changed(4)), "with a new hash");
    }
}
