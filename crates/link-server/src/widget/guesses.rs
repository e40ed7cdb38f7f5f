//! Reads the counters that limit login attempts.

use link_domain::linking::account_source::Guessing;
use link_domain::linking::guesses::{GuessCounter, LoginTries, Tried, Tries};
use link_store::{StoreError, Tx};

/// Reads and locks the counters of a login attempt. Leaves out the user's other logins, which matter only for a
/// submission.
///
/// # Errors
/// [`StoreError`] if the database cannot be written.
pub fn tries(
    tx: &mut Tx<'_>,
    own: LoginTries,
    counters: &[GuessCounter],
    guessing: Guessing,
) -> Result<Tries, StoreError> {
    let counts = counters.iter().map(|counter| tx.guess_counts().get(&own.owner, *counter));
    let counts = counts.collect::<Result<_, _>>()?;
    Ok(Tries { counts, guessing, ..Tries::of(own) })
}

/// Reads and locks the counters to which a link's login attempt was charged.
///
/// # Errors
/// [`StoreError`] if the database cannot be written.
pub fn charged(tx: &mut Tx<'_>, own: LoginTries, tried: Option<&Tried>) -> Result<Tries, StoreError> {
    let (counters, guessing) = tried.map(|it| (it.counters.as_slice(), it.guessing)).unwrap_or_default();
    tries(tx, own, counters, guessing)
}
