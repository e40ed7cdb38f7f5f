//! The widget's sessions, found by the digest of their bearer secret.

use link_domain::kernel::clock::Wall;
use link_domain::kernel::digest::Digest32;
use link_domain::kernel::owner::Owner;
use link_domain::linking::link::{LinkSession, SessionEnd};
use link_types::id::{LinkSessionId, UserId};

use crate::reader::{ReadSession, parse};
use crate::sql::{Row, columns, params, statements};
use crate::tables::invitations::visits::visit;
use crate::tables::resource::resource;
use crate::tables::{digest, owner};
use crate::{Reader, StoreError, Tx};

const TABLE: &str = "link_sessions";

columns! {
    /// The columns of a session.
    session_columns => struct Columns {
        id, secret_hash, tenant_id, mode, user_id, template_id, host_origin, attempt_id, created_at,
        last_used_at, ended, invite_id, visit_id,
    }
}
const COLUMNS: Columns = Columns::after(0);

macro_rules! select {
    ($condition:literal) => {
        concat!("SELECT ", session_columns!(""), " FROM link_sessions WHERE ", $condition)
    };
}

statements! {
    PUT = "INSERT INTO link_sessions (id, secret_hash, tenant_id, mode, user_id, template_id, host_origin, \
           attempt_id, created_at, last_used_at, ended, invite_id, visit_id) \
           VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13) \
           ON CONFLICT (id) DO UPDATE SET attempt_id = excluded.attempt_id, \
           last_used_at = excluded.last_used_at, ended = excluded.ended";
    FIND = select!("secret_hash = ?1");
    FIND_LOCKED = select!("secret_hash = ?1 /*lock*/");
    FIND_BY_ID = select!("id = ?1");
    FIND_BY_ID_LOCKED = select!("id = ?1 /*lock*/");
    OF_USER = select!("user_id = ?1 AND tenant_id = ?2 AND mode = ?3 ORDER BY created_at DESC LIMIT ?4");
    DELETE_OLD = "DELETE FROM link_sessions WHERE created_at < ?1";
}

fn read(row: &Row<'_>) -> Result<LinkSession, StoreError> {
    Ok(LinkSession {
        id: parse(TABLE, row.str(COLUMNS.id)?)?,
        secret_hash: digest(TABLE, row.bytes(COLUMNS.secret_hash)?)?,
        owner: owner(TABLE, row, COLUMNS.tenant_id, COLUMNS.mode)?,
        user_id: parse(TABLE, row.str(COLUMNS.user_id)?)?,
        template_id: parse(TABLE, row.str(COLUMNS.template_id)?)?,
        host_origin: row.text(COLUMNS.host_origin)?,
        attempt_id: parse(TABLE, row.str(COLUMNS.attempt_id)?)?,
        created_at: Wall::from_micros(row.int(COLUMNS.created_at)?),
        last_used_at: Wall::from_micros(row.int(COLUMNS.last_used_at)?),
        visit: visit(TABLE, row.opt_str(COLUMNS.visit_id)?, row.opt_str(COLUMNS.invite_id)?)?,
        ended: row.opt_text(COLUMNS.ended)?.map(|word| end_of(&word)).transpose()?,
    })
}

const fn word_of(end: SessionEnd) -> &'static str {
    match end {
        SessionEnd::Closed => "CLOSED",
        SessionEnd::TakenOver => "TAKEN_OVER",
    }
}

fn end_of(word: &str) -> Result<SessionEnd, StoreError> {
    [SessionEnd::Closed, SessionEnd::TakenOver]
        .into_iter()
        .find(|end| word_of(*end) == word)
        .ok_or_else(|| StoreError::undecodable(TABLE, "an unknown end"))
}

resource! {
    /// Sessions of the widget.
    LinkSessions, link_sessions
}

impl LinkSessions<'_, Reader<'_>> {
    /// Returns the session whose bearer secret has this digest, including ended sessions.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read.
    pub fn by_secret(&mut self, secret_hash: &Digest32) -> Result<Option<LinkSession>, StoreError> {
        self.session().find(&FIND, params![secret_hash.as_bytes()], read)
    }

    /// Returns a session by its id, for the phone of its hand-off.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read.
    pub fn get(&mut self, id: &LinkSessionId) -> Result<Option<LinkSession>, StoreError> {
        self.session().find(&FIND_BY_ID, params![id.as_str()], read)
    }
}

impl<'c, S: ReadSession<'c>> LinkSessions<'_, S> {
    /// Returns the newest sessions of a user, newest first, at most `limit`.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read.
    pub fn of_user(
        &mut self,
        owner: &Owner,
        user: &UserId,
        limit: usize,
    ) -> Result<Vec<LinkSession>, StoreError> {
        let wanted = params![user.as_str(), owner.tenant.as_str(), owner.mode.as_str(), limit as i64];
        self.session().query(&OF_USER, wanted, read)
    }
}

impl LinkSessions<'_, Tx<'_>> {
    /// Returns and locks the session whose bearer secret has this digest, including ended sessions.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read.
    pub fn by_secret(&mut self, secret_hash: &Digest32) -> Result<Option<LinkSession>, StoreError> {
        self.session().find(&FIND_LOCKED, params![secret_hash.as_bytes()], read)
    }

    /// Returns and locks a session by its id, for the attempt that belongs to it.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read.
    pub fn get(&mut self, id: &LinkSessionId) -> Result<Option<LinkSession>, StoreError> {
        self.session().find(&FIND_BY_ID_LOCKED, params![id.as_str()], read)
    }

    /// Deletes sessions that began before a time. Returns how many.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be written.
    pub fn delete_begun_before(&mut self, moment: Wall) -> Result<u64, StoreError> {
        self.session().execute(&DELETE_OLD, params![moment.micros()])
    }

    pub(crate) fn put(&mut self, session: &LinkSession) -> Result<(), StoreError> {
        self.session().execute_later(
            &PUT,
            params![
                session.id.as_str(),
                session.secret_hash.as_bytes(),
                session.owner.tenant.as_str(),
                session.owner.mode.as_str(),
                session.user_id.as_str(),
                session.template_id.as_str(),
                &session.host_origin,
                session.attempt_id.as_str(),
                session.created_at.micros(),
                session.last_used_at.micros(),
                session.ended.map(word_of),
                session.visit.as_ref().and_then(|visit| Some(visit.invite_id.as_ref()?.as_str())),
                session.visit.as_ref().map(|visit| visit.id.as_str()),
            ],
        )
    }
}
