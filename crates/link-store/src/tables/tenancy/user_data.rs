//! The data of a user: everything that is stored by the user's id, and deleted together with the user's row.

use link_domain::kernel::clock::Now;
use link_domain::kernel::owner::Owner;
use link_domain::kernel::scope::ErasureScope;
use link_domain::use_cases::UserData;
use link_types::id::{AccountId, ArchiveId, FormId, InviteId, RecordId, UserId};

use super::users::Users;
use crate::reader::parse;
use crate::sql::{Sql, params, statements};
use crate::{StoreError, Tx};

const TABLE: &str = "users";

statements! {
    ACCOUNTS = "SELECT id FROM accounts WHERE tenant_id = ?1 AND mode = ?2 AND user_id = ?3 ORDER BY id LIMIT ?4";
    SUBMITTED = "SELECT id FROM archives WHERE tenant_id = ?1 AND mode = ?2 AND user_id = ?3 \
                 AND submitted_at IS NOT NULL ORDER BY id LIMIT ?4";
    UNSUBMITTED = "SELECT id FROM archives WHERE tenant_id = ?1 AND mode = ?2 AND user_id = ?3 \
                   AND submitted_at IS NULL ORDER BY id LIMIT ?4";
    INVITES = "SELECT id FROM invites WHERE tenant_id = ?1 AND mode = ?2 AND user_id = ?3 ORDER BY id LIMIT ?4";
    FORMS = "SELECT id FROM forms WHERE tenant_id = ?1 AND mode = ?2 AND user_id = ?3 ORDER BY id LIMIT ?4";
    RECORDS = "SELECT id FROM records WHERE tenant_id = ?1 AND mode = ?2 AND user_id = ?3 ORDER BY id LIMIT ?4";
    DELETE_TOKENS = "DELETE FROM link_tokens WHERE user_id = ?3 AND tenant_id = ?1 AND mode = ?2";
    DELETE_SESSIONS = "DELETE FROM link_sessions WHERE user_id = ?3 AND tenant_id = ?1 AND mode = ?2";
    DELETE_VISITS = "DELETE FROM visits WHERE user_id = ?3 AND tenant_id = ?1 AND mode = ?2";
    DELETE_HOSTED_ACCOUNTS = "DELETE FROM hosted_link_accounts WHERE hosted_link_id IN (SELECT id FROM hosted_links \
                              WHERE user_id = ?3 AND tenant_id = ?1 AND mode = ?2)";
    DELETE_HOSTED_LINKS = "DELETE FROM hosted_links WHERE user_id = ?3 AND tenant_id = ?1 AND mode = ?2";
    DELETE_HANDOFFS = "DELETE FROM link_handoffs WHERE user_id = ?3 AND tenant_id = ?1 AND mode = ?2";
    DELETE_ATTEMPTS = "DELETE FROM link_attempts WHERE user_id = ?3 AND tenant_id = ?1 AND mode = ?2";
    DELETE_TRIES = "DELETE FROM login_tries WHERE tenant_id = ?1 AND mode = ?2 AND user_id = ?3";
    DELETE_OPENINGS = "DELETE FROM ui_openings WHERE tenant_id = ?1 AND mode = ?2 AND user_id = ?3";
    DELETE_UI_EVENTS = "DELETE FROM ui_events WHERE tenant_id = ?1 AND mode = ?2 AND user_id = ?3";
    DELETE_TRAPS = "DELETE FROM ui_traps WHERE tenant_id = ?1 AND mode = ?2 AND user_id = ?3";
    DELETE_SURVEYS = "DELETE FROM surveys WHERE user_id = ?3 AND tenant_id = ?1 AND mode = ?2";
    DELETE_USES = "DELETE FROM upload_uses WHERE tenant_id = ?1 AND mode = ?2 AND user_id = ?3";
    DELETE_QUOTAS = "DELETE FROM quota_uses WHERE tenant_id = ?1 AND mode = ?2 AND user_id = ?3";
    DELETE_TASKS = "DELETE FROM tasks WHERE tenant_id = ?1 AND mode = ?2 AND user_id = ?3";
    DELETE_USER = "DELETE FROM users WHERE tenant_id = ?1 AND mode = ?2 AND id = ?3";
}

/// Hosted links, visits and tokens first: their rows wait for a concurrent exchange, whose session is then deleted too. Sessions come before
/// hand-offs for the same reason.
static TRACES: [&Sql; 16] = [
    &DELETE_HOSTED_ACCOUNTS,
    &DELETE_HOSTED_LINKS,
    &DELETE_VISITS,
    &DELETE_TOKENS,
    &DELETE_SESSIONS,
    &DELETE_HANDOFFS,
    &DELETE_ATTEMPTS,
    &DELETE_TRIES,
    &DELETE_OPENINGS,
    &DELETE_UI_EVENTS,
    &DELETE_TRAPS,
    &DELETE_SURVEYS,
    &DELETE_USES,
    &DELETE_QUOTAS,
    &DELETE_TASKS,
    &DELETE_USER,
];

impl Users<'_, Tx<'_>> {
    /// Returns and locks the data of a user, at most `at_most` items.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read.
    pub fn data(&mut self, owner: &Owner, user: &UserId, at_most: usize) -> Result<UserData, StoreError> {
        let mut found = UserData::default();
        let mut room = at_most;
        for id in self.ids_of_user::<AccountId>(&ACCOUNTS, owner, user, &mut room, &mut found.more)? {
            match self.0.accounts().get(owner, &id) {
                Ok(account) => found.accounts.extend(account),
                Err(StoreError::Erased) => found.unopened.push(ErasureScope::Account(id)),
                Err(error) => return Err(error),
            }
        }
        for archives in [&SUBMITTED, &UNSUBMITTED] {
            for id in self.ids_of_user::<ArchiveId>(archives, owner, user, &mut room, &mut found.more)? {
                match self.0.archives().get(owner, &id) {
                    Ok(archive) => found.archives.extend(archive),
                    Err(StoreError::Erased) => found.unopened.push(ErasureScope::Archive(id)),
                    Err(error) => return Err(error),
                }
            }
        }
        for id in self.ids_of_user::<InviteId>(&INVITES, owner, user, &mut room, &mut found.more)? {
            match self.0.invites().get(owner, &id) {
                Ok(invite) => found.invites.extend(invite),
                Err(StoreError::Erased) => found.unopened.push(ErasureScope::Invite(id)),
                Err(error) => return Err(error),
            }
        }
        let forms = self.ids_of_user::<FormId>(&FORMS, owner, user, &mut room, &mut found.more)?;
        found.unopened.extend(forms.into_iter().map(ErasureScope::Form));
        let records = self.ids_of_user::<RecordId>(&RECORDS, owner, user, &mut room, &mut found.more)?;
        found.unopened.extend(records.into_iter().map(ErasureScope::Record));
        Ok(found)
    }

    /// Returns ids from one table as far as `room` allows. Sets `more` if there are more.
    fn ids_of_user<T: std::str::FromStr>(
        &mut self,
        sql: &'static Sql,
        owner: &Owner,
        user: &UserId,
        room: &mut usize,
        more: &mut bool,
    ) -> Result<Vec<T>, StoreError> {
        let (tenant, mode) = (owner.tenant.as_str(), owner.mode.as_str());
        let values = params![tenant, mode, user.as_str(), *room as i64 + 1];
        let mut ids = self.session().query(sql, values, |row| parse::<T>(TABLE, row.str(0)?))?;
        *more |= ids.len() > *room;
        ids.truncate(*room);
        *room -= ids.len();
        Ok(ids)
    }

    /// Deletes a user with all traces, and destroys the key that sealed their data.
    ///
    /// A user who is already deleted is not an error: a later unit deletes what the first one could not.
    pub(crate) fn delete(&mut self, owner: &Owner, user: &UserId, now: Now) -> Result<(), StoreError> {
        self.0.idempotency_keys().delete_about(user.as_str())?;
        self.0.delivery_attempts().strip_scope(user.as_str())?;
        self.0.account_links().delete_of_user(owner, user)?;
        let (tenant, mode) = (owner.tenant.as_str(), owner.mode.as_str());
        for sql in TRACES {
            self.session().execute_later(sql, params![tenant, mode, user.as_str()])?;
        }
        self.0.scopes().destroy(user.as_str(), now.wall().micros())
    }
}
