//! Continuous sync of an account (`monitorStatus`).

use link_types::account::MonitorStatus;
use serde::{Deserialize, Serialize};

use super::input::IllegalTransition;
use crate::clock::TenantTime;

/// Status of continuous sync, and when it last changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Monitor {
    /// Status, as the interface defines it.
    pub status: MonitorStatus,
    /// When the status last changed. `None` before the first change.
    pub updated_at: Option<TenantTime>,
}

impl Monitor {
    /// Status of an account that was never in sync.
    pub const UNSUPPORTED: Self = Self { status: MonitorStatus::Unsupported, updated_at: None };

    const fn at(status: MonitorStatus, at: TenantTime) -> Self {
        Self { status, updated_at: Some(at) }
    }

    /// Returns the status after the account connected.
    pub(super) const fn connected(self, monitored: bool, at: TenantTime) -> Self {
        if monitored { Self::at(MonitorStatus::Active, at) } else { self }
    }

    /// Returns the status after a connected account was re-authorized. Only sync that was waiting for this resumes.
    pub(super) const fn reauthorized(self, at: TenantTime) -> Self {
        match self.status {
            MonitorStatus::UserActionRequired => Self::at(MonitorStatus::Active, at),
            MonitorStatus::Unsupported | MonitorStatus::Active | MonitorStatus::CustomerDisabled => self,
        }
    }

    /// Returns the status after a reading failed because the person must sign in again.
    pub(super) const fn needs_person(self, at: TenantTime) -> Self {
        match self.status {
            MonitorStatus::Active => Self::at(MonitorStatus::UserActionRequired, at),
            MonitorStatus::UserActionRequired
            | MonitorStatus::Unsupported
            | MonitorStatus::CustomerDisabled => self,
        }
    }

    /// Returns the status after the account was disconnected.
    pub(super) const fn disconnected(self, at: TenantTime) -> Self {
        match self.status {
            MonitorStatus::Active | MonitorStatus::UserActionRequired => {
                Self::at(MonitorStatus::CustomerDisabled, at)
            }
            MonitorStatus::Unsupported | MonitorStatus::CustomerDisabled => self,
        }
    }

    /// Returns the status after the tenant disabled sync.
    pub(super) const fn disabled(self, at: TenantTime) -> Result<Self, IllegalTransition> {
        match self.status {
            MonitorStatus::Active | MonitorStatus::UserActionRequired => {
                Ok(Self::at(MonitorStatus::CustomerDisabled, at))
            }
            MonitorStatus::CustomerDisabled => Ok(self),
            MonitorStatus::Unsupported => Err(IllegalTransition::MonitorUnsupported),
        }
    }

    /// Returns the status after the tenant enabled sync again.
    pub(super) const fn enabled(self, at: TenantTime) -> Result<Self, IllegalTransition> {
        match self.status {
            MonitorStatus::CustomerDisabled => Ok(Self::at(MonitorStatus::Active, at)),
            MonitorStatus::Active | MonitorStatus::UserActionRequired => Ok(self),
            MonitorStatus::Unsupported => Err(IllegalTransition::MonitorUnsupported),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use MonitorStatus::{Active, CustomerDisabled, Unsupported, UserActionRequired};
    use rstest::rstest;

    const BEFORE: TenantTime = TenantTime::from_micros(1_000_000);
    const NOW: TenantTime = TenantTime::from_micros(2_000_000);

    type Step = fn(Monitor) -> Result<Monitor, IllegalTransition>;

    /// The table of `resources.md`: each transition, with its result for each of the four statuses.
    #[rstest]
    #[case::connected_in_sync(|it: Monitor| Ok(it.connected(true, NOW)), [Some(Active), Some(Active), Some(Active), Some(Active)])]
    #[case::connected_without_sync(
        |it: Monitor| Ok(it.connected(false, NOW)),
        [Some(Unsupported), Some(Active), Some(UserActionRequired), Some(CustomerDisabled)]
    )]
    #[case::reauthorized(
        |it: Monitor| Ok(it.reauthorized(NOW)),
        [Some(Unsupported), Some(Active), Some(Active), Some(CustomerDisabled)]
    )]
    #[case::needs_reauthorization(
        |it: Monitor| Ok(it.needs_person(NOW)),
        [Some(Unsupported), Some(UserActionRequired), Some(UserActionRequired), Some(CustomerDisabled)]
    )]
    #[case::disconnected(
        |it: Monitor| Ok(it.disconnected(NOW)),
        [Some(Unsupported), Some(CustomerDisabled), Some(CustomerDisabled), Some(CustomerDisabled)]
    )]
    #[case::disabled(
        |it: Monitor| it.disabled(NOW),
        [None, Some(CustomerDisabled), Some(CustomerDisabled), Some(CustomerDisabled)]
    )]
    #[case::enabled(|it: Monitor| it.enabled(NOW), [None, Some(Active), Some(UserActionRequired), Some(Active)])]
    fn monitor_status_follows_the_transition_table(
        #[case] step: Step,
        #[case] expected: [Option<MonitorStatus>; 4],
    ) {
        for (from, expected) in MonitorStatus::ALL.iter().zip(expected) {
            let before = Monitor::at(*from, BEFORE);
            match (step(before), expected) {
                (Ok(after), Some(expected)) => {
                    assert_eq!(after.status, expected, "{from}");
                    if expected != *from {
                        assert_eq!(after.updated_at, Some(NOW), "{from}");
                    }
                }
                (Err(error), None) => assert_eq!(error, IllegalTransition::MonitorUnsupported, "{from}"),
                (found, _) => panic!("{from}: {found:?}"),
            }
        }
    }
}
