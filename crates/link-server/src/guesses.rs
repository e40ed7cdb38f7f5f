//! Reads the counters that decide whether a login may be tried.

use link_domain::link::{GuessCounter, Guessing, LoginTries, Tried, Tries};
use link_store::{StoreError, Tx};

/// The counters of a try, locked. The user's other logins are left out: only a submit looks at them.
///
/// # Errors
/// [`StoreError`] when the database cannot be written.
pub fn tries(
    tx: &mut Tx<'_>,
    own: LoginTries,
    counters: &[GuessCounter],
    guessing: Guessing,
) -> Result<Tries, StoreError> {
    let counts = counters.iter().map(|counter| tx.guess_count(&own.owner, *counter));
    let counts = counts.collect::<Result<_, _>>()?;
    Ok(Tries { counts, guessing, ..Tries::of(own) })
}

/// The counters that a link's try was charged to, locked.
///
/// # Errors
/// [`StoreError`] when the database cannot be written.
pub fn charged(tx: &mut Tx<'_>, own: LoginTries, tried: Option<&Tried>) -> Result<Tries, StoreError> {
    let (counters, guessing) = tried.map(|it| (it.counters.as_slice(), it.guessing)).unwrap_or_default();
    tries(tx, own, counters, guessing)
}
