//! Invariants that hold after any sequence of inputs, legal or illegal.

use std::collections::BTreeSet;

use link_types::account::{ConnectionStatus, MonitorStatus};
use proptest::prelude::*;

use super::*;
use crate::change::Deletion;
use crate::linking::account_source::Purpose;

/// An input, generated independently of the account. Ids are filled in when it is applied.
#[derive(Clone, Copy, Debug)]
enum Action {
    Submit,
    Connected,
    Challenged,
    Waits,
    Failed,
    StaleStep,
    Answer,
    Resend,
    Extend,
    ChallengedElsewhere,
    Lapse,
    Read,
    ReadNothing,
    Revoke,
    Expire,
    Abandon,
    Disable,
    Enable,
    ReadLater,
    NeedsPerson,
    Sync,
    Refresh,
}

const ACTIONS: &[Action] = &[
    Action::Submit,
    Action::Connected,
    Action::Challenged,
    Action::Waits,
    Action::Failed,
    Action::StaleStep,
    Action::Answer,
    Action::Resend,
    Action::Extend,
    Action::ChallengedElsewhere,
    Action::Lapse,
    Action::Read,
    Action::ReadNothing,
    Action::Revoke,
    Action::Expire,
    Action::Abandon,
    Action::Disable,
    Action::Enable,
    Action::ReadLater,
    Action::NeedsPerson,
    Action::Sync,
    Action::Refresh,
];

impl Action {
    fn input(self, account: &Account) -> AccountInput<'static> {
        let challenge_id = challenge_id(account);
        match self {
            Self::Submit => AccountInput::Submit(fixture::submission()),
            Self::Connected => step_input(account, connect()),
            Self::Challenged => step_input(account, asks_for(one_time_code())),
            Self::Waits => step_input(
                account,
                Step::Wait { state: SourceState::new("soon"), for_at_least: Duration::from_secs(1) },
            ),
            Self::Failed => step_input(account, fail(LinkErrorCode::InvalidCredentials)),
            Self::StaleStep => AccountInput::Stepped {
                version: requested_at_version(account).wrapping_sub(1),
                step: connect(),
                tries: None,
            },
            Self::Answer => answer(account),
            Self::Extend => AccountInput::Extend { challenge_id },
            Self::ChallengedElsewhere => step_input(account, asks_elsewhere()),
            Self::Resend => AccountInput::Resend { challenge_id, channel: CodeChannel::Sms },
            Self::Lapse => AccountInput::ChallengeLapsed { challenge_id },
            Self::Read => read(account, ReadOutcome::Complete, vec![identity(), contribution(1)]),
            Self::ReadNothing => {
                read(account, ReadOutcome::Failed { code: LinkErrorCode::SystemError }, Vec::new())
            }
            Self::Revoke => AccountInput::Revoke { by: RevokedBy::User },
            Self::Expire => AccountInput::Expire,
            Self::Abandon => AccountInput::Abandon,
            Self::Disable => disables(),
            Self::Enable => AccountInput::EnableMonitor,
            Self::ReadLater => {
                read(account, ReadOutcome::Failed { code: LinkErrorCode::ServiceUnavailable }, Vec::new())
            }
            Self::NeedsPerson => {
                let code = LinkErrorCode::ExpiredCredentials;
                read(account, ReadOutcome::Partial { code }, vec![identity()])
            }
            Self::Sync => AccountInput::Sync,
            Self::Refresh => AccountInput::Refresh,
        }
    }
}

/// Changes over an account's whole life.
struct History {
    account: Account,
    changes: Vec<Change>,
    last_change_at: TenantTime,
}

/// Applies the inputs, each this many seconds after the previous one. Illegal inputs change nothing.
fn play(actions: &[(Action, u64)]) -> History {
    let (account, first) = fixture::begin_account(&mut fixture::context());
    let last_change_at = fixture::context().now().tenant();
    let mut history = History { account, changes: vec![first], last_change_at };
    let mut elapsed = Duration::from_secs(1);
    for (step, pause) in actions {
        elapsed += Duration::from_secs(*pause) + Duration::from_millis(1);
        let input = step.input(&history.account);
        let mut context = fixture::context_after(elapsed);
        if let Ok((account, change)) = history.account.clone().apply(input, &mut context) {
            history.account = account;
            history.last_change_at = context.now().tenant();
            history.changes.push(change);
        }
    }
    history
}

fn actions() -> impl Strategy<Value = Vec<(Action, u64)>> {
    let pause = prop_oneof![8 => 0_u64..40, 1 => Just(90_000_u64), 1 => Just(5_200_000_u64)];
    proptest::collection::vec((proptest::sample::select(ACTIONS), pause), 0..40)
}

impl History {
    fn events(&self) -> impl Iterator<Item = &EventRecord> {
        self.changes.iter().flat_map(|change| &change.events)
    }

    fn count(&self, event_type: &str) -> usize {
        self.events().filter(|event| event.event_type.as_str() == event_type).count()
    }

    fn count_billing(&self) -> usize {
        self.changes
            .iter()
            .flat_map(|change| &change.rows)
            .filter(|row| matches!(row, Row::Billing(_)))
            .count()
    }

    fn is_over(change: &Change) -> bool {
        !change.erasures.is_empty()
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn account_is_created_once_and_billed_at_most_once(actions in actions()) {
        let history = play(&actions);
        prop_assert_eq!(history.count("ACCOUNT_CREATED"), 1);
        prop_assert!(history.count_billing() <= 1);
        prop_assert_eq!(history.count_billing() == 1, history.count("ACCOUNT_CONNECTED") > 0);
    }

    #[test]
    fn connection_summary_decodes_from_any_serialized_state(actions in actions()) {
        let state = play(&actions).account.state;
        // Rows written before MessagePack are JSON.
        let written = serde_json::to_vec(&state).unwrap();
        prop_assert_eq!(serde_json::from_slice::<ConnectionSummary>(&written).unwrap(), state.connection_summary());
        let written = rmp_serde::to_vec_named(&state).unwrap();
        prop_assert_eq!(rmp_serde::from_slice::<ConnectionSummary>(&written).unwrap(), state.connection_summary());
    }

    #[test]
    fn status_shows_the_account_unless_it_failed_or_ended(actions in actions()) {
        let account = play(&actions).account;
        let status = account.connection_status();
        if let Some(connection) = ConnectionSummary::of_status(status) {
            prop_assert_eq!(connection.connection_status(), status);
            let connection = account.view().connection;
            prop_assert_eq!((connection.error_code, connection.end_reason), (None, None));
        } else {
            prop_assert!(matches!(status, ConnectionStatus::Error | ConnectionStatus::Disconnected));
        }
    }

    #[test]
    fn disconnected_account_gets_no_further_changes(actions in actions()) {
        let history = play(&actions);
        let end = history.changes.iter().position(History::is_over);
        if let Some(end) = end {
            prop_assert_eq!(end, history.changes.len() - 1, "the disconnection is the last change");
            let last = &history.changes[end];
            prop_assert_eq!(data_points(last), 0);
            prop_assert!(last.jobs.is_empty());
            prop_assert!(matches!(history.account.state, AccountState::Disconnected(_)));
        }
    }

    #[test]
    fn started_task_finishes_once_or_is_still_running(actions in actions()) {
        let history = play(&actions);
        let running = history.account.run().is_some_and(|run| run.purpose == Purpose::SignIn);
        let started = history.count("TASK_STARTED");
        prop_assert_eq!(started, history.count("TASK_FINISHED") + usize::from(running));
    }

    #[test]
    fn events_have_unique_ids_and_gapless_sequence_numbers(actions in actions()) {
        let history = play(&actions);
        let sequence: Vec<u64> = history.events().map(|event| event.sequence).collect();
        prop_assert_eq!(&sequence, &(1..=sequence.len() as u64).collect::<Vec<_>>());
        let ids: BTreeSet<_> = history.events().map(|event| event.id.clone()).collect();
        prop_assert_eq!(ids.len(), sequence.len());
    }

    #[test]
    fn disconnected_event_is_emitted_unless_account_is_removed(actions in actions()) {
        let history = play(&actions);
        let removed = history.changes.iter().any(|change| {
            change.deletions == [Deletion::Account(history.account.id.clone())]
        });
        let over = matches!(history.account.state, AccountState::Disconnected(_));
        prop_assert_eq!(history.count("ACCOUNT_DISCONNECTED"), usize::from(over && !removed));
    }

    #[test]
    fn pending_step_has_a_job_that_can_run_it(actions in actions()) {
        let history = play(&actions);
        let working = history.account.link().is_some_and(|link| matches!(link.step, LinkStep::Working { .. }));
        let scheduled = history.changes.iter().flat_map(|change| &change.jobs).rev().find_map(|job| match &job.kind {
            crate::change::job::JobKind::StepAccount { version, .. } => Some(*version),
            crate::change::job::JobKind::ReadAccount { .. }
            | crate::change::job::JobKind::SyncAccount { .. }
            | crate::change::job::JobKind::LapseChallenge { .. }
            | crate::change::job::JobKind::RemovePending { .. }
            | crate::change::job::JobKind::ExpireAccount { .. }
            | crate::change::job::JobKind::AnalyzeArchive { .. }
            | crate::change::job::JobKind::ExpireArchive { .. }
            | crate::change::job::JobKind::EraseUser { .. }
            | crate::change::job::JobKind::EraseTenant { .. }
            | crate::change::job::JobKind::RemovePartialFiles { .. }
            | crate::change::job::JobKind::DeleteOrphans { .. }
            | crate::change::job::JobKind::SendInvite { .. }
            | crate::change::job::JobKind::ForgetMail { .. }
            | crate::change::job::JobKind::SendPageLink { .. }
            | crate::change::job::JobKind::SendCode { .. }
            | crate::change::job::JobKind::ExpireInvite { .. }
            | crate::change::job::JobKind::LapseHostedLink { .. }
            | crate::change::job::JobKind::ExpireHostedLink { .. }
            | crate::change::job::JobKind::EndRotation { .. }
            | crate::change::job::JobKind::RecoverDeliveries { .. }
            | crate::change::job::JobKind::CompleteRecord { .. }
            | crate::change::job::JobKind::CompleteSignal { .. }
            | crate::change::job::JobKind::AdvanceClock { .. }
            | crate::change::job::JobKind::WithdrawAccess { .. }
            | crate::change::job::JobKind::ExpireScope { .. } => None,
        });
        if working && let Some(version) = scheduled {
            let input = AccountInput::Stepped { version, step: connect(), tries: None };
            prop_assert!(history.account.apply(input, &mut fixture::context()).is_ok());
        }
    }

    #[test]
    fn every_started_task_is_finished_or_running(actions in actions()) {
        let history = play(&actions);
        let mut tasks = std::collections::BTreeMap::new();
        for row in history.changes.iter().flat_map(|change| &change.rows) {
            if let Row::Task(task) = row {
                tasks.insert(task.id.clone(), task.clone());
            }
        }
        let unfinished = tasks.values().filter(|task| task.status() == link_types::task::TaskStatus::Started);
        prop_assert_eq!(unfinished.map(|it| &it.id).collect::<Vec<_>>(), history.account.running_task().map(|it| &it.id).into_iter().collect::<Vec<_>>());
        let finished = history.count("TASK_FINISHED") + history.count("ACCOUNT_SYNC_TASK_FINISHED");
        prop_assert_eq!(finished, tasks.len() - usize::from(history.account.running_task().is_some()));
    }

    #[test]
    fn account_in_sync_has_a_job_that_reads_it_again(actions in actions()) {
        let history = play(&actions);
        let account = &history.account;
        let jobs = || history.changes.iter().flat_map(|change| &change.jobs).rev();
        let is_sync = |job: &&crate::change::job::Job| matches!(job.kind, crate::change::job::JobKind::SyncAccount { .. });
        if let Some(next_at) = account.monitor.next_at() {
            prop_assert_eq!(jobs().find(is_sync).map(|job| job.due_at), Some(next_at));
            prop_assert!(next_at < account.data_ends_at());
            prop_assert!(account.run().is_none());
        }
        let in_sync = account.monitor.status() == MonitorStatus::Active && account.is_connected();
        if in_sync && account.monitor.next_at().is_none() && account.run().is_none() {
            // Only an account in its last hours is not read again.
            let left = account.data_ends_at().since(history.last_change_at);
            prop_assert!(left <= READING_TIME / 2, "{left:?}");
        }
        if let Some(run) = account.run() && run.purpose == Purpose::Sync {
            prop_assert!(jobs().any(|job| is_sync(&job)));
        }
    }

    #[test]
    fn only_a_login_ends_user_action_required(actions in actions()) {
        let (mut account, _) = fixture::begin_account(&mut fixture::context());
        let mut elapsed = Duration::from_secs(1);
        for (step, pause) in actions {
            elapsed += Duration::from_secs(pause) + Duration::from_millis(1);
            let input = step.input(&account);
            let waited = account.monitor.waits_for_person();
            if let Ok((next, change)) = account.clone().apply(input, &mut fixture::context_after(elapsed)) {
                let signed_in = types(&change.events).contains(&"ACCOUNT_CONNECTED");
                prop_assert!(!waited || next.monitor.waits_for_person() || signed_in, "{step:?}");
                account = next;
            }
        }
    }

    #[test]
    fn unconnected_account_always_has_a_removal_job(actions in actions()) {
        let history = play(&actions);
        if let AccountState::Linking(_) = history.account.state {
            let last = history.changes.last().map(|change| &change.jobs);
            let scheduled = last.into_iter().flatten().any(|job| {
                matches!(job.kind, crate::change::job::JobKind::RemovePending { .. })
            });
            prop_assert!(scheduled);
        }
    }
}
