//! Continuous sync of an account (`monitorStatus`).

use link_types::account::MonitorStatus;
use link_types::template::SyncInterval;
use serde::{Deserialize, Serialize};

use super::input::IllegalTransitionError;
use crate::kernel::clock::TenantTime;

/// Continuous sync of an account.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Monitor {
    /// State of the sync.
    pub state: MonitorState,
    /// When the status last changed. `None` before the first change.
    pub updated_at: Option<TenantTime>,
    /// When data was last read. `None` for an account that is not in sync.
    pub last_at: Option<TenantTime>,
}

/// State of an account's continuous sync.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum MonitorState {
    /// The account is not in sync.
    Unsupported {},
    /// The account is read again at each interval.
    #[serde(rename_all = "camelCase")]
    Active {
        /// Interval of the link template.
        interval: SyncInterval,
        /// When the account is read next. `None` while a reading runs, and if the account expires first.
        next_at: Option<TenantTime>,
    },
    /// The person must sign in again. The account is not read until then.
    UserActionRequired {
        /// Interval of the link template.
        interval: SyncInterval,
    },
    /// The tenant disabled sync, or the account is disconnected.
    #[serde(rename_all = "camelCase")]
    CustomerDisabled {
        /// Interval of the link template.
        interval: SyncInterval,
        /// Whether the person must sign in again before the account can be read.
        needs_person: bool,
    },
}

impl MonitorState {
    /// Returns the status, as the interface defines it.
    pub const fn status(self) -> MonitorStatus {
        match self {
            Self::Unsupported {} => MonitorStatus::Unsupported,
            Self::Active { .. } => MonitorStatus::Active,
            Self::UserActionRequired { .. } => MonitorStatus::UserActionRequired,
            Self::CustomerDisabled { .. } => MonitorStatus::CustomerDisabled,
        }
    }
}

impl Monitor {
    /// Sync of an account that was never in sync.
    pub const UNSUPPORTED: Self =
        Self { state: MonitorState::Unsupported {}, updated_at: None, last_at: None };

    /// Returns the status, as the interface defines it.
    pub const fn status(self) -> MonitorStatus {
        self.state.status()
    }

    /// Returns when the account is read next.
    pub const fn next_at(self) -> Option<TenantTime> {
        match self.state {
            MonitorState::Active { next_at, .. } => next_at,
            MonitorState::Unsupported {}
            | MonitorState::UserActionRequired { .. }
            | MonitorState::CustomerDisabled { .. } => None,
        }
    }

    /// Returns the interval at which the account is read, or `None` unless it is.
    pub(super) const fn active_interval(self) -> Option<SyncInterval> {
        match self.state {
            MonitorState::Active { interval, .. } => Some(interval),
            MonitorState::Unsupported {}
            | MonitorState::UserActionRequired { .. }
            | MonitorState::CustomerDisabled { .. } => None,
        }
    }

    /// Returns whether the account cannot be read until the person signs in again.
    pub(crate) const fn waits_for_person(self) -> bool {
        matches!(
            self.state,
            MonitorState::UserActionRequired { .. }
                | MonitorState::CustomerDisabled { needs_person: true, .. }
        )
    }

    /// Changes the state. The time changes only with the status.
    fn into_state(self, state: MonitorState, at: TenantTime) -> Self {
        let changes = state.status() != self.status();
        Self { state, updated_at: if changes { Some(at) } else { self.updated_at }, ..self }
    }

    /// Returns the sync after a login connected the account, the first one or a later one. `sync` is the interval of
    /// the link template, or `None` if the template or the provider has no sync. A tenant that disabled sync enables it
    /// itself.
    pub(super) fn after_login(self, sync: Option<SyncInterval>, at: TenantTime) -> Self {
        match (sync, self.state) {
            (None, _) => Self { last_at: None, ..self.into_state(MonitorState::Unsupported {}, at) },
            (Some(interval), MonitorState::CustomerDisabled { .. }) => {
                self.into_state(MonitorState::CustomerDisabled { interval, needs_person: false }, at)
            }
            (
                Some(interval),
                MonitorState::Unsupported {}
                | MonitorState::Active { .. }
                | MonitorState::UserActionRequired { .. },
            ) => self.into_state(MonitorState::Active { interval, next_at: None }, at),
        }
    }

    /// Returns the sync after a reading failed because the person must sign in again.
    pub(super) fn needs_person(self, at: TenantTime) -> Self {
        match self.state {
            MonitorState::Active { interval, .. } => {
                self.into_state(MonitorState::UserActionRequired { interval }, at)
            }
            MonitorState::CustomerDisabled { interval, .. } => {
                self.into_state(MonitorState::CustomerDisabled { interval, needs_person: true }, at)
            }
            MonitorState::Unsupported {} | MonitorState::UserActionRequired { .. } => self,
        }
    }

    /// Returns the sync after data was read.
    pub(super) const fn read(self, at: TenantTime) -> Self {
        match self.state {
            MonitorState::Unsupported {} => self,
            MonitorState::Active { .. }
            | MonitorState::UserActionRequired { .. }
            | MonitorState::CustomerDisabled { .. } => Self { last_at: Some(at), ..self },
        }
    }

    /// Sets when the account is read next, if it is in sync.
    pub(super) fn schedule_at(self, next_at: Option<TenantTime>) -> Self {
        match self.state {
            MonitorState::Active { interval, .. } => {
                Self { state: MonitorState::Active { interval, next_at }, ..self }
            }
            MonitorState::Unsupported {}
            | MonitorState::UserActionRequired { .. }
            | MonitorState::CustomerDisabled { .. } => self,
        }
    }

    /// Returns the sync after the account was disconnected.
    pub(super) fn disconnect(self, at: TenantTime) -> Self {
        self.disable(at).unwrap_or(self)
    }

    /// Returns the sync after the tenant disabled it.
    pub(super) fn disable(self, at: TenantTime) -> Result<Self, IllegalTransitionError> {
        let needs_person = self.waits_for_person();
        match self.state {
            MonitorState::Active { interval, .. }
            | MonitorState::UserActionRequired { interval }
            | MonitorState::CustomerDisabled { interval, .. } => {
                Ok(self.into_state(MonitorState::CustomerDisabled { interval, needs_person }, at))
            }
            MonitorState::Unsupported {} => Err(IllegalTransitionError::MonitorUnsupported),
        }
    }

    /// Returns the sync after the tenant enabled it again. A person who must sign in still must.
    pub(super) fn enable(self, at: TenantTime) -> Result<Self, IllegalTransitionError> {
        match self.state {
            MonitorState::CustomerDisabled { interval, needs_person: true } => {
                Ok(self.into_state(MonitorState::UserActionRequired { interval }, at))
            }
            MonitorState::CustomerDisabled { interval, needs_person: false } => {
                Ok(self.into_state(MonitorState::Active { interval, next_at: None }, at))
            }
            MonitorState::Active { .. } | MonitorState::UserActionRequired { .. } => Ok(self),
            MonitorState::Unsupported {} => Err(IllegalTransitionError::MonitorUnsupported),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    const BEFORE: TenantTime = TenantTime::from_micros(1_000_000);
    const NOW: TenantTime = TenantTime::from_micros(2_000_000);
    const DAILY: SyncInterval = SyncInterval::Daily;

    const UNSUPPORTED: MonitorState = MonitorState::Unsupported {};
    const WAITING: MonitorState = MonitorState::Active { interval: DAILY, next_at: Some(NOW) };
    const ACTIVE: MonitorState = MonitorState::Active { interval: DAILY, next_at: None };
    const NEEDED: MonitorState = MonitorState::UserActionRequired { interval: DAILY };
    const DISABLED: MonitorState = MonitorState::CustomerDisabled { interval: DAILY, needs_person: false };
    const LOCKED: MonitorState = MonitorState::CustomerDisabled { interval: DAILY, needs_person: true };

    type Step = fn(Monitor) -> Result<Monitor, IllegalTransitionError>;

    /// Each transition, with its result for each state: unsupported, active, needing the person, disabled, and disabled
    /// while needing the person.
    #[rstest]
    #[case::connected_in_sync(
        |it: Monitor| Ok(it.after_login(Some(DAILY), NOW)),
        [Some(ACTIVE), Some(ACTIVE), Some(ACTIVE), Some(DISABLED), Some(DISABLED)]
    )]
    #[case::connected_without_sync(
        |it: Monitor| Ok(it.after_login(None, NOW)),
        [Some(UNSUPPORTED), Some(UNSUPPORTED), Some(UNSUPPORTED), Some(UNSUPPORTED), Some(UNSUPPORTED)]
    )]
    #[case::needs_person(
        |it: Monitor| Ok(it.needs_person(NOW)),
        [Some(UNSUPPORTED), Some(NEEDED), Some(NEEDED), Some(LOCKED), Some(LOCKED)]
    )]
    #[case::disconnect(
        |it: Monitor| Ok(it.disconnect(NOW)),
        [Some(UNSUPPORTED), Some(DISABLED), Some(LOCKED), Some(DISABLED), Some(LOCKED)]
    )]
    #[case::disable(
        |it: Monitor| it.disable(NOW),
        [None, Some(DISABLED), Some(LOCKED), Some(DISABLED), Some(LOCKED)]
    )]
    #[case::enable(
        |it: Monitor| it.enable(NOW),
        [None, Some(WAITING), Some(NEEDED), Some(ACTIVE), Some(NEEDED)]
    )]
    #[case::schedule_at(
        |it: Monitor| Ok(it.schedule_at(None)),
        [Some(UNSUPPORTED), Some(ACTIVE), Some(NEEDED), Some(DISABLED), Some(LOCKED)]
    )]
    fn monitor_state_follows_the_transition_table(
        #[case] step: Step,
        #[case] expected: [Option<MonitorState>; 5],
    ) {
        for (from, expected) in [UNSUPPORTED, WAITING, NEEDED, DISABLED, LOCKED].into_iter().zip(expected) {
            let before = Monitor { state: from, updated_at: Some(BEFORE), last_at: None };
            match (step(before), expected) {
                (Ok(after), Some(expected)) => {
                    assert_eq!(after.state, expected, "{from:?}");
                    let changed_at = if expected.status() == from.status() { BEFORE } else { NOW };
                    assert_eq!(after.updated_at, Some(changed_at), "{from:?}");
                }
                (Err(error), None) => {
                    assert_eq!(error, IllegalTransitionError::MonitorUnsupported, "{from:?}")
                }
                (found, _) => panic!("{from:?}: {found:?}"),
            }
        }
    }

    #[test]
    fn last_sync_is_known_only_of_an_account_in_sync() {
        let connected = Monitor::UNSUPPORTED.after_login(Some(DAILY), BEFORE);
        assert_eq!(connected.read(NOW).last_at, Some(NOW));
        assert_eq!(connected.read(NOW).after_login(None, NOW).last_at, None);
        assert_eq!(Monitor::UNSUPPORTED.read(NOW).last_at, None);
    }
}
