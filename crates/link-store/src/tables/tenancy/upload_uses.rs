//! Recent uploads of users, from which their quotas are counted.

use link_domain::documents::archive::{QUOTA_SPAN, UploadUsage, UploadUse};
use link_domain::kernel::clock::Wall;
use link_domain::kernel::owner::Owner;
use link_types::id::UserId;

use crate::reader::ReadSession;
use crate::sql::{columns, params, statements};
use crate::tables::resource::resource;
use crate::tables::{count, small};
use crate::{StoreError, Tx};

const TABLE: &str = "upload_uses";

columns! {
    /// The number of recent archives and files, and the bytes of the files.
    usage_columns => struct UsageColumns {
        archives = "COUNT(*) - COUNT(bytes)",
        files = "COUNT(bytes)",
        // `CAST`, because PostgreSQL sums integers to a different type.
        bytes = "CAST(COALESCE(SUM(bytes), 0) AS BIGINT)",
    }
}
const USAGE: UsageColumns = UsageColumns::after(0);

statements! {
    PUT = "INSERT INTO upload_uses (id, tenant_id, mode, user_id, at, bytes) VALUES (?1, ?2, ?3, ?4, ?5, ?6) \
           ON CONFLICT (id) DO UPDATE SET bytes = excluded.bytes";
    SUM = concat!("SELECT ", usage_columns!(""), " FROM upload_uses WHERE tenant_id = ?1 AND mode = ?2 \
          AND user_id = ?3 AND at > ?4");
    DELETE_OLD = "DELETE FROM upload_uses WHERE at <= ?1";
}

resource! {
    /// Recent uploads of users.
    UploadUses, upload_uses
}

impl<'c, S: ReadSession<'c>> UploadUses<'_, S> {
    /// Returns what a user started to upload within [`QUOTA_SPAN`] before a time. Lock the user first, so that
    /// concurrent units do not count the same.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read.
    pub fn usage(&mut self, owner: &Owner, user: &UserId, now: Wall) -> Result<UploadUsage, StoreError> {
        let since = now - QUOTA_SPAN;
        let found = self.session().find(
            &SUM,
            params![owner.tenant.as_str(), owner.mode.as_str(), user.as_str(), since.micros()],
            |row| {
                Ok(UploadUsage {
                    archives: small(TABLE, row.int(USAGE.archives)?)?,
                    files: small(TABLE, row.int(USAGE.files)?)?,
                    bytes: count(TABLE, row.int(USAGE.bytes)?)?,
                })
            },
        )?;
        Ok(found.unwrap_or_default())
    }
}

impl UploadUses<'_, Tx<'_>> {
    /// Deletes uploads that no quota counts any more. Returns how many.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be written.
    pub fn delete_before(&mut self, moment: Wall) -> Result<u64, StoreError> {
        self.session().execute(&DELETE_OLD, params![moment.micros()])
    }

    pub(crate) fn put(&mut self, begun: &UploadUse) -> Result<(), StoreError> {
        let UploadUse { id, owner, user_id, at, bytes } = begun;
        self.session().execute_later(
            &PUT,
            params![
                id,
                owner.tenant.as_str(),
                owner.mode.as_str(),
                user_id.as_str(),
                at.micros(),
                bytes.map(i64::from),
            ],
        )
    }
}
