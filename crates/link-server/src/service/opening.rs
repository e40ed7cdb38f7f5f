//! What a start takes of its machine: an address, folders, a database. Each refusal says what to do.

use std::io::ErrorKind;
use std::net::SocketAddr;
use std::os::unix::fs::{DirBuilderExt as _, PermissionsExt};
use std::path::Path;

use link_domain::clock::Wall;
use link_store::{Day, FileSettings, ObjectFiles, Store, StoreError};
use tokio::net::TcpListener;

use super::ServiceError;
use crate::settings::Settings;
use crate::sources::check_connectors;

pub(super) async fn bind(address: SocketAddr) -> Result<TcpListener, ServiceError> {
    TcpListener::bind(address).await.map_err(|error| {
        let kind = error.kind();
        let advice = if kind == ErrorKind::AddrInUse {
            "Stop what uses it, or choose another with --listen"
        } else if kind == ErrorKind::AddrNotAvailable {
            "This machine has no such address: choose one that it has with --listen, or 0.0.0.0 for all of them"
        } else if kind == ErrorKind::PermissionDenied {
            "Ports below 1024 need rights that this user lacks: choose another with --listen, and put a proxy in front \
             (docs/how-to/operating.md)"
        } else {
            "Choose another with --listen"
        };
        format!("cannot listen on {address} ({error}). {advice}").into()
    })
}

/// Looks at what connectors and the bucket are made of, before anything of this machine is taken.
pub(super) fn check(settings: &Settings) -> Result<(), ServiceError> {
    let mut faults = check_connectors(settings);
    if let FileSettings::S3(_) = &settings.files
        && let Err(error) = ObjectFiles::open(settings.files.clone())
    {
        faults.push(format!("--s3-bucket: {error}"));
    }
    match faults.len() {
        0 => Ok(()),
        1 => Err(faults.remove(0).into()),
        count => Err(format!("{count} settings cannot be used:\n  {}", faults.join("\n  ")).into()),
    }
}

/// Refuses a database whose day keys are lost: housekeeping would pass over all users, and new keys would take the names of
/// the lost ones.
pub(super) async fn check_days(store: &Store, settings: &Settings, now: Wall) -> Result<(), ServiceError> {
    let lost = store.lost_days(Day::of(now.micros())).await?;
    let Some(first) = lost.first() else { return Ok(()) };
    let things: i64 = lost.iter().map(|it| it.things).sum();
    let (days, name, folder) = (lost.len(), first.day.0, settings.keys_dir.join("keys"));
    if settings.accept_lost_keys {
        tracing::error!(
            days, things, first = name, folder = %folder.display(),
            "keys of days are missing; what they sealed is lost (--accept-lost-keys)"
        );
        return Ok(());
    }
    Err(format!(
        "{days} keys of days are missing in {} (the first is {name}.day): without them {things} users, accounts and other \
         things cannot be opened. Copy the folder back from its second copy (docs/how-to/operating.md), and check --keys-dir. If \
         there is no copy, start once with --accept-lost-keys: what those keys sealed is lost then",
        folder.display()
    )
    .into())
}

/// Makes the folders of the settings, and sees that the data folder is its owner's alone.
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
        format!("cannot make the folder {path} ({error}). Name one that this user may make and write with --{flag}")
            .into()
    })
}

/// What lies in the data folder is each its owner's alone. An empty folder is closed besides; what else lies in one that is
/// open may be somebody's who needs it so.
fn close_to_others(path: &Path) -> Result<(), ServiceError> {
    let unusable = |error: std::io::Error| {
        format!("cannot look into the data folder {} ({error}). Make it this user's own", path.display())
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
        "others than its owner may enter the data folder: chmod 700 it unless they need to"
    );
    Ok(())
}

/// A database that does not open, with where it is.
pub(super) fn not_opened(error: StoreError, settings: &Settings) -> ServiceError {
    if error.is_full() && settings.database_url.is_none() {
        let folder = settings.data_dir.display();
        return format!(
            "cannot open the database in {folder} ({error}): the disk is full, or a limit of this user or process is \
             reached. Make room and start again; nothing is damaged"
        )
        .into();
    }
    if matches!(error, StoreError::Sqlite(_)) {
        let path = settings.data_dir.join("linchpin.db");
        return format!(
            "cannot open the database {} ({error}). If it is damaged, put a back-up in its place (docs/how-to/operating.md)",
            path.display()
        )
        .into();
    }
    if matches!(error, StoreError::File { .. }) {
        return format!("{error}. This user must be able to read and write there").into();
    }
    error.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mode(path: &Path) -> u32 {
        std::fs::metadata(path).unwrap().permissions().mode() & 0o777
    }

    #[test]
    fn a_data_folder_that_others_may_enter_is_closed_while_it_is_empty_and_left_when_it_is_not() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::set_permissions(folder.path(), PermissionsExt::from_mode(0o755)).unwrap();
        close_to_others(folder.path()).unwrap();
        assert_eq!(mode(folder.path()), 0o700);
        std::fs::write(folder.path().join("page.html"), "").unwrap();
        close_to_others(folder.path()).unwrap();
        std::fs::set_permissions(folder.path(), PermissionsExt::from_mode(0o755)).unwrap();
        close_to_others(folder.path()).unwrap();
        assert_eq!(mode(folder.path()), 0o755, "somebody may need what else is there");
    }

    #[test]
    fn a_folder_that_cannot_be_made_is_named_with_its_flag() {
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
    async fn an_address_that_cannot_be_listened_on_is_refused_for_its_own_reason() {
        let taken = bind(SocketAddr::from(([127, 0, 0, 1], 0))).await.unwrap();
        let refused = bind(taken.local_addr().unwrap()).await.unwrap_err().to_string();
        assert!(refused.contains("Stop what uses it"), "{refused}");
        let refused = bind(SocketAddr::from(([192, 0, 2, 1], 0))).await.unwrap_err().to_string();
        assert!(refused.contains("This machine has no such address"), "{refused}");
    }
}
