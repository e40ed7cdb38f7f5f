//! Link tokens, found by their digest.

use link_domain::kernel::clock::{TenantTime, Wall};
use link_domain::kernel::digest::Digest32;
use link_domain::kernel::owner::Owner;
use link_domain::linking::link::{Consumption, LinkToken};
use link_types::id::{TenantId, UserId};

use crate::reader::parse;
use crate::sql::{Row, columns, params, statements};
use crate::tables::invitations::visits::visit;
use crate::tables::resource::resource;
use crate::tables::{digest, opt_digest, owner};
use crate::{Reader, StoreError, Tx};

const TABLE: &str = "link_tokens";

columns! {
    /// The columns of a token.
    token_columns => struct Columns {
        hash, tenant_id, mode, user_id, created_at, expires_at, consumed_at, consumed_by, invite_id, visit_id,
    }
}
const COLUMNS: Columns = Columns::after(0);

statements! {
    PUT = "INSERT INTO link_tokens (hash, tenant_id, mode, user_id, created_at, expires_at, consumed_at, \
           consumed_by, invite_id, visit_id) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10) \
           ON CONFLICT (hash) DO UPDATE SET consumed_at = excluded.consumed_at, \
           consumed_by = excluded.consumed_by";
    FIND = concat!("SELECT ", token_columns!(""), " FROM link_tokens WHERE hash = ?1");
    FIND_LOCKED = concat!("SELECT ", token_columns!(""), " FROM link_tokens WHERE hash = ?1 /*lock*/");
    DELETE_UNUSED_OF_USER = "DELETE FROM link_tokens WHERE user_id = ?1 AND tenant_id = ?2 AND mode = ?3 \
                             AND expires_at > ?4 AND consumed_at IS NULL AND hash NOT IN (SELECT hash \
                             FROM link_tokens WHERE user_id = ?1 AND tenant_id = ?2 AND mode = ?3 \
                             AND expires_at > ?4 AND consumed_at IS NULL ORDER BY created_at DESC, hash LIMIT ?5)";
    DELETE_EXPIRED = "DELETE FROM link_tokens WHERE expires_at < ?1";
    DELETE_EXPIRED_IN_SANDBOX =
        "DELETE FROM link_tokens WHERE tenant_id = ?1 AND mode = 'SANDBOX' AND expires_at < ?2";
}

fn read(row: &Row<'_>) -> Result<LinkToken, StoreError> {
    let at = row.opt_int(COLUMNS.consumed_at)?.map(Wall::from_micros);
    let by = opt_digest(TABLE, row.opt_bytes(COLUMNS.consumed_by)?)?;
    Ok(LinkToken {
        hash: digest(TABLE, row.bytes(COLUMNS.hash)?)?,
        owner: owner(TABLE, row, COLUMNS.tenant_id, COLUMNS.mode)?,
        user_id: parse(TABLE, row.str(COLUMNS.user_id)?)?,
        created_at: TenantTime::from_micros(row.int(COLUMNS.created_at)?),
        expires_at: TenantTime::from_micros(row.int(COLUMNS.expires_at)?),
        visit: visit(TABLE, row.opt_str(COLUMNS.visit_id)?, row.opt_str(COLUMNS.invite_id)?)?,
        consumed: at.zip(by).map(|(at, secret_hash)| Consumption { at, secret_hash }),
    })
}

resource! {
    /// Link tokens.
    LinkTokens, link_tokens
}

impl LinkTokens<'_, Reader<'_>> {
    /// Returns the token with this digest, used or not. To use the token, read it again inside the unit that consumes
    /// it.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read.
    pub fn get(&mut self, hash: &Digest32) -> Result<Option<LinkToken>, StoreError> {
        self.session().find(&FIND, params![hash.as_bytes()], read)
    }
}

impl LinkTokens<'_, Tx<'_>> {
    /// Returns and locks the token with this digest. Of several parallel exchanges, only one finds it unused.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read.
    pub fn get(&mut self, hash: &Digest32) -> Result<Option<LinkToken>, StoreError> {
        self.session().find(&FIND_LOCKED, params![hash.as_bytes()], read)
    }

    /// Deletes the unused tokens of a user, except the newest `but`. Returns how many.
    ///
    /// Tokens that are expired at `now` on the tenant's clock are neither counted nor deleted.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be written.
    pub fn delete_unused_of_user(
        &mut self,
        owner: &Owner,
        user: &UserId,
        now: TenantTime,
        but: usize,
    ) -> Result<u64, StoreError> {
        let (tenant, mode) = (owner.tenant.as_str(), owner.mode.as_str());
        let of_user = params![user.as_str(), tenant, mode, now.micros(), but as i64];
        self.session().execute(&DELETE_UNUSED_OF_USER, of_user)
    }

    /// Deletes tokens that expired before a time on their tenant's clock. Returns how many.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be written.
    pub fn delete_expired_before(&mut self, moment: TenantTime) -> Result<u64, StoreError> {
        self.session().execute(&DELETE_EXPIRED, params![moment.micros()])
    }

    /// Deletes the tokens of a tenant's sandbox that expired before a time on its clock.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be written.
    pub fn delete_expired_in_sandbox(
        &mut self,
        tenant: &TenantId,
        moment: TenantTime,
    ) -> Result<(), StoreError> {
        self.session().execute_later(&DELETE_EXPIRED_IN_SANDBOX, params![tenant.as_str(), moment.micros()])
    }

    pub(crate) fn put(&mut self, token: &LinkToken) -> Result<(), StoreError> {
        let LinkToken { hash, owner, user_id, created_at, expires_at, consumed, visit } = token;
        self.session().execute_later(
            &PUT,
            params![
                hash.as_bytes(),
                owner.tenant.as_str(),
                owner.mode.as_str(),
                user_id.as_str(),
                created_at.micros(),
                expires_at.micros(),
                consumed.as_ref().map(|consumed| consumed.at.micros()),
                consumed.as_ref().map(|consumed| consumed.secret_hash.as_bytes()),
                visit.as_ref().and_then(|visit| Some(visit.invite_id.as_ref()?.as_str())),
                visit.as_ref().map(|visit| visit.id.as_str()),
            ],
        )
    }
}
