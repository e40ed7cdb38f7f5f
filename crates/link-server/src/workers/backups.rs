//! Writes backups on a schedule and removes old ones (`--backup-to`). Of several nodes, one writes a backup that is due.

use std::time::{Duration, Instant};

use link_domain::kernel::clock::Wall;
use link_store::{
    BackupError, BackupFault, BackupForm, BackupLease, BackupPlace, BackupTimes, KeyFiles, RENEWAL,
    StoreError, StoreSettings, StoredBackup, WorkerId, on_thread,
};
use tempfile::TempPath;
use tokio::time::MissedTickBehavior;

use crate::app::App;
use crate::dependencies::{Dependency, DependencyError};
use crate::logs::log_failure;
use crate::service::store_settings;
use crate::settings::BackupSettings;

/// How often the worker looks whether a backup is due.
const INTERVAL: Duration = Duration::from_secs(60);
/// The time after a failed backup until the next attempt.
pub const RETRY: Duration = Duration::from_secs(600);

/// A backup that was verified and has its name.
pub struct WrittenBackup {
    /// The backup.
    pub backup: StoredBackup,
    /// Its size in bytes.
    pub bytes: u64,
}

/// Runs until the service stops.
pub async fn run(app: App) {
    let Some(settings) = app.settings.backups.clone() else { return };
    let worker = WorkerId::from_random(app.random_bytes());
    let mut stopping = app.stopping.clone();
    let mut ticks = tokio::time::interval(INTERVAL);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        tokio::select! {
            _ = ticks.tick() => {}
            _ = stopping.wait_for(|stop| *stop) => return,
        }
        if let Err(error) = round(&app, &settings, &worker).await {
            log_failure!(error, %error, "Scheduling a backup failed and will run again");
        }
    }
}

/// Writes a backup if one is due and no other node writes it, and notes what the last one of all nodes says. Returns whether
/// this one wrote it.
///
/// # Errors
/// If the database cannot be read or written. A backup that failed is recorded there, and is not an error.
pub async fn round(app: &App, settings: &BackupSettings, worker: &WorkerId) -> Result<bool, StoreError> {
    let (now, times) = (app.wall(), BackupTimes { every: settings.every, retry: RETRY });
    let claimer = worker.clone();
    let claim = app.store.write(move |tx| tx.scheduled_backups().claim(&claimer, now, times)).await?;
    if let Some(lease) = &claim {
        let mut stopping = app.stopping.clone();
        tokio::select! {
            recorded = write_and_record(app, settings, lease) => recorded?,
            never = keep_lease(app, lease) => match never {},
            // A draft that is left is removed by a backup an hour later.
            () = async { drop(stopping.wait_for(|stop| *stop).await) } => release(app, lease).await?,
        }
    }
    let last = app.store.read(|reader| reader.scheduled_backups().get()).await?;
    app.health.dependencies.note_result(Dependency::Backups, last.fault.map_or(Ok(()), |it| Err(it.into())));
    Ok(claim.is_some())
}

async fn write_and_record(
    app: &App,
    settings: &BackupSettings,
    lease: &BackupLease,
) -> Result<(), StoreError> {
    let began = Instant::now();
    let WrittenBackup { backup, bytes } = match write(app, settings, lease).await {
        Ok(written) => written,
        Err(error) => return record_fault(app, lease, &error).await,
    };
    let (held, place) = (lease.clone(), settings.address.clone());
    let is_held = app.store.write(move |tx| tx.scheduled_backups().record_good(&held, &place)).await?;
    app.reports.metrics.count_backup();
    if !is_held {
        return Ok(());
    }
    match remove_expired(app, settings, lease, &backup).await {
        Ok(removed) => {
            let seconds = began.elapsed().as_secs();
            tracing::info!(backup = backup.name, bytes, seconds, removed, "Wrote and verified a backup");
            release(app, lease).await
        }
        Err(error) => record_fault(app, lease, &error).await,
    }
}

async fn release(app: &App, lease: &BackupLease) -> Result<(), StoreError> {
    let lease = lease.clone();
    app.store.write(move |tx| tx.scheduled_backups().release(&lease)).await
}

async fn record_fault(app: &App, lease: &BackupLease, error: &BackupError) -> Result<(), StoreError> {
    let DependencyError { code, cause, remedy, .. } = DependencyError::from_backup(error);
    let fault = BackupFault { code, cause, remedy: remedy.into_owned() };
    let (lease, now) = (lease.clone(), app.wall());
    app.store.write(move |tx| tx.scheduled_backups().record_fault(&lease, now, &fault)).await
}

/// Opens the place of the backups of this database.
async fn open(app: &App, settings: &BackupSettings, lease: &BackupLease) -> Result<BackupPlace, BackupError> {
    let keys = key_files(&store_settings(&app.settings))?;
    let known = app.store.master_keys().await?.into_iter().map(|it| it.id).collect();
    Ok(BackupPlace::open(&settings.target, &keys, Some(&lease.series))?.with_earlier_keys(known))
}

async fn write(
    app: &App,
    settings: &BackupSettings,
    lease: &BackupLease,
) -> Result<WrittenBackup, BackupError> {
    let keys = key_files(&store_settings(&app.settings))?;
    let place = open(app, settings, lease).await?;
    place.mark(lease.last_place.as_ref() == Some(&settings.address)).await?;
    if let Err(error) = place.remove_drafts(lease.now).await {
        tracing::warn!(%error, "What interrupted backups left cannot be removed");
    }
    let draft = place.draft(&app.settings.data_dir).await?;
    app.store.back_up(draft.to_path_buf(), BackupForm::Portable, lease.now).await?;
    finish(&place, keys, draft, lease.now).await
}

/// Renews a lease until it is dropped.
async fn keep_lease(app: &App, lease: &BackupLease) -> std::convert::Infallible {
    let mut ticks = tokio::time::interval(RENEWAL);
    loop {
        ticks.tick().await;
        let (lease, now) = (lease.clone(), app.wall());
        let renewed = app.store.write(move |tx| tx.scheduled_backups().renew(&lease, now)).await;
        match renewed {
            Ok(false) => {
                // Two backups at once do no harm.
                tracing::warn!("Another node took over the backup that this one writes");
                std::future::pending::<()>().await;
            }
            Err(error) => log_failure!(error, %error, "Renewing the lease of a backup failed"),
            Ok(true) => {}
        }
    }
}

/// Returns the key files of a store.
///
/// # Errors
/// [`BackupError::InMemory`] if the store has none.
pub(crate) fn key_files(settings: &StoreSettings) -> Result<KeyFiles, BackupError> {
    match settings {
        StoreSettings::Sqlite { keys, .. } | StoreSettings::Postgres { keys, .. } => Ok(keys.clone()),
        StoreSettings::Ephemeral => Err(BackupError::InMemory),
    }
}

/// Verifies a complete draft, and keeps it in its place.
///
/// # Errors
/// If it is damaged, its keys are gone, or the place refuses it.
pub(crate) async fn finish(
    place: &BackupPlace,
    keys: KeyFiles,
    draft: TempPath,
    now: Wall,
) -> Result<WrittenBackup, BackupError> {
    let path = draft.to_path_buf();
    let bytes = path.metadata().map_or(0, |it| it.len());
    let verified = on_thread(move || link_store::verify(&keys, &path, now)).await??;
    verified.check_keys()?;
    // On PostgreSQL, the time of the server.
    let read_at = verified.created_at.unwrap_or(now);
    // A rotation may have replaced the key since the place was opened.
    let backup = place.keep(draft, &verified.master_key, read_at).await?;
    Ok(WrittenBackup { backup, bytes })
}

/// Removes backups that are not kept any more. Returns how many.
async fn remove_expired(
    app: &App,
    settings: &BackupSettings,
    lease: &BackupLease,
    written: &StoredBackup,
) -> Result<usize, BackupError> {
    // A wrong clock must not remove backups.
    if app.health.known_jump.get().is_some() {
        return Ok(0);
    }
    let place = open(app, settings, lease).await?;
    let found = place.list().await?;
    let expired = find_expired(&found, settings, written, lease.now);
    for backup in expired {
        place.remove(backup).await?;
    }
    Ok(expired.len())
}

/// Returns the backups that are not kept any more, of a list with the oldest first. Neither the one that was just written,
/// nor those with a later name, which a wrong clock made: they do not count either.
fn find_expired<'b>(
    found: &'b [StoredBackup],
    settings: &BackupSettings,
    written: &StoredBackup,
    now: Wall,
) -> &'b [StoredBackup] {
    let before = found.partition_point(|it| it < written);
    let many = (before + 1).saturating_sub(settings.keep);
    let old = found.iter().take_while(|it| it.began_at < now - settings.life).count();
    &found[..many.max(old).min(before)]
}

#[cfg(test)]
mod tests {
    use link_store::BackupTarget;

    use super::*;

    const DAY: Duration = Duration::from_secs(86_400);

    fn backup(day: u32) -> StoredBackup {
        StoredBackup { began_at: Wall::from_micros(0) + DAY * day, name: day.to_string() }
    }

    /// Returns the days of the backups that are removed after the one of day 100.
    fn days_removed(days: &[u32], keep: usize) -> Vec<u32> {
        let settings = BackupSettings {
            target: BackupTarget::Folder("/backups".into()),
            address: "/backups".to_owned(),
            every: DAY,
            keep,
            life: DAY * 30,
        };
        let found: Vec<_> = days.iter().copied().map(backup).collect();
        let written = backup(100);
        let expired = find_expired(&found, &settings, &written, written.began_at);
        expired.iter().map(|it| it.name.parse().unwrap()).collect()
    }

    #[test]
    fn backups_above_the_number_or_the_age_are_removed() {
        assert!(days_removed(&[97, 98, 99, 100], 4).is_empty());
        assert_eq!(days_removed(&[97, 98, 99, 100], 2), [97, 98]);
        assert_eq!(days_removed(&[60, 69, 70, 100], 4), [60, 69]);
    }

    #[test]
    fn backup_that_was_just_written_is_never_removed() {
        assert!(days_removed(&[100], 1).is_empty());
        assert_eq!(days_removed(&[1, 100], 4), [1]);
        assert!(days_removed(&[], 1).is_empty());
    }

    #[test]
    fn names_of_a_later_day_neither_count_nor_go() {
        assert_eq!(days_removed(&[98, 99, 100, 200, 201], 2), [98]);
        assert!(days_removed(&[100, 200, 201], 1).is_empty());
    }
}
