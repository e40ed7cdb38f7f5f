//! `linchpin backup`, `restore` and `retention …`.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use serde_json::json;

use super::service::{Asked, Service};
use crate::admin::AdminRequest;
use link_cli::shown::Shown;
use link_cli::terminal::{CommandError, say};

#[derive(Args)]
pub(in crate::cli) struct BackupArgs {
    /// File to write. It must not exist.
    file: PathBuf,
}

#[derive(Args)]
pub(in crate::cli) struct RestoreArgs {
    /// Backup to restore.
    file: PathBuf,
}

impl BackupArgs {
    /// Has the running service write the backup, or writes it here if no service uses the data folder.
    pub(super) fn run(self, service: &Service) -> Result<(), CommandError> {
        // The service has another working folder.
        let file = std::path::absolute(&self.file)?;
        let response = if service.is_running() {
            let response = service.ask(&AdminRequest::BackUp { file: file.clone() })?;
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
            link_store::back_up(service.data_dir(), &file)?;
            json!({ "backup": file.display().to_string() })
        };
        let parts = &[("backup", "/backup")];
        let advice = "Copy the files after the database. Keep master.key and keys/ apart from backups.";
        say(&service.show(&response, Shown::Lines { parts, advice })?)
    }
}

impl RestoreArgs {
    /// Replaces the database of a data folder that no service uses.
    pub(super) fn run(self, service: &Service) -> Result<(), CommandError> {
        // A service that uses PostgreSQL does not lock the folder.
        if service.is_running() {
            return Err(format!(
                "a service runs on the data folder {}. Stop it, or choose another folder with --data-dir",
                service.data_dir().display()
            )
            .into());
        }
        link_store::restore(service.data_dir(), &self.file)?;
        let response = json!({
            "restored": self.file.display().to_string(),
            "dataDir": service.data_dir().display().to_string(),
        });
        let parts = &[("restored", "/restored"), ("data folder", "/dataDir")];
        let advice =
            "Restore the files too. Start the service, then erase again what was erased after the backup.";
        say(&service.show(&response, Shown::Lines { parts, advice })?)
    }
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
