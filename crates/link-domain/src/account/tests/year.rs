//! A year of an account in sync: after any changes and failures at the provider, the stored data equals its last answer,
//! and every change is reported once.

use std::collections::BTreeMap;

use link_types::data::DataPointKind;
use proptest::prelude::*;

use super::sync::Stored;
use super::*;
use crate::data_point::Known;
use crate::fixture::bodies;

const DAY: Duration = Duration::from_secs(86_400);

/// What happens next, at the provider or to the account.
#[derive(Clone, Copy, Debug)]
enum Happening {
    Contributes,
    /// The provider corrects one of the contributions.
    Corrects(usize),
    ChangesJob,
    /// The account is read: after this many tries that fail, all data is returned.
    IsRead {
        failed_tries: usize,
    },
    /// A try returns only contributions before all data is returned.
    IsReadInParts,
    IsRefused(LinkErrorCode),
    SignsIn,
    DisablesAndEnables,
    IsRevoked,
}

fn happening() -> impl Strategy<Value = Happening> {
    let refusal = prop_oneof![
        Just(LinkErrorCode::ExpiredCredentials),
        Just(LinkErrorCode::TosRequired),
        Just(LinkErrorCode::AccountLocked),
    ];
    prop_oneof![
        12 => Just(Happening::Contributes),
        6 => (0_usize..64).prop_map(Happening::Corrects),
        3 => Just(Happening::ChangesJob),
        30 => (0_usize..6).prop_map(|failed_tries| Happening::IsRead { failed_tries }),
        6 => Just(Happening::IsReadInParts),
        4 => refusal.prop_map(Happening::IsRefused),
        10 => Just(Happening::SignsIn),
        2 => Just(Happening::DisablesAndEnables),
        1 => Just(Happening::IsRevoked),
    ]
}

/// The data of one person at the provider, by natural key. It only grows and changes.
#[derive(Clone, Default)]
struct Provider {
    contributions: Vec<i64>,
    jobs: usize,
}

impl Provider {
    fn contributions(&self) -> Vec<DataPointBody> {
        let days = self.contributions.iter().zip(1_i64..);
        days.map(|(amount, day)| {
            let date = bodies::day("2020-01-01").plus_days(day);
            bodies::contribution(&date.to_string(), *amount)
        })
        .collect()
    }

    /// Returns the jobs. The last one has no end.
    fn jobs(&self) -> Vec<DataPointBody> {
        let start = |job: usize| bodies::day("2010-01-01").plus_days(100 * job as i64).to_string();
        let end = |job: usize| (job + 1 < self.jobs).then(|| start(job + 1));
        (0..self.jobs).map(|job| bodies::job(Some(&start(job)), end(job).as_deref())).collect()
    }

    fn all(&self) -> Vec<DataPointBody> {
        [self.contributions(), self.jobs()].concat()
    }
}

/// Numbers of new and of changed items, by kind.
type Changes = BTreeMap<DataPointKind, (usize, usize)>;

struct Year {
    provider: Provider,
    stored: Stored,
    /// Items that the account received, in the order of the provider.
    received: BTreeMap<DataPointKind, Vec<DataPointBody>>,
    expected: Changes,
    reported: Changes,
}

impl Year {
    fn begin() -> Self {
        let provider = Provider { contributions: vec![1], jobs: 1 };
        let account = account_after(&[is_connected], &mut fixture::context());
        let stored = Stored { account, points: Vec::new(), elapsed: Duration::ZERO };
        let (received, expected, reported) = (BTreeMap::new(), Changes::new(), Changes::new());
        let mut year = Self { provider, stored, received, expected, reported };
        year.is_read(ReadOutcome::Complete, &[DataPointKind::Contributions, DataPointKind::Employments]);
        year
    }

    /// Ends one try with the provider's data of these kinds.
    fn is_read(&mut self, outcome: ReadOutcome, kinds: &[DataPointKind]) {
        let all = self.provider.all().into_iter().filter(|body| kinds.contains(&body.kind()));
        let read: Vec<_> = all.collect();
        for kind in kinds {
            let given: Vec<_> = read.iter().filter(|body| body.kind() == *kind).cloned().collect();
            let before = self.received.insert(*kind, given.clone()).unwrap_or_default();
            let changed = given.iter().zip(&before).filter(|(now, before)| now != before).count();
            let (added, updated) = self.expected.entry(*kind).or_default();
            *added += given.len() - before.len();
            *updated += changed;
        }
        let change = self.stored.is_read(outcome, read);
        self.hears(&change);
    }

    fn hears(&mut self, change: &Change) {
        for event in &change.events {
            let count = || usize::try_from(data(event, true)["count"].as_u64().unwrap()).unwrap();
            let (kind, added, updated) = match event.event_type.as_str() {
                "CONTRIBUTIONS_ADDED" => (DataPointKind::Contributions, count(), 0),
                "CONTRIBUTIONS_UPDATED" => (DataPointKind::Contributions, 0, count()),
                "EMPLOYMENTS_ADDED" => (DataPointKind::Employments, count(), 0),
                "EMPLOYMENTS_UPDATED" => (DataPointKind::Employments, 0, count()),
                _ => continue,
            };
            let sums = self.reported.entry(kind).or_default();
            *sums = (sums.0 + added, sums.1 + updated);
        }
    }

    /// Starts the next sync, if there is one.
    fn is_due(&mut self) -> bool {
        let is_scheduled = self.stored.account.monitor.next_at().is_some();
        if is_scheduled {
            let change = self.stored.syncs();
            self.hears(&change);
        }
        is_scheduled
    }

    /// Fails this many tries, and then returns everything if the reading still runs.
    fn is_tried(&mut self, failed_tries: usize) {
        for _ in 0..failed_tries {
            if self.stored.account.run().is_some() {
                self.is_read(ReadOutcome::Failed { code: LinkErrorCode::ServiceUnavailable }, &[]);
            }
        }
        if self.stored.account.run().is_some() {
            self.is_read(ReadOutcome::Complete, &[DataPointKind::Contributions, DataPointKind::Employments]);
        }
    }

    fn goes_on(&mut self, happening: Happening) {
        let now = fixture::context_after(self.stored.elapsed).now().tenant();
        if now >= self.stored.account.data_ends_at() {
            let change = self.stored.apply(AccountInput::Expire);
            self.hears(&change);
            return;
        }
        match happening {
            Happening::Contributes => self.provider.contributions.push(1),
            Happening::Corrects(index) => {
                let index = index % self.provider.contributions.len();
                self.provider.contributions[index] += 1;
            }
            Happening::ChangesJob => self.provider.jobs += 1,
            Happening::IsRead { failed_tries } => {
                if self.is_due() {
                    self.is_tried(failed_tries);
                }
            }
            Happening::IsReadInParts => {
                if self.is_due() {
                    let partial = ReadOutcome::Partial { code: LinkErrorCode::SystemError };
                    self.is_read(partial, &[DataPointKind::Contributions]);
                    self.is_tried(0);
                }
            }
            Happening::IsRefused(code) => {
                if self.is_due() {
                    self.is_read(ReadOutcome::Failed { code }, &[]);
                }
            }
            Happening::SignsIn => {
                self.stored.elapsed += DAY;
                let change = self.stored.signs_in();
                self.hears(&change);
                self.is_tried(0);
            }
            Happening::DisablesAndEnables => {
                for input in [AccountInput::DisableMonitor, AccountInput::EnableMonitor] {
                    let change = self.stored.apply(input);
                    self.hears(&change);
                }
            }
            Happening::IsRevoked => {
                let change = self.stored.apply(AccountInput::Revoke);
                self.hears(&change);
            }
        }
    }

    fn is_over(&self) -> bool {
        !self.stored.account.is_connected() || self.stored.elapsed > DAY * 365
    }

    /// Returns the stored data points of a kind, without their ids.
    fn kept(&self, kind: DataPointKind) -> Vec<DataPointBody> {
        let Known(points) = Known::of(self.stored.points.clone()).unwrap();
        let of_kind = points.into_iter().map(|(_, body)| body).filter(|body| body.kind() == kind);
        of_kind.map(|body| crate::data_point::identified(body, [0; 16])).collect()
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn stored_data_equals_the_last_answer_all_year(happenings in proptest::collection::vec(happening(), 0..120)) {
        let mut year = Year::begin();
        for happening in happenings {
            if year.is_over() {
                break;
            }
            year.goes_on(happening);
            prop_assert_eq!(&year.reported, &reported(&year.expected), "{:?}", happening);
            for (kind, received) in &year.received {
                prop_assert_eq!(&year.kept(*kind), received, "{:?}", happening);
            }
        }
        if !year.stored.account.is_connected() {
            let mut later = fixture::context_after(year.stored.elapsed + DAY);
            for input in [AccountInput::Sync, AccountInput::Refresh, AccountInput::EnableMonitor] {
                prop_assert!(year.stored.account.clone().apply(input, &mut later).is_err());
            }
        }
    }
}

/// Returns the changes without kinds that have none, which no event reports.
fn reported(changes: &Changes) -> Changes {
    changes.iter().filter(|(_, counts)| **counts != (0, 0)).map(|(kind, counts)| (*kind, *counts)).collect()
}
