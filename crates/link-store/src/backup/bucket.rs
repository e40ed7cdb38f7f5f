//! Backups in a bucket: each is a folder of parts, and a list of them that is written last.
//!
//! Parts instead of one multipart upload: what a killed process leaves can be listed and removed.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};

use link_domain::documents::file_store::{FileStore, FileStoreError};
use link_domain::kernel::clock::Wall;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use tempfile::TempPath;
use tokio::task::spawn_blocking;

use super::draft;
use super::error::BackupError;
use crate::StoreError;
use crate::files::{FileSettings, ObjectFiles};

const PART_BYTES: u64 = 8 * 1024 * 1024;
/// The object that lists the parts. A backup without it is not complete.
const LIST: &str = "parts.json";
/// The number of backups that an error names.
const NAMED: usize = 3;

#[derive(Serialize, Deserialize)]
struct PartList {
    parts: Vec<Part>,
}

#[derive(Serialize, Deserialize)]
struct Part {
    bytes: u64,
    sha256: String,
}

fn describe_refusal(place: &str, source: FileStoreError) -> BackupError {
    BackupError::Place { place: place.to_owned(), source }
}

fn part_name(folder: &str, number: usize) -> String {
    format!("{folder}/part-{number:06}")
}

fn digest(part: &[u8]) -> String {
    base16ct::lower::encode_string(&Sha256::digest(part))
}

/// Runs a closure that uses the disk.
async fn on_disk<T: Send + 'static>(
    path: &Path,
    run: impl FnOnce() -> std::io::Result<T> + Send + 'static,
) -> Result<T, BackupError> {
    let done = spawn_blocking(run).await.map_err(|_| StoreError::Panicked)?;
    done.map_err(|source| BackupError::Unreadable { path: path.to_owned(), source })
}

/// Uploads a file to a new folder of a store.
pub(super) async fn upload(files: &dyn FileStore, folder: &str, draft: TempPath) -> Result<(), BackupError> {
    let path: PathBuf = draft.to_path_buf();
    let opened = path.clone();
    let mut file = on_disk(&path, move || File::open(opened)).await?;
    // The file is open. Without its name, a kill from here on leaves no copy on this disk.
    drop(draft);
    let mut list = PartList { parts: Vec::new() };
    loop {
        let (read, part) = on_disk(&path, move || {
            let mut part = Vec::new();
            (&mut file).take(PART_BYTES).read_to_end(&mut part)?;
            Ok((file, part))
        })
        .await?;
        file = read;
        if part.is_empty() {
            break;
        }
        let name = part_name(folder, list.parts.len());
        list.parts.push(Part { bytes: part.len() as u64, sha256: digest(&part) });
        files.put(&name, part).await.map_err(|error| describe_refusal(folder, error))?;
    }
    let text = serde_json::to_vec(&list).map_err(|error| describe_damage(folder, &error))?;
    files.put(&format!("{folder}/{LIST}"), text).await.map_err(|error| describe_refusal(folder, error))
}

/// Downloads a backup from a bucket to a temporary file in a folder, and checks the hash of each part. `name` is the
/// prefix and the name of the backup.
///
/// # Errors
///
/// [`BackupError`] if the bucket has no complete backup of this name, refuses the service, or the folder has no space.
pub async fn fetch_backup(files: &FileSettings, name: &str, folder: &Path) -> Result<TempPath, BackupError> {
    let files = ObjectFiles::open(files.clone()).map_err(|error| describe_refusal(name, error))?;
    download(&files, name, folder).await
}

pub(super) async fn download(
    files: &dyn FileStore,
    name: &str,
    folder: &Path,
) -> Result<TempPath, BackupError> {
    let list = match files.get(&format!("{name}/{LIST}")).await {
        Ok(list) => list,
        Err(FileStoreError::Missing) => {
            let mut found = complete(files, name).await?;
            found.sort();
            let found = found.split_off(found.len().saturating_sub(NAMED));
            return Err(BackupError::NoBackup { place: name.to_owned(), found });
        }
        Err(error) => return Err(describe_refusal(name, error)),
    };
    let list: PartList = serde_json::from_slice(&list).map_err(|error| describe_damage(name, &error))?;
    draft::check_space(folder, list.parts.iter().map(|it| it.bytes).sum())?;
    let draft = draft::create(folder).map_err(|error| draft::unwritable(folder, &error))?;
    let (mut file, path) = draft.into_parts();
    for (number, expected) in list.parts.iter().enumerate() {
        let part =
            files.get(&part_name(name, number)).await.map_err(|error| describe_refusal(name, error))?;
        if part.len() as u64 != expected.bytes || digest(&part) != expected.sha256 {
            return Err(describe_damage(name, &"a part does not match its hash"));
        }
        file = on_disk(&path, move || file.write_all(&part).map(|()| file)).await?;
    }
    Ok(path)
}

fn describe_damage(name: &str, fault: &dyn std::fmt::Display) -> BackupError {
    BackupError::Damaged { path: PathBuf::from(name), fault: fault.to_string() }
}

/// Returns the backups in a part of a store: for each, its objects and when the newest was written.
async fn objects_of(
    files: &dyn FileStore,
    prefix: &str,
) -> Result<BTreeMap<String, (Vec<String>, Wall)>, BackupError> {
    let mut found: BTreeMap<String, (Vec<String>, Wall)> = BTreeMap::new();
    for object in files.list(prefix).await.map_err(|error| describe_refusal(prefix, error))? {
        let below = object.name.strip_prefix(prefix).and_then(|it| it.strip_prefix('/'));
        let Some((backup, name)) = below.and_then(|it| it.split_once('/')) else { continue };
        let first = || (Vec::new(), object.written_at);
        let (objects, newest) = found.entry(backup.to_owned()).or_insert_with(first);
        objects.push(name.to_owned());
        *newest = (*newest).max(object.written_at);
    }
    Ok(found)
}

/// Returns the names of the complete backups.
pub(super) async fn complete(files: &dyn FileStore, prefix: &str) -> Result<Vec<String>, BackupError> {
    let found = objects_of(files, prefix).await?.into_iter();
    Ok(found.filter(|(_, (objects, _))| objects.iter().any(|it| it == LIST)).map(|(name, _)| name).collect())
}

/// Removes a backup: its list first, so that it is not complete any more.
pub(super) async fn remove(files: &dyn FileStore, folder: &str) -> Result<(), BackupError> {
    files.delete(&format!("{folder}/{LIST}")).await.map_err(|error| describe_refusal(folder, error))?;
    files.delete_all(folder).await.map_err(|error| describe_refusal(folder, error))
}

/// Removes incomplete backups whose newest object was written before a time.
pub(super) async fn remove_drafts(
    files: &dyn FileStore,
    prefix: &str,
    before: Wall,
    is_own: impl Fn(&str) -> bool,
) -> Result<(), BackupError> {
    for (name, (objects, newest)) in objects_of(files, prefix).await? {
        if newest < before && is_own(&name) && !objects.iter().any(|it| it == LIST) {
            let folder = format!("{prefix}/{name}");
            files.delete_all(&folder).await.map_err(|error| describe_refusal(&folder, error))?;
        }
    }
    Ok(())
}
