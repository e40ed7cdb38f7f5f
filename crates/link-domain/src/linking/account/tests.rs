//! Tests of the account's life cycle, as tables and as random sequences.

mod challenge;
mod consent;
mod declined;
mod guesses;
mod life;
mod random;
mod redirect;
mod retention;
mod sync;
mod sync_logins;
mod table;
mod year;

use std::time::Duration;

use link_types::LinkErrorCode;
use link_types::challenge::{ChallengeKind, CodeChannel};
use link_types::data::{Contribution, DataPointBody, Employment, Identity};
use link_types::format::FieldFormat;
use link_types::id::{ChallengeId, ContributionId, EmploymentId, IdentityId, TaskId};
use link_types::provider::Choice;
use link_types::{Date, Money};

use super::*;
use crate::change::{Change, Deletion, Row};
use crate::data::batch::Batch;
use crate::data::data_point::Known;
use crate::fixture::{self, PlainLinks};
use crate::kernel::context::Context;
use crate::kernel::source::RevokedBy;
use crate::linking::account_source::{PosedChallenge, Read, ReadOutcome, Resend, SourceState, Step};
use crate::linking::guesses::Tries;
use crate::linking::link_history::LinkHistory;
use crate::notifications::event::EventRecord;

/// Lifetime of a challenge in these tests, and the delay before its code can be resent.
const LASTS: Duration = Duration::from_secs(300);
const RESEND_AFTER: Duration = Duration::from_secs(20);
/// When the source is checked for approval elsewhere.
const CHECK_AFTER: Duration = Duration::from_secs(4);

fn step_input(account: &Account, step: Step) -> AccountInput<'static> {
    AccountInput::Stepped { version: requested_at_version(account), step, tries: Some(fixture::tries()) }
}

/// Returns the version that scheduled the pending step.
fn requested_at_version(account: &Account) -> u32 {
    match account.link().map(|link| &link.step) {
        Some(
            LinkStep::Working { requested_at_version, .. }
            | LinkStep::Challenged { requested_at_version: Some(requested_at_version), .. },
        ) => *requested_at_version,
        Some(LinkStep::Challenged { requested_at_version: None, .. } | LinkStep::Failed(_)) | None => {
            account.version
        }
    }
}

fn source(account: &Account) -> SourceState {
    match &account.state {
        AccountState::Connected(connection) => connection.source.clone(),
        AccountState::Linking(_) | AccountState::Disconnected(_) => SourceState::default(),
    }
}

/// Returns the link history of an account that was linked once.
fn history(account: &Account) -> LinkHistory {
    LinkHistory(vec![(account.id.clone(), account.updated_at)])
}

fn connect() -> Step {
    Step::Connected { state: SourceState::new("session") }
}

fn fail(code: LinkErrorCode) -> Step {
    Step::Failed { code }
}

fn asks_for(kind: ChallengeKind) -> Step {
    let challenge = PosedChallenge {
        kind,
        lasts: Some(LASTS),
        check_after: None,
        extendable: true,
        resend: Some(Resend { after: RESEND_AFTER, channels: vec![CodeChannel::Sms] }),
        tries_left: Some(3),
        wrong_answer: false,
        redirect: None,
    };
    Step::Challenge { state: SourceState::new("half way"), challenge }
}

/// Returns a challenge that is approved elsewhere.
fn asks_elsewhere() -> Step {
    let challenge = PosedChallenge {
        kind: ChallengeKind::Approve { device: None },
        lasts: Some(LASTS),
        check_after: Some(CHECK_AFTER),
        extendable: false,
        resend: None,
        tries_left: None,
        wrong_answer: false,
        redirect: None,
    };
    Step::Challenge { state: SourceState::new("half way"), challenge }
}

fn one_time_code() -> ChallengeKind {
    let format = FieldFormat::Digits { min: 4, max: 4 };
    ChallengeKind::OneTimeCode { channel: CodeChannel::Sms, destination: None, format }
}

fn choice() -> ChallengeKind {
    let choices = vec![Choice { value: "a".into(), label: "A".into() }];
    ChallengeKind::Choice { question: "Which?".into(), choices }
}

fn challenge_id(account: &Account) -> ChallengeId {
    match account.link().map(|link| &link.step) {
        Some(LinkStep::Challenged { challenge, .. }) => challenge.id.clone(),
        Some(LinkStep::Working { .. } | LinkStep::Failed(_)) | None => ChallengeId::from_bytes([0; 16]),
    }
}

fn answer(account: &Account) -> AccountInput<'static> {
    let answer = Answer::Text(fixture::sealing::unopened_box());
    AccountInput::Answer { challenge_id: challenge_id(account), answer, tries: None }
}

fn task_id(account: &Account) -> TaskId {
    match &account.state {
        AccountState::Connected(connection) => match &connection.reading {
            Reading::Running(run) => run.task.id.clone(),
            Reading::Done { .. } | Reading::Failed { .. } => TaskId::from_bytes([0; 16]),
        },
        AccountState::Linking(_) | AccountState::Disconnected(_) => TaskId::from_bytes([0; 16]),
    }
}

fn read(account: &Account, outcome: ReadOutcome, bodies: Vec<DataPointBody>) -> AccountInput<'static> {
    let read =
        Read { state: SourceState::new("later"), batch: Batch { bodies, ..Batch::default() }, outcome };
    let (task_id, from, history) = (task_id(account), source(account), history(account));
    let (known, files) = (Known::default(), Vec::new());
    AccountInput::Read { task_id, from, read, files, known, history, links: &PlainLinks }
}

/// Returns an account after applying these inputs.
fn account_after(steps: &[fn(&Account) -> AccountInput<'static>], context: &mut Context) -> Account {
    let (account, _) = fixture::begin_account(context);
    steps.iter().fold(account, |account, step| {
        let input = step(&account);
        account.apply(input, context).unwrap().0
    })
}

fn is_connected(account: &Account) -> AccountInput<'static> {
    step_input(account, connect())
}

fn is_challenged(account: &Account) -> AccountInput<'static> {
    step_input(account, asks_for(one_time_code()))
}

fn has_failed(account: &Account) -> AccountInput<'static> {
    step_input(account, fail(LinkErrorCode::InvalidCredentials))
}

fn is_read(account: &Account) -> AccountInput<'static> {
    read(account, ReadOutcome::Complete, vec![identity(), contribution(1)])
}

fn disables() -> AccountInput<'static> {
    let known = Known::from_points(Vec::new()).unwrap();
    AccountInput::DisableMonitor { known, links: &fixture::PlainLinks }
}

fn is_revoked(_: &Account) -> AccountInput<'static> {
    AccountInput::Revoke { by: RevokedBy::User }
}

fn submits(_: &Account) -> AccountInput<'static> {
    AccountInput::Submit(fixture::submission())
}

fn types(events: &[EventRecord]) -> Vec<&'static str> {
    events.iter().map(|event| event.event_type.as_str()).collect()
}

fn data(event: &EventRecord, include_payload: bool) -> serde_json::Value {
    serde_json::from_slice::<serde_json::Value>(event.body(include_payload)).unwrap()["data"].clone()
}

fn data_points(change: &Change) -> usize {
    change.rows.iter().filter(|row| matches!(row, Row::DataPoint(_))).count()
}

fn identity() -> DataPointBody {
    DataPointBody::Identity(Box::new(Identity {
        id: IdentityId::from_bytes([0; 16]),
        full_name: Some("Ligaya Tala Silangan".into()),
        first_name: Some("Ligaya".into()),
        middle_name: None,
        last_name: Some("Silangan".into()),
        suffix: None,
        gender: None,
        dob: None,
        marital_status: None,
        country_residence: None,
        citizenship: None,
        photo_url: None,
        reference_id: None,
        profile_url: None,
        latest_employer_name: None,
        emails: Vec::new(),
        phones: Vec::new(),
        social_profiles: Vec::new(),
        addresses: Vec::new(),
    }))
}

fn contribution(day: i64) -> DataPointBody {
    DataPointBody::Contribution(Contribution {
        id: ContributionId::from_bytes([0; 16]),
        date: Some(Date::new(2024, 1, 1).unwrap().plus_days(day)),
        currency: "MXN".into(),
        amount: Money::from_hundredths(123_450),
        reference_id: None,
    })
}

fn employment() -> DataPointBody {
    DataPointBody::Employment(Employment {
        id: EmploymentId::from_bytes([0; 16]),
        name: None,
        description: None,
        job_title: Some("Clerk".into()),
        department: None,
        employee_number: None,
        employer: None,
        status: None,
        start_date: None,
        end_date: None,
    })
}

/// Returns the tries that a change counted, if any.
fn find_tries(change: &Change) -> Option<Tries> {
    let own =
        change.rows.iter().find_map(|row| if let Row::LoginTries(own) = row { Some(own) } else { None });
    own.map(|own| Tries { own: own.clone(), ..fixture::tries() })
}
