//! Unused one-time addresses of members, at most one for each, found by the digest of the code.

use link_domain::console::sign_in::SignInAddress;
use link_domain::kernel::clock::Wall;
use link_domain::kernel::digest::Digest32;
use link_types::id::{MemberId, TenantId};

use crate::reader::parse;
use crate::sql::{Row, columns, params, statements};
use crate::tables::digest;
use crate::tables::resource::resource;
use crate::{Reader, StoreError, Tx};

const TABLE: &str = "console_addresses";

columns! {
    /// The columns of an address.
    address_columns => struct Columns { member_id, created_by, code_hash, expires_at }
}
const COLUMNS: Columns = Columns::after(0);

statements! {
    PUT = "INSERT INTO console_addresses (member_id, created_by, code_hash, expires_at) VALUES (?1, ?2, ?3, ?4) \
           ON CONFLICT (member_id) DO UPDATE SET created_by = excluded.created_by, \
           code_hash = excluded.code_hash, expires_at = excluded.expires_at";
    FIND_TENANT = "SELECT m.tenant_id FROM console_addresses a JOIN console_members m ON m.id = a.member_id \
                   WHERE a.code_hash = ?1";
    FIND_LOCKED = concat!("SELECT ", address_columns!(""), " FROM console_addresses WHERE code_hash = ?1 /*lock*/");
    DELETE = "DELETE FROM console_addresses WHERE member_id = ?1";
    DELETE_EXPIRED = "DELETE FROM console_addresses WHERE expires_at < ?1";
}

fn read(row: &Row<'_>) -> Result<SignInAddress, StoreError> {
    Ok(SignInAddress {
        member_id: parse(TABLE, row.str(COLUMNS.member_id)?)?,
        created_by: row.opt_str(COLUMNS.created_by)?.map(|it| parse(TABLE, it)).transpose()?,
        code_hash: digest(TABLE, row.bytes(COLUMNS.code_hash)?)?,
        expires_at: Wall::from_micros(row.int(COLUMNS.expires_at)?),
    })
}

resource! {
    /// Unused one-time addresses of members.
    ConsoleAddresses, console_addresses
}

impl ConsoleAddresses<'_, Reader<'_>> {
    /// Returns the tenant whose member's address has the code with this digest. To use it, lock the tenant, and read the
    /// address in the same unit.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read.
    pub fn tenant_of(&mut self, code_hash: &Digest32) -> Result<Option<TenantId>, StoreError> {
        self.session().find(&FIND_TENANT, params![code_hash.as_bytes()], |row| parse(TABLE, row.str(0)?))
    }
}

impl ConsoleAddresses<'_, Tx<'_>> {
    /// Returns and locks the address whose code has this digest, so that only one of several concurrent uses succeeds.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read.
    pub fn by_code(&mut self, code_hash: &Digest32) -> Result<Option<SignInAddress>, StoreError> {
        self.session().find(&FIND_LOCKED, params![code_hash.as_bytes()], read)
    }

    /// Deletes addresses that expired before a time. Returns how many.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be written.
    pub fn delete_expired_before(&mut self, moment: Wall) -> Result<u64, StoreError> {
        self.session().execute(&DELETE_EXPIRED, params![moment.micros()])
    }

    pub(crate) fn put(&mut self, address: &SignInAddress) -> Result<(), StoreError> {
        let SignInAddress { member_id, created_by, code_hash, expires_at } = address;
        self.session().execute_later(
            &PUT,
            params![
                member_id.as_str(),
                created_by.as_ref().map(MemberId::as_str),
                code_hash.as_bytes(),
                expires_at.micros()
            ],
        )
    }

    pub(crate) fn delete(&mut self, member: &MemberId) -> Result<(), StoreError> {
        self.session().execute_later(&DELETE, params![member.as_str()])
    }
}
