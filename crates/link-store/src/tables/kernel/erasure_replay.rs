//! Erases again what the ledger of erasures has and the database does not, after an older backup was restored.

use link_domain::change::job::{Job, JobKind};
use link_domain::kernel::context::Context;
use link_domain::kernel::owner::Owner;
use link_domain::kernel::scope::ErasureScope;
use link_types::id::{MemberId, UserId};

use super::scopes::Scopes;
use crate::keys::{Day, ErasedScope};
use crate::reader::{ReadSession, parse};
use crate::sql::{Sql, columns, params, statements};
use crate::tables::owner;
use crate::{StoreError, Tx};

columns! {
    /// The environment of a user or another object.
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
    OWNER_OF_ACCOUNT = concat!("SELECT ", owner_columns!(""), " FROM accounts WHERE id = ?1");
    OWNER_OF_ARCHIVE = concat!("SELECT ", owner_columns!(""), " FROM archives WHERE id = ?1");
    OWNER_OF_RECORD = concat!("SELECT ", owner_columns!(""), " FROM records WHERE id = ?1");
    OWNER_OF_SIGNAL = concat!("SELECT ", owner_columns!(""), " FROM signals WHERE id = ?1");
    OWNER_OF_FORM = concat!("SELECT ", owner_columns!(""), " FROM forms WHERE id = ?1");
    OWNER_OF_INVITE = concat!("SELECT ", owner_columns!(""), " FROM invites WHERE id = ?1");
    IS_MEMBER = "SELECT created_at FROM console_members WHERE id = ?1";
}

impl<'c, S: ReadSession<'c>> Scopes<'_, S> {
    /// Returns whether the database knows that a scope was erased.
    pub(crate) fn is_erased(&mut self, scope: &str) -> Result<bool, StoreError> {
        Ok(self.session().find(&IS_ERASED, params![scope], |_| Ok(()))?.is_some())
    }

    /// Returns the scopes that were erased since a time in microseconds.
    pub(crate) fn list_erased_since(&mut self, at: i64) -> Result<Vec<ErasedScope>, StoreError> {
        self.session().query(&ERASED_SINCE, params![at], |row| {
            let day = Day::from_micros(row.int(RECENT.erased_at)?);
            Ok(ErasedScope { scope: row.text(RECENT.scope_id)?, day })
        })
    }
}

impl Scopes<'_, Tx<'_>> {
    /// Erases a scope with the row that it belongs to. No tombstone stays: the backup does not have the one of the first
    /// erasure. What a user has without a line in the ledger, or too much of, is erased by the job that a deletion has.
    pub(crate) fn erase_again(&mut self, scope: &str, context: &mut Context) -> Result<(), StoreError> {
        let now = context.now();
        if let Some(owner) = self.owner_of(&OWNER_OF_USER, "users", scope)? {
            let user_id: UserId = parse("users", scope)?;
            self.0.users().delete(&owner, &user_id, now)?;
            return self.0.jobs().put(&Job::now(&owner, JobKind::EraseUser { user_id }, context));
        }
        if self.session().find(&IS_MEMBER, params![scope], |_| Ok(()))?.is_some() {
            return self.0.console_members().delete(&parse::<MemberId>("console_members", scope)?, now);
        }
        let Ok(object) = scope.parse::<ErasureScope>() else {
            // The mail with a link to a person's own page, or a user or member that the backup does not have.
            return self.destroy(scope, now.wall().micros());
        };
        let (owner_of, table) = match &object {
            ErasureScope::Account(id) => {
                self.0.account_links().delete(id)?;
                (&OWNER_OF_ACCOUNT, "accounts")
            }
            ErasureScope::Archive(_) => (&OWNER_OF_ARCHIVE, "archives"),
            ErasureScope::Record(_) => (&OWNER_OF_RECORD, "records"),
            ErasureScope::Signal(_) => (&OWNER_OF_SIGNAL, "signals"),
            ErasureScope::Form(_) => (&OWNER_OF_FORM, "forms"),
            ErasureScope::Invite(_) => (&OWNER_OF_INVITE, "invites"),
        };
        match self.owner_of(owner_of, table, scope)? {
            Some(owner) => {
                let change = object.remove(&owner, context);
                self.0.apply(&change, now)
            }
            // The backup does not have its row.
            None => self.0.erase(&object, now),
        }
    }

    fn owner_of(
        &mut self,
        sql: &'static Sql,
        table: &'static str,
        id: &str,
    ) -> Result<Option<Owner>, StoreError> {
        self.session().find(sql, params![id], |row| owner(table, row, OWNER.tenant_id, OWNER.mode))
    }
}
