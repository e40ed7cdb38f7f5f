//! `linchpin master-key …`.

use clap::{Args, Subcommand};
use link_cli::shown::Shown;
use link_cli::terminal::{CommandError, say};
use link_domain::kernel::system::Clock as _;
use link_store::{Store, check_database};
use serde_json::Value;

use super::service::Service;
use crate::adapters::system::SystemClock;
use crate::admin::{AdminRequest, master_key};
use crate::service::store_settings;
use crate::settings::{Settings, SettingsInput};

#[derive(Subcommand)]
pub(in crate::cli) enum MasterKey {
    /// Make a new master key, and wrap the root key with it. All data stays readable, and the old key opens nothing more.
    Rotate(Box<MasterKeyArgs>),
    /// List the master keys that this database had, the current one first. The ids are in the names of backups.
    List(Box<MasterKeyArgs>),
}

#[derive(Args)]
pub(in crate::cli) struct MasterKeyArgs {
    /// Print JSON, for programs.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    settings: SettingsInput,
}

impl MasterKey {
    /// Asks the running service, or opens the database here if no service uses the data folder.
    pub(super) fn run(self) -> Result<(), CommandError> {
        let (rotates, args) = match self {
            Self::Rotate(args) => (true, args),
            Self::List(args) => (false, args),
        };
        let settings = args.settings.settle()?;
        let service = Service::at(settings.data_dir.clone(), args.json);
        let response = if service.is_running() {
            let request = if rotates { request_rotation(&settings) } else { AdminRequest::ListMasterKeys {} };
            service.ask(&request)?
        } else {
            run_here(&settings, rotates)?
        };
        let shown = if rotates {
            let parts = &[
                ("new master key", "/new"),
                ("its file", "/newFile"),
                ("stored", "/stored"),
                ("replaced", "/old"),
                ("file of the replaced key", "/oldFile"),
                ("WARNING", "/warning"),
            ];
            let advice = "Copy the new key's file to the second copy of the key folder now. Remove the file of the replaced \
                          key when no backup needs it, and at once after a leak (docs/how-to/master-key.md).";
            Shown::Lines { parts, advice }
        } else {
            let columns = &[
                ("ID", "/id"),
                ("STATE", "/state"),
                ("CREATED", "/createdAt"),
                ("REPLACED", "/replacedAt"),
                ("DAYS OLD", "/days"),
            ];
            Shown::Table { columns, empty: "" }
        };
        say(&service.show(&response, shown)?)
    }
}

/// Returns the request, with the settings that this command was given: the service refuses if its own are others.
fn request_rotation(settings: &Settings) -> AdminRequest {
    let is_given = settings.keys_dir != settings.data_dir;
    AdminRequest::RotateMasterKey {
        program: settings.master_key.program().map(master_key::find_real),
        keys_dir: is_given.then(|| master_key::find_real(&settings.keys_dir)),
    }
}

fn run_here(settings: &Settings, rotates: bool) -> Result<Value, CommandError> {
    if settings.ephemeral {
        return Err("an ephemeral service has its keys in memory only".into());
    }
    let wanted = store_settings(settings);
    if check_database(&wanted)?.version == 0 {
        let place = settings.data_dir.display();
        return Err(format!(
            "the database is missing: name it with --data-dir (now {place}) or --database-url"
        )
        .into());
    }
    let store = Store::open_blocking(wanted)?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let now = SystemClock.now();
    let done = runtime.block_on(async {
        let done = if rotates {
            master_key::rotate(&store, settings, now).await
        } else {
            master_key::list(&store, now).await
        };
        store.close().await;
        done
    });
    Ok(done?)
}
