//! `linchpin verify-backup`.

use clap::Args;
use link_domain::documents::file_store::{FileStore as _, FileStoreError};
use link_domain::kernel::system::Clock as _;
use link_store::{FileSettings, ObjectFiles, SegmentSample, StoreSettings, Verified};
use link_types::Timestamp;
use serde_json::{Value, json};

use super::backup::LocalBackup;
use crate::adapters::system::SystemClock;
use crate::service::store_settings;
use crate::settings::SettingsInput;
use link_cli::shown::Shown;
use link_cli::terminal::{CommandError, say};

/// The flags of `verify-backup`.
#[derive(Args)]
pub(in crate::cli) struct VerifyArgs {
    /// Backup to verify: a file, or s3://BUCKET/PREFIX/NAME.
    file: String,
    /// Print JSON, for programs.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    settings: SettingsInput,
}

impl VerifyArgs {
    /// Prints what was read and opened. Fails if the backup cannot be restored.
    pub(super) fn run(self) -> Result<(), CommandError> {
        let (settings, backup) = LocalBackup::find(self.settings, &self.file, |_| Ok(()))?;
        let (StoreSettings::Sqlite { keys, .. } | StoreSettings::Postgres { keys, .. }) =
            store_settings(&settings)
        else {
            return Err("--ephemeral has no keys that could open a backup".into());
        };
        let verified = link_store::verify(&keys, backup.path(), SystemClock.now())?;
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let segment = runtime.block_on(open_segment(settings.files, &verified.segments))?;
        let response = show(&backup.name(), &verified, segment);
        if self.json {
            say(&serde_json::to_string_pretty(&response)?)?;
        } else {
            for (at, columns) in [("/tables", TABLES), ("/columns", COLUMNS)] {
                let items = response.pointer(at).cloned().unwrap_or_default();
                say(&format!("{}\n", Shown::Table { columns, empty: "" }.words(&items)))?;
            }
            say(&Shown::Lines { parts: PARTS, advice: "" }.words(&response))?;
        }
        Ok(verified.check_keys()?)
    }
}

const TABLES: &[(&str, &str)] = &[("TABLE", "/table"), ("ROWS", "/rows"), ("SHA-256", "/sha256")];
const COLUMNS: &[(&str, &str)] =
    &[("SEALED COLUMN", "/column"), ("VALUES", "/values"), ("OPENED", "/opened")];
const PARTS: &[(&str, &str)] =
    &[("backup", "/backup"), ("written at", "/writtenAt"), ("piece of a file", "/segment")];

fn show(file: &str, verified: &Verified, segment: &str) -> Value {
    let tables = verified.tables.iter().filter(|it| it.rows > 0);
    let tables: Vec<_> =
        tables.map(|it| json!({ "table": it.table, "rows": it.rows, "sha256": it.sha256 })).collect();
    let columns = verified.columns.iter();
    let columns: Vec<_> =
        columns.map(|it| json!({ "column": it.name, "values": it.values, "opened": it.opened })).collect();
    json!({
        "backup": file,
        "writtenAt": verified.created_at.map(|at| Timestamp::from_micros(at.micros())),
        "tables": tables,
        "columns": columns,
        "lostDays": verified.lost_days.iter().map(|it| json!({ "day": it.day.0, "things": it.things })).collect::<Vec<_>>(),
        "segment": segment,
    })
}

/// Opens one of these pieces of files, and returns which. A file may have been removed after the backup.
async fn open_segment(files: FileSettings, samples: &[SegmentSample]) -> Result<&'static str, CommandError> {
    if samples.is_empty() {
        return Ok("the backup has no file whose key exists");
    }
    let files = ObjectFiles::open(files)?;
    for SegmentSample { segment, key } in samples {
        match files.get(&segment.object).await {
            Ok(sealed) => {
                key.open(segment, &sealed)?;
                return Ok("opened");
            }
            Err(FileStoreError::Missing) => {}
            Err(error) => return Err(error.into()),
        }
    }
    Err("none of the files of the backup that were looked for is in the file store. Name it with --files-dir or \
         --s3-bucket, and restore it together with the backup"
        .into())
}
