//! An opening of the widget, as its UI events tell it: what was seen, and where the person left.

use std::time::Duration;

use link_types::id::{AttemptId, LinkTemplateId, UserId};
use link_types::uploading::{TrapReport, UiEventRecord};

use crate::change::{Change, Row};
use crate::clock::Wall;
use crate::owner::Owner;
use crate::quota::{QuotaExceeded, QuotaUse};

/// How long UI events are kept.
pub const OPENING_MEMORY: Duration = Duration::from_secs(60 * 86_400);

/// Events of one opening, as one batch brought them. No personal data is in them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UiEvents {
    /// Whose user.
    pub owner: Owner,
    /// The user.
    pub user_id: UserId,
    /// The link template.
    pub template_id: LinkTemplateId,
    /// The attempt.
    pub attempt_id: AttemptId,
    /// The opening's name, made by the widget; it is unique within its user.
    pub opening: String,
    /// The events, numbered within the opening: the one with the highest number says where the person was last.
    pub events: Vec<UiEventRecord>,
    /// Where the widget's program trapped, if it did.
    pub trap: Option<TrapReport>,
    /// When the batch came.
    pub received_at: Wall,
}

/// How much of their quotas a session and its user have used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UiEventUses {
    /// [`crate::quota::Quota::UiEventsOfSession`].
    pub session: QuotaUse,
    /// [`crate::quota::Quota::UiEventsOfUser`].
    pub user: QuotaUse,
    /// [`crate::quota::Quota::Traps`].
    pub traps: QuotaUse,
}

impl UiEvents {
    /// Whether the batch adds nothing to what is stored.
    pub const fn is_empty(&self) -> bool {
        self.events.is_empty() && self.trap.is_none()
    }

    /// The batch within its quotas. A trap report beyond its quota is left out, because the same one again says
    /// nothing new; events beyond theirs refuse the batch as a whole.
    ///
    /// # Errors
    /// [`QuotaExceeded`] with the time until the batch fits.
    pub fn admit(mut self, uses: UiEventUses) -> Result<(Self, Change), QuotaExceeded> {
        let UiEventUses { session, user, traps } = uses;
        let (rows, now) = (self.rows(), self.received_at);
        let mut used = vec![session.charge(rows, now)?, user.charge(rows, now)?];
        if self.trap.is_some() {
            match traps.charge(1, now) {
                Ok(traps) => used.push(traps),
                Err(_) => self.trap = None,
            }
        }
        let mut rows = vec![Row::UiEvents(self.clone())];
        rows.extend(used.into_iter().map(Row::QuotaUse));
        Ok((self, Change { rows, ..Change::default() }))
    }

    /// Rows that the batch may add: its events, and its opening.
    fn rows(&self) -> u32 {
        u32::try_from(self.events.len()).unwrap_or(u32::MAX).saturating_add(1)
    }

    /// The event with the highest number.
    pub fn last(&self) -> Option<&UiEventRecord> {
        self.events.iter().max_by_key(|event| event.seq)
    }
}

#[cfg(test)]
mod tests {
    use link_types::host::UiEventName;

    use super::*;
    use crate::fixture;
    use crate::quota::Quota;

    fn batch(events: u32, trap: bool) -> UiEvents {
        let session = fixture::session();
        let event = |seq| UiEventRecord {
            seq,
            event_name: UiEventName::ConsentPageOpened,
            after_ms: 0,
            account_id: None,
            archive_id: None,
        };
        UiEvents {
            owner: session.owner,
            user_id: session.user_id,
            template_id: session.template_id,
            attempt_id: session.attempt_id,
            opening: "opening-1".into(),
            events: (1..=events).map(event).collect(),
            trap: trap.then(|| TrapReport { build: "a.wasm".into(), offsets: vec![1] }),
            received_at: session.created_at,
        }
    }

    fn unused() -> UiEventUses {
        let none = |quota| QuotaUse::none(fixture::owner(), fixture::user_id(), quota, String::new());
        UiEventUses {
            session: none(Quota::UiEventsOfSession),
            user: none(Quota::UiEventsOfUser),
            traps: none(Quota::Traps),
        }
    }

    fn uses_of(change: &Change, before: UiEventUses) -> UiEventUses {
        change.rows.iter().fold(before, |uses, row| {
            let Row::QuotaUse(used) = row else { return uses };
            let used = used.clone();
            if used.quota == Quota::UiEventsOfSession {
                UiEventUses { session: used, ..uses }
            } else if used.quota == Quota::UiEventsOfUser {
                UiEventUses { user: used, ..uses }
            } else {
                UiEventUses { traps: used, ..uses }
            }
        })
    }

    #[test]
    fn session_stores_no_more_rows_than_its_quota() {
        let (mut uses, mut rows) = (unused(), 0);
        while let Ok((told, change)) = batch(100, false).admit(uses.clone()) {
            uses = uses_of(&change, uses);
            rows += told.events.len() + 1;
            assert!(rows <= Quota::UiEventsOfSession.most() as usize);
        }
        assert!(rows > Quota::UiEventsOfSession.most() as usize - 101, "{rows}");
    }

    #[test]
    fn batches_of_one_event_count_their_openings() {
        let mut uses = unused();
        let mut batches = 0;
        while let Ok((_, change)) = batch(1, false).admit(uses.clone()) {
            uses = uses_of(&change, uses);
            batches += 1;
        }
        assert_eq!(batches, Quota::UiEventsOfSession.most() / 2);
    }

    #[test]
    fn trap_beyond_its_quota_is_left_out_and_events_stay() {
        let spent = unused().traps.spend(Quota::Traps.most(), batch(0, true).received_at);
        let (told, change) = batch(1, true).admit(UiEventUses { traps: spent, ..unused() }).unwrap();
        assert_eq!((told.trap, told.events.len()), (None, 1));
        assert_eq!(change.rows.len(), 3, "the batch and two quotas");
        assert!(batch(1, true).admit(unused()).unwrap().0.trap.is_some());
    }
}
