//! Erases again what the ledger of erasures has and the database does not, after an older backup was restored.

use link_domain::change::Deletion;
use link_domain::kernel::clock::Now;
use link_domain::kernel::scope::ErasureScope;
use link_types::id::MemberId;

use super::scopes::Scopes;
use crate::keys::{Day, ErasedScope};
use crate::reader::{ReadSession, parse};
use crate::sql::{columns, params, statements};
use crate::tables::owner;
use crate::{StoreError, Tx};

columns! {
    /// The environment of a user.
    owner_columns => struct OwnerColumns { tenant_id, mode }
}
const OWNER: OwnerColumns = OwnerColumns::after(0);

columns! {
    /// The columns of a recent erasure.
    recent_columns => struct RecentColumns { scope_id, erased_at }
}
const RECENT: RecentColumns = RecentColumns::after(0);

statements! {
    IS_ERASED = "SELECT erased_at FROM erasures WHERE scope_id = ?1";
    ERASED_SINCE = concat!("SELECT ", recent_columns!(""), " FROM erasures WHERE erased_at >= ?1");
    OWNER_OF_USER = concat!("SELECT ", owner_columns!(""), " FROM users WHERE id = ?1");
    IS_MEMBER = "SELECT created_at FROM console_members WHERE id = ?1";
}

impl<'c, S: ReadSession<'c>> Scopes<'_, S> {
    /// Returns whether the database knows that a scope was erased.
    pub(crate) fn is_erased(&mut self, scope: &str) -> Result<bool, StoreError> {
        Ok(self.session().find(&IS_ERASED, params![scope], |_| Ok(()))?.is_some())
    }

    /// Returns the scopes that were erased since a time in microseconds.
    pub(crate) fn erased_since(&mut self, at: i64) -> Result<Vec<ErasedScope>, StoreError> {
        self.session().query(&ERASED_SINCE, params![at], |row| {
            let day = Day::from_micros(row.int(RECENT.erased_at)?);
            Ok(ErasedScope { scope: row.text(RECENT.scope_id)?, day })
        })
    }
}

impl Scopes<'_, Tx<'_>> {
    /// Erases a scope with the row that it belongs to. No tombstone stays: the backup does not have the one of the first
    /// erasure.
    pub(crate) fn erase_again(&mut self, scope: &str, now: Now) -> Result<(), StoreError> {
        let of_user = self
            .session()
            .find(&OWNER_OF_USER, params![scope], |row| owner("users", row, OWNER.tenant_id, OWNER.mode))?;
        if let Some(owner) = of_user {
            return self.0.users().delete(&owner, &parse("users", scope)?, now);
        }
        if self.session().find(&IS_MEMBER, params![scope], |_| Ok(()))?.is_some() {
            return self.0.console_members().delete(&parse::<MemberId>("console_members", scope)?, now);
        }
        match scope.parse() {
            Ok(ErasureScope::Account(id)) => {
                self.0.account_links().delete(&id)?;
                self.0.delete(&Deletion::Account(id), now)
            }
            Ok(ErasureScope::Archive(id)) => self.0.delete(&Deletion::Archive(id), now),
            Ok(ErasureScope::Invite(id)) => self.0.delete(&Deletion::Invite(id), now),
            Ok(scope @ (ErasureScope::Record(_) | ErasureScope::Signal(_) | ErasureScope::Form(_))) => {
                self.0.erase(&scope, now)
            }
            // The mail with a link to a person's own page, or a user or member that the backup does not have.
            Err(_) => self.destroy(scope, now.wall().micros()),
        }
    }
}
