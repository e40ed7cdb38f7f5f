//! The backups that the service writes on a schedule: one row, which all nodes share.

use std::time::Duration;

use link_domain::kernel::clock::Wall;

use crate::reader::ReadSession;
use crate::sql::{Row, columns, params, statements};
use crate::tables::lease::{LEASE, WorkerId};
use crate::tables::resource::resource;
use crate::{StoreError, Tx};

columns! {
    /// The columns of the row.
    backup_columns => struct Columns { good_at, fault_code, fault_cause, fault_remedy }
}
const COLUMNS: Columns = Columns::after(0);

statements! {
    FIND = concat!("SELECT ", backup_columns!(""), " FROM scheduled_backups WHERE slot = 1");
    /// A time ahead of now is of a clock that went back.
    CLAIM = "INSERT INTO scheduled_backups (slot, lease_owner, lease_until, fence) VALUES (1, ?2, ?3, 1) \
             ON CONFLICT (slot) DO UPDATE SET lease_owner = excluded.lease_owner, \
             lease_until = excluded.lease_until, fence = scheduled_backups.fence + 1 \
             WHERE (scheduled_backups.good_at IS NULL OR scheduled_backups.good_at <= ?4 \
             OR scheduled_backups.good_at > ?1) \
             AND (scheduled_backups.failed_at IS NULL OR scheduled_backups.failed_at <= ?5 \
             OR scheduled_backups.failed_at > ?1) \
             AND (scheduled_backups.lease_until IS NULL OR scheduled_backups.lease_until <= ?1) RETURNING fence";
    RENEW = "UPDATE scheduled_backups SET lease_until = ?3 WHERE slot = 1 AND lease_owner = ?1 AND fence = ?2";
    RECORD_GOOD = "UPDATE scheduled_backups SET good_at = ?3, failed_at = NULL, fault_code = NULL, \
                   fault_cause = NULL, fault_remedy = NULL, lease_owner = NULL, lease_until = NULL \
                   WHERE slot = 1 AND lease_owner = ?1 AND fence = ?2";
    RECORD_FAULT = "UPDATE scheduled_backups SET failed_at = ?3, fault_code = ?4, fault_cause = ?5, \
                    fault_remedy = ?6, lease_owner = NULL, lease_until = NULL \
                    WHERE slot = 1 AND lease_owner = ?1 AND fence = ?2";
}

/// The result of the last scheduled backups.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ScheduledBackup {
    /// When the rows of the last good backup were read.
    pub good_at: Option<Wall>,
    /// Why the backup after it failed.
    pub fault: Option<BackupFault>,
}

/// Why a scheduled backup failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BackupFault {
    /// A short code: that of the place, if it has one.
    pub code: String,
    /// The cause, without secrets.
    pub cause: String,
    /// The next step for the operator.
    pub remedy: String,
}

/// The times between scheduled backups.
#[derive(Debug, Clone, Copy)]
pub struct BackupTimes {
    /// The time between a good backup and the next.
    pub every: Duration,
    /// The time between a failed backup and the next attempt.
    pub retry: Duration,
}

/// The right to write the backup that is due. It lasts 10 seconds, unless it is renewed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BackupLease {
    worker: WorkerId,
    fence: i64,
}

fn read(row: &Row<'_>) -> Result<ScheduledBackup, StoreError> {
    let fault = match row.opt_text(COLUMNS.fault_code)? {
        None => None,
        Some(code) => Some(BackupFault {
            code,
            cause: row.opt_text(COLUMNS.fault_cause)?.unwrap_or_default(),
            remedy: row.opt_text(COLUMNS.fault_remedy)?.unwrap_or_default(),
        }),
    };
    Ok(ScheduledBackup { good_at: row.opt_int(COLUMNS.good_at)?.map(Wall::from_micros), fault })
}

resource! {
    /// The backups that the service writes on a schedule.
    ScheduledBackups, scheduled_backups
}

impl<'c, S: ReadSession<'c>> ScheduledBackups<'_, S> {
    /// Returns the result of the last scheduled backups.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be read.
    pub fn get(&mut self) -> Result<ScheduledBackup, StoreError> {
        Ok(self.session().find(&FIND, params![], read)?.unwrap_or_default())
    }
}

impl ScheduledBackups<'_, Tx<'_>> {
    /// Claims the backup, if one is due and no other node writes it.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be written.
    pub fn claim(
        &mut self,
        worker: &WorkerId,
        now: Wall,
        times: BackupTimes,
    ) -> Result<Option<BackupLease>, StoreError> {
        let now = Wall::from_micros(self.session().wall(now.micros())?);
        let (until, good, failed) = (now + LEASE, now - times.every, now - times.retry);
        let values = params![now.micros(), worker.as_str(), until.micros(), good.micros(), failed.micros()];
        let fence = self.session().find(&CLAIM, values, |row| row.int(0))?;
        Ok(fence.map(|fence| BackupLease { worker: worker.clone(), fence }))
    }

    /// Renews a lease for 10 seconds. Returns whether it was still held.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be written.
    pub fn renew(&mut self, lease: &BackupLease, now: Wall) -> Result<bool, StoreError> {
        let until = Wall::from_micros(self.session().wall(now.micros())?) + LEASE;
        let values = params![lease.worker.as_str(), lease.fence, until.micros()];
        Ok(self.session().execute(&RENEW, values)? > 0)
    }

    /// Records a good backup, whose rows were read at a time, and ends the lease.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be written.
    pub fn record_good(&mut self, lease: &BackupLease, read_at: Wall) -> Result<(), StoreError> {
        let values = params![lease.worker.as_str(), lease.fence, read_at.micros()];
        self.session().execute(&RECORD_GOOD, values).map(drop)
    }

    /// Records why a backup failed, and ends the lease.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be written.
    pub fn record_fault(
        &mut self,
        lease: &BackupLease,
        now: Wall,
        fault: &BackupFault,
    ) -> Result<(), StoreError> {
        let now = self.session().wall(now.micros())?;
        let BackupFault { code, cause, remedy } = fault;
        let values = params![lease.worker.as_str(), lease.fence, now, code, cause, remedy];
        self.session().execute(&RECORD_FAULT, values).map(drop)
    }
}
