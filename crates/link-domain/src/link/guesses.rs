//! How many logins may be guessed through the widget, and when the next try is accepted.
//!
//! A try counts as failed from the moment it is submitted, so tries that run at the same time cannot pass a limit
//! together. Its outcome gives the count back unless it was a wrong guess.

use std::time::Duration;

use hmac::{Hmac, Mac};
use link_types::guessing::GuessLimit;
use link_types::id::{LinkSessionId, ProviderId};
use serde::{Deserialize, Serialize};
use sha2::Sha256;
use unicode_normalization::UnicodeNormalization as _;
use unicode_normalization::char::is_combining_mark;

use super::tries::{LoginTries, backoff};
use crate::change::Row;
use crate::clock::Wall;
use crate::digest::Digest32;
use crate::owner::Owner;
use crate::ports::Step;

/// Failed tries of one login by all users of a tenant that cost no wait. More than a person who mistypes needs, because
/// they may come back as another user; with the doubling waits, about 40 guesses of one password a day.
const LOGIN_FREE: u32 = 9;
/// Different logins of one user that may fail in a day. People have a few logins; a list of leaked ones has thousands.
const USER_LOGINS: u32 = 10;
/// Failed tries of one session in [`WINDOW`]: five wrong tries of each of four logins.
const SESSION_FAILURES: u32 = 20;
/// Failed tries from one network in [`WINDOW`]. High, because an office or a mobile carrier shares one address.
const NETWORK_FAILURES: u32 = 100;
/// Failed tries at one provider in [`WINDOW`] from which the share of failures is looked at. Below it a share says little.
const PROVIDER_FAILURES: u32 = 300;
/// The share of failures above which a provider is under attack: people fail in one try of four or less.
const PROVIDER_FAILED_QUARTERS: u64 = 3;
/// The time between two tries at a provider under attack. They go on slowly, because a stop would let an attacker close
/// the provider for everybody.
const PROVIDER_PACE: Duration = Duration::from_secs(10);
/// How long failures of a session, a network and a provider are added up.
const WINDOW: Duration = Duration::from_secs(3_600);
/// Failures after which a limit applies that the sandbox shows.
const SHOWN_AFTER: u32 = 1;

/// How a source wants tries of a login limited.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Guessing {
    /// Every limit applies.
    #[default]
    Limited,
    /// The password is published, so there is nothing to guess: only the user's own failures of the login count.
    Published,
    /// A login of the sandbox that shows one limit: it applies after one failure.
    Shown(GuessLimit),
}

/// What a try is counted by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct GuessCounter {
    /// What it counts tries of.
    pub limit: GuessLimit,
    /// The keyed hash of the login, session, network or provider: without the service's key it says nothing of it.
    pub hash: Digest32,
}

/// The parts of a try that have counters.
#[derive(Clone, Copy, Debug)]
pub struct TryOf<'a> {
    /// The provider.
    pub provider: &'a ProviderId,
    /// The login name as it was typed.
    pub login_name: &'a str,
    /// The session.
    pub session: &'a LinkSessionId,
    /// The client's network.
    pub network: &'a [u8; 16],
}

/// The tries that one counter saw.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GuessCount {
    /// The tenant and environment.
    pub owner: Owner,
    /// What is counted.
    pub counter: GuessCounter,
    /// Tries that failed, or whose outcome is not known yet.
    pub failures: u32,
    /// Tries that connected.
    pub successes: u32,
    /// The first try that is counted.
    pub since: Wall,
    /// The last try.
    pub last_at: Wall,
}

/// The other logins of a user that failed within [`LoginTries::MEMORY`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OtherLogins {
    /// How many.
    pub count: u32,
    /// The oldest one's last failure; null if there are none.
    pub oldest: Option<Wall>,
}

/// Everything that decides whether a login may be tried.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tries {
    /// This user's tries of this login.
    pub own: LoginTries,
    /// The user's other logins.
    pub others: OtherLogins,
    /// The counters that the login's source asks for.
    pub counts: Vec<GuessCount>,
    /// How tries of this login are limited.
    pub guessing: Guessing,
    /// Whether the user has an account that is connected by this login. Failures of strangers do not keep its owner from
    /// signing in again.
    pub is_known: bool,
}

/// A try that is refused for now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooManyGuesses {
    /// The limit.
    pub limit: GuessLimit,
    /// How long to wait.
    pub wait: Duration,
}

/// What a link remembers of its try, to settle it by the outcome.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Tried {
    /// The counters it was charged to.
    pub counters: Vec<GuessCounter>,
    /// How tries of the login are limited.
    pub guessing: Guessing,
    /// The try that is counted and has no outcome yet; null once it is settled.
    pub pending: Option<Pending>,
}

/// A try without an outcome.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Pending {
    /// When it was made.
    pub at: Wall,
    /// When the user's try of this login before it was made.
    pub before: Wall,
}

impl GuessCounter {
    /// The counters of a try, in the order in which they are locked: the busiest row last. `key` is the service's.
    pub fn of(tried: TryOf<'_>, guessing: Guessing, key: &[u8; 32]) -> Vec<Self> {
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
        // A login that shows a limit has counters of its own: it neither meets nor fills those of other logins.
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
            Self { limit: *limit, hash: keyed(key, [limit.as_str().as_bytes(), space, first, second]) }
        };
        limits.iter().map(counter).collect()
    }
}

/// A login name without what providers leave out of account: otherwise `ana-1`, `ANA 1`, `aná1` and a
/// full-width `ana1` were four logins to guess.
fn plain(login_name: &str) -> String {
    // Upper case first: `\u{df}` and `ss`, or both small sigmas, have one. A capital may fall into a letter and a mark.
    let folded = login_name.nfkd().flat_map(char::to_uppercase).flat_map(char::to_lowercase);
    folded.nfkd().filter(|it| it.is_alphanumeric() && !is_combining_mark(*it)).collect()
}

fn keyed(key: &[u8; 32], parts: [&[u8]; 4]) -> Digest32 {
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
    /// A counter that saw nothing.
    pub const fn none(owner: Owner, counter: GuessCounter) -> Self {
        let never = Wall::from_micros(0);
        Self { owner, counter, failures: 0, successes: 0, since: never, last_at: never }
    }

    /// What still counts at this moment.
    fn at(self, now: Wall) -> Self {
        let is_over = match self.counter.limit {
            GuessLimit::Login | GuessLimit::User => now.since(self.last_at) >= LoginTries::MEMORY,
            GuessLimit::Session | GuessLimit::Network | GuessLimit::Provider => {
                now.since(self.since) >= WINDOW
            }
        };
        if is_over { Self { failures: 0, successes: 0, since: now, ..self } } else { self }
    }

    fn tried(self, now: Wall) -> Self {
        let counted = self.at(now);
        Self { failures: counted.failures.saturating_add(1), last_at: now, ..counted }
    }

    fn given_back(self, failures: u32, successes: u32) -> Self {
        Self {
            failures: self.failures.saturating_sub(failures),
            successes: self.successes.saturating_add(successes),
            ..self
        }
    }

    /// When the next try is accepted, as far as this counter is asked.
    fn next_try_at(&self, is_shown: bool, now: Wall) -> Wall {
        let Self { counter, failures, successes, since, last_at, .. } = self.clone().at(now);
        let most = |limit: u32| if is_shown { SHOWN_AFTER } else { limit };
        let until = |is_over: bool, moment: Wall| if is_over { moment } else { now };
        match counter.limit {
            GuessLimit::Login | GuessLimit::User => {
                let free = if is_shown { SHOWN_AFTER - 1 } else { LOGIN_FREE };
                last_at + backoff(failures, free)
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
    /// Tries of a login that has no counters but the user's own.
    pub const fn of(own: LoginTries) -> Self {
        let others = OtherLogins { count: 0, oldest: None };
        Self { own, others, counts: Vec::new(), guessing: Guessing::Published, is_known: false }
    }

    /// Whether the login may be tried now.
    ///
    /// # Errors
    ///
    /// [`TooManyGuesses`] with the longest wait that a limit asks for.
    pub fn check(&self, now: Wall) -> Result<(), TooManyGuesses> {
        let is_shown = matches!(self.guessing, Guessing::Shown(_));
        let of_counts = self.counts.iter().filter(|it| !self.is_waived(it.counter.limit)).map(|count| {
            TooManyGuesses { limit: count.counter.limit, wait: count.next_try_at(is_shown, now).since(now) }
        });
        let own = self.own.check(now).err().unwrap_or_default();
        let own = TooManyGuesses { limit: GuessLimit::Login, wait: own };
        let user = TooManyGuesses { limit: GuessLimit::User, wait: self.wait_for_user(now) };
        let longest = of_counts.chain([own, user]).max_by_key(|it| it.wait);
        longest.filter(|it| !it.wait.is_zero()).map_or(Ok(()), Err)
    }

    /// Whether a limit that strangers can fill is waived.
    const fn is_waived(&self, limit: GuessLimit) -> bool {
        match limit {
            GuessLimit::Login | GuessLimit::Network | GuessLimit::Provider => self.is_known,
            GuessLimit::User | GuessLimit::Session => false,
        }
    }

    /// Until one of the user's other logins is forgotten, if there are too many for one more.
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

    /// When the next try is accepted.
    pub fn next_try_at(&self, now: Wall) -> Wall {
        now + self.check(now).err().map(|it| it.wait).unwrap_or_default()
    }

    /// Counts a try that is made now: the counts after it, and what its link remembers.
    #[must_use]
    pub fn begun(self, now: Wall) -> (Self, Tried) {
        let pending = Some(Pending { at: now, before: self.own.failed_at });
        let counters = self.counts.iter().map(|it| it.counter).collect();
        let tried = Tried { counters, guessing: self.guessing, pending };
        (self.counted(now), tried)
    }

    fn counted(self, now: Wall) -> Self {
        let counts = self.counts.into_iter().map(|it| it.tried(now)).collect();
        Self { own: self.own.failed(now), counts, ..self }
    }

    /// After the source's answer to a try; `None` if it changes no count.
    pub fn settled(self, outcome: Outcome, pending: Option<Pending>, now: Wall) -> Option<Self> {
        match (outcome, pending) {
            (Outcome::Connected, _) => {
                let own = self.own.failures;
                let counts = self.counts.into_iter().map(|count| match count.counter.limit {
                    // The person's mistypes are excused; what others guessed is not.
                    GuessLimit::Login | GuessLimit::User => count.given_back(own, 1),
                    GuessLimit::Session | GuessLimit::Network | GuessLimit::Provider => {
                        count.given_back(u32::from(pending.is_some()), 1)
                    }
                });
                Some(Self { counts: counts.collect(), own: self.own.succeeded(), ..self })
            }
            (Outcome::WrongGuess, None) => Some(self.counted(now)),
            (Outcome::NoGuess | Outcome::RightSoFar, Some(pending)) => {
                let counts = self.counts.into_iter().map(|it| it.given_back(1, 0)).collect();
                Some(Self { counts, own: self.own.given_back(pending), ..self })
            }
            (Outcome::WrongGuess, Some(_))
            | (Outcome::NoGuess | Outcome::RightSoFar, None)
            | (Outcome::Undecided, _) => None,
        }
    }

    /// The rows that keep the counts.
    pub fn rows(&self) -> impl Iterator<Item = Row> {
        let own = std::iter::once(Row::LoginTries(self.own.clone()));
        own.chain(self.counts.iter().cloned().map(Row::GuessCount))
    }
}

/// What a step says of the try that led to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The source is still at it.
    Undecided,
    /// Right, and the source asks on.
    RightSoFar,
    /// Right, and connected.
    Connected,
    /// A wrong guess at a secret.
    WrongGuess,
    /// It failed for another reason, such as trouble at the provider.
    NoGuess,
}

impl Outcome {
    /// What this step says.
    pub fn of(step: &Step) -> Self {
        use link_types::LinkErrorCode::{InvalidCredentials, InvalidMfa};
        match step {
            Step::Connected { .. } => Self::Connected,
            Step::Challenge { challenge, .. } if challenge.wrong_answer => Self::WrongGuess,
            Step::Challenge { .. } => Self::RightSoFar,
            Step::Failed { code: InvalidCredentials | InvalidMfa } => Self::WrongGuess,
            Step::Failed { .. } => Self::NoGuess,
            Step::Wait { .. } => Self::Undecided,
        }
    }
}

#[cfg(test)]
mod tests;
