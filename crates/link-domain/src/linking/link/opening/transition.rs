//! Admitting UI events within their quotas.

use super::{UiEventUses, UiEvents};
use crate::change::{Change, Row};
use crate::linking::funnel::{FunnelCount, OpeningView, funnel_day};
use crate::tenancy::quota::QuotaExceededError;

impl UiEvents {
    /// Charges the batch to its quotas. If the trap quota is used up, the trap report is dropped, because repeated
    /// reports contain nothing new. If an event quota is used up, the whole batch is rejected. The other events count in the
    /// funnel.
    ///
    /// # Errors
    /// [`QuotaExceededError`] with the time until the batch is within its quotas.
    pub fn admit(
        mut self,
        uses: UiEventUses,
        view: OpeningView,
    ) -> Result<(Self, Change), QuotaExceededError> {
        let UiEventUses { session, user, traps } = uses;
        let (rows, now) = (self.rows(), self.received_at);
        let mut used = vec![session.charge(rows, now)?, user.charge(rows, now)?];
        if self.trap.is_some() {
            match traps.charge(1, now) {
                Ok(traps) => used.push(traps),
                Err(_) => self.trap = None,
            }
        }
        // An opening counts on one day, so that no step has more than the one before it.
        let day = view.day(funnel_day(now));
        let (new, counted) = view.count(&self.events);
        self.counted = Some((day, counted)).filter(|_| !new.is_empty());
        let mut rows = vec![Row::UiEvents(self.clone())];
        rows.extend(used.into_iter().map(Row::QuotaUse));
        // The counts that most openings share come last, so that others wait for them shortly.
        rows.extend(new.into_iter().rev().map(|key| {
            let (owner, template_id) = (self.owner.clone(), self.template_id.clone());
            Row::Funnel(FunnelCount { owner, day, template_id, key })
        }));
        Ok((self, Change { rows, ..Change::default() }))
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use link_types::console::funnel::FunnelStep;
    use link_types::host::UiEventName;
    use link_types::uploading::{TrapReport, UiEventRecord};

    use super::*;
    use crate::fixture;
    use crate::linking::funnel::CountedOpening;
    use crate::tenancy::quota::{Quota, QuotaUse};

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
            visit_id: None,
            opening: "opening-1".into(),
            events: (1..=events).map(event).collect(),
            trap: trap.then(|| TrapReport { build: "a.wasm".into(), offsets: vec![1] }),
            counted: None,
            received_at: session.created_at,
        }
    }

    fn no_uses() -> UiEventUses {
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
        let (mut uses, mut rows) = (no_uses(), 0);
        while let Ok((stored, change)) =
            batch(100, false).admit(uses.clone(), OpeningView::of_phone(CountedOpening::default()))
        {
            uses = uses_of(&change, uses);
            rows += stored.events.len() + 1;
            assert!(rows <= Quota::UiEventsOfSession.max() as usize);
        }
        assert!(rows > Quota::UiEventsOfSession.max() as usize - 101, "{rows}");
    }

    #[test]
    fn batches_of_one_event_count_their_openings() {
        let mut uses = no_uses();
        let mut batches = 0;
        while let Ok((_, change)) =
            batch(1, false).admit(uses.clone(), OpeningView::of_phone(CountedOpening::default()))
        {
            uses = uses_of(&change, uses);
            batches += 1;
        }
        assert_eq!(batches, Quota::UiEventsOfSession.max() / 2);
    }

    #[test]
    fn trap_over_its_quota_is_dropped_but_events_are_stored() {
        let spent = no_uses().traps.spend(Quota::Traps.max(), batch(0, true).received_at);
        let (stored, change) = batch(1, true)
            .admit(
                UiEventUses { traps: spent, ..no_uses() },
                OpeningView::of_phone(CountedOpening::default()),
            )
            .unwrap();
        assert_eq!((stored.trap, stored.events.len()), (None, 1));
        assert_eq!(change.rows.len(), 3, "the batch and two quotas");
        assert!(
            batch(1, true)
                .admit(no_uses(), OpeningView::of_phone(CountedOpening::default()))
                .unwrap()
                .0
                .trap
                .is_some()
        );
    }

    #[test]
    fn all_steps_of_an_opening_count_on_its_first_day() {
        let (stored, change) = batch(1, false).admit(no_uses(), OpeningView::default()).unwrap();
        let counts: Vec<_> = change
            .rows
            .iter()
            .filter_map(|row| if let Row::Funnel(count) = row { Some(count) } else { None })
            .collect();
        let [count] = counts.as_slice() else { panic!("{counts:?}") };
        assert_eq!((count.key.step, count.day.to_string().as_str()), (FunnelStep::Opened, "2026-11-20"));
        let (day, counted) = stored.counted.unwrap();
        assert_eq!((day, counted.as_slice()), (count.day, std::slice::from_ref(&count.key)));
        let opening = CountedOpening { counted, day: Some(day), last_seq: 1 };
        let view = OpeningView::new(opening, None, &[], &[]);
        let mut next = batch(1, false);
        next.events[0].event_name = UiEventName::ConsentGiven;
        next.received_at = next.received_at + Duration::from_secs(2 * 86_400);
        let (_, change) = next.admit(no_uses(), view).unwrap();
        let days: Vec<_> = change
            .rows
            .iter()
            .filter_map(|row| if let Row::Funnel(it) = row { Some(it.day) } else { None })
            .collect();
        assert_eq!(days, [day], "a person who agrees after midnight");
    }
}
