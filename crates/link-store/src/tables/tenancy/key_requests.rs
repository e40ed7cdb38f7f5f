//! Programs that wait for an API key, found by the code that they show.

use link_domain::kernel::clock::Wall;
use link_domain::kernel::digest::Digest32;
use link_domain::tenancy::tenant::KeyDigests;
use link_domain::tenancy::tenant::key_request::KeyRequest;

use crate::reader::ReadSession;
use crate::sql::{Row, columns, params, statements};
use crate::tables::digest;
use crate::tables::resource::resource;
use crate::{StoreError, Tx};

const TABLE: &str = "key_requests";

columns! {
    /// The columns of a request.
    request_columns => struct Columns { key_hash, secret_hash, last_four, code, expires_at }
}
const COLUMNS: Columns = Columns::after(0);

statements! {
    PUT = "INSERT INTO key_requests (key_hash, secret_hash, last_four, code, expires_at) VALUES (?1, ?2, ?3, ?4, ?5)";
    FIND = concat!("SELECT ", request_columns!(""), " FROM key_requests WHERE key_hash = ?1");
    FIND_LOCKED = concat!("SELECT ", request_columns!(""), " FROM key_requests WHERE code = ?1 /*lock*/");
    DELETE = "DELETE FROM key_requests WHERE key_hash = ?1";
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
        let KeyRequest { code, digests: KeyDigests { key_hash, secret_hash, last_four }, expires_at } =
            request;
        self.session()
            .execute(
                &PUT,
                params![key_hash.as_bytes(), secret_hash.as_bytes(), last_four, code, expires_at.micros()],
            )
            .map(drop)
    }

    pub(crate) fn delete(&mut self, key_hash: &Digest32) -> Result<(), StoreError> {
        self.session().execute(&DELETE, params![key_hash.as_bytes()]).map(drop)
    }
}
