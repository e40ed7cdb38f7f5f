//! Limits on the tries of one login, so that the widget cannot be used to guess passwords.

use std::time::Duration;

use hmac::{Hmac, KeyInit, Mac};
use link_types::id::{ProviderId, UserId};
use serde::{Deserialize, Serialize};
use sha2::Sha256;

use crate::kernel::clock::Wall;
use crate::kernel::digest::Digest32;
use crate::kernel::owner::Owner;

/// Failures of a user's login that cause no wait, because people mistype.
const FREE_FAILURES: u32 = 4;
/// Wait after the first failure beyond those. It doubles with each further failure.
const FIRST_WAIT: Duration = Duration::from_secs(30);
/// Longest wait.
const MAX_WAIT: Duration = Duration::from_secs(3_600);

/// Returns the wait after `failures`, of which `free` cause no wait.
pub(super) fn backoff(failures: u32, free: u32) -> Duration {
    match failures.checked_sub(free + 1) {
        None => Duration::ZERO,
        Some(doublings) => FIRST_WAIT.saturating_mul(2_u32.saturating_pow(doublings)).min(MAX_WAIT),
    }
}

/// Failures of one login of one user at one provider.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoginTries {
    /// Tenant and environment of the user.
    pub owner: Owner,
    /// User who tries the login.
    pub user_id: UserId,
    /// Provider of the login.
    pub provider_id: ProviderId,
    /// Hash of the login.
    pub login_hash: Digest32,
    /// Number of tries since the last success that failed or have no outcome yet.
    pub failures: u32,
    /// Time of the last one.
    pub failed_at: Wall,
}

/// A try without an outcome.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Pending {
    /// When the try was made.
    pub at: Wall,
    /// When the user's previous try of this login was made.
    pub before: Wall,
}

/// Returns the keyed hash that identifies a login. Without the service's key it does not reveal the login name. Case
/// and surrounding spaces are ignored.
pub fn login_hash(key: &[u8; 32], provider: &ProviderId, login_name: &str) -> Digest32 {
    let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(key) else {
        unreachable!("HMAC takes keys of every length");
    };
    mac.update(provider.as_str().as_bytes());
    mac.update(&[0]);
    mac.update(login_name.trim().to_lowercase().as_bytes());
    Digest32::from_bytes(mac.finalize().into_bytes().into())
}

impl LoginTries {
    /// Period without failures after which counting restarts, so that nothing needs to be stored: 24 hours.
    pub const MEMORY: Duration = Duration::from_secs(86_400);

    /// Returns a login without tries.
    pub const fn none(owner: Owner, user_id: UserId, provider_id: ProviderId, login_hash: Digest32) -> Self {
        Self { owner, user_id, provider_id, login_hash, failures: 0, failed_at: Wall::from_micros(0) }
    }

    /// Checks whether a try is accepted now.
    ///
    /// # Errors
    ///
    /// Returns the remaining wait.
    pub fn check(&self, now: Wall) -> Result<(), Duration> {
        let wait = backoff(self.failures, FREE_FAILURES);
        // A concurrent try may be later than this one, so without a wait the time does not matter.
        if wait.is_zero() {
            return Ok(());
        }
        match (self.failed_at + wait).since(now) {
            Duration::ZERO => Ok(()),
            wait => Err(wait),
        }
    }

    /// Counts a failed try.
    pub fn count_failure(self, now: Wall) -> Self {
        let before = if now.since(self.failed_at) >= Self::MEMORY { 0 } else { self.failures };
        Self { failures: before.saturating_add(1), failed_at: now, ..self }
    }

    /// Reverts a try that was not a wrong guess, unless another try was made since.
    pub(super) fn revert(self, pending: Pending) -> Self {
        let failed_at = if self.failed_at == pending.at { pending.before } else { self.failed_at };
        Self { failures: self.failures.saturating_sub(1), failed_at, ..self }
    }

    /// Resets the count after a success.
    pub fn succeed(self) -> Self {
        Self { failures: 0, ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture;
    use rstest::rstest;

    const NOW: Wall = Wall::from_micros(1_000_000_000_000_000);

    #[rstest]
    #[case(1, 0)]
    #[case(4, 0)]
    #[case(5, 30)]
    #[case(6, 60)]
    #[case(7, 120)]
    #[case(12, 3_600)]
    #[case(60, 3_600)]
    fn wait_doubles_after_the_free_failures(#[case] failures: u32, #[case] seconds: u64) {
        let tries = (0..failures).fold(fixture::tries().own, |tries, _| tries.count_failure(NOW));
        let wait = Duration::from_secs(seconds);
        assert_eq!(tries.check(NOW).err().unwrap_or_default(), wait);
        assert_eq!(tries.check(NOW + wait), Ok(()));
    }

    #[test]
    fn free_try_is_accepted_before_a_concurrent_later_one() {
        let tries = fixture::tries().own.count_failure(NOW + Duration::from_millis(1));
        assert_eq!(tries.check(NOW), Ok(()));
    }

    #[test]
    fn success_or_a_day_without_failures_resets_the_count() {
        let tried = (0..9).fold(fixture::tries().own, |tries, _| tries.count_failure(NOW));
        assert_eq!(tried.clone().succeed().check(NOW), Ok(()));
        assert_eq!(tried.count_failure(NOW + LoginTries::MEMORY).failures, 1);
    }

    #[test]
    fn login_hash_covers_key_provider_and_login_but_not_case() {
        let (a, b): (ProviderId, ProviderId) = ("a".parse().unwrap(), "b".parse().unwrap());
        let hash = login_hash(&[1; 32], &a, "Ana ");
        assert_eq!(hash, login_hash(&[1; 32], &a, "ana"));
        assert_ne!(hash, login_hash(&[1; 32], &b, "ana"));
        assert_ne!(hash, login_hash(&[2; 32], &a, "ana"));
        assert_ne!(hash, login_hash(&[1; 32], &a, "anna"));
    }
}
