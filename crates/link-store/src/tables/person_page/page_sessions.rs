//! Sessions of people's own pages, found by the digest of the cookie's secret.

use link_domain::kernel::clock::Wall;
use link_domain::kernel::digest::Digest32;
use link_domain::person_page::page_session::PageSession;

use crate::reader::{ReadSession, parse};
use crate::sql::{columns, params, statements};
use crate::tables::digest;
use crate::tables::resource::resource;
use crate::{StoreError, Tx};

const TABLE: &str = "page_sessions";

columns! {
    /// The columns of a session.
    session_columns => struct Columns { secret_hash, address_hash, reach, created_at }
}
const COLUMNS: Columns = Columns::after(0);

statements! {
    PUT = "INSERT INTO page_sessions (secret_hash, address_hash, reach, created_at) VALUES (?1, ?2, ?3, ?4)";
    FIND = concat!("SELECT ", session_columns!(""), " FROM page_sessions WHERE secret_hash = ?1");
    DELETE = "DELETE FROM page_sessions WHERE secret_hash = ?1";
    DELETE_OLD = "DELETE FROM page_sessions WHERE created_at < ?1";
}

resource! {
    /// Sessions of people's own pages.
    PageSessions, page_sessions
}

impl<'c, S: ReadSession<'c>> PageSessions<'_, S> {
    /// Returns the session whose secret has this digest, including one that has expired.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read.
    pub fn by_secret(&mut self, secret_hash: &Digest32) -> Result<Option<PageSession>, StoreError> {
        self.session().find(&FIND, params![secret_hash.as_bytes()], |row| {
            Ok(PageSession {
                secret_hash: digest(TABLE, row.bytes(COLUMNS.secret_hash)?)?,
                address: digest(TABLE, row.bytes(COLUMNS.address_hash)?)?,
                reach: parse(TABLE, row.str(COLUMNS.reach)?)?,
                created_at: Wall::from_micros(row.int(COLUMNS.created_at)?),
            })
        })
    }
}

impl PageSessions<'_, Tx<'_>> {
    /// Deletes sessions that began before a time. Returns how many.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be written.
    pub fn delete_begun_before(&mut self, moment: Wall) -> Result<u64, StoreError> {
        self.session().execute(&DELETE_OLD, params![moment.micros()])
    }

    pub(crate) fn put(&mut self, session: &PageSession) -> Result<(), StoreError> {
        let PageSession { secret_hash, address, reach, created_at } = session;
        self.session().execute_later(
            &PUT,
            params![secret_hash.as_bytes(), address.as_bytes(), reach.as_str(), created_at.micros()],
        )
    }

    pub(crate) fn delete(&mut self, secret_hash: &Digest32) -> Result<(), StoreError> {
        self.session().execute_later(&DELETE, params![secret_hash.as_bytes()])
    }
}
