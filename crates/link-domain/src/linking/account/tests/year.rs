//! A year of an account in sync: after any changes and failures at the provider, the stored data is what its answers
//! contained, every change is reported once, and nothing happens after the end.

mod event;
mod provider;

use std::collections::{BTreeMap, BTreeSet};

use link_types::data::DataPointKind;
use link_types::task::TaskStatus;
use proptest::prelude::*;

use self::event::{Meanwhile, YearEvent, year_event};
use self::provider::{Provider, kinds};
use super::sync::Stored;
use super::*;
use crate::fixture::bodies::body;

const DAY: Duration = Duration::from_secs(86_400);

/// Returns the event type that reports new or changed items of a kind.
fn event_type(kind: DataPointKind, is_new: bool) -> &'static str {
    let updated = kind.updated_event().filter(|_| !is_new);
    updated.unwrap_or(kind.added_event()).as_str()
}

/// Numbers of items, by the event type that reports them.
type Counts = BTreeMap<&'static str, u64>;

/// A reading whose result is still to come.
struct Begun {
    task_id: TaskId,
    from: SourceState,
}

struct Year {
    provider: Provider,
    stored: Stored,
    /// The last value that was read of each item, by its natural key. An item that a later reading lacks stays (ADR 167).
    received: BTreeMap<DataPointKind, BTreeMap<usize, i64>>,
    /// Changes in the provider's answers.
    expected: Counts,
    /// Changes that events reported.
    reported: Counts,
    /// Tasks that began, and tasks whose end an event reported.
    tasks: (usize, usize),
    logins: usize,
    last_begun: Option<Begun>,
}

impl Year {
    fn begin() -> Self {
        let account = account_after(&[is_connected], &mut fixture::context());
        let mut year = Self {
            provider: Provider::begin(),
            stored: Stored { account, points: Vec::new(), elapsed: Duration::ZERO },
            received: BTreeMap::new(),
            expected: Counts::new(),
            reported: Counts::new(),
            tasks: (1, 0),
            logins: 1,
            last_begun: None,
        };
        year.is_tried(0);
        year
    }

    /// Applies an input, and checks that events report exactly what it wrote.
    fn apply(&mut self, input: AccountInput<'_>) {
        let before: BTreeSet<String> = self.stored.points.iter().map(|it| it.id.clone()).collect();
        let change = self.stored.apply(input);
        self.record_events(&before, &change);
    }

    fn record_events(&mut self, before: &BTreeSet<String>, change: &Change) {
        let (mut written, mut reported) = (Counts::new(), Counts::new());
        for row in &change.rows {
            #[expect(clippy::wildcard_enum_match_arm, reason = "the other rows are not of interest here")]
            match row {
                Row::DataPoint(point) => {
                    *written.entry(event_type(point.kind, !before.contains(&point.id))).or_default() += 1;
                }
                Row::Task(task) if task.status() == TaskStatus::Started => self.tasks.0 += 1,
                _ => {}
            }
        }
        for event in &change.events {
            let name = event.event_type.as_str();
            let types = DataPointKind::ALL
                .iter()
                .flat_map(|kind| [event_type(*kind, true), event_type(*kind, false)]);
            if let Some(name) = { types }.find(|it| *it == name) {
                // An event of one item has no count.
                *reported.entry(name).or_default() += data(event, true)["count"].as_u64().unwrap_or(1);
            }
            self.tasks.1 += usize::from(matches!(name, "TASK_FINISHED" | "ACCOUNT_SYNC_TASK_FINISHED"));
        }
        assert_eq!(reported, written, "each row that is written is reported once");
        for (name, count) in reported {
            *self.reported.entry(name).or_default() += count;
        }
    }

    /// Ends one try with the provider's data of these kinds.
    fn is_read(&mut self, outcome: ReadOutcome, kinds: &[DataPointKind]) {
        for kind in kinds {
            let received = self.received.entry(*kind).or_default();
            for (key, value) in self.provider.shown_items(*kind) {
                let before = received.insert(key, value);
                if before != Some(value) {
                    *self.expected.entry(event_type(*kind, before.is_none())).or_default() += 1;
                }
            }
        }
        let before: BTreeSet<String> = self.stored.points.iter().map(|it| it.id.clone()).collect();
        let change = self.stored.is_read(outcome, self.provider.answer(kinds));
        self.record_events(&before, &change);
    }

    /// Returns the reading in progress.
    fn current_reading(&self) -> Option<Begun> {
        let run = self.stored.account.run()?;
        Some(Begun { task_id: run.task.id.clone(), from: source(&self.stored.account) })
    }

    /// Delivers the result of an earlier reading. It is rejected, so nothing is written.
    fn rejects(&self, late: &Begun) -> IllegalTransitionError {
        let account = self.stored.account.clone();
        let answer = self.provider.answer(&kinds());
        let AccountInput::Read { read, files, history, links, .. } =
            read(&account, ReadOutcome::Complete, answer)
        else {
            panic!("not a reading")
        };
        let known = Known::from_points(self.stored.points.clone()).unwrap();
        let (task_id, from) = (late.task_id.clone(), late.from.clone());
        let mut context = fixture::context_after(self.stored.elapsed + Duration::from_secs(1));
        let input = AccountInput::Read { task_id, from, read, files, known, history, links };
        account.apply(input, &mut context).map(|(_, change)| change).unwrap_err()
    }

    /// Starts the next sync, if there is one.
    fn is_due(&mut self) -> bool {
        let Some(next_at) = self.stored.account.monitor.next_at() else { return false };
        let due = next_at.since(fixture::context().now().tenant());
        self.stored.elapsed = self.stored.elapsed.max(due);
        self.apply(AccountInput::Sync);
        true
    }

    /// Fails this many tries, and then returns everything if the reading still runs.
    fn is_tried(&mut self, failed_tries: usize) {
        for _ in 0..failed_tries {
            if self.stored.account.run().is_some() {
                self.is_read(ReadOutcome::Failed { code: LinkErrorCode::ServiceUnavailable }, &[]);
            }
        }
        if let Some(begun) = self.current_reading() {
            self.is_read(ReadOutcome::Complete, &kinds());
            // A node that stopped before it removed the job delivers the same result again.
            assert_eq!(self.rejects(&begun), IllegalTransitionError::StaleReading);
            self.last_begun = Some(begun);
        }
    }

    fn begins_to_sign_in(&mut self) {
        self.apply(AccountInput::Submit(fixture::submission()));
    }

    /// Connects the login with a new session.
    fn connects(&mut self) {
        self.logins += 1;
        let state = SourceState::new(format!("session {}", self.logins));
        let input = step_input(&self.stored.account, Step::Connected { state });
        self.apply(input);
    }

    fn expires_at(&self) -> Duration {
        self.stored.account.data_ends_at().since(fixture::context().now().tenant())
    }

    fn play(&mut self, event: &YearEvent) {
        if self.stored.elapsed >= self.expires_at() {
            self.apply(AccountInput::Expire);
            return;
        }
        match event {
            YearEvent::Adds(kind) => self.provider.adds(*kind),
            YearEvent::Corrects(kind, index) => self.provider.corrects(*kind, *index),
            YearEvent::HidesOrShows(kind, index) => self.provider.hides_or_shows(*kind, *index),
            YearEvent::IsRead { failed_tries } => {
                if self.is_due() {
                    self.is_tried(*failed_tries);
                }
            }
            YearEvent::IsReadInParts(kinds) => {
                if self.is_due() {
                    let partial = ReadOutcome::Partial { code: LinkErrorCode::SystemError };
                    self.is_read(partial, kinds);
                    self.is_tried(0);
                }
            }
            YearEvent::IsRefused(code) => {
                if self.is_due() {
                    self.is_read(ReadOutcome::Failed { code: *code }, &[]);
                }
            }
            YearEvent::IsReadWhile(meanwhile) => {
                if self.is_due() {
                    self.is_read_while(*meanwhile);
                }
            }
            YearEvent::SignsIn => {
                self.stored.elapsed += DAY;
                self.begins_to_sign_in();
                self.connects();
                self.is_tried(0);
            }
            YearEvent::DisablesAndEnables => {
                self.apply(disables());
                self.apply(AccountInput::EnableMonitor);
            }
            YearEvent::IsRevoked => self.apply(AccountInput::Revoke { by: RevokedBy::User }),
        }
    }

    /// Interrupts the reading that has just begun. Its result comes late.
    fn is_read_while(&mut self, meanwhile: Meanwhile) {
        let begun = self.current_reading().unwrap();
        match meanwhile {
            Meanwhile::SignsIn => {
                self.begins_to_sign_in();
                self.connects();
                assert_eq!(self.rejects(&begun), IllegalTransitionError::StaleReading);
                self.is_tried(0);
            }
            Meanwhile::BeginsToSignIn => {
                self.begins_to_sign_in();
                self.is_tried(0);
                self.connects();
                self.is_tried(0);
            }
            Meanwhile::IsDisabled => {
                self.apply(disables());
                self.is_tried(0);
                self.apply(AccountInput::EnableMonitor);
            }
            Meanwhile::IsRevoked => self.apply(AccountInput::Revoke { by: RevokedBy::User }),
            Meanwhile::Expires => {
                self.stored.elapsed = self.expires_at();
                self.apply(AccountInput::Expire);
            }
        }
        self.last_begun = Some(begun);
    }

    /// Returns whether the stored data is exactly what the provider's answers contained.
    fn is_true(&self) -> bool {
        let Known(points) = Known::from_points(self.stored.points.clone()).unwrap();
        let of_provider = points.into_iter().filter(|(row, _)| !row.kind.is_computed());
        let kept: Vec<_> = of_provider.map(|(_, body)| body.with_id([0; 16])).collect();
        let received = self.received.iter();
        let expected: Vec<_> = received
            .flat_map(|(kind, items)| items.iter().map(|(key, value)| body(*kind, *key, *value)))
            .collect();
        kept.len() == expected.len() && expected.iter().all(|body| kept.contains(body))
    }

    /// Checks the stored data and what was reported about it.
    fn check(&self, event: &YearEvent) {
        assert!(self.is_true(), "{event:?}");
        let given = |name: &str| {
            DataPointKind::of_sources()
                .any(|kind| [true, false].map(|it| event_type(kind, it)).contains(&name))
        };
        let reported: Counts = self
            .reported
            .iter()
            .filter(|(name, _)| given(name))
            .map(|(name, count)| (*name, *count))
            .collect();
        assert_eq!(reported, self.expected, "{event:?}");
        let running = usize::from(self.stored.account.run().is_some());
        assert_eq!(self.tasks.0, self.tasks.1 + running, "{event:?}");
    }

    /// Checks that late results do not change a disconnected account.
    fn check_end(&self) {
        let late = self.last_begun.as_ref().unwrap();
        assert_eq!(self.rejects(late), IllegalTransitionError::AlreadyDisconnected);
        let mut later = fixture::context_after(self.stored.elapsed + DAY);
        let login = Step::Connected { state: SourceState::new("late session") };
        for input in [
            AccountInput::Sync,
            AccountInput::Refresh,
            disables(),
            AccountInput::EnableMonitor,
            AccountInput::Revoke { by: RevokedBy::User },
            AccountInput::Expire,
            AccountInput::Submit(fixture::submission()),
            step_input(&self.stored.account, login),
        ] {
            let rejected = self.stored.account.clone().apply(input, &mut later).map(|(_, change)| change);
            assert_eq!(rejected, Err(IllegalTransitionError::AlreadyDisconnected));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn stored_data_follows_the_providers_answers(events in proptest::collection::vec(year_event(), 0..120)) {
        let mut year = Year::begin();
        for event in &events {
            year.play(event);
            year.check(event);
            if !year.stored.account.is_connected() {
                year.check_end();
                break;
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]

    #[test]
    fn account_that_signs_in_again_is_read_for_a_year(
        events in proptest::collection::vec(year_event().prop_filter("ends", |it| !it.ends()), 122..=122)
    ) {
        let mut year = Year::begin();
        for event in &events {
            year.stored.elapsed += DAY * 3;
            // A sync may wait for up to a week.
            if year.stored.elapsed + DAY * 14 > year.expires_at() {
                year.play(&YearEvent::SignsIn);
            }
            year.play(event);
            year.check(event);
        }
        prop_assert!(year.stored.account.is_connected() && year.stored.elapsed > DAY * 365);
        year.play(&YearEvent::SignsIn);
        prop_assert!(year.is_due(), "the account is still in sync");
        year.is_read_while(Meanwhile::IsRevoked);
        year.check(&YearEvent::IsRevoked);
        year.check_end();
    }
}
