//! Quotas: how many rows one user may add within a span, whatever number of sessions and requests they use.
//!
//! A quota refills evenly over its span, so that one number per user and quota is enough: the moment from which all of
//! it is available again. Archives and files have their own quota ([`crate::archive::UploadQuota`]), because an operator
//! sets it.

use std::time::Duration;

use link_types::id::UserId;

use crate::clock::Wall;
use crate::link::ABSOLUTE_LIFE;
use crate::owner::Owner;

const DAY: Duration = Duration::from_secs(86_400);

/// What a user may add only a number of within a span.
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
    /// Accounts begun in the widget.
    Accounts,
    /// Logins submitted in the widget, whatever comes of them.
    Submits,
    /// One-time codes that a user has sent again.
    Resends,
    /// Link tokens that a hosted page issues to its visitor.
    HostedTokens,
    /// Files of `POST /archives` that the inspection refused.
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

    /// The number that fits into [`Quota::span`].
    pub const fn most(self) -> u32 {
        match self {
            // A person who links one account causes 30 to 150 rows, batches included.
            Self::UiEventsOfSession => 2_000,
            // Five sessions used up: a developer who tests all day with one user stays below it.
            Self::UiEventsOfUser => 10_000,
            // Each is a defect of ours; the same one again says nothing new.
            Self::Traps => 20,
            // Employers that one person cannot find.
            Self::Surveys => 20,
            // As many as archives. Each one costs events, deliveries and a key.
            Self::Accounts => 100,
            // Twice as many as accounts: each one costs events and deliveries, and may pose a challenge.
            Self::Submits => 200,
            // Each may be a text message to a phone that is not the user's.
            Self::Resends => 30,
            // Each load of the page takes one.
            Self::HostedTokens => 100,
            // As many as the default of files that are accepted. Each one costs an inspection.
            Self::RefusedFiles => 100,
        }
    }

    /// The time in which a quota that is used up refills.
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

    /// The name under which the store keeps its use.
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

/// How much of a quota is used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QuotaUse {
    /// Whose user.
    pub owner: Owner,
    /// The user.
    pub user_id: UserId,
    /// The quota.
    pub quota: Quota,
    /// What is counted apart within the user: the id of a session. Empty where all of the user's counts together.
    pub subject: String,
    /// The moment from which all of it is available.
    pub full_at: Wall,
}

/// A quota does not have as much left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a quota of the user is used up")]
pub struct QuotaExceeded {
    /// The time until it has.
    pub wait: Duration,
}

impl QuotaUse {
    /// A quota of which nothing is used.
    pub const fn none(owner: Owner, user_id: UserId, quota: Quota, subject: String) -> Self {
        Self { owner, user_id, quota, subject, full_at: Wall::from_micros(0) }
    }

    /// The quota after `amount` more, and nothing changed if it does not have as much left.
    ///
    /// # Errors
    /// [`QuotaExceeded`] with the time until it has.
    pub fn charge(self, amount: u32, now: Wall) -> Result<Self, QuotaExceeded> {
        let after = self.full_at_after(amount, now);
        match after.since(now + self.quota.span()) {
            Duration::ZERO => Ok(Self { full_at: after, ..self }),
            wait => Err(QuotaExceeded { wait }),
        }
    }

    /// The quota after `amount` that has happened already, at most all of it.
    #[must_use]
    pub fn spend(self, amount: u32, now: Wall) -> Self {
        let full_at = self.full_at_after(amount, now).min(now + self.quota.span());
        Self { full_at, ..self }
    }

    fn full_at_after(&self, amount: u32, now: Wall) -> Wall {
        let span = self.quota.span();
        // Further ahead than any use reaches: the clock was set back, and must lock no user out for long.
        let used_until = if self.full_at > now + 2 * span { now } else { self.full_at };
        used_until.max(now).min(now + span) + (span / self.quota.most()).saturating_mul(amount)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture;
    use rstest::rstest;

    const NOW: Wall = Wall::from_micros(1_795_176_000_000_000);

    fn unused(quota: Quota) -> QuotaUse {
        QuotaUse::none(fixture::owner(), fixture::user_id(), quota, String::new())
    }

    #[test]
    fn quota_admits_its_number_and_then_refuses() {
        for quota in Quota::ALL {
            let spent = (0..quota.most()).try_fold(unused(quota), |used, _| used.charge(1, NOW)).unwrap();
            let refused = spent.clone().charge(1, NOW).unwrap_err();
            assert!(!refused.wait.is_zero() && refused.wait <= quota.span(), "{quota:?}: {refused:?}");
            assert!(spent.charge(1, NOW + refused.wait).is_ok(), "{quota:?}");
        }
    }

    #[test]
    fn quota_is_whole_again_after_its_span() {
        let quota = Quota::Surveys;
        let spent = unused(quota).charge(quota.most(), NOW).unwrap();
        assert!(spent.clone().charge(2, NOW + quota.span() / quota.most()).is_err());
        assert!(spent.charge(quota.most(), NOW + quota.span()).is_ok());
    }

    #[rstest]
    #[case::by_a_second(Duration::from_secs(1), false)]
    #[case::by_a_hundred_days(100 * DAY, true)]
    fn clock_set_back_locks_no_user_out_for_long(#[case] by: Duration, #[case] is_admitted: bool) {
        let quota = Quota::Accounts;
        let spent = unused(quota).charge(quota.most(), NOW + by).unwrap();
        assert_eq!(spent.charge(1, NOW).is_ok(), is_admitted);
    }

    #[rstest]
    #[case::within(99, true)]
    #[case::all(100, false)]
    #[case::beyond(5_000, false)]
    fn spending_never_exceeds_the_whole_quota(#[case] amount: u32, #[case] has_more: bool) {
        let spent = unused(Quota::RefusedFiles).spend(amount, NOW);
        assert!(spent.full_at <= NOW + DAY);
        assert_eq!(spent.charge(1, NOW).is_ok(), has_more);
    }

    #[test]
    fn quotas_have_distinct_names() {
        let names: std::collections::BTreeSet<_> = Quota::ALL.map(Quota::as_str).into_iter().collect();
        assert_eq!(names.len(), Quota::ALL.len());
    }
}
