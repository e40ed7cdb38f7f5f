//! Mail: suppressed recipients, recipients that a sandbox may mail, and the number of mails per day.

use link_domain::kernel::clock::Wall;
use link_domain::kernel::digest::Digest32;
use link_domain::notifications::mail::SuppressedBecause;
use link_types::id::TenantId;

use crate::reader::ReadSession;
use crate::sql::{columns, params, statements};
use crate::tables::resource::resource;
use crate::tables::{count, small};
use crate::{StoreError, Tx};

const TABLE: &str = "mail_counts";

columns! {
    /// The columns of recipients that a sandbox may mail.
    allowance_columns => struct Columns { domain, at }
}
const COLUMNS: Columns = Columns::after(0);
columns! {
    /// The number of suppressed recipients for a reason.
    suppression_columns => struct SuppressionColumns { reason, recipients = "COUNT(*)" }
}
const SUPPRESSION: SuppressionColumns = SuppressionColumns::after(0);

statements! {
    SUPPRESS = "INSERT INTO mail_suppressions (recipient_hash, reason, at) VALUES (?1, ?2, ?3) \
                ON CONFLICT (recipient_hash) DO NOTHING";
    RELEASE = "DELETE FROM mail_suppressions WHERE recipient_hash = ?1";
    FIND_SUPPRESSED = "SELECT 1 FROM mail_suppressions WHERE recipient_hash = ?1";
    COUNT_SUPPRESSED = concat!("SELECT ", suppression_columns!(""), " FROM mail_suppressions GROUP BY reason \
                       ORDER BY reason");
    ALLOW = "INSERT INTO mail_allowances (tenant_id, recipients_hash, domain, at) VALUES (?1, ?2, ?3, ?4) \
             ON CONFLICT (tenant_id, recipients_hash) DO NOTHING";
    DISALLOW = "DELETE FROM mail_allowances WHERE tenant_id = ?1 AND recipients_hash = ?2";
    FIND_ALLOWED = "SELECT 1 FROM mail_allowances WHERE tenant_id = ?1 AND recipients_hash = ?2";
    LIST_ALLOWED = concat!("SELECT ", allowance_columns!(""), " FROM mail_allowances \
                   WHERE tenant_id = ?1 ORDER BY at, recipients_hash LIMIT 1000");
    /// Creates a row to lock, so that concurrent units count one after the other.
    BEGIN_COUNT = "INSERT INTO mail_counts (day, counted, mails) VALUES (?1, ?2, 0) \
                   ON CONFLICT (day, counted) DO NOTHING";
    FIND_COUNT = "SELECT mails FROM mail_counts WHERE day = ?1 AND counted = ?2 /*lock*/";
    COUNT = "UPDATE mail_counts SET mails = mails + 1 WHERE day = ?1 AND counted = ?2";
    DELETE_OLD = "DELETE FROM mail_counts WHERE day < ?1";
}

resource! {
    /// Suppressed and allowed recipients of mail, and the number of mails per day.
    Mails, mails
}

impl<'c, S: ReadSession<'c>> Mails<'_, S> {
    /// Returns whether mail to a mailbox is suppressed.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read.
    pub fn is_suppressed(&mut self, recipient: &Digest32) -> Result<bool, StoreError> {
        Ok(self.session().find(&FIND_SUPPRESSED, params![recipient.as_bytes()], |_| Ok(()))?.is_some())
    }

    /// Returns the number of suppressed mailboxes, by reason.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read.
    pub fn suppressions(&mut self) -> Result<Vec<(String, u64)>, StoreError> {
        self.session().query(&COUNT_SUPPRESSED, params![], |row| {
            let recipients = count("mail_suppressions", row.int(SUPPRESSION.recipients)?)?;
            Ok((row.text(SUPPRESSION.reason)?, recipients))
        })
    }

    /// Returns whether a tenant's sandbox may mail recipients with one of these hashes.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read.
    pub fn is_allowed(&mut self, tenant: &TenantId, hashes: &[Digest32]) -> Result<bool, StoreError> {
        for hash in hashes {
            let params = params![tenant.as_str(), hash.as_bytes()];
            if self.session().find(&FIND_ALLOWED, params, |_| Ok(()))?.is_some() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Returns the recipients a tenant's sandbox may mail, the oldest 1,000: the domain (`None` for a mailbox) and
    /// since when.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read.
    pub fn allowances(&mut self, tenant: &TenantId) -> Result<Vec<(Option<String>, Wall)>, StoreError> {
        self.session().query(&LIST_ALLOWED, params![tenant.as_str()], |row| {
            Ok((row.opt_text(COLUMNS.domain)?, Wall::from_micros(row.int(COLUMNS.at)?)))
        })
    }
}

impl Mails<'_, Tx<'_>> {
    /// Stops mail to a mailbox. If it is already suppressed, the first reason stays.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be written.
    pub fn suppress(
        &mut self,
        recipient: &Digest32,
        because: SuppressedBecause,
        at: Wall,
    ) -> Result<(), StoreError> {
        let params = params![recipient.as_bytes(), because.as_str(), at.micros()];
        self.session().execute(&SUPPRESS, params).map(drop)
    }

    /// Allows mail to a mailbox again. Returns whether it was suppressed.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be written.
    pub fn release(&mut self, recipient: &Digest32) -> Result<bool, StoreError> {
        Ok(self.session().execute(&RELEASE, params![recipient.as_bytes()])? == 1)
    }

    /// Allows a tenant's sandbox to mail recipients with this hash. Returns whether it was not allowed before.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be written.
    pub fn allow(
        &mut self,
        tenant: &TenantId,
        hash: &Digest32,
        domain: Option<&str>,
        at: Wall,
    ) -> Result<bool, StoreError> {
        let params = params![tenant.as_str(), hash.as_bytes(), domain, at.micros()];
        Ok(self.session().execute(&ALLOW, params)? == 1)
    }

    /// Revokes the permission of a tenant's sandbox to mail recipients with this hash. Returns whether there was one.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be written.
    pub fn disallow(&mut self, tenant: &TenantId, hash: &Digest32) -> Result<bool, StoreError> {
        Ok(self.session().execute(&DISALLOW, params![tenant.as_str(), hash.as_bytes()])? == 1)
    }

    /// Returns the number of mails counted on a day under a name.
    ///
    /// The count stays locked until the unit ends. To avoid deadlocks, lock a tenant's count before a recipient's.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be written.
    pub fn count_of_day(&mut self, day: i64, counted: &str) -> Result<u32, StoreError> {
        self.session().execute_later(&BEGIN_COUNT, params![day, counted])?;
        let found =
            self.session().find(&FIND_COUNT, params![day, counted], |row| small(TABLE, row.int(0)?))?;
        Ok(found.unwrap_or_default())
    }

    /// Counts one mail under a name whose count [`Self::count_of_day`] locked.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be written.
    pub fn count(&mut self, day: i64, counted: &str) -> Result<(), StoreError> {
        self.session().execute_later(&COUNT, params![day, counted])
    }

    /// Deletes the counts of earlier days. Returns how many.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be written.
    pub fn delete_counts_before(&mut self, day: i64) -> Result<u64, StoreError> {
        self.session().execute(&DELETE_OLD, params![day])
    }
}
