//! The number of failed logins, by login, session, network and provider.

use link_domain::kernel::clock::Wall;
use link_domain::kernel::owner::Owner;
use link_domain::linking::guesses::{GuessCount, GuessCounter};

use crate::sql::{columns, params, statements};
use crate::tables::resource::resource;
use crate::tables::small;
use crate::{StoreError, Tx};

const TABLE: &str = "guess_counts";

columns! {
    /// The columns of a counter.
    count_columns => struct Columns { failures, successes, since, last_at }
}
const COLUMNS: Columns = Columns::after(0);

statements! {
    /// Without this row, two units that use a new counter at the same time would both count from zero.
    BEGIN = "INSERT INTO guess_counts (tenant_id, mode, kind, subject, failures, successes, since, last_at) \
             VALUES (?1, ?2, ?3, ?4, 0, 0, 0, 0) ON CONFLICT (tenant_id, mode, kind, subject) DO NOTHING";
    FIND = concat!("SELECT ", count_columns!(""), " FROM guess_counts WHERE tenant_id = ?1 AND mode = ?2 \
           AND kind = ?3 AND subject = ?4 /*lock*/");
    PUT = "INSERT INTO guess_counts (tenant_id, mode, kind, subject, failures, successes, since, last_at) \
           VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8) ON CONFLICT (tenant_id, mode, kind, subject) DO UPDATE SET \
           failures = excluded.failures, successes = excluded.successes, since = excluded.since, \
           last_at = excluded.last_at";
    DELETE_OLD = "DELETE FROM guess_counts WHERE last_at < ?1";
}

resource! {
    /// Counters of failed logins.
    GuessCounts, guess_counts
}

impl GuessCounts<'_, Tx<'_>> {
    /// Returns and locks a counter. Creates it if needed.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be written.
    pub fn get(&mut self, owner: &Owner, counter: GuessCounter) -> Result<GuessCount, StoreError> {
        let key = params![
            owner.tenant.as_str(),
            owner.mode.as_str(),
            counter.limit.as_str(),
            counter.hash.as_bytes(),
        ];
        self.session().execute(&BEGIN, key)?;
        let none = GuessCount::none(owner.clone(), counter);
        let found = self.session().find(&FIND, key, |row| {
            Ok(GuessCount {
                failures: small(TABLE, row.int(COLUMNS.failures)?)?,
                successes: small(TABLE, row.int(COLUMNS.successes)?)?,
                since: Wall::from_micros(row.int(COLUMNS.since)?),
                last_at: Wall::from_micros(row.int(COLUMNS.last_at)?),
                ..none.clone()
            })
        })?;
        Ok(found.unwrap_or(none))
    }

    /// Deletes counters whose last attempt was before a time. Returns how many.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be written.
    pub fn delete_before(&mut self, moment: Wall) -> Result<u64, StoreError> {
        self.session().execute(&DELETE_OLD, params![moment.micros()])
    }

    pub(crate) fn put(&mut self, count: &GuessCount) -> Result<(), StoreError> {
        let GuessCount { owner, counter, failures, successes, since, last_at } = count;
        self.session().execute_later(
            &PUT,
            params![
                owner.tenant.as_str(),
                owner.mode.as_str(),
                counter.limit.as_str(),
                counter.hash.as_bytes(),
                i64::from(*failures),
                i64::from(*successes),
                since.micros(),
                last_at.micros(),
            ],
        )
    }
}
