//! Members' passkeys, found by the digest of the credential's identifier, and the challenges that were used.

use link_domain::console::passkey::{OpenedChallenge, Passkey};
use link_domain::kernel::clock::Wall;
use link_domain::kernel::digest::Digest32;
use link_types::id::{MemberId, PasskeyId};

use crate::reader::{ReadSession, parse};
use crate::sql::{Row, columns, params, statements};
use crate::tables::digest;
use crate::tables::resource::resource;
use crate::{StoreError, Tx};

const TABLE: &str = "console_passkeys";

columns! {
    /// The columns of a passkey.
    passkey_columns => struct Columns {
        id, tenant_id, member_id, created_by, credential_hash, credential, browser, created_at, last_used_at,
    }
}
const COLUMNS: Columns = Columns::after(0);

statements! {
    PUT = "INSERT INTO console_passkeys (id, tenant_id, member_id, created_by, credential_hash, credential, browser, \
           created_at, last_used_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9) \
           ON CONFLICT (id) DO UPDATE SET credential = excluded.credential, last_used_at = excluded.last_used_at";
    FIND = concat!("SELECT ", passkey_columns!(""), " FROM console_passkeys WHERE credential_hash = ?1");
    OF_MEMBER = concat!("SELECT ", passkey_columns!(""), " FROM console_passkeys WHERE member_id = ?1 \
                ORDER BY created_at, id");
    DELETE = "DELETE FROM console_passkeys WHERE id = ?1";
    USE_CHALLENGE = "INSERT INTO console_challenges (hash, expires_at) VALUES (?1, ?2) ON CONFLICT (hash) DO NOTHING";
    DELETE_CHALLENGES = "DELETE FROM console_challenges WHERE expires_at < ?1";
}

fn read(row: &Row<'_>) -> Result<Passkey, StoreError> {
    Ok(Passkey {
        id: parse(TABLE, row.str(COLUMNS.id)?)?,
        tenant: parse(TABLE, row.str(COLUMNS.tenant_id)?)?,
        member_id: parse(TABLE, row.str(COLUMNS.member_id)?)?,
        created_by: row.opt_str(COLUMNS.created_by)?.map(|it| parse(TABLE, it)).transpose()?,
        credential_hash: digest(TABLE, row.bytes(COLUMNS.credential_hash)?)?,
        credential: row.bytes(COLUMNS.credential)?.to_owned(),
        browser: row.text(COLUMNS.browser)?,
        created_at: Wall::from_micros(row.int(COLUMNS.created_at)?),
        last_used_at: row.opt_int(COLUMNS.last_used_at)?.map(Wall::from_micros),
    })
}

resource! {
    /// Members' passkeys for the developer portal.
    ConsolePasskeys, console_passkeys
}

impl<'c, S: ReadSession<'c>> ConsolePasskeys<'_, S> {
    /// Returns the passkey whose credential's identifier has this digest.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read.
    pub fn by_credential(&mut self, hash: &Digest32) -> Result<Option<Passkey>, StoreError> {
        self.session().find(&FIND, params![hash.as_bytes()], read)
    }

    /// Returns the passkeys of a member, oldest first. Their number is limited.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read.
    pub fn of_member(&mut self, member: &MemberId) -> Result<Vec<Passkey>, StoreError> {
        self.session().query(&OF_MEMBER, params![member.as_str()], read)
    }
}

impl ConsolePasskeys<'_, Tx<'_>> {
    /// Uses a challenge. Returns false if it was used before.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be written.
    pub fn use_challenge(&mut self, challenge: &OpenedChallenge) -> Result<bool, StoreError> {
        let OpenedChallenge { hash, expires_at, .. } = challenge;
        let inserted =
            self.session().execute(&USE_CHALLENGE, params![hash.as_bytes(), expires_at.micros()])?;
        Ok(inserted == 1)
    }

    /// Deletes used challenges that expired before a time. Returns how many.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be written.
    pub fn delete_challenges_before(&mut self, moment: Wall) -> Result<u64, StoreError> {
        self.session().execute(&DELETE_CHALLENGES, params![moment.micros()])
    }

    pub(crate) fn put(&mut self, passkey: &Passkey) -> Result<(), StoreError> {
        let Passkey {
            id,
            tenant,
            member_id,
            created_by,
            credential_hash,
            credential,
            browser,
            created_at,
            last_used_at,
        } = passkey;
        self.session().execute_later(
            &PUT,
            params![
                id.as_str(),
                tenant.as_str(),
                member_id.as_str(),
                created_by.as_ref().map(MemberId::as_str),
                credential_hash.as_bytes(),
                credential,
                browser,
                created_at.micros(),
                last_used_at.map(Wall::micros),
            ],
        )
    }

    pub(crate) fn delete(&mut self, id: &PasskeyId) -> Result<(), StoreError> {
        self.session().execute_later(&DELETE, params![id.as_str()])
    }
}
