//! Limits on guessing logins through the widget, and when the next try is accepted.
//!
//! A try counts as failed from the moment it is submitted, so that concurrent tries cannot exceed a limit together. Its
//! outcome reverts the count unless it was a wrong guess.

mod login_tries;

pub use login_tries::{LoginTries, Pending, login_hash};

use std::time::Duration;

use hmac::{Hmac, KeyInit, Mac};
use link_types::id::{LinkSessionId, ProviderId};
use link_types::link::GuessLimit;
use serde::{Deserialize, Serialize};
use sha2::Sha256;
use unicode_normalization::UnicodeNormalization as _;
use unicode_normalization::char::is_combining_mark;

use crate::kernel::clock::Wall;
use crate::kernel::digest::Digest32;
use crate::kernel::owner::Owner;
use crate::linking::account_source::{Guessing, Step};
use login_tries::backoff;

/// Failed tries of one login by all users of a tenant that cause no wait. It exceeds what a person who mistypes needs,
/// because they may come back as another user. With the doubling waits, it permits about 40 guesses of one password a
/// day.
const LOGIN_FREE: u32 = 9;
/// Number of different logins of one user that may fail in a day. People have a few logins; a leaked list has
/// thousands.
const USER_LOGINS: u32 = 10;
/// Failed tries of one session in [`WINDOW`]: 5 wrong tries of each of 4 logins.
const SESSION_FAILURES: u32 = 20;
/// Failed tries from one network in [`WINDOW`]. It is high, because an office or a mobile carrier shares one address.
const NETWORK_FAILURES: u32 = 100;
/// Failed tries at one provider in [`WINDOW`] before the share of failures is considered. Below it, the share is not
/// meaningful.
const PROVIDER_FAILURES: u32 = 300;
/// Share of failures, in quarters, from which a provider is considered under attack. Normally at most one try in four
/// fails.
const PROVIDER_FAILED_QUARTERS: u64 = 3;
/// Time between two tries at a provider under attack. Tries continue slowly, because stopping them would let an
/// attacker block the provider for everybody.
const PROVIDER_PACE: Duration = Duration::from_secs(10);
/// Period over which failures of a session, a network or a provider are counted: 1 hour.
const WINDOW: Duration = Duration::from_secs(3_600);
/// Number of failures after which a limit demonstrated by the sandbox applies.
const SHOWN_AFTER: u32 = 1;

/// A counter that a try is counted by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct GuessCounter {
    /// Limit that the counter belongs to.
    pub limit: GuessLimit,
    /// Keyed hash of the login, session, network or provider. Without the service's key it does not reveal them.
    pub hash: Digest32,
}

/// Properties of a try that have counters.
#[derive(Clone, Copy, Debug)]
pub struct TryOf<'a> {
    /// Provider of the login.
    pub provider: &'a ProviderId,
    /// Login name as it was typed.
    pub login_name: &'a str,
    /// Session of the try.
    pub session: &'a LinkSessionId,
    /// Network of the client.
    pub network: &'a [u8; 16],
}

/// Tries counted by one counter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GuessCount {
    /// Tenant and environment of the counter.
    pub owner: Owner,
    /// Counter that counts.
    pub counter: GuessCounter,
    /// Number of tries that failed or have no outcome yet.
    pub failures: u32,
    /// Number of tries that connected.
    pub successes: u32,
    /// Time of the first counted try.
    pub since: Wall,
    /// Time of the last try.
    pub last_at: Wall,
}

/// The user's other logins that failed within [`LoginTries::MEMORY`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OtherLogins {
    /// Number of other logins.
    pub count: u32,
    /// Last failure of the oldest one. `None` if there are no other logins.
    pub oldest: Option<Wall>,
}

/// Everything that determines whether a login can be tried.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tries {
    /// This user's tries of this login.
    pub own: LoginTries,
    /// The user's other logins.
    pub others: OtherLogins,
    /// Counters that the login's source requires.
    pub counts: Vec<GuessCount>,
    /// How tries of this login are limited.
    pub guessing: Guessing,
    /// Whether the user has an account connected with this login. If so, failures by others do not prevent the owner
    /// from signing in again.
    pub is_known: bool,
}

/// A try that is rejected for now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooManyGuessesError {
    /// Limit that was reached.
    pub limit: GuessLimit,
    /// Time until a try is accepted.
    pub wait: Duration,
}

/// Counters of a link's try. The link stores them to settle the try by its outcome.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Tried {
    /// Counters that counted the try.
    pub counters: Vec<GuessCounter>,
    /// How tries of the login are limited.
    pub guessing: Guessing,
    /// Counted try without an outcome. `None` after it is settled.
    pub pending: Option<Pending>,
}

impl GuessCounter {
    /// Returns the counters of a try, in the order in which their rows are locked: the busiest row last. `key` is the
    /// service's key.
    pub fn for_try(tried: TryOf<'_>, guessing: Guessing, key: &[u8; 32]) -> Vec<Self> {
        let limits: &[GuessLimit] = match guessing {
            Guessing::Limited => {
                &[GuessLimit::Login, GuessLimit::Session, GuessLimit::Network, GuessLimit::Provider]
            }
            Guessing::Published | Guessing::Shown(GuessLimit::User) => &[],
            Guessing::Shown(GuessLimit::Login) => &[GuessLimit::Login],
            Guessing::Shown(GuessLimit::Session) => &[GuessLimit::Session],
            Guessing::Shown(GuessLimit::Network) => &[GuessLimit::Network],
            Guessing::Shown(GuessLimit::Provider) => &[GuessLimit::Provider],
        };
        // Demonstrated limits have separate counters, so that they do not interfere with those of other logins.
        let space: &[u8] = if matches!(guessing, Guessing::Shown(_)) { b"shown" } else { b"" };
        let provider = tried.provider.as_str().as_bytes();
        let counter = |limit: &GuessLimit| {
            let login;
            let parts: [&[u8]; 2] = match limit {
                GuessLimit::Login | GuessLimit::User => {
                    login = plain(tried.login_name);
                    [provider, login.as_bytes()]
                }
                GuessLimit::Session => [tried.session.as_str().as_bytes(), b""],
                GuessLimit::Network => [tried.network, b""],
                GuessLimit::Provider => [provider, b""],
            };
            let [first, second] = parts;
            Self {
                limit: *limit,
                hash: compute_keyed_digest(key, [limit.as_str().as_bytes(), space, first, second]),
            }
        };
        limits.iter().map(counter).collect()
    }
}

/// Normalizes a login name by removing what providers ignore. Otherwise `ana-1`, `ANA 1`, `aná1` and a full-width `ana1`
/// would be four logins to guess.
fn plain(login_name: &str) -> String {
    // Uppercase first, because `\u{df}` and `ss` share an uppercase form, and so do both small sigmas. Lowercasing can
    // split a capital into a letter and a combining mark, so the result is decomposed again.
    let folded = login_name.nfkd().flat_map(char::to_uppercase).flat_map(char::to_lowercase);
    folded.nfkd().filter(|it| it.is_alphanumeric() && !is_combining_mark(*it)).collect()
}

fn compute_keyed_digest(key: &[u8; 32], parts: [&[u8]; 4]) -> Digest32 {
    let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(key) else {
        unreachable!("HMAC takes keys of every length");
    };
    mac.update(b"guesses");
    for part in parts {
        mac.update(&(part.len() as u64).to_be_bytes());
        mac.update(part);
    }
    Digest32::from_bytes(mac.finalize().into_bytes().into())
}

impl GuessCount {
    /// Returns a counter without tries.
    pub const fn none(owner: Owner, counter: GuessCounter) -> Self {
        let never = Wall::from_micros(0);
        Self { owner, counter, failures: 0, successes: 0, since: never, last_at: never }
    }

    /// Returns the counter with its expired counts removed.
    fn at(self, now: Wall) -> Self {
        let is_over = match self.counter.limit {
            GuessLimit::Login | GuessLimit::User => now.since(self.last_at) >= LoginTries::MEMORY,
            GuessLimit::Session | GuessLimit::Network | GuessLimit::Provider => {
                now.since(self.since) >= WINDOW
            }
        };
        if is_over { Self { failures: 0, successes: 0, since: now, ..self } } else { self }
    }

    fn count_try(self, now: Wall) -> Self {
        let counted = self.at(now);
        Self { failures: counted.failures.saturating_add(1), last_at: now, ..counted }
    }

    fn revert(self, failures: u32, successes: u32) -> Self {
        Self {
            failures: self.failures.saturating_sub(failures),
            successes: self.successes.saturating_add(successes),
            ..self
        }
    }

    /// Returns when this counter accepts the next try.
    fn next_try_at(&self, is_shown: bool, now: Wall) -> Wall {
        let Self { counter, failures, successes, since, last_at, .. } = self.clone().at(now);
        let most = |limit: u32| if is_shown { SHOWN_AFTER } else { limit };
        let until = |is_over: bool, moment: Wall| if is_over { moment } else { now };
        match counter.limit {
            GuessLimit::Login | GuessLimit::User => {
                let free = if is_shown { SHOWN_AFTER - 1 } else { LOGIN_FREE };
                let wait = backoff(failures, free);
                until(!wait.is_zero(), last_at + wait)
            }
            GuessLimit::Session => until(failures >= most(SESSION_FAILURES), since + WINDOW),
            GuessLimit::Network => until(failures >= most(NETWORK_FAILURES), since + WINDOW),
            GuessLimit::Provider => {
                let tries = u64::from(failures) + u64::from(successes);
                let mostly_fail = u64::from(failures) * 4 >= tries * PROVIDER_FAILED_QUARTERS;
                until(failures >= most(PROVIDER_FAILURES) && mostly_fail, last_at + PROVIDER_PACE)
            }
        }
    }
}

impl Tries {
    /// Returns the tries of a login that has only the user's own counter.
    pub const fn from_own(own: LoginTries) -> Self {
        let others = OtherLogins { count: 0, oldest: None };
        Self { own, others, counts: Vec::new(), guessing: Guessing::Published, is_known: false }
    }

    /// Checks whether the login can be tried now.
    ///
    /// # Errors
    ///
    /// [`TooManyGuessesError`] with the longest wait of all limits.
    pub fn check(&self, now: Wall) -> Result<(), TooManyGuessesError> {
        let is_shown = matches!(self.guessing, Guessing::Shown(_));
        let of_counts = self.counts.iter().filter(|it| !self.is_waived(it.counter.limit)).map(|count| {
            TooManyGuessesError {
                limit: count.counter.limit,
                wait: count.next_try_at(is_shown, now).since(now),
            }
        });
        let own = self.own.check(now).err().unwrap_or_default();
        let own = TooManyGuessesError { limit: GuessLimit::Login, wait: own };
        let user = TooManyGuessesError { limit: GuessLimit::User, wait: self.wait_for_user(now) };
        let longest = of_counts.chain([own, user]).max_by_key(|it| it.wait);
        longest.filter(|it| !it.wait.is_zero()).map_or(Ok(()), Err)
    }

    /// Returns whether a limit that others can fill is waived.
    const fn is_waived(&self, limit: GuessLimit) -> bool {
        match limit {
            GuessLimit::Login | GuessLimit::Network | GuessLimit::Provider => self.is_known,
            GuessLimit::User | GuessLimit::Session => false,
        }
    }

    /// Returns the wait until one of the user's other logins expires, if there are too many for another one.
    fn wait_for_user(&self, now: Wall) -> Duration {
        let most = match self.guessing {
            Guessing::Limited => USER_LOGINS,
            Guessing::Shown(GuessLimit::User) => SHOWN_AFTER,
            Guessing::Published | Guessing::Shown(_) => return Duration::ZERO,
        };
        match self.others.oldest {
            Some(oldest) if self.own.failures == 0 && self.others.count >= most && !self.is_known => {
                (oldest + LoginTries::MEMORY).since(now)
            }
            Some(_) | None => Duration::ZERO,
        }
    }

    /// Returns when the next try is accepted.
    pub fn next_try_at(&self, now: Wall) -> Wall {
        now + self.check(now).err().map(|it| it.wait).unwrap_or_default()
    }

    /// Counts a try that is made now. Returns the counts after it, and what its link stores.
    #[must_use]
    pub fn begin(self, now: Wall) -> (Self, Tried) {
        let pending = Some(Pending { at: now, before: self.own.failed_at });
        let counters = self.counts.iter().map(|it| it.counter).collect();
        let tried = Tried { counters, guessing: self.guessing, pending };
        (self.count_failure(now), tried)
    }

    fn count_failure(self, now: Wall) -> Self {
        let counts = self.counts.into_iter().map(|it| it.count_try(now)).collect();
        Self { own: self.own.count_failure(now), counts, ..self }
    }

    /// Settles a try by its outcome. Returns `None` if no count changes.
    pub fn settle(self, outcome: GuessOutcome, pending: Option<Pending>, now: Wall) -> Option<Self> {
        match (outcome, pending) {
            (GuessOutcome::Connected, _) => {
                let own = self.own.failures;
                let counts = self.counts.into_iter().map(|count| match count.counter.limit {
                    // The person's own mistakes are forgiven; guesses by others are not.
                    GuessLimit::Login | GuessLimit::User => count.revert(own, 1),
                    GuessLimit::Session | GuessLimit::Network | GuessLimit::Provider => {
                        count.revert(u32::from(pending.is_some()), 1)
                    }
                });
                Some(Self { counts: counts.collect(), own: self.own.succeed(), ..self })
            }
            (GuessOutcome::WrongGuess, None) => Some(self.count_failure(now)),
            (GuessOutcome::NoGuess | GuessOutcome::RightSoFar, Some(pending)) => {
                let counts = self.counts.into_iter().map(|it| it.revert(1, 0)).collect();
                Some(Self { counts, own: self.own.revert(pending), ..self })
            }
            (GuessOutcome::WrongGuess, Some(_))
            | (GuessOutcome::NoGuess | GuessOutcome::RightSoFar, None)
            | (GuessOutcome::Undecided, _) => None,
        }
    }
}

/// GuessOutcome of a try, derived from the step it led to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GuessOutcome {
    /// The source has not finished.
    Undecided,
    /// The guess was right, and the source asks for more.
    RightSoFar,
    /// The guess was right, and the account connected.
    Connected,
    /// The secret was wrong.
    WrongGuess,
    /// The try failed for another reason, such as a problem at the provider.
    NoGuess,
}

impl GuessOutcome {
    /// Derives the outcome from a step.
    pub fn from_step(step: &Step) -> Self {
        use link_types::LinkErrorCode::{InvalidCredentials, InvalidMfa};
        match step {
            Step::Connected { .. } => Self::Connected,
            Step::Challenge { challenge, .. } if challenge.wrong_answer => Self::WrongGuess,
            Step::Challenge { .. } => Self::RightSoFar,
            // A person who knows the password must not send one request after another to the owner's phone.
            Step::Failed { code: InvalidCredentials | InvalidMfa } | Step::Declined {} => Self::WrongGuess,
            Step::Failed { .. } => Self::NoGuess,
            Step::Wait { .. } => Self::Undecided,
        }
    }
}

#[cfg(test)]
mod tests;
