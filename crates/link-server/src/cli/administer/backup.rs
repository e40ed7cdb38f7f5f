//! `linchpin backup`, `restore` and `retention …`.

use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::{Args, Subcommand};
use link_domain::kernel::system::Clock as _;
use link_store::{BackupForm, RestoreFlags, Restored};
use link_types::Timestamp;
use serde_json::{Value, json};

use super::service::{Asked, Service};
use crate::adapters::system::SystemClock;
use crate::admin::{AdminRequest, show_backup};
use crate::service::store_settings;
use crate::settings::SettingsInput;
use link_cli::shown::Shown;
use link_cli::terminal::{CommandError, say};

#[derive(Args)]
pub(in crate::cli) struct BackupArgs {
    /// File to write. It must not exist.
    file: PathBuf,
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
    file: PathBuf,
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
        let settings = self.settings.settle()?;
        let service = Service::at(settings.data_dir.clone(), self.json);
        // The service has another working folder.
        let file = std::path::absolute(&self.file)?;
        let response = if service.is_running() {
            let response =
                service.ask(&AdminRequest::BackUp { file: file.clone(), portable: self.portable })?;
            if !file.try_exists().unwrap_or(false) {
                let folder = service.data_dir().display();
                return Err(format!(
                    "the service wrote {}, but not where this command sees it: its unit has another /tmp. Name a file \
                     in {folder}",
                    file.display()
                )
                .into());
            }
            response
        } else {
            let form = if self.portable { BackupForm::Portable } else { BackupForm::Usual };
            let began = Instant::now();
            link_store::back_up(&store_settings(&settings), &file, form, SystemClock.now())?;
            show_backup(&file, began)
        };
        let parts = &[("backup", "/backup"), ("bytes", "/bytes"), ("seconds", "/seconds")];
        let advice = "Copy the files after the database. Keep master.key and keys/ apart from backups.";
        say(&service.show(&response, Shown::Lines { parts, advice })?)
    }
}

impl RestoreArgs {
    /// Fills a new database, or replaces the one of a data folder that no service uses.
    pub(super) fn run(self) -> Result<(), CommandError> {
        let settings = self.settings.settle()?;
        let service = Service::at(settings.data_dir.clone(), self.json);
        // A service that uses PostgreSQL does not lock the folder.
        if service.is_running() {
            return Err(format!(
                "a service runs on the data folder {}. Stop it, or choose another folder with --data-dir",
                service.data_dir().display()
            )
            .into());
        }
        let flags = RestoreFlags { replaces: self.replace, moves: self.moves };
        let restored = link_store::restore(&store_settings(&settings), &self.file, flags, SystemClock.now())?;
        let response = show_restored(&self.file, &restored);
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

fn show_restored(file: &Path, restored: &Restored) -> Value {
    let tables: Vec<_> =
        restored.tables.iter().map(|it| json!({ "table": it.name, "rows": it.rows })).collect();
    json!({
        "restored": file.display().to_string(),
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
