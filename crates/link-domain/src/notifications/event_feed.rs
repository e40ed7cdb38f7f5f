//! The position of a reader in the stream of an owner's events, oldest first.
//!
//! An event's id contains the time at which its unit of work began, so an event can appear behind events that were read
//! before. A position therefore has two parts: the id up to which everything was read, and the newer events that were
//! returned. Once no unit of work can still commit an event of a time, the first part moves past that time.

use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use link_types::id::EventId;

use crate::kernel::clock::{ClockOffset, Now, TenantTime, Wall};

/// How long after the time in its id an event may still be committed. A unit of work has 10 seconds (ADR 235), and may
/// wait for its turn.
pub const MAX_COMMIT_DELAY: Duration = Duration::from_secs(30);
/// How many returned events a position remembers. A reader gets more only when the oldest are [`MAX_COMMIT_DELAY`] old.
pub const MAX_REMEMBERED: usize = 750;

/// The random end of an event's id. Two of a position's events have the same one with a probability of 1 in 10^6.
type Tail = [u8; TAIL_BYTES];
const TAIL_BYTES: usize = 5;

/// A position in the stream of events.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FeedPosition {
    /// Everything up to this id was returned, or was not asked for. It is an id, or the start of one.
    after: String,
    /// The start that was asked for, which `after` never goes behind. Empty for the position of now.
    start: String,
    /// The returned events after it.
    returned: Vec<Tail>,
    /// An offset that the owner's clock had [`MAX_COMMIT_DELAY`] ago: units of work that began later have at least this one.
    settled: ClockOffset,
    /// An offset that the clock had at the time that follows.
    observed: ClockOffset,
    observed_at: Wall,
}

/// The events to return, and the position after them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FeedPage {
    /// The new events, oldest first.
    pub new: Vec<EventId>,
    /// The position of the next request.
    pub next: FeedPosition,
}

/// The text is not a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not a position in the stream of events")]
pub struct FeedPositionError;

impl FeedPosition {
    /// Returns the position before all events since a time.
    #[must_use]
    pub fn since(time: TenantTime, now: Now) -> Self {
        let start = first_id(time);
        Self {
            after: start.clone(),
            start,
            returned: Vec::new(),
            settled: now.offset(),
            observed: now.offset(),
            observed_at: now.wall(),
        }
    }

    /// Returns the position after the events that are now committed. `newest` are the owner's newest [`MAX_REMEMBERED`]
    /// events, newest first. If more began within [`MAX_COMMIT_DELAY`], the others are returned as they settle.
    #[must_use]
    pub fn now(newest: &[EventId], now: Now) -> Self {
        let mut position = Self::since(now.tenant() - MAX_COMMIT_DELAY, now);
        position.start.clear();
        let recent = newest.iter().take(MAX_REMEMBERED).filter(|id| id.as_str() > position.after.as_str());
        position.returned = recent.map(tail).collect();
        position
    }

    /// Returns the position to read from. It goes back if the clock did, because events of the repeated time may still be
    /// committed. The events in between that were returned long ago are then returned again.
    #[must_use]
    pub fn at(mut self, now: Now) -> Self {
        let edge = first_id(self.edge(now)).max(self.start.clone());
        self.after = self.after.min(edge);
        self
    }

    /// Returns the id after which to read events. It may be only the start of one.
    #[must_use]
    pub fn after(&self) -> &str {
        &self.after
    }

    /// Returns how many ids after [`Self::after`] to read for a page of `size` events.
    #[must_use]
    pub fn limit(&self, size: usize) -> usize {
        self.returned.len() + size + 1
    }

    /// Returns the next page of the position [`Self::at`] that time. `ids` are the first [`Self::limit`] ids after it, oldest
    /// first.
    #[must_use]
    pub fn page(&self, ids: &[EventId], size: usize, now: Now) -> FeedPage {
        let mut next = self.clone();
        next.observe(now);
        let edge = first_id(next.edge(now));
        let mut known: BTreeSet<Tail> = self.returned.iter().copied().collect();
        let (mut new, mut unsettled) = (Vec::new(), Vec::new());
        let mut is_complete = ids.len() < self.limit(size);
        for id in ids {
            let (is_known, is_settled) = (known.remove(&tail(id)), id.as_str() < edge.as_str());
            let is_full =
                new.len() == size || (!is_settled && unsettled.len() + known.len() == MAX_REMEMBERED);
            if !is_known && is_full {
                is_complete = false;
                break;
            }
            if is_settled {
                next.after = id.as_str().to_owned();
            } else {
                unsettled.push(tail(id));
            }
            if !is_known {
                new.push(id.clone());
            }
        }
        if is_complete {
            // The others were removed meanwhile.
            known.clear();
            next.after = next.after.max(edge);
        }
        unsettled.extend(known);
        next.returned = unsettled;
        FeedPage { new, next }
    }

    /// Takes note of the clock's offset, which advancing the clock of a sandbox increases.
    fn observe(&mut self, now: Now) {
        // If the wall clock went back, the time of the observation is unknown.
        self.observed_at = self.observed_at.min(now.wall());
        if now.wall().since(self.observed_at) >= MAX_COMMIT_DELAY {
            self.settled = self.observed;
            (self.observed, self.observed_at) = (now.offset(), now.wall());
        }
    }

    /// Returns the time before which no more events are committed.
    fn edge(&self, now: Now) -> TenantTime {
        Now::new(now.wall(), self.settled.min(now.offset())).tenant() - MAX_COMMIT_DELAY
    }
}

/// Returns the start of an id that sorts before every event of that millisecond or later.
fn first_id(time: TenantTime) -> String {
    let millis = time.micros().max(0).saturating_add(999) / 1_000;
    format!("{}{millis:012x}", EventId::PREFIX)
}

fn tail(id: &EventId) -> Tail {
    let mut bytes = [0; TAIL_BYTES];
    let digits = id.as_str().len().saturating_sub(2 * TAIL_BYTES);
    // An id ends in hexadecimal digits.
    drop(base16ct::lower::decode(&id.as_str()[digits..], &mut bytes));
    bytes
}

impl fmt::Display for FeedPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { after, start, returned, settled, observed, observed_at } = self;
        let (settled, observed, at) = (settled.micros(), observed.micros(), observed_at.micros());
        write!(
            f,
            "1 {after} {start} {settled} {observed} {at} {}",
            URL_SAFE_NO_PAD.encode(returned.as_flattened())
        )
    }
}

impl FromStr for FeedPosition {
    type Err = FeedPositionError;

    fn from_str(text: &str) -> Result<Self, FeedPositionError> {
        let parts: Vec<&str> = text.split(' ').collect();
        let ["1", after, start, settled, observed, observed_at, returned] = parts[..] else {
            return Err(FeedPositionError);
        };
        let number = |text: &str| text.parse::<i64>().map_err(|_| FeedPositionError);
        let returned = URL_SAFE_NO_PAD.decode(returned).map_err(|_| FeedPositionError)?;
        let (returned, []) = returned.as_chunks() else { return Err(FeedPositionError) };
        Ok(Self {
            after: after.to_owned(),
            start: start.to_owned(),
            returned: returned.to_vec(),
            settled: ClockOffset::from_micros(number(settled)?),
            observed: ClockOffset::from_micros(number(observed)?),
            observed_at: Wall::from_micros(number(observed_at)?),
        })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::kernel::context::Context;

    const START: i64 = 1_763_000_000_000_000;
    const SECOND: i64 = 1_000_000;

    fn at(wall: i64, offset: i64) -> Now {
        Now::new(Wall::from_micros(START + wall), ClockOffset::from_micros(offset))
    }

    fn event(now: Now, number: u64) -> EventId {
        let mut seed = [7; 32];
        seed[..8].copy_from_slice(&number.to_be_bytes());
        EventId::from_bytes(Context::new(now, seed).uuid())
    }

    /// Reads one page of the events that are committed.
    fn read(position: &FeedPosition, committed: &[EventId], size: usize, now: Now) -> FeedPage {
        let position = position.clone().at(now);
        let mut ids: Vec<EventId> =
            committed.iter().filter(|id| id.as_str() > position.after()).cloned().collect();
        ids.sort();
        ids.truncate(position.limit(size));
        let page = position.page(&ids, size, now);
        // A cursor contains the text.
        let next = page.next.to_string().parse().unwrap();
        FeedPage { new: page.new, next }
    }

    #[test]
    fn events_are_returned_once_and_oldest_first() {
        let ids: Vec<_> = (0..5).map(|it| event(at(it * SECOND, 0), it.unsigned_abs())).collect();
        let start = FeedPosition::since(at(0, 0).tenant(), at(0, 0));
        let first = read(&start, &ids, 3, at(6 * SECOND, 0));
        assert_eq!(first.new, ids[..3]);
        let second = read(&first.next, &ids, 3, at(6 * SECOND, 0));
        assert_eq!(second.new, ids[3..]);
        assert_eq!(read(&second.next, &ids, 3, at(90 * SECOND, 0)).new, []);
    }

    #[test]
    fn event_committed_behind_a_newer_one_is_returned() {
        let (early, late) = (event(at(SECOND, 0), 1), event(at(20 * SECOND, 0), 2));
        let start = FeedPosition::since(at(0, 0).tenant(), at(0, 0));
        let first = read(&start, std::slice::from_ref(&late), 10, at(21 * SECOND, 0));
        assert_eq!(first.new, std::slice::from_ref(&late));
        let second = read(&first.next, &[late.clone(), early.clone()], 10, at(22 * SECOND, 0));
        assert_eq!(second.new, std::slice::from_ref(&early));
        assert_eq!(read(&second.next, &[late, early], 10, at(23 * SECOND, 0)).new, []);
    }

    #[test]
    fn position_of_now_leaves_out_committed_events_only() {
        let (old, early, late) =
            (event(at(0, 0), 1), event(at(60 * SECOND, 0), 2), event(at(61 * SECOND, 0), 3));
        let now = at(62 * SECOND, 0);
        let position = FeedPosition::now(&[late.clone(), old.clone()], now);
        assert_eq!(read(&position, &[old, early.clone(), late], 10, now).new, [early]);
    }

    #[test]
    fn position_of_now_loses_no_late_event_of_a_burst() {
        let mut many: Vec<_> = (0..2_000).map(|it| event(at(it, 0), it.unsigned_abs())).collect();
        let late = many.remove(10);
        let newest: Vec<_> = many.iter().rev().take(MAX_REMEMBERED).cloned().collect();
        let position = FeedPosition::now(&newest, at(SECOND, 0));
        let next = event(at(2_000, 0), 2_000);
        many.extend([late.clone(), next.clone()]);
        let found = read(&position, &many, 5_000, at(40 * SECOND, 0)).new;
        assert!(found.contains(&late) && found.contains(&next));
        assert!(!newest.iter().any(|it| found.contains(it)), "the newest are not returned");
    }

    #[test]
    fn position_follows_a_clock_that_goes_back_and_loses_no_event() {
        let hour = 3_600 * SECOND;
        let before = [event(at(hour, 0), 1), event(at(hour + SECOND, 0), 2)];
        let position = FeedPosition::now(&[], at(hour - SECOND, 0));
        let ahead = read(&position, &before, 10, at(hour + 60 * SECOND, 0));
        assert_eq!(ahead.new, before);
        let corrected = [vec![event(at(5 * SECOND, 0), 3)], before.to_vec()].concat();
        let back = read(&ahead.next, &corrected, 10, at(6 * SECOND, 0));
        assert_eq!(back.new, corrected, "events of the clock that was ahead are repeated");
        assert_eq!(read(&back.next, &corrected, 10, at(7 * SECOND, 0)).new, []);
    }

    #[test]
    fn position_since_a_time_never_goes_behind_it() {
        let (before, after) = (event(at(0, 0), 1), event(at(2 * SECOND, 0), 2));
        let start = FeedPosition::since(at(SECOND, 0).tenant(), at(3 * SECOND, 0));
        assert_eq!(read(&start, &[before, after.clone()], 10, at(3 * SECOND, 0)).new, [after]);
    }

    #[test]
    fn event_with_earlier_offset_is_returned_after_an_advance() {
        let year = 365 * 86_400 * SECOND;
        let slow = event(at(10 * SECOND, 0), 1);
        let start = FeedPosition::since(at(0, 0).tenant(), at(0, 0));
        let advanced = read(&start, &[event(at(11 * SECOND, year), 2)], 10, at(12 * SECOND, year));
        assert_eq!(advanced.new.len(), 1);
        let committed = [event(at(11 * SECOND, year), 2), slow.clone()];
        assert_eq!(read(&advanced.next, &committed, 10, at(39 * SECOND, year)).new, [slow]);
    }

    #[test]
    fn returned_event_behind_a_full_page_is_not_returned_again() {
        let ids: Vec<_> = (0..3).map(|it| event(at(it, 0), it.unsigned_abs())).collect();
        let start = FeedPosition::since(at(0, 0).tenant(), at(0, 0));
        let newest = read(&start, &ids[2..], 1, at(SECOND, 0));
        assert_eq!(newest.new, ids[2..]);
        let first = read(&newest.next, &ids, 1, at(60 * SECOND, 0));
        let second = read(&first.next, &ids, 1, at(60 * SECOND, 0));
        assert_eq!([first.new, second.new].concat(), ids[..2]);
        assert_eq!(read(&second.next, &ids, 1, at(60 * SECOND, 0)).new, []);
    }

    #[test]
    fn burst_is_returned_as_it_settles() {
        let many: Vec<_> =
            (0..MAX_REMEMBERED as i64 + 10).map(|it| event(at(it, 0), it.unsigned_abs())).collect();
        let start = FeedPosition::since(at(0, 0).tenant(), at(0, 0));
        let first = read(&start, &many, usize::MAX >> 1, at(SECOND, 0));
        assert_eq!(first.new, many[..MAX_REMEMBERED]);
        assert_eq!(read(&first.next, &many, 20, at(2 * SECOND, 0)).new, []);
        assert_eq!(read(&first.next, &many, 20, at(60 * SECOND, 0)).new, many[MAX_REMEMBERED..]);
        assert!(first.next.to_string().len() <= 5_120, "the signed cursor has less than 7,000 characters");
    }

    #[test]
    fn other_text_is_not_a_position() {
        for text in ["", "1", "2 et-0  0 0 0 ", "1 et-0  0 0 x ", "1 et-0  0 0 0 AAA", "1 et-0  0 0 0 * "] {
            assert_eq!(text.parse::<FeedPosition>(), Err(FeedPositionError), "{text}");
        }
    }

    proptest! {
        #[test]
        fn every_event_is_returned_exactly_once(
            // When each event begins, how long its commit takes, and when the clock advances in between.
            events in proptest::collection::vec((0..200_i64, 0..29_i64), 1..60),
            jumps in proptest::collection::vec((0..200_i64, 1..1_000_000_i64), 0..4),
            reads in proptest::collection::vec(0..240_i64, 1..60),
            size in 1..20_usize,
        ) {
            let offset = |second: i64| -> i64 {
                jumps.iter().filter(|(at, _)| *at <= second).map(|(_, by)| by * SECOND).sum()
            };
            let now = |second: i64| at(second * SECOND, offset(second));
            let mut reads = reads;
            // Enough reads at the end, for all pages.
            reads.extend((0..80).map(|it| 300 + it));
            reads.sort_unstable();
            let mut position = FeedPosition::since(now(0).tenant(), now(0));
            let mut found = Vec::new();
            for second in reads {
                let committed: Vec<EventId> = events
                    .iter()
                    .enumerate()
                    .filter(|(_, (began, took))| began + took <= second)
                    .map(|(number, (began, _))| event(now(*began), number as u64))
                    .collect();
                let page = read(&position, &committed, size, now(second));
                prop_assert!(page.new.len() <= size);
                found.extend(page.new);
                position = page.next;
            }
            let mut all: Vec<EventId> =
                events.iter().enumerate().map(|(number, (began, _))| event(now(*began), number as u64)).collect();
            all.sort();
            found.sort();
            prop_assert_eq!(found, all);
        }
    }
}
