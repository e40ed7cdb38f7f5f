//! `linchpin backup`, `restore` and `retention …`.

use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::{Args, Subcommand};
use link_domain::kernel::system::Clock as _;
use link_store::{BackupForm, BackupPlace, BackupTarget, RestoreFlags, Restored};
use link_types::Timestamp;
use serde_json::{Value, json};
use tempfile::TempPath;

use super::service::{Asked, Service};
use crate::adapters::system::SystemClock;
use crate::admin::{AdminRequest, show_backup};
use crate::service::store_settings;
use crate::settings::{BackupSettings, Settings, SettingsInput, is_bucket_address};
use crate::workers::backups::{finish, key_files};
use link_cli::shown::Shown;
use link_cli::terminal::{CommandError, say};

#[derive(Args)]
pub(in crate::cli) struct BackupArgs {
    /// File to write. It must not exist [default: a new name at --to or --backup-to].
    file: Option<PathBuf>,
    /// Folder, or s3://BUCKET/PREFIX, in which to write a portable backup with a new name.
    #[arg(long, value_name = "PLACE", conflicts_with = "file")]
    to: Option<String>,
    /// Write the form that both databases restore. PostgreSQL has no other.
    #[arg(long)]
    portable: bool,
    /// Print JSON, for programs.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    settings: SettingsInput,
}

#[derive(Args)]
pub(in crate::cli) struct RestoreArgs {
    /// Backup to restore.
    #[arg(required_unless_present = "from")]
    file: Option<PathBuf>,
    /// Backup to restore from a bucket: s3://BUCKET/PREFIX/NAME.
    #[arg(long, value_name = "ADDRESS", conflicts_with = "file")]
    from: Option<String>,
    /// Replace the SQLite database of the data folder. Without this flag, it must have none.
    #[arg(long)]
    replace: bool,
    /// Restore a backup of SQLite into PostgreSQL, or the reverse.
    #[arg(long = "move")]
    moves: bool,
    /// Print JSON, for programs.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    settings: SettingsInput,
}

impl BackupArgs {
    /// Has the running service write the backup, or writes it here if no service uses the data folder.
    pub(super) fn run(self) -> Result<(), CommandError> {
        let settings = match &self.to {
            Some(place) => self.settings.with_backups_at(place),
            None => self.settings,
        };
        let settings = settings.settle()?;
        let service = Service::at(settings.data_dir.clone(), self.json);
        let response = match self.file {
            // The service has another working folder.
            Some(file) => {
                let form = if self.portable { BackupForm::Portable } else { BackupForm::Usual };
                write_file(&service, &settings, std::path::absolute(file)?, form, false)?
            }
            None => write_to_place(&service, &settings)?,
        };
        let parts = &[("backup", "/backup"), ("bytes", "/bytes"), ("seconds", "/seconds")];
        let advice = "Copy the files after the database. Keep master.key and keys/ apart from backups.";
        say(&service.show(&response, Shown::Lines { parts, advice })?)
    }
}

/// Writes a file, and returns the response about it. A running service does not count a draft.
fn write_file(
    service: &Service,
    settings: &Settings,
    file: PathBuf,
    form: BackupForm,
    is_draft: bool,
) -> Result<Value, CommandError> {
    if service.is_running() {
        let portable = form == BackupForm::Portable;
        let response = service.ask(&AdminRequest::BackUp { file: file.clone(), portable, is_draft })?;
        if !file.try_exists().unwrap_or(false) {
            let folder = service.data_dir().display();
            return Err(format!(
                    "the service wrote {}, but not where this command sees it: its unit has another /tmp. Name a file \
                     in {folder}",
                    file.display()
                )
                .into());
        }
        return Ok(response);
    }
    let began = Instant::now();
    link_store::back_up(&store_settings(settings), &file, form, SystemClock.now())?;
    Ok(show_backup(&file, began))
}

/// Writes a portable backup with a new name, and verifies it. It is uploaded from here, with the settings of this command.
fn write_to_place(service: &Service, settings: &Settings) -> Result<Value, CommandError> {
    let Some(BackupSettings { target, address, .. }) = &settings.backups else {
        return Err("name a file, or a place with --to: a folder, or s3://BUCKET/PREFIX".into());
    };
    let (began, now) = (Instant::now(), SystemClock.now());
    let keys = key_files(&store_settings(settings))?;
    let place = BackupPlace::open(target, &keys, None)?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let draft = runtime.block_on(place.draft(&settings.data_dir))?;
    write_file(service, settings, draft.to_path_buf(), BackupForm::Portable, true)?;
    let written = runtime.block_on(finish(&place, keys, draft, now))?;
    if service.is_running() {
        service.ask(&AdminRequest::CountBackup {})?;
    }
    Ok(json!({
        "backup": format!("{}/{}", address.trim_end_matches('/'), written.backup.name),
        "bytes": written.bytes,
        "seconds": format!("{:.1}", began.elapsed().as_secs_f32()),
    }))
}

/// A backup on this machine, perhaps a copy of one in a bucket that is removed on drop.
pub(super) enum LocalBackup {
    File(PathBuf),
    Copy { address: String, path: TempPath },
}

impl LocalBackup {
    /// Returns the settings, and the backup at a path, or at an address in a bucket, of which it makes a copy. Checks the
    /// settings before.
    pub(super) fn find(
        settings: SettingsInput,
        from: &str,
        check: impl FnOnce(&Settings) -> Result<(), CommandError>,
    ) -> Result<(Settings, Self), CommandError> {
        if !is_bucket_address(from) {
            let settings = settings.settle()?;
            check(&settings)?;
            return Ok((settings, Self::File(PathBuf::from(from))));
        }
        let settings = settings.with_backups_at(from).settle()?;
        check(&settings)?;
        let target = settings.backups.as_ref().map(|it| &it.target);
        let Some(BackupTarget::Bucket { files, prefix }) = target else {
            return Err("the address of a backup must be like s3://BUCKET/PREFIX/NAME".into());
        };
        let temporary = std::env::temp_dir();
        let folder = if settings.data_dir.is_dir() { &settings.data_dir } else { &temporary };
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let path = runtime.block_on(link_store::fetch_backup(files, prefix, folder))?;
        Ok((settings, Self::Copy { address: from.to_owned(), path }))
    }

    pub(super) fn path(&self) -> &Path {
        match self {
            Self::File(path) => path,
            Self::Copy { path, .. } => path,
        }
    }

    /// Returns the name for the response.
    pub(super) fn name(&self) -> String {
        match self {
            Self::File(path) => path.display().to_string(),
            Self::Copy { address, .. } => address.clone(),
        }
    }
}

impl RestoreArgs {
    /// Fills a new database, or replaces the one of a data folder that no service uses.
    pub(super) fn run(self) -> Result<(), CommandError> {
        let file = self.file.map(|it| it.display().to_string());
        let flags = RestoreFlags { replaces: self.replace, moves: self.moves };
        let check = |settings: &Settings| -> Result<(), CommandError> {
            let service = Service::at(settings.data_dir.clone(), self.json);
            // A service that uses PostgreSQL does not lock the folder.
            if service.is_running() {
                return Err(format!(
                    "a service runs on the data folder {}. Stop it, or choose another folder with --data-dir",
                    service.data_dir().display()
                )
                .into());
            }
            Ok(link_store::check_target(&store_settings(settings), flags)?)
        };
        let from = self.from.or(file).unwrap_or_default();
        let (settings, backup) = LocalBackup::find(self.settings, &from, check)?;
        let service = Service::at(settings.data_dir.clone(), self.json);
        let restored =
            link_store::restore(&store_settings(&settings), backup.path(), flags, SystemClock.now())?;
        let response = show_restored(&backup.name(), &restored);
        if !self.json {
            let columns = &[("TABLE", "/table"), ("ROWS", "/rows")];
            let tables = response.pointer("/tables").cloned().unwrap_or_default();
            say(&Shown::Table { columns, empty: "" }.words(&tables))?;
        }
        let parts = &[
            ("restored", "/restored"),
            ("written at", "/writtenAt"),
            ("database", "/database"),
            ("warning", "/warning"),
        ];
        let advice = "Restore the files too, and start the service. It first erases again what was erased after the backup.";
        say(&service.show(&response, Shown::Lines { parts, advice })?)
    }
}

fn show_restored(backup: &str, restored: &Restored) -> Value {
    let tables: Vec<_> =
        restored.tables.iter().map(|it| json!({ "table": it.name, "rows": it.rows })).collect();
    json!({
        "restored": backup,
        "writtenAt": restored.created_at.map(|at| Timestamp::from_micros(at.micros())),
        "database": restored.database,
        "warning": restored.unanalyzed.as_ref().map(|it| format!("run ANALYZE in the database, because it failed: {it}")),
        "tables": tables,
    })
}

#[derive(Subcommand)]
pub(in crate::cli) enum Retention {
    /// Show whether expired data is removed, or removal is paused because the clock jumped.
    Show,
    /// Confirm that the clock is right after a jump, so that expired data is removed again.
    Confirm,
}

impl Retention {
    pub(super) fn request(self) -> Asked {
        let request = match self {
            Self::Show => AdminRequest::ShowRetention {},
            Self::Confirm => AdminRequest::ConfirmRetention {},
        };
        let parts = &[
            ("paused", "/paused"),
            ("clock", "/clock"),
            ("last seen", "/lastSeen"),
            ("what to do", "/advice"),
        ];
        (request, Shown::Lines { parts, advice: "" })
    }
}
