//! Link attempts. An index ensures that each user has at most one open attempt per template.

use link_domain::kernel::clock::TenantTime;
use link_domain::kernel::owner::Owner;
use link_domain::linking::link::Attempt;
use link_types::id::{AttemptId, LinkTemplateId, TenantId, UserId};
use link_types::uploading::ResumePoint;

use crate::body::{decode, encode};
use crate::reader::parse;
use crate::sql::{Row, columns, params, statements};
use crate::tables::owner;
use crate::tables::resource::resource;
use crate::{Reader, StoreError, Tx};

const TABLE: &str = "link_attempts";

columns! {
    /// The columns of an attempt.
    attempt_columns => struct Columns {
        id, tenant_id, mode, user_id, template_id, session_id, account_id, place, created_at, ended_at,
    }
}
const COLUMNS: Columns = Columns::after(0);

macro_rules! select {
    ($condition:literal) => {
        concat!("SELECT ", attempt_columns!(""), " FROM link_attempts WHERE ", $condition)
    };
}

statements! {
    PUT = "INSERT INTO link_attempts (id, tenant_id, mode, user_id, template_id, session_id, account_id, \
           place, created_at, ended_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10) \
           ON CONFLICT (id) DO UPDATE SET session_id = excluded.session_id, account_id = excluded.account_id, \
           place = excluded.place, ended_at = excluded.ended_at";
    FIND = select!("id = ?1");
    FIND_LOCKED = select!("id = ?1 /*lock*/");
    FIND_OPEN = select!("tenant_id = ?1 AND mode = ?2 AND user_id = ?3 AND template_id = ?4 \
                         AND ended_at IS NULL /*lock*/");
    DELETE_OLD = "DELETE FROM link_attempts WHERE ended_at < ?1";
    DELETE_OLD_IN_SANDBOX =
        "DELETE FROM link_attempts WHERE tenant_id = ?1 AND mode = 'SANDBOX' AND ended_at < ?2";
}

fn read(row: &Row<'_>) -> Result<Attempt, StoreError> {
    Ok(Attempt {
        id: parse(TABLE, row.str(COLUMNS.id)?)?,
        owner: owner(TABLE, row, COLUMNS.tenant_id, COLUMNS.mode)?,
        user_id: parse(TABLE, row.str(COLUMNS.user_id)?)?,
        template_id: parse(TABLE, row.str(COLUMNS.template_id)?)?,
        session_id: parse(TABLE, row.str(COLUMNS.session_id)?)?,
        account_id: row.opt_str(COLUMNS.account_id)?.map(|id| parse(TABLE, id)).transpose()?,
        place: match row.opt_slice(COLUMNS.place)? {
            Some(place) => decode(TABLE, place)?,
            None => ResumePoint::default(),
        },
        created_at: TenantTime::from_micros(row.int(COLUMNS.created_at)?),
        ended_at: row.opt_int(COLUMNS.ended_at)?.map(TenantTime::from_micros),
    })
}

resource! {
    /// Link attempts.
    LinkAttempts, link_attempts
}

impl LinkAttempts<'_, Reader<'_>> {
    /// Returns an attempt.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read.
    pub fn get(&mut self, id: &AttemptId) -> Result<Option<Attempt>, StoreError> {
        self.session().find(&FIND, params![id.as_str()], read)
    }
}

impl LinkAttempts<'_, Tx<'_>> {
    /// Returns and locks an attempt.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read.
    pub fn get(&mut self, id: &AttemptId) -> Result<Option<Attempt>, StoreError> {
        self.session().find(&FIND_LOCKED, params![id.as_str()], read)
    }

    /// Returns an attempt without locking it, for statistics: no decision may depend on it.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read.
    pub fn get_unlocked(&mut self, id: &AttemptId) -> Result<Option<Attempt>, StoreError> {
        self.0.reader.link_attempts().get(id)
    }

    /// Returns and locks the open attempt of a user with a template.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read.
    pub fn find_open(
        &mut self,
        owner: &Owner,
        user: &UserId,
        template: &LinkTemplateId,
    ) -> Result<Option<Attempt>, StoreError> {
        self.session().find(
            &FIND_OPEN,
            params![owner.tenant.as_str(), owner.mode.as_str(), user.as_str(), template.as_str()],
            read,
        )
    }

    /// Deletes attempts that ended before a time. Returns how many.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be written.
    pub fn delete_ended_before(&mut self, moment: TenantTime) -> Result<u64, StoreError> {
        self.session().execute(&DELETE_OLD, params![moment.micros()])
    }

    /// Deletes the attempts of a tenant's sandbox that ended before a time on its clock.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be written.
    pub fn delete_ended_in_sandbox(
        &mut self,
        tenant: &TenantId,
        moment: TenantTime,
    ) -> Result<(), StoreError> {
        self.session().execute_later(&DELETE_OLD_IN_SANDBOX, params![tenant.as_str(), moment.micros()])
    }

    pub(crate) fn put(&mut self, attempt: &Attempt) -> Result<(), StoreError> {
        let place = encode(TABLE, &attempt.place)?;
        self.session().execute_later(
            &PUT,
            params![
                attempt.id.as_str(),
                attempt.owner.tenant.as_str(),
                attempt.owner.mode.as_str(),
                attempt.user_id.as_str(),
                attempt.template_id.as_str(),
                attempt.session_id.as_str(),
                attempt.account_id.as_ref().map(|id| id.as_str()),
                place.as_slice(),
                attempt.created_at.micros(),
                attempt.ended_at.map(TenantTime::micros),
            ],
        )
    }
}
