//! The backups that the service writes on a schedule: one row, which all nodes share.

use std::time::Duration;

use link_domain::kernel::clock::Wall;

use crate::reader::ReadSession;
use crate::sql::{Row, columns, params, statements};
use crate::tables::lease::{LEASE, WorkerId};
use crate::tables::resource::resource;
use crate::{StoreError, Tx, migrations};

columns! {
    /// The columns of the row.
    backup_columns => struct Columns { good_at, place, fault_code, fault_cause, fault_remedy }
}
const COLUMNS: Columns = Columns::after(0);

statements! {
    FIND = concat!("SELECT ", backup_columns!(""), " FROM scheduled_backups WHERE slot = 1");
    /// A time ahead of now is of a clock that went back, if it is farther ahead than what another node can have written since
    /// this one has read the clock.
    CLAIM = "INSERT INTO scheduled_backups (slot, series, lease_owner, lease_until, fence) VALUES (1, ?6, ?2, ?3, 1) \
             ON CONFLICT (slot) DO UPDATE SET lease_owner = excluded.lease_owner, \
             lease_until = excluded.lease_until, fence = scheduled_backups.fence + 1 \
             WHERE (scheduled_backups.good_at IS NULL OR scheduled_backups.good_at <= ?4 \
             OR scheduled_backups.good_at > ?3) \
             AND (scheduled_backups.failed_at IS NULL OR scheduled_backups.failed_at <= ?5 \
             OR scheduled_backups.failed_at > ?3) \
             AND (scheduled_backups.lease_until IS NULL OR scheduled_backups.lease_until <= ?1 \
             OR scheduled_backups.lease_until > ?7) RETURNING fence, series, place";
    RENEW = "UPDATE scheduled_backups SET lease_until = ?3 WHERE slot = 1 AND lease_owner = ?1 AND fence = ?2";
    RELEASE = "UPDATE scheduled_backups SET lease_owner = NULL, lease_until = NULL \
               WHERE slot = 1 AND lease_owner = ?1 AND fence = ?2";
    RECORD_GOOD = "UPDATE scheduled_backups SET good_at = ?3, place = ?4, failed_at = NULL, fault_code = NULL, \
                   fault_cause = NULL, fault_remedy = NULL WHERE slot = 1 AND lease_owner = ?1 AND fence = ?2";
    RECORD_FAULT = "UPDATE scheduled_backups SET failed_at = ?3, fault_code = ?4, fault_cause = ?5, \
                    fault_remedy = ?6, lease_owner = NULL, lease_until = NULL \
                    WHERE slot = 1 AND lease_owner = ?1 AND fence = ?2";
}

/// The result of the last scheduled backups.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ScheduledBackup {
    /// When the rows of the last good backup were read.
    pub good_at: Option<Wall>,
    /// The place of that backup, as configured.
    pub place: Option<String>,
    /// Why the backup after it failed, or why old ones were not removed.
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
    /// When it was claimed: PostgreSQL's time, because nodes may disagree.
    pub now: Wall,
    /// The random id of this database, for the names of its backups. A restored database has another.
    pub series: String,
    /// The place of the last good backup, as configured.
    pub last_place: Option<String>,
}

/// The length of the id of a database.
const SERIES_CHARS: usize = 8;

fn read(row: &Row<'_>) -> Result<ScheduledBackup, StoreError> {
    let fault = match row.opt_text(COLUMNS.fault_code)? {
        None => None,
        Some(code) => Some(BackupFault {
            code,
            cause: row.opt_text(COLUMNS.fault_cause)?.unwrap_or_default(),
            remedy: row.opt_text(COLUMNS.fault_remedy)?.unwrap_or_default(),
        }),
    };
    let good_at = row.opt_int(COLUMNS.good_at)?.map(Wall::from_micros);
    Ok(ScheduledBackup { good_at, place: row.opt_text(COLUMNS.place)?, fault })
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
    /// Claims the backup, if one is due, no other node writes it, and this program knows every column of the schema.
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
        // A node of the release before leaves it to those of the newer one during an upgrade.
        if migrations::find_served(self.session())?.newest > migrations::newest_version() {
            return Ok(None);
        }
        let now = Wall::from_micros(self.session().wall(now.micros())?);
        let (until, good, failed) = (now + LEASE, now - times.every, now - times.retry);
        let (name, series) = (worker.as_str(), worker.as_str().get(..SERIES_CHARS));
        let ahead = until + LEASE;
        let values = params![
            now.micros(),
            name,
            until.micros(),
            good.micros(),
            failed.micros(),
            series,
            ahead.micros()
        ];
        self.session().find(&CLAIM, values, |row| {
            let (fence, series, last_place) = (row.int(0)?, row.text(1)?, row.opt_text(2)?);
            Ok(BackupLease { worker: worker.clone(), fence, now, series, last_place })
        })
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

    /// Records a good backup in a place. Returns whether the lease was still held.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be written.
    pub fn record_good(&mut self, lease: &BackupLease, place: &str) -> Result<bool, StoreError> {
        let values = params![lease.worker.as_str(), lease.fence, lease.now.micros(), place];
        Ok(self.session().execute(&RECORD_GOOD, values)? > 0)
    }

    /// Ends a lease, so that another node need not wait until it is over.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database cannot be written.
    pub fn release(&mut self, lease: &BackupLease) -> Result<(), StoreError> {
        self.session().execute(&RELEASE, params![lease.worker.as_str(), lease.fence]).map(drop)
    }

    /// Records why a backup failed, or why old ones were not removed, and ends the lease.
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
        self.session().execute_later(&RECORD_FAULT, values)
    }
}
