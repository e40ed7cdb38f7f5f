//! `linchpin import-tenant`.

use std::path::PathBuf;

use clap::Args;
use link_cli::shown::Shown;
use link_cli::terminal::{CommandError, read_code, say};
use link_domain::documents::file_store::FileStore as _;
use link_domain::kernel::digest::Digest32;
use link_domain::kernel::system::Clock as _;
use link_store::{FileSettings, ImportedTenant, ObjectFiles, check_file_space};
use link_types::Timestamp;
use serde_json::{Value, json};

use crate::adapters::system::{SystemClock, random_secret};
use crate::service::store_settings;
use crate::settings::SettingsInput;

/// The flags of `import-tenant`.
#[derive(Args)]
pub(in crate::cli) struct ImportArgs {
    /// File that `linchpin tenant export` wrote.
    file: PathBuf,
    /// File with the code that it printed, or `-` for standard input. Without the flag, the command asks for the code.
    #[arg(long, value_name = "FILE")]
    code_file: Option<PathBuf>,
    /// Print JSON, for programs.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    settings: SettingsInput,
}

impl ImportArgs {
    /// Imports the tenant into the database, which on SQLite no service uses meanwhile.
    pub(super) fn run(self) -> Result<(), CommandError> {
        let code = read_code(self.code_file.as_deref(), "Code of the export")?;
        let import = Digest32::from_bytes(random_secret());
        let settings = self.settings.settle()?;
        let store = store_settings(&settings);
        let folder = match &settings.files {
            FileSettings::Folder(folder) => Some(folder.clone()),
            FileSettings::S3(_) | FileSettings::Memory => None,
        };
        let files = ObjectFiles::open(settings.files)?;
        if let Some(folder) = folder {
            check_file_space(&self.file, &folder)?;
        }
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let mut put = |object: &str, content| runtime.block_on(files.put(object, content));
        let imported =
            link_store::import_tenant(&store, &self.file, &code, import, SystemClock.now(), &mut put)?;
        let response = show(&imported);
        if self.json {
            return say(&serde_json::to_string_pretty(&response)?);
        }
        let columns = &[("TABLE", "/table"), ("ROWS", "/rows")];
        let tables = response.pointer("/tables").cloned().unwrap_or_default();
        say(&Shown::Table { columns, empty: "" }.words(&tables))?;
        let parts = &[("tenant", "/id"), ("exported at", "/exportedAt"), ("code", "/code")];
        let advice = "In the first cell, run `linchpin tenant delete ID --name NAME --moved --imported`, which asks for the code.";
        say(&Shown::Lines { parts, advice }.words(&response))
    }
}

fn show(imported: &ImportedTenant) -> Value {
    let tables = imported.tables.iter();
    json!({
        "id": imported.tenant,
        "exportedAt": Timestamp::from_micros(imported.exported_at.micros()),
        "code": imported.code,
        "tables": tables.map(|it| json!({ "table": it.name, "rows": it.rows })).collect::<Vec<_>>(),
    })
}
