//! Accesses that providers still have to end. Each state is sealed with a separate key, because the key of
//! the account is destroyed.

use link_domain::kernel::clock::{Now, TenantTime};
use link_domain::kernel::owner::Owner;
use link_domain::linking::withdrawal::Withdrawal;
use link_types::id::AccountId;

use crate::body::{decode, encode};
use crate::keys::{Day, Location};
use crate::reader::{ReadSession, parse};
use crate::sql::{Row, columns, params, statements};
use crate::tables::owner;
use crate::tables::resource::resource;
use crate::{StoreError, Tx};

const TABLE: &str = "withdrawals";

columns! {
    /// The columns of a withdrawal.
    withdrawal_columns => struct Columns { account_id, number, tenant_id, mode, provider_id, ends_at, body }
}
const COLUMNS: Columns = Columns::after(0);

statements! {
    PUT = "INSERT INTO withdrawals (account_id, number, tenant_id, mode, provider_id, ends_at, body) \
           VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7) ON CONFLICT (account_id, number) DO UPDATE SET \
           provider_id = excluded.provider_id, ends_at = excluded.ends_at, body = excluded.body";
    FIND = concat!("SELECT ", withdrawal_columns!(""), " FROM withdrawals WHERE account_id = ?1 \
           AND number = ?2 AND tenant_id = ?3 AND mode = ?4");
    DELETE = "DELETE FROM withdrawals WHERE account_id = ?1 AND number = ?2";
}

/// A row before its body is opened.
struct Stored {
    withdrawal: Withdrawal,
    body: Vec<u8>,
}

fn read(row: &Row<'_>) -> Result<Stored, StoreError> {
    let withdrawal = Withdrawal {
        account_id: parse(TABLE, row.str(COLUMNS.account_id)?)?,
        number: row.int(COLUMNS.number)? as u64,
        owner: owner(TABLE, row, COLUMNS.tenant_id, COLUMNS.mode)?,
        provider_id: parse(TABLE, row.str(COLUMNS.provider_id)?)?,
        state: Default::default(),
        ends_at: TenantTime::from_micros(row.int(COLUMNS.ends_at)?),
    };
    Ok(Stored { withdrawal, body: row.bytes(COLUMNS.body)? })
}

/// Returns the name of the key of a withdrawal.
fn scope_of(account: &AccountId, number: u64) -> String {
    format!("withdrawal-{account}-{number}")
}

resource! {
    /// Accesses that providers still have to end.
    Withdrawals, withdrawals
}

impl<'c, S: ReadSession<'c>> Withdrawals<'_, S> {
    /// Returns a withdrawal of an account. `None` if it is done, or its last day has ended.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read.
    pub fn get(
        &mut self,
        owner: &Owner,
        account: &AccountId,
        number: u64,
    ) -> Result<Option<Withdrawal>, StoreError> {
        let key = params![account.as_str(), number as i64, owner.tenant.as_str(), owner.mode.as_str()];
        let Some(Stored { mut withdrawal, body }) = self.session().find(&FIND, key, read)? else {
            return Ok(None);
        };
        let key = match self.0.reader().scope_key(&scope_of(account, number)) {
            Err(StoreError::Erased) => return Ok(None),
            key => key?,
        };
        withdrawal.state = decode(TABLE, &key.open(Location { table: TABLE, id: account.as_str() }, &body)?)?;
        Ok(Some(withdrawal))
    }
}

impl Withdrawals<'_, Tx<'_>> {
    pub(crate) fn put(&mut self, withdrawal: &Withdrawal) -> Result<(), StoreError> {
        let Withdrawal { account_id, number, owner, provider_id, state, ends_at } = withdrawal;
        let day = Day::from_micros(ends_at.micros());
        let key = self.0.scope_key_until(&scope_of(account_id, *number), day)?;
        let body = key.seal(Location { table: TABLE, id: account_id.as_str() }, &encode(TABLE, state)?)?;
        let row = params![
            account_id.as_str(),
            *number as i64,
            owner.tenant.as_str(),
            owner.mode.as_str(),
            provider_id.as_str(),
            ends_at.micros(),
            &body,
        ];
        self.session().execute_later(&PUT, row)
    }

    pub(crate) fn delete(&mut self, account: &AccountId, number: u64, now: Now) -> Result<(), StoreError> {
        self.session().execute_later(&DELETE, params![account.as_str(), number as i64])?;
        self.0.scopes().destroy(&scope_of(account, number), now.wall().micros())
    }
}
