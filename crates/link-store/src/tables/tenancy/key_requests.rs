//! Programs that wait for an API key, found by the code that they show.

use link_domain::kernel::clock::Wall;
use link_domain::kernel::digest::Digest32;
use link_domain::tenancy::tenant::KeyDigests;
use link_domain::tenancy::tenant::key_request::KeyRequest;
use link_types::Mode;

use crate::reader::{ReadSession, parse};
use crate::sql::{Row, columns, params, statements};
use crate::tables::digest;
use crate::tables::resource::resource;
use crate::{StoreError, Tx};

const TABLE: &str = "key_requests";

columns! {
    /// The columns of a request.
    request_columns => struct Columns { key_hash, secret_hash, last_four, code, mode, granted, expires_at }
}
const COLUMNS: Columns = Columns::after(0);

statements! {
    PUT = "INSERT INTO key_requests (key_hash, secret_hash, last_four, code, mode, granted, expires_at) \
           VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7) ON CONFLICT (key_hash) DO UPDATE SET granted = excluded.granted";
    FIND_AT = "SELECT 1 FROM key_requests ORDER BY key_hash LIMIT 1 OFFSET ?1";
    FIND = concat!("SELECT ", request_columns!(""), " FROM key_requests WHERE key_hash = ?1");
    FIND_LOCKED = concat!("SELECT ", request_columns!(""), " FROM key_requests WHERE code = ?1 /*lock*/");
    DELETE_EXPIRED = "DELETE FROM key_requests WHERE expires_at < ?1";
}

fn read(row: &Row<'_>) -> Result<KeyRequest, StoreError> {
    Ok(KeyRequest {
        code: row.text(COLUMNS.code)?,
        digests: KeyDigests {
            key_hash: digest(TABLE, row.bytes(COLUMNS.key_hash)?)?,
            secret_hash: digest(TABLE, row.bytes(COLUMNS.secret_hash)?)?,
            last_four: row.text(COLUMNS.last_four)?,
        },
        environment: row.opt_str(COLUMNS.mode)?.map(|it| parse(TABLE, it)).transpose()?,
        is_granted: row.int(COLUMNS.granted)? != 0,
        expires_at: Wall::from_micros(row.int(COLUMNS.expires_at)?),
    })
}

resource! {
    /// Programs that wait for an API key.
    KeyRequests, key_requests
}

impl<'c, S: ReadSession<'c>> KeyRequests<'_, S> {
    /// Returns the request of the program whose key has this digest.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read.
    pub fn by_key(&mut self, key_hash: &Digest32) -> Result<Option<KeyRequest>, StoreError> {
        self.session().find(&FIND, params![key_hash.as_bytes()], read)
    }
}

impl KeyRequests<'_, Tx<'_>> {
    /// Returns whether there are at least this many requests.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read.
    pub fn are_at_least(&mut self, count: u32) -> Result<bool, StoreError> {
        let offset = i64::from(count.saturating_sub(1));
        Ok(self.session().find(&FIND_AT, params![offset], |_| Ok(()))?.is_some())
    }

    /// Returns and locks the request with this code, so that only one of several concurrent uses succeeds.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read.
    pub fn by_code(&mut self, code: &str) -> Result<Option<KeyRequest>, StoreError> {
        self.session().find(&FIND_LOCKED, params![code], read)
    }

    /// Deletes requests that expired before a time. Returns how many.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be written.
    pub fn delete_expired_before(&mut self, moment: Wall) -> Result<u64, StoreError> {
        self.session().execute(&DELETE_EXPIRED, params![moment.micros()])
    }

    pub(crate) fn put(&mut self, request: &KeyRequest) -> Result<(), StoreError> {
        let KeyRequest { code, digests, environment, is_granted, expires_at } = request;
        let KeyDigests { key_hash, secret_hash, last_four } = digests;
        self.session().execute_later(
            &PUT,
            params![
                key_hash.as_bytes(),
                secret_hash.as_bytes(),
                last_four,
                code,
                environment.map(Mode::as_str),
                i64::from(*is_granted),
                expires_at.micros()
            ],
        )
    }
}
