//! How often one login may be tried: the widget is no means of guessing passwords.

use std::time::Duration;

use hmac::{Hmac, Mac};
use link_types::id::{ProviderId, UserId};
use sha2::Sha256;

use super::guesses::Pending;
use crate::clock::Wall;
use crate::digest::Digest32;
use crate::owner::Owner;

/// Failures of a user's login that cost no wait: people mistype.
const FREE_FAILURES: u32 = 4;
/// The wait after the first failure past those; it doubles with each further one.
const FIRST_WAIT: Duration = Duration::from_secs(30);
/// The longest wait.
const LONGEST_WAIT: Duration = Duration::from_secs(3_600);

/// The wait after `failures`, of which `free` cost none.
pub(super) fn backoff(failures: u32, free: u32) -> Duration {
    match failures.checked_sub(free + 1) {
        None => Duration::ZERO,
        Some(doublings) => FIRST_WAIT.saturating_mul(2_u32.saturating_pow(doublings)).min(LONGEST_WAIT),
    }
}

/// The failures of one login of one user at one provider.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoginTries {
    /// Whose user.
    pub owner: Owner,
    /// The user.
    pub user_id: UserId,
    /// The provider.
    pub provider_id: ProviderId,
    /// The login's hash.
    pub login_hash: Digest32,
    /// Tries since the last success that failed, or whose outcome is not known yet.
    pub failures: u32,
    /// The last of them.
    pub failed_at: Wall,
}

/// The keyed hash under which a login is known: without the service's key it tells nothing of the login name.
/// Upper and lower case and outer spaces make no difference.
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
    /// After this long without a failure counting starts anew, and nothing needs to be remembered.
    pub const MEMORY: Duration = Duration::from_secs(86_400);

    /// A login that was never tried.
    pub const fn none(owner: Owner, user_id: UserId, provider_id: ProviderId, login_hash: Digest32) -> Self {
        Self { owner, user_id, provider_id, login_hash, failures: 0, failed_at: Wall::from_micros(0) }
    }

    /// When the next try is accepted.
    pub fn next_try_at(&self) -> Wall {
        self.failed_at + backoff(self.failures, FREE_FAILURES)
    }

    /// Whether a try is accepted now; if not, how long to wait.
    ///
    /// # Errors
    ///
    /// The wait that is left.
    pub fn check(&self, now: Wall) -> Result<(), Duration> {
        match self.next_try_at().since(now) {
            Duration::ZERO => Ok(()),
            wait => Err(wait),
        }
    }

    /// After a failed try.
    pub fn failed(self, now: Wall) -> Self {
        let before = if now.since(self.failed_at) >= Self::MEMORY { 0 } else { self.failures };
        Self { failures: before.saturating_add(1), failed_at: now, ..self }
    }

    /// After a try that was no wrong guess: as it was before, unless another try came since.
    pub(super) fn given_back(self, pending: Pending) -> Self {
        let failed_at = if self.failed_at == pending.at { pending.before } else { self.failed_at };
        Self { failures: self.failures.saturating_sub(1), failed_at, ..self }
    }

    /// After a successful one.
    pub fn succeeded(self) -> Self {
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
    fn the_wait_doubles_after_the_free_failures(#[case] failures: u32, #[case] seconds: u64) {
        let tries = (0..failures).fold(fixture::tries().own, |tries, _| tries.failed(NOW));
        let wait = Duration::from_secs(seconds);
        assert_eq!(tries.check(NOW).err().unwrap_or_default(), wait);
        assert_eq!(tries.check(NOW + wait), Ok(()));
    }

    #[test]
    fn a_success_and_a_day_of_rest_start_the_count_anew() {
        let tried = (0..9).fold(fixture::tries().own, |tries, _| tries.failed(NOW));
        assert_eq!(tried.clone().succeeded().check(NOW), Ok(()));
        assert_eq!(tried.failed(NOW + LoginTries::MEMORY).failures, 1);
    }

    #[test]
    fn the_hash_depends_on_key_provider_and_login_and_not_on_case() {
        let (a, b): (ProviderId, ProviderId) = ("a".parse().unwrap(), "b".parse().unwrap());
        let hash = login_hash(&[1; 32], &a, "Ana ");
        assert_eq!(hash, login_hash(&[1; 32], &a, "ana"));
        assert_ne!(hash, login_hash(&[1; 32], &b, "ana"));
        assert_ne!(hash, login_hash(&[2; 32], &a, "ana"));
        assert_ne!(hash, login_hash(&[1; 32], &a, "anna"));
    }
}
