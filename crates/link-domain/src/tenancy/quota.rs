//! Quotas: limits on the rows one user may add within a period, across all sessions and requests.
//!
//! A quota refills evenly over its period. So one value per user and quota is enough: the time at which it is
//! completely available again. Archives and files have a separate quota (`UploadQuota`), because an
//! operator sets it.

use std::time::Duration;

use link_types::id::UserId;

use crate::kernel::clock::Wall;
use crate::kernel::owner::Owner;
use crate::linking::link::session::ABSOLUTE_LIFE;

const DAY: Duration = Duration::from_secs(86_400);

/// A quota per user and period.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Quota {
    /// Rows of UI events of one widget session.
    UiEventsOfSession,
    /// Rows of UI events of one user.
    UiEventsOfUser,
    /// Reports of wasm traps.
    Traps,
    /// Answers to the employer survey.
    Surveys,
    /// Accounts created in the widget.
    Accounts,
    /// Logins submitted in the widget, regardless of their outcome.
    Submits,
    /// One-time codes that a user requested again.
    Resends,
    /// Link tokens that a hosted page issues to its visitor.
    HostedTokens,
    /// Files of `POST /archives` that the inspection rejected.
    RefusedFiles,
}

impl Quota {
    /// Every quota.
    pub const ALL: [Self; 9] = [
        Self::UiEventsOfSession,
        Self::UiEventsOfUser,
        Self::Traps,
        Self::Surveys,
        Self::Accounts,
        Self::Submits,
        Self::Resends,
        Self::HostedTokens,
        Self::RefusedFiles,
    ];

    /// Returns the maximum within [`Quota::span`].
    pub const fn max(self) -> u32 {
        match self {
            // A person who links one account causes 30 to 150 rows, batches included.
            Self::UiEventsOfSession => 2_000,
            // Five full sessions. A developer who tests all day with one user stays below it.
            Self::UiEventsOfUser => 10_000,
            // Each report is a defect in the widget. Repeated reports contain nothing new.
            Self::Traps => 20,
            // A person has only a few employers that they cannot find.
            Self::Surveys => 20,
            // Same as for archives. Each account costs events, deliveries and a key.
            Self::Accounts => 100,
            // Twice the limit of accounts. Each submit costs events and deliveries, and may cause a challenge.
            Self::Submits => 200,
            // Each may be a text message to a phone that is not the user's.
            Self::Resends => 30,
            // Each page load takes one token.
            Self::HostedTokens => 100,
            // Same as the default for accepted files. Each file costs an inspection.
            Self::RefusedFiles => 100,
        }
    }

    /// Returns the time in which a used-up quota refills completely.
    pub const fn span(self) -> Duration {
        match self {
            Self::UiEventsOfSession => ABSOLUTE_LIFE,
            Self::UiEventsOfUser
            | Self::Traps
            | Self::Surveys
            | Self::Accounts
            | Self::Submits
            | Self::Resends
            | Self::HostedTokens
            | Self::RefusedFiles => DAY,
        }
    }

    /// Returns the name of the quota in the store.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::UiEventsOfSession => "UI_EVENTS_OF_SESSION",
            Self::UiEventsOfUser => "UI_EVENTS",
            Self::Traps => "TRAPS",
            Self::Surveys => "SURVEYS",
            Self::Accounts => "ACCOUNTS",
            Self::Submits => "SUBMITS",
            Self::Resends => "RESENDS",
            Self::HostedTokens => "HOSTED_TOKENS",
            Self::RefusedFiles => "REFUSED_FILES",
        }
    }
}

/// Used part of a quota.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QuotaUse {
    /// Tenant and environment of the user.
    pub owner: Owner,
    /// User of the quota.
    pub user_id: UserId,
    /// Quota that is used.
    pub quota: Quota,
    /// Subdivision within the user: the id of a session. Empty if all of the user's use counts together.
    pub subject: String,
    /// When the quota is completely available again.
    pub full_at: Wall,
}

/// Error for a quota that does not have enough left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a quota of the user is used up")]
pub struct QuotaExceededError {
    /// Time until the quota has enough left.
    pub wait: Duration,
}

impl QuotaUse {
    /// Returns an unused quota.
    pub const fn none(owner: Owner, user_id: UserId, quota: Quota, subject: String) -> Self {
        Self { owner, user_id, quota, subject, full_at: Wall::from_micros(0) }
    }

    /// Uses `amount` of the quota. The quota is unchanged if it does not have enough left.
    ///
    /// # Errors
    /// [`QuotaExceededError`] with the time until the quota has enough left.
    pub fn charge(self, amount: u32, now: Wall) -> Result<Self, QuotaExceededError> {
        let after = self.full_at_after(amount, now);
        match after.since(now + self.quota.span()) {
            Duration::ZERO => Ok(Self { full_at: after, ..self }),
            wait => Err(QuotaExceededError { wait }),
        }
    }

    /// Uses `amount` that cannot be prevented any more, up to the whole quota.
    #[must_use]
    pub fn spend(self, amount: u32, now: Wall) -> Self {
        let full_at = self.full_at_after(amount, now).min(now + self.quota.span());
        Self { full_at, ..self }
    }

    fn full_at_after(&self, amount: u32, now: Wall) -> Wall {
        let span = self.quota.span();
        // A time this far ahead means that the clock was set back. That must not lock users out for long.
        let used_until = if self.full_at > now + 2 * span { now } else { self.full_at };
        used_until.max(now).min(now + span) + (span / self.quota.max()).saturating_mul(amount)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture;
    use rstest::rstest;

    const NOW: Wall = Wall::from_micros(1_795_176_000_000_000);

    fn unused_quota(quota: Quota) -> QuotaUse {
        QuotaUse::none(fixture::owner(), fixture::user_id(), quota, String::new())
    }

    #[test]
    fn quota_rejects_use_beyond_its_maximum() {
        for quota in Quota::ALL {
            let spent =
                (0..quota.max()).try_fold(unused_quota(quota), |used, _| used.charge(1, NOW)).unwrap();
            let error = spent.clone().charge(1, NOW).unwrap_err();
            assert!(!error.wait.is_zero() && error.wait <= quota.span(), "{quota:?}: {error:?}");
            assert!(spent.charge(1, NOW + error.wait).is_ok(), "{quota:?}");
        }
    }

    #[test]
    fn quota_is_fully_refilled_after_its_span() {
        let quota = Quota::Surveys;
        let spent = unused_quota(quota).charge(quota.max(), NOW).unwrap();
        assert!(spent.clone().charge(2, NOW + quota.span() / quota.max()).is_err());
        assert!(spent.charge(quota.max(), NOW + quota.span()).is_ok());
    }

    #[rstest]
    #[case::one_second(Duration::from_secs(1), false)]
    #[case::one_hundred_days(100 * DAY, true)]
    fn clock_set_back_does_not_lock_out_users_for_long(#[case] by: Duration, #[case] is_admitted: bool) {
        let quota = Quota::Accounts;
        let spent = unused_quota(quota).charge(quota.max(), NOW + by).unwrap();
        assert_eq!(spent.charge(1, NOW).is_ok(), is_admitted);
    }

    #[rstest]
    #[case::below(99, true)]
    #[case::equal(100, false)]
    #[case::above(5_000, false)]
    fn spending_never_exceeds_the_whole_quota(#[case] amount: u32, #[case] has_more: bool) {
        let spent = unused_quota(Quota::RefusedFiles).spend(amount, NOW);
        assert!(spent.full_at <= NOW + DAY);
        assert_eq!(spent.charge(1, NOW).is_ok(), has_more);
    }

    #[test]
    fn quotas_have_distinct_names() {
        let names: std::collections::BTreeSet<_> = Quota::ALL.map(Quota::as_str).into_iter().collect();
        assert_eq!(names.len(), Quota::ALL.len());
    }
}
