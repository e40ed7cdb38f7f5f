//! Kinds of data that the person declined: nothing of them is stored, reported or used.

use link_types::data::DataPointKind;
use link_types::link::DataChoice;
use proptest::prelude::*;
use serde_json::Value;

use super::sync::Stored;
use super::*;
use crate::data::batch::ContributionRate;
use crate::data::task::TaskState;
use crate::fixture::bodies::body;

/// Returns the kinds whose bits are set.
fn kinds(bits: u16) -> Vec<DataPointKind> {
    let all = DataPointKind::ALL.iter().enumerate();
    all.filter(|(at, _)| bits & (1 << at) != 0).map(|(_, kind)| *kind).collect()
}

/// Returns a submission with a new consent that declines these kinds.
fn declining(declined: &[DataPointKind]) -> Submission {
    let mut submission = fixture::submission();
    submission.consent.iter_mut().for_each(|consent| {
        let choice = DataChoice { optional: DataPointKind::ALL.to_vec(), declined: declined.to_vec() };
        consent.receipt.data_choice = Some(choice);
    });
    submission
}

/// Links an account whose person declined these kinds.
fn link_declining(declined: &[DataPointKind]) -> Stored {
    let mut context = fixture::context();
    let begun = Account::begin(fixture::new_account(), declining(declined), &mut context);
    let (account, _) = begun.unwrap();
    let mut stored = Stored { account, points: Vec::new(), elapsed: Duration::ZERO };
    let input = is_connected(&stored.account);
    check(&stored.apply(input), &stored);
    stored
}

/// Checks that neither a change nor what is stored after it has anything that the person declined.
fn check(change: &Change, stored: &Stored) {
    let declined = stored.account.declined_data();
    for row in &change.rows {
        if let Row::DataPoint(point) = row {
            assert!(declined.shares(point.kind), "{point:?}");
        }
        if let Row::Linked(linked) = row {
            assert!(declined.shares(DataPointKind::Links), "{linked:?}");
        }
        if let Row::Task(Task { state: TaskState::Finished { datapoints, .. }, .. }) = row {
            assert!(datapoints.iter().all(|kind| declined.shares(*kind)), "{row:?}");
        }
    }
    for event in &change.events {
        let kind = DataPointKind::of_event(event.event_type);
        assert!(kind.is_none_or(|kind| declined.shares(kind)), "{event:?}");
        let data = data(event, true);
        for kind in declined.kinds() {
            assert_eq!(data["payload"].get(kind.key()).unwrap_or(&Value::Null), &Value::Null);
            for list in ["datapoints", "dataPoints"] {
                let names = data[list].as_array().into_iter().flatten();
                assert!(!names.into_iter().any(|name| name == kind.as_str()), "{data}");
            }
        }
    }
    for point in &stored.points {
        assert!(declined.shares(point.kind), "{point:?}");
    }
    if let AccountState::Connected(connection) = &stored.account.state {
        let has_rate = connection.contribution_rate.is_some();
        assert!(!has_rate || declined.shares(DataPointKind::Contributions));
        let changed = connection.run().map(|run| run.changed.as_slice()).unwrap_or_default();
        assert!(changed.iter().all(|kind| declined.shares(*kind)), "{changed:?}");
    }
}

/// Ends the reading in progress with data points of these kinds and a rate of contributions.
fn reads(stored: &mut Stored, outcome: ReadOutcome, bodies: Vec<DataPointBody>) -> Change {
    let account = stored.account.clone();
    let AccountInput::Read { task_id, from, mut read, history, links, .. } = read(&account, outcome, bodies)
    else {
        panic!("not a reading")
    };
    read.batch.contribution_rate = ContributionRate::from_basis_points(650);
    let known = Known::from_points(stored.points.clone()).unwrap();
    let files = Vec::new();
    stored.apply(AccountInput::Read { task_id, from, read, files, known, history, links })
}

#[derive(Clone, Debug)]
enum Step {
    /// A reading, started by sync if none is in progress.
    Reads { bits: u16, number: i64, outcome: ReadOutcome },
    /// A login with a new consent, or without one.
    SignsIn(Option<u16>),
}

fn step() -> impl Strategy<Value = Step> {
    let outcome = prop_oneof![
        4 => Just(ReadOutcome::Complete),
        1 => Just(ReadOutcome::Partial { code: LinkErrorCode::ServiceUnavailable }),
        1 => Just(ReadOutcome::Failed { code: LinkErrorCode::ServiceUnavailable }),
    ];
    prop_oneof![
        3 => (any::<u16>(), 0..3_i64, outcome)
            .prop_map(|(bits, number, outcome)| Step::Reads { bits, number, outcome }),
        1 => prop::option::weighted(0.8, any::<u16>()).prop_map(Step::SignsIn),
    ]
}

/// Returns stored data points without ids, in the order of their kinds.
fn contents(stored: &Stored) -> Vec<(DataPointKind, Value)> {
    let content = |point: &crate::data::data_point::DataPoint| {
        let mut body: Value = serde_json::from_slice(&point.body).unwrap();
        body.as_object_mut().unwrap().remove("id");
        (point.kind, body)
    };
    let mut contents: Vec<_> = stored.points.iter().map(content).collect();
    contents.sort_by_key(|(kind, _)| *kind);
    contents
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn nothing_declined_is_stored_or_reported(declined: u16, steps in prop::collection::vec(step(), 1..12)) {
        let mut stored = link_declining(&kinds(declined));
        for step in steps {
            match step {
                Step::Reads { bits, number, outcome } => {
                    if stored.account.run().is_none() {
                        if stored.account.monitor.next_at().is_none() {
                            continue;
                        }
                        check(&stored.syncs(), &stored);
                    }
                    let bodies = kinds(bits).into_iter().map(|kind| body(kind, 0, number)).collect();
                    check(&reads(&mut stored, outcome, bodies), &stored);
                }
                Step::SignsIn(declined) => {
                    let submission = match declined {
                        Some(bits) => declining(&kinds(bits)),
                        None => Submission { consent: None, ..fixture::submission() },
                    };
                    check(&stored.signs_in_with(submission), &stored);
                }
            }
        }
    }

    #[test]
    fn declined_data_is_as_if_the_provider_had_not_returned_it(bits: u16, again in 0..3_i64) {
        let declined = kinds(bits);
        let read_kinds = || DataPointKind::ALL.iter().copied().filter(|kind| !kind.is_computed());
        let (mut declining, mut sharing) = (link_declining(&declined), link_declining(&[]));
        for number in [0, again] {
            for stored in [&mut declining, &mut sharing] {
                if stored.account.run().is_none() {
                    drop(stored.syncs());
                }
            }
            let all = read_kinds().map(|kind| body(kind, 0, number)).collect();
            drop(reads(&mut declining, ReadOutcome::Complete, all));
            let shared = read_kinds().filter(|kind| !declined.contains(kind));
            let shared = shared.map(|kind| body(kind, 0, number)).collect();
            drop(reads_without_rate(&mut sharing, &declined, shared));
        }
        let expected = contents(&sharing).into_iter().filter(|(kind, _)| !declined.contains(kind));
        prop_assert_eq!(contents(&declining), expected.collect::<Vec<_>>());
    }
}

/// Ends a reading. The provider has a rate of contributions unless contributions are declined.
fn reads_without_rate(stored: &mut Stored, declined: &[DataPointKind], bodies: Vec<DataPointBody>) -> Change {
    if declined.contains(&DataPointKind::Contributions) {
        stored.is_read(ReadOutcome::Complete, bodies)
    } else {
        reads(stored, ReadOutcome::Complete, bodies)
    }
}

/// Returns the kinds that a change deletes.
fn deleted_kinds(change: &Change) -> Vec<DataPointKind> {
    let deletions = change.deletions.iter();
    let kinds = deletions.filter_map(|deletion| {
        if let Deletion::DataPoints { kinds, .. } = deletion { Some(kinds.clone()) } else { None }
    });
    kinds.flatten().collect()
}

#[test]
fn new_consent_deletes_what_it_declines_and_what_was_computed() {
    let mut stored = link_declining(&[]);
    let bodies = || vec![identity(), body(DataPointKind::Incomes, 0, 1), contribution(1)];
    drop(reads(&mut stored, ReadOutcome::Complete, bodies()));
    let before: Vec<_> = stored.points.iter().map(|point| point.kind).collect();
    assert!(before.contains(&DataPointKind::Eincomes) && before.contains(&DataPointKind::Insights));
    let change = stored.signs_in_with(declining(&[DataPointKind::Incomes, DataPointKind::Links]));
    let expected =
        [DataPointKind::Incomes, DataPointKind::Eincomes, DataPointKind::Links, DataPointKind::Insights];
    assert_eq!(deleted_kinds(&change), expected);
    assert!(change.deletions.contains(&Deletion::AccountLinks(stored.account.id.clone())));
    assert!(change.deletions.contains(&Deletion::LinksOfOthers(stored.account.id.clone())));
    let again = stored.signs_in_with(declining(&[DataPointKind::Incomes, DataPointKind::Links]));
    assert!(!again.deletions.contains(&Deletion::LinksOfOthers(stored.account.id.clone())), "once");
    drop(reads(&mut stored, ReadOutcome::Complete, bodies()));
    let after: Vec<_> = contents(&stored).into_iter().map(|(kind, _)| kind).collect();
    assert!(
        after.contains(&DataPointKind::Eincomes) && after.contains(&DataPointKind::Insights),
        "{after:?}"
    );
}

#[test]
fn failed_login_deletes_nothing() {
    let mut stored = link_declining(&[]);
    drop(reads(&mut stored, ReadOutcome::Complete, vec![identity(), contribution(1)]));
    let submitted = stored.apply(AccountInput::Submit(declining(&[DataPointKind::Contributions])));
    let input = has_failed(&stored.account);
    let failed = stored.apply(input);
    assert_eq!((deleted_kinds(&submitted), deleted_kinds(&failed)), (Vec::new(), Vec::new()));
    assert_eq!(stored.account.declined_data().kinds(), [], "the earlier consent covers the data");
}

#[test]
fn same_or_wider_choice_deletes_nothing() {
    let mut stored = link_declining(&[DataPointKind::Incomes]);
    drop(reads(&mut stored, ReadOutcome::Complete, vec![identity(), contribution(1)]));
    assert_eq!(deleted_kinds(&stored.signs_in_with(declining(&[DataPointKind::Incomes]))), []);
    assert_eq!(deleted_kinds(&stored.signs_in_with(declining(&[]))), []);
}

#[test]
fn copies_are_deleted_only_if_data_is_withdrawn() {
    let deletes_copies =
        |change: &Change| change.deletions.iter().any(|deletion| matches!(deletion, Deletion::DataCopies(_)));
    let mut stored = link_declining(&[DataPointKind::Insights]);
    drop(reads(&mut stored, ReadOutcome::Complete, vec![identity(), contribution(1)]));
    assert!(!deletes_copies(&stored.signs_in_with(declining(&[]))), "a computed kind is shared now");
    assert!(deletes_copies(&stored.signs_in_with(declining(&[DataPointKind::Incomes]))));
}

#[test]
fn computed_kind_that_is_shared_again_is_computed() {
    let mut stored = link_declining(&[DataPointKind::Insights]);
    let bodies = || vec![identity(), contribution(1)];
    drop(reads(&mut stored, ReadOutcome::Complete, bodies()));
    assert!(stored.points.iter().all(|point| point.kind != DataPointKind::Insights));
    drop(stored.signs_in_with(declining(&[])));
    drop(reads(&mut stored, ReadOutcome::Complete, bodies()));
    assert!(stored.points.iter().any(|point| point.kind == DataPointKind::Insights));
}

#[test]
fn linked_account_shows_what_was_chosen() {
    let stored = link_declining(&DataPointKind::ALL[2..]);
    let (link, consent) = fixture::templates();
    let terms = crate::linking::terms::Terms { link: &link, consent: &consent };
    let shown = stored.account.to_linked_account(None, &terms, fixture::context().now().tenant()).unwrap();
    assert_eq!(shown.chosen_data, DataPointKind::ALL[..2]);
}
