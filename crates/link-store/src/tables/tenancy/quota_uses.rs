//! The used part of each user's quotas.

use link_domain::kernel::clock::Wall;
use link_domain::kernel::owner::Owner;
use link_domain::tenancy::quota::{Quota, QuotaUse};
use link_types::id::UserId;

use crate::sql::{params, statements};
use crate::tables::resource::resource;
use crate::{StoreError, Tx};

statements! {
    /// A missing row cannot be locked, so it is created first. Two units that charge a new quota then run one after the
    /// other.
    ENSURE = "INSERT INTO quota_uses (tenant_id, mode, user_id, quota, subject, full_at) \
              VALUES (?1, ?2, ?3, ?4, ?5, 0) ON CONFLICT (tenant_id, mode, user_id, quota, subject) DO NOTHING";
    FIND = "SELECT full_at FROM quota_uses WHERE tenant_id = ?1 AND mode = ?2 AND user_id = ?3 AND quota = ?4 \
            AND subject = ?5 /*lock*/";
    PUT = "INSERT INTO quota_uses (tenant_id, mode, user_id, quota, subject, full_at) \
           VALUES (?1, ?2, ?3, ?4, ?5, ?6) \
           ON CONFLICT (tenant_id, mode, user_id, quota, subject) DO UPDATE SET full_at = excluded.full_at";
    DELETE_FULL = "DELETE FROM quota_uses WHERE full_at <= ?1";
}

resource! {
    /// How much of their quotas users have used.
    QuotaUses, quota_uses
}

impl QuotaUses<'_, Tx<'_>> {
    /// Returns and locks a user's use of a quota. A non-empty `subject` is counted separately
    /// within the user.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be written.
    pub fn get(
        &mut self,
        owner: &Owner,
        user: &UserId,
        quota: Quota,
        subject: &str,
    ) -> Result<QuotaUse, StoreError> {
        let (tenant, mode) = (owner.tenant.as_str(), owner.mode.as_str());
        let place = params![tenant, mode, user.as_str(), quota.as_str(), subject];
        let mut found = self.session().find(&FIND, place, |row| row.int(0))?;
        if found.is_none() {
            self.session().execute(&ENSURE, place)?;
            found = self.session().find(&FIND, place, |row| row.int(0))?;
        }
        let used = QuotaUse::none(owner.clone(), user.clone(), quota, subject.to_owned());
        Ok(QuotaUse { full_at: Wall::from_micros(found.unwrap_or_default()), ..used })
    }

    /// Deletes quotas that are completely unused at a time. Returns how many.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be written.
    pub fn delete_full_by(&mut self, moment: Wall) -> Result<u64, StoreError> {
        self.session().execute(&DELETE_FULL, params![moment.micros()])
    }

    pub(crate) fn put(&mut self, used: &QuotaUse) -> Result<(), StoreError> {
        let QuotaUse { owner, user_id, quota, subject, full_at } = used;
        self.session().execute_later(
            &PUT,
            params![
                owner.tenant.as_str(),
                owner.mode.as_str(),
                user_id.as_str(),
                quota.as_str(),
                subject,
                full_at.micros(),
            ],
        )
    }
}
