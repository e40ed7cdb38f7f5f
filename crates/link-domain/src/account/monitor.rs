//! Continuous sync of an account (`monitorStatus`).

use link_types::account::MonitorStatus;
use serde::{Deserialize, Serialize};

use super::IllegalTransition;
use crate::clock::TenantTime;

/// Continuous sync, and since when.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Monitor {
    /// The state in the interface's words.
    pub status: MonitorStatus,
    /// Since when; null before the first change.
    pub updated_at: Option<TenantTime>,
}

impl Monitor {
    /// The state of an account that never was in sync.
    pub const UNSUPPORTED: Self = Self { status: MonitorStatus::Unsupported, updated_at: None };

    const fn at(status: MonitorStatus, at: TenantTime) -> Self {
        Self { status, updated_at: Some(at) }
    }

    /// After the account connected.
    pub(super) const fn connected(self, monitored: bool, at: TenantTime) -> Self {
        if monitored { Self::at(MonitorStatus::Active, at) } else { self }
    }

    /// After the person re-authorized a connected account: only what waited for that goes on.
    pub(super) const fn reauthorized(self, at: TenantTime) -> Self {
        match self.status {
            MonitorStatus::UserActionRequired => Self::at(MonitorStatus::Active, at),
            MonitorStatus::Unsupported | MonitorStatus::Active | MonitorStatus::CustomerDisabled => self,
        }
    }

    /// After a reading failed because the person has to sign in again.
    pub(super) const fn needs_person(self, at: TenantTime) -> Self {
        match self.status {
            MonitorStatus::Active => Self::at(MonitorStatus::UserActionRequired, at),
            MonitorStatus::UserActionRequired
            | MonitorStatus::Unsupported
            | MonitorStatus::CustomerDisabled => self,
        }
    }

    /// After the account was disconnected.
    pub(super) const fn disconnected(self, at: TenantTime) -> Self {
        match self.status {
            MonitorStatus::Active | MonitorStatus::UserActionRequired => {
                Self::at(MonitorStatus::CustomerDisabled, at)
            }
            MonitorStatus::Unsupported | MonitorStatus::CustomerDisabled => self,
        }
    }

    /// After the tenant stopped it.
    pub(super) const fn disabled(self, at: TenantTime) -> Result<Self, IllegalTransition> {
        match self.status {
            MonitorStatus::Active | MonitorStatus::UserActionRequired => {
                Ok(Self::at(MonitorStatus::CustomerDisabled, at))
            }
            MonitorStatus::CustomerDisabled => Ok(self),
            MonitorStatus::Unsupported => Err(IllegalTransition::MonitorUnsupported),
        }
    }

    /// After the tenant started it again.
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

    /// The table of `resources.md`: each thing that happens, and what each of the four states becomes.
    #[rstest]
    #[case::connected_in_sync(|it: Monitor| Ok(it.connected(true, NOW)), [Some(Active), Some(Active), Some(Active), Some(Active)])]
    #[case::connected_without_sync(
        |it: Monitor| Ok(it.connected(false, NOW)),
        [Some(Unsupported), Some(Active), Some(UserActionRequired), Some(CustomerDisabled)]
    )]
    #[case::signed_in_again(
        |it: Monitor| Ok(it.reauthorized(NOW)),
        [Some(Unsupported), Some(Active), Some(Active), Some(CustomerDisabled)]
    )]
    #[case::needs_the_person(
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
    fn what_happens_to_continuous_sync(#[case] step: Step, #[case] expected: [Option<MonitorStatus>; 4]) {
        for (from, expected) in MonitorStatus::ALL.iter().zip(expected) {
            let before = Monitor::at(*from, BEFORE);
            match (step(before), expected) {
                (Ok(after), Some(expected)) => {
                    assert_eq!(after.status, expected, "{from}");
                    if expected != *from {
                        assert_eq!(after.updated_at, Some(NOW), "{from}");
                    }
                }
                (Err(refused), None) => assert_eq!(refused, IllegalTransition::MonitorUnsupported, "{from}"),
                (found, _) => panic!("{from}: {found:?}"),
            }
        }
    }
}
