//! Members' sessions in the developer portal, found by the digest of the cookie's secret.

use link_domain::console::session::ConsoleSession;
use link_domain::kernel::clock::Wall;
use link_domain::kernel::digest::Digest32;
use link_types::id::{ConsoleSessionId, MemberId, TenantId};

use crate::reader::{ReadSession, parse};
use crate::sql::{Row, columns, params, statements};
use crate::tables::digest;
use crate::tables::resource::resource;
use crate::{StoreError, Tx};

const TABLE: &str = "console_sessions";

columns! {
    /// The columns of a session.
    session_columns => struct Columns {
        id, secret_hash, tenant_id, member_id, created_by, browser, created_at, last_used_at, confirmed_at, is_by_provider,
    }
}
const COLUMNS: Columns = Columns::after(0);

statements! {
    // A session that was ended in the meantime stays ended.
    PUT = "INSERT INTO console_sessions (id, secret_hash, tenant_id, member_id, created_by, browser, created_at, \
           last_used_at, confirmed_at, is_by_provider) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)";
    SET_USED = "UPDATE console_sessions SET last_used_at = ?2 WHERE id = ?1 AND last_used_at < ?2";
    // The first giver stays: two confirmations may overlap.
    SET_CONFIRMED = "UPDATE console_sessions SET last_used_at = ?2, confirmed_at = ?3, \
                     created_by = COALESCE(created_by, ?4) WHERE id = ?1";
    FIND = concat!("SELECT ", session_columns!(""), " FROM console_sessions WHERE secret_hash = ?1");
    OF_TENANT = concat!("SELECT ", session_columns!(""), " FROM console_sessions WHERE tenant_id = ?1 \
                AND last_used_at > ?2 ORDER BY last_used_at DESC");
    OF_MEMBER = concat!("SELECT ", session_columns!(""), " FROM console_sessions WHERE member_id = ?1 \
                AND last_used_at > ?2 ORDER BY last_used_at DESC");
    DELETE = "DELETE FROM console_sessions WHERE id = ?1";
    DELETE_OLD = "DELETE FROM console_sessions WHERE created_at < ?1";
}

fn read(row: &Row<'_>) -> Result<ConsoleSession, StoreError> {
    Ok(ConsoleSession {
        id: parse(TABLE, row.str(COLUMNS.id)?)?,
        secret_hash: digest(TABLE, row.bytes(COLUMNS.secret_hash)?)?,
        tenant: parse(TABLE, row.str(COLUMNS.tenant_id)?)?,
        member_id: parse(TABLE, row.str(COLUMNS.member_id)?)?,
        created_by: row.opt_str(COLUMNS.created_by)?.map(|it| parse(TABLE, it)).transpose()?,
        browser: row.text(COLUMNS.browser)?,
        created_at: Wall::from_micros(row.int(COLUMNS.created_at)?),
        last_used_at: Wall::from_micros(row.int(COLUMNS.last_used_at)?),
        confirmed_at: row.opt_int(COLUMNS.confirmed_at)?.map(Wall::from_micros),
        is_by_provider: row.flag(COLUMNS.is_by_provider)?,
    })
}

resource! {
    /// Members' sessions in the developer portal.
    ConsoleSessions, console_sessions
}

impl<'c, S: ReadSession<'c>> ConsoleSessions<'_, S> {
    /// Returns the session whose secret has this digest, including one that has expired.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read.
    pub fn by_secret(&mut self, secret_hash: &Digest32) -> Result<Option<ConsoleSession>, StoreError> {
        self.session().find(&FIND, params![secret_hash.as_bytes()], read)
    }

    /// Returns the sessions of a tenant's members that were used after a time, the last used one first.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read.
    pub fn list_used_after(
        &mut self,
        tenant: &TenantId,
        moment: Wall,
    ) -> Result<Vec<ConsoleSession>, StoreError> {
        self.session().query(&OF_TENANT, params![tenant.as_str(), moment.micros()], read)
    }

    /// Returns the sessions of a member that were used after a time, the last used one first.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read.
    pub fn of_member_after(
        &mut self,
        member: &MemberId,
        moment: Wall,
    ) -> Result<Vec<ConsoleSession>, StoreError> {
        self.session().query(&OF_MEMBER, params![member.as_str(), moment.micros()], read)
    }
}

impl ConsoleSessions<'_, Tx<'_>> {
    /// Deletes sessions that began before a time. Returns how many.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be written.
    pub fn delete_begun_before(&mut self, moment: Wall) -> Result<u64, StoreError> {
        self.session().execute(&DELETE_OLD, params![moment.micros()])
    }

    /// Stores the last use of a session, unless the session has ended.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be written.
    pub fn set_used(&mut self, session: &ConsoleSession) -> Result<(), StoreError> {
        self.session().execute_later(&SET_USED, params![session.id.as_str(), session.last_used_at.micros()])
    }

    /// Stores that the member of a session proved who they are, and on whose access the session depends now, unless the
    /// session has ended.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be written.
    pub fn set_confirmed(&mut self, session: &ConsoleSession) -> Result<(), StoreError> {
        self.session().execute_later(
            &SET_CONFIRMED,
            params![
                session.id.as_str(),
                session.last_used_at.micros(),
                session.confirmed_at.map(|at| at.micros()),
                session.created_by.as_ref().map(MemberId::as_str),
            ],
        )
    }

    pub(crate) fn put(&mut self, session: &ConsoleSession) -> Result<(), StoreError> {
        let ConsoleSession {
            id,
            secret_hash,
            tenant,
            member_id,
            created_by,
            browser,
            created_at,
            last_used_at,
            confirmed_at,
            is_by_provider,
        } = session;
        self.session().execute_later(
            &PUT,
            params![
                id.as_str(),
                secret_hash.as_bytes(),
                tenant.as_str(),
                member_id.as_str(),
                created_by.as_ref().map(MemberId::as_str),
                browser,
                created_at.micros(),
                last_used_at.micros(),
                confirmed_at.map(|at| at.micros()),
                i64::from(*is_by_provider),
            ],
        )
    }

    pub(crate) fn delete(&mut self, id: &ConsoleSessionId) -> Result<(), StoreError> {
        self.session().execute_later(&DELETE, params![id.as_str()])
    }
}
