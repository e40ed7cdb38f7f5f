//! The number of failed attempts per login.

use link_domain::kernel::clock::Wall;
use link_domain::kernel::digest::Digest32;
use link_domain::kernel::owner::Owner;
use link_domain::linking::guesses::{self, OtherLogins};
use link_types::id::{ProviderId, UserId};

use crate::sql::{columns, params, statements};
use crate::tables::resource::resource;
use crate::{StoreError, Tx};

columns! {
    /// The columns of a login.
    try_columns => struct Columns { failures, failed_at }
}
const COLUMNS: Columns = Columns::after(0);
columns! {
    /// The number of failed logins, and when the oldest failed.
    others_columns => struct OthersColumns { logins = "COUNT(*)", oldest = "MIN(failed_at)" }
}
const OTHER: OthersColumns = OthersColumns::after(0);

statements! {
    PUT = "INSERT INTO login_tries (tenant_id, mode, user_id, provider_id, login_hash, failures, failed_at) \
           VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7) \
           ON CONFLICT (tenant_id, mode, user_id, provider_id, login_hash) \
           DO UPDATE SET failures = excluded.failures, failed_at = excluded.failed_at";
    FIND = concat!("SELECT ", try_columns!(""), " FROM login_tries WHERE tenant_id = ?1 AND mode = ?2 \
           AND user_id = ?3 AND provider_id = ?4 AND login_hash = ?5 /*lock*/");
    OTHERS = concat!("SELECT ", others_columns!(""), " FROM login_tries WHERE tenant_id = ?1 AND mode = ?2 \
             AND user_id = ?3 AND NOT (provider_id = ?4 AND login_hash = ?5) AND failures > 0 AND failed_at > ?6");
    DELETE_OLD = "DELETE FROM login_tries WHERE failed_at < ?1";
}

resource! {
    /// The number of failed attempts per login.
    LoginTries, login_tries
}

impl LoginTries<'_, Tx<'_>> {
    /// Returns how often this login failed, or zero if there is no row.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read.
    pub fn get(
        &mut self,
        owner: &Owner,
        user: &UserId,
        provider: &ProviderId,
        login_hash: Digest32,
    ) -> Result<guesses::LoginTries, StoreError> {
        let none = guesses::LoginTries::none(owner.clone(), user.clone(), provider.clone(), login_hash);
        let found = self.session().find(
            &FIND,
            params![
                owner.tenant.as_str(),
                owner.mode.as_str(),
                user.as_str(),
                provider.as_str(),
                login_hash.as_bytes(),
            ],
            |row| {
                Ok((
                    crate::tables::small("login_tries", row.int(COLUMNS.failures)?)?,
                    Wall::from_micros(row.int(COLUMNS.failed_at)?),
                ))
            },
        )?;
        Ok(match found {
            Some((failures, failed_at)) => guesses::LoginTries { failures, failed_at, ..none },
            None => none,
        })
    }

    /// Counts the user's other logins that failed since a time. Lock the user first, so that concurrent units do not
    /// count the same.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read.
    pub fn others_failed_since(
        &mut self,
        own: &guesses::LoginTries,
        since: Wall,
    ) -> Result<OtherLogins, StoreError> {
        let found = self.session().find(
            &OTHERS,
            params![
                own.owner.tenant.as_str(),
                own.owner.mode.as_str(),
                own.user_id.as_str(),
                own.provider_id.as_str(),
                own.login_hash.as_bytes(),
                since.micros(),
            ],
            |row| {
                let oldest = row.opt_int(OTHER.oldest)?.map(Wall::from_micros);
                Ok(OtherLogins {
                    count: crate::tables::small("login_tries", row.int(OTHER.logins)?)?,
                    oldest,
                })
            },
        )?;
        Ok(found.unwrap_or_default())
    }

    /// Deletes logins whose last failure was before a time. Returns how many.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be written.
    pub fn delete_failed_before(&mut self, moment: Wall) -> Result<u64, StoreError> {
        self.session().execute(&DELETE_OLD, params![moment.micros()])
    }

    pub(crate) fn put(&mut self, tries: &guesses::LoginTries) -> Result<(), StoreError> {
        let guesses::LoginTries { owner, user_id, provider_id, login_hash, failures, failed_at } = tries;
        self.session().execute_later(
            &PUT,
            params![
                owner.tenant.as_str(),
                owner.mode.as_str(),
                user_id.as_str(),
                provider_id.as_str(),
                login_hash.as_bytes(),
                i64::from(*failures),
                failed_at.micros(),
            ],
        )
    }
}
