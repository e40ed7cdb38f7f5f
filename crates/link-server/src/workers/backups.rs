//! Writes backups on a schedule and removes old ones (`--backup-to`). Of several nodes, one writes a backup that is due.

use std::time::{Duration, Instant};

use link_domain::kernel::clock::Wall;
use link_store::{
    BackupError, BackupFault, BackupForm, BackupLease, BackupPlace, BackupTimes, KeyFiles, RENEWAL,
    StoreError, StoreSettings, StoredBackup, WorkerId,
};
use tempfile::TempPath;
use tokio::time::MissedTickBehavior;

use crate::app::App;
use crate::dependencies::{Dependency, DependencyFault};
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
        tokio::select! {
            round = round(&app, &settings, &worker) => {
                if let Err(error) = round {
                    log_failure!(error, %error, "Scheduling a backup failed and will run again");
                }
            }
            // The next start removes what is left.
            _ = stopping.wait_for(|stop| *stop) => return,
        }
    }
}

/// Writes a backup if one is due and no other node writes it. Returns whether it did.
///
/// # Errors
/// If the database cannot be read or written. A backup that failed is recorded there, and is not an error.
pub async fn round(app: &App, settings: &BackupSettings, worker: &WorkerId) -> Result<bool, StoreError> {
    let (now, times) = (app.wall(), BackupTimes { every: settings.every, retry: RETRY });
    let claimer = worker.clone();
    let claim = app.store.write(move |tx| tx.scheduled_backups().claim(&claimer, now, times)).await?;
    let Some(lease) = claim else { return Ok(false) };
    let began = Instant::now();
    let written = tokio::select! {
        written = write(app, settings, now) => written,
        never = keep_lease(app, &lease) => match never {},
    };
    match written {
        Ok(WrittenBackup { backup, bytes }) => {
            app.store.write(move |tx| tx.scheduled_backups().record_good(&lease, now)).await?;
            app.metrics.count_backup(now.micros() / 1_000_000);
            let removed = remove_expired(app, settings, now).await;
            let seconds = began.elapsed().as_secs();
            tracing::info!(backup = backup.name, bytes, seconds, ?removed, "Wrote and verified a backup");
        }
        Err(error) => {
            let fault = DependencyFault::from_backup(&error);
            let DependencyFault { code, cause, remedy, .. } = fault.clone();
            app.dependencies.note(fault);
            let fault = BackupFault { code, cause, remedy: remedy.into_owned() };
            let failed_at = app.wall();
            let record = app.store.write(move |tx| {
                let mut backups = tx.scheduled_backups();
                backups.record_fault(&lease, failed_at, &fault)
            });
            record.await?;
        }
    }
    Ok(true)
}

async fn write(app: &App, settings: &BackupSettings, now: Wall) -> Result<WrittenBackup, BackupError> {
    let keys = key_files(&store_settings(&app.settings))?;
    let place = BackupPlace::open(&settings.target, &keys)?;
    place.remove_drafts(now).await?;
    let draft = place.draft(&app.settings.data_dir)?;
    app.store.back_up(draft.to_path_buf(), BackupForm::Portable, now).await?;
    finish(&place, keys, draft, now).await
}

/// Renews a lease until it is dropped.
async fn keep_lease(app: &App, lease: &BackupLease) -> std::convert::Infallible {
    let mut ticks = tokio::time::interval(RENEWAL);
    loop {
        ticks.tick().await;
        let (lease, now) = (lease.clone(), app.wall());
        let renewed = app.store.write(move |tx| tx.scheduled_backups().renew(&lease, now)).await;
        match renewed {
            // Two backups at once do no harm.
            Ok(false) => tracing::warn!("Another node took over the backup that this one writes"),
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
/// If it is damaged, or the place refuses it.
pub(crate) async fn finish(
    place: &BackupPlace,
    keys: KeyFiles,
    draft: TempPath,
    began_at: Wall,
) -> Result<WrittenBackup, BackupError> {
    let path = draft.to_path_buf();
    let bytes = path.metadata().map_or(0, |it| it.len());
    let verified = tokio::task::spawn_blocking(move || link_store::verify(&keys, &path, began_at)).await;
    verified.map_err(|_| StoreError::Panicked)??;
    Ok(WrittenBackup { backup: place.keep(draft, began_at).await?, bytes })
}

/// Removes backups that are not kept any more. Returns how many, or `None` if that failed.
async fn remove_expired(app: &App, settings: &BackupSettings, now: Wall) -> Option<usize> {
    // A wrong clock must not remove backups.
    if app.known_jump.get().is_some() {
        app.dependencies.clear(Dependency::Backups);
        return Some(0);
    }
    let removed = async {
        let place = BackupPlace::open(&settings.target, &key_files(&store_settings(&app.settings))?)?;
        let found = place.list().await?;
        let expired = find_expired(&found, settings, now);
        for backup in expired {
            place.remove(backup).await?;
        }
        Ok::<_, BackupError>(expired.len())
    };
    match removed.await {
        Ok(removed) => {
            app.dependencies.clear(Dependency::Backups);
            Some(removed)
        }
        Err(error) => {
            app.dependencies.note(DependencyFault::from_backup(&error));
            None
        }
    }
}

/// Returns the backups that are not kept any more, of a list with the oldest first. Never the newest.
fn find_expired<'b>(found: &'b [StoredBackup], settings: &BackupSettings, now: Wall) -> &'b [StoredBackup] {
    let many = found.len().saturating_sub(settings.keep);
    let old = found.iter().take_while(|it| it.began_at < now - settings.life).count();
    &found[..many.max(old).min(found.len().saturating_sub(1))]
}

#[cfg(test)]
mod tests {
    use link_store::BackupTarget;

    use super::*;

    const DAY: Duration = Duration::from_secs(86_400);

    fn at(day: u32) -> Wall {
        Wall::from_micros(0) + DAY * day
    }

    /// Returns the days of the backups that are removed on day 100.
    fn days_removed(days: &[u32], keep: usize) -> Vec<u32> {
        let settings = BackupSettings {
            target: BackupTarget::Folder("/backups".into()),
            address: "/backups".to_owned(),
            every: DAY,
            keep,
            life: DAY * 30,
        };
        let found: Vec<_> =
            days.iter().map(|day| StoredBackup { began_at: at(*day), name: day.to_string() }).collect();
        find_expired(&found, &settings, at(100)).iter().map(|it| it.name.parse().unwrap()).collect()
    }

    #[test]
    fn backups_above_the_number_or_the_age_are_removed() {
        assert!(days_removed(&[97, 98, 99, 100], 4).is_empty());
        assert_eq!(days_removed(&[97, 98, 99, 100], 2), [97, 98]);
        assert_eq!(days_removed(&[60, 69, 70, 100], 4), [60, 69]);
    }

    #[test]
    fn newest_backup_is_never_removed() {
        assert!(days_removed(&[1], 1).is_empty());
        assert_eq!(days_removed(&[1, 2], 4), [1]);
        assert!(days_removed(&[], 1).is_empty());
    }
}
