//! The resources that a start needs: an address, folders and a database. Each error says what to do.

use std::io::ErrorKind;
use std::net::SocketAddr;
use std::os::unix::fs::{DirBuilderExt as _, PermissionsExt};
use std::path::Path;

use link_documents::SandboxPolicy;
use link_domain::kernel::clock::Wall;
use link_domain::kernel::context::Context;
use link_store::{Day, FileSettings, ObjectFiles, Store, StoreError};
use tokio::net::TcpListener;

use super::ServiceError;
use crate::adapters::child_reader::document_reader;
use crate::adapters::sources::check_connectors;
use crate::settings::Settings;

pub(super) async fn bind(address: SocketAddr) -> Result<TcpListener, ServiceError> {
    TcpListener::bind(address).await.map_err(|error| {
        let kind = error.kind();
        let advice = if kind == ErrorKind::AddrInUse {
            "Stop the program that uses it, or choose another address with --listen"
        } else if kind == ErrorKind::AddrNotAvailable {
            "This machine does not have that address. Choose another with --listen, or 0.0.0.0 for all"
        } else if kind == ErrorKind::PermissionDenied {
            "This user may not use ports below 1024. Choose another port with --listen, and use a proxy \
             (docs/how-to/operating.md)"
        } else {
            "Choose another address with --listen"
        };
        format!("cannot listen on {address} ({error}). {advice}").into()
    })
}

/// Checks the settings of connectors and the bucket, before the start takes any resource.
pub(crate) fn check(settings: &Settings) -> Result<(), ServiceError> {
    let mut faults = check_connectors(settings);
    if let FileSettings::S3(_) = &settings.files
        && let Err(error) = ObjectFiles::open(settings.files.clone())
    {
        faults.push(format!("--s3-bucket: {error}"));
    }
    match faults.len() {
        0 => Ok(()),
        1 => Err(faults.remove(0).into()),
        count => Err(format!("{count} settings are not valid:\n  {}", faults.join("\n  ")).into()),
    }
}

/// Rejects a database whose day keys are missing. Otherwise housekeeping would skip all users, and new keys would take
/// the names of the missing ones.
pub(super) async fn check_days(store: &Store, settings: &Settings, now: Wall) -> Result<(), ServiceError> {
    let lost = store.find_lost_days(Day::from_micros(now.micros())).await?;
    let Some(first) = lost.first() else { return Ok(()) };
    let things: i64 = lost.iter().map(|it| it.things).sum();
    let (days, name, folder) = (lost.len(), first.day.0, settings.keys_dir.join("keys"));
    if settings.accept_lost_keys {
        tracing::error!(
            days, things, first = name, folder = %folder.display(),
            "Day keys are missing; the data they protect is lost (--accept-lost-keys)"
        );
        return Ok(());
    }
    Err(format!(
        "{days} day keys are missing in {} (the first is {name}.day). Without them, {things} users, accounts \
         and other resources cannot be decrypted. Restore the folder from its second copy \
         (docs/how-to/operating.md), and check --keys-dir. If there is no copy, start once with \
         --accept-lost-keys: the data that those keys protect is then lost",
        folder.display()
    )
    .into())
}

/// Erases again what a restored backup has brought back, before anyone can read it.
pub(super) async fn replay_erasures(store: &Store, context: Context) -> Result<(), ServiceError> {
    let erased = store.replay_erasures(context).await?;
    if erased > 0 {
        tracing::warn!(
            erased,
            "The database is older than the list of erasures in the key folder, so a backup was restored: what was \
             erased since then was erased again"
        );
    }
    Ok(())
}

/// Creates the configured folders, and makes the data folder accessible only to its owner.
pub(super) fn make_folders(settings: &Settings) -> Result<(), ServiceError> {
    make_folder("data-dir", &settings.data_dir)?;
    close_to_others(&settings.data_dir)?;
    make_folder("keys-dir", &settings.keys_dir)?;
    match &settings.files {
        FileSettings::Folder(folder) => make_folder("files-dir", folder),
        FileSettings::S3(_) | FileSettings::Memory => Ok(()),
    }
}

fn make_folder(flag: &str, path: &Path) -> Result<(), ServiceError> {
    std::fs::DirBuilder::new().recursive(true).mode(0o700).create(path).map_err(|error| {
        let path = path.display();
        format!(
            "cannot create the folder {path} ({error}). Choose one that this user can write with --{flag}"
        )
        .into()
    })
}

/// Restricts an empty data folder to its owner. A folder with other contents may be shared on purpose, so it only gets
/// a warning; the service's own files in it are private anyway.
fn close_to_others(path: &Path) -> Result<(), ServiceError> {
    let unusable = |error: std::io::Error| {
        format!("cannot read the data folder {} ({error}). Make this user its owner", path.display())
    };
    let mode = std::fs::metadata(path).map_err(unusable)?.permissions().mode() & 0o7777;
    if mode & 0o077 == 0 {
        return Ok(());
    }
    let is_empty = std::fs::read_dir(path).map_err(unusable)?.next().is_none();
    if is_empty && std::fs::set_permissions(path, PermissionsExt::from_mode(0o700)).is_ok() {
        return Ok(());
    }
    tracing::warn!(
        folder = %path.display(),
        mode = %format_args!("{mode:o}"),
        "Other users can access the data folder; restrict it with chmod 700 unless they need it"
    );
    Ok(())
}

/// Explains why the database could not be opened, and where it is.
pub(super) fn not_opened(error: StoreError, settings: &Settings) -> ServiceError {
    if error.is_full() && settings.database_url.is_none() {
        let folder = settings.data_dir.display();
        return format!(
            "cannot open the database in {folder} ({error}): the disk is full, or this user or process has \
             reached a limit. Free some space and start again. Nothing is damaged"
        )
        .into();
    }
    if matches!(error, StoreError::Sqlite(_)) {
        let path = settings.data_dir.join("linchpin.db");
        return format!(
            "cannot open the database {} ({error}). If it is damaged, replace it with a backup \
             (docs/how-to/operating.md)",
            path.display()
        )
        .into();
    }
    if matches!(error, StoreError::File { .. }) {
        return format!("{error}. Give this user read and write access").into();
    }
    error.into()
}

/// Tests the sandbox once and logs which layers work. Runs in the background.
pub(super) async fn report(policy: SandboxPolicy) {
    let tested = match document_reader(policy) {
        Ok(reader) => reader.self_test().await,
        Err(error) => Err(error.into()),
    };
    let report = match tested {
        Ok(report) => report,
        Err(error) => {
            tracing::warn!(%error, "Testing the document sandbox failed; run `linchpin extract --self-test`");
            return;
        }
    };
    let layers = report.layers.iter().map(ToString::to_string).collect::<Vec<_>>().join(" | ");
    if report.is_complete() {
        tracing::info!(%layers, "Documents are read in a sandbox");
    } else {
        let advice = report.advice().join("; ");
        tracing::warn!(%layers, %advice, "The document sandbox is incomplete");
    }
    if report.tesseract == Some(false) {
        tracing::warn!("Tesseract does not run in the sandbox, so scans and photos cannot be read");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mode(path: &Path) -> u32 {
        std::fs::metadata(path).unwrap().permissions().mode() & 0o777
    }

    #[test]
    fn only_an_empty_data_folder_is_restricted_to_its_owner() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::set_permissions(folder.path(), PermissionsExt::from_mode(0o755)).unwrap();
        close_to_others(folder.path()).unwrap();
        assert_eq!(mode(folder.path()), 0o700);
        std::fs::write(folder.path().join("page.html"), "").unwrap();
        close_to_others(folder.path()).unwrap();
        std::fs::set_permissions(folder.path(), PermissionsExt::from_mode(0o755)).unwrap();
        close_to_others(folder.path()).unwrap();
        assert_eq!(mode(folder.path()), 0o755, "a folder with contents stays as it is");
    }

    #[test]
    fn folder_that_cannot_be_created_is_named_with_its_flag() {
        let file = tempfile::NamedTempFile::new().unwrap();
        for path in [file.path(), Path::new("/proc/nothing")] {
            let refused = make_folder("keys-dir", path).unwrap_err().to_string();
            assert!(
                refused.contains(&path.display().to_string()) && refused.contains("--keys-dir"),
                "{refused}"
            );
        }
    }

    #[tokio::test]
    async fn bind_error_names_its_cause_and_remedy() {
        let taken = bind(SocketAddr::from(([127, 0, 0, 1], 0))).await.unwrap();
        let refused = bind(taken.local_addr().unwrap()).await.unwrap_err().to_string();
        assert!(refused.contains("Stop the program that uses it"), "{refused}");
        let refused = bind(SocketAddr::from(([192, 0, 2, 1], 0))).await.unwrap_err().to_string();
        assert!(refused.contains("This machine does not have that address"), "{refused}");
    }
}
