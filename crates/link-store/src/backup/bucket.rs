//! Backups in a bucket: each is a folder of parts, and a list of them that is written last.
//!
//! Parts instead of one multipart upload: what a killed process leaves can be listed and removed.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufReader, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use link_domain::documents::file_store::{FileStore, FileStoreError};
use link_domain::kernel::clock::Wall;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use tempfile::TempPath;

use super::draft;
use super::error::BackupError;
use super::format::{FIRST_LINE, PortableReader};
use super::place::{open_bucket, time_at_end};
use super::thread::on_thread;
use crate::files::{FileSettings, ObjectFiles};

const PART_BYTES: u64 = 8 * 1024 * 1024;
/// The object that lists the parts. A backup without it is not complete.
const LIST: &str = "parts.json";
/// The number of backups that an error names.
const NAMED: usize = 3;
/// The maximum size of the list: more than that of a backup of 1 TB.
const MAX_LIST_BYTES: u64 = 16 * 1024 * 1024;
/// The maximum time between the reading of the rows and that in the name.
const MAX_SKEW: Duration = Duration::from_secs(300);
/// How long the next part of a bucket that is away is tried again, and the waits between.
const RETRY_TIMEOUT: Duration = Duration::from_secs(300);
const WAITS: (Duration, Duration) = (Duration::from_secs(1), Duration::from_secs(30));

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
    on_thread(run).await?.map_err(|source| BackupError::Unreadable { path: path.to_owned(), source })
}

/// Tries requests again while the bucket is away for some minutes.
struct Retries {
    began: Instant,
    wait: Duration,
}

impl Retries {
    fn new() -> Self {
        Self { began: Instant::now(), wait: WAITS.0 }
    }

    /// Waits before another attempt. Returns an error that lasts, and the last one.
    async fn wait(&mut self, error: FileStoreError) -> Result<(), FileStoreError> {
        let FileStoreError::Unavailable(cause) = &error else { return Err(error) };
        if self.began.elapsed() >= RETRY_TIMEOUT {
            return Err(error);
        }
        tracing::warn!(cause, "The bucket of backups is away. A part is tried again");
        tokio::time::sleep(self.wait).await;
        self.wait = (self.wait * 2).min(WAITS.1);
        Ok(())
    }
}

async fn put(files: &ObjectFiles, name: &str, bytes: &[u8]) -> Result<(), FileStoreError> {
    let mut retries = Retries::new();
    loop {
        match files.put(name, bytes.to_vec()).await {
            Ok(()) => return Ok(()),
            Err(error) => retries.wait(error).await?,
        }
    }
}

async fn get(files: &ObjectFiles, name: &str, bytes: u64) -> Result<Option<Vec<u8>>, FileStoreError> {
    let mut retries = Retries::new();
    loop {
        match files.get_at_most(name, bytes).await {
            Ok(found) => return Ok(found),
            Err(error) => retries.wait(error).await?,
        }
    }
}

/// Uploads a file to a new folder of a store.
pub(super) async fn upload(files: &ObjectFiles, folder: &str, draft: TempPath) -> Result<(), BackupError> {
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
        let (bytes, sha256) = (part.len() as u64, digest(&part));
        // A bucket that does not take the first part was never there.
        let done =
            if list.parts.is_empty() { files.put(&name, part).await } else { put(files, &name, &part).await };
        done.map_err(|error| describe_refusal(folder, error))?;
        list.parts.push(Part { bytes, sha256 });
    }
    let text = serde_json::to_vec(&list).map_err(|error| describe_damage(folder, &error))?;
    let name = format!("{folder}/{LIST}");
    put(files, &name, &text).await.map_err(|error| describe_refusal(folder, error))
}

/// Downloads a backup from a bucket to a temporary file in a folder, and checks the hash of each part. `name` is the
/// prefix and the name of the backup. Only portable backups are signed, so others are refused, and one of another time
/// than its name says.
///
/// # Errors
///
/// [`BackupError`] if the bucket has no complete backup of this name, refuses the service, or the folder has no space.
pub async fn fetch_backup(files: &FileSettings, name: &str, folder: &Path) -> Result<TempPath, BackupError> {
    let copy = download(&open_bucket(files, name)?, name, folder).await?;
    let (path, name) = (copy.to_path_buf(), name.to_owned());
    on_thread(move || check_header(&path, &name)).await??;
    Ok(copy)
}

/// Refuses a file that is not signed, or is another backup than its name says.
fn check_header(path: &Path, name: &str) -> Result<(), BackupError> {
    let unreadable = |source| BackupError::Unreadable { path: path.to_owned(), source };
    let mut file = BufReader::new(File::open(path).map_err(unreadable)?);
    let mut first = [0; FIRST_LINE.len()];
    if file.read_exact(&mut first).is_err() || first != *FIRST_LINE {
        return Err(describe_damage(name, &"it is not signed, as every backup in a bucket must be"));
    }
    let header = PortableReader::new(file).map_err(|error| describe_damage(name, &error))?.header;
    let skew = time_at_end(name).map(|at| Duration::from_micros(at.micros().abs_diff(header.created_at)));
    if skew.is_some_and(|it| it > MAX_SKEW) {
        return Err(describe_damage(name, &"it was written at another time than its name says"));
    }
    Ok(())
}

async fn download(files: &ObjectFiles, name: &str, folder: &Path) -> Result<TempPath, BackupError> {
    let list = match files.get_at_most(&format!("{name}/{LIST}"), MAX_LIST_BYTES).await {
        Ok(Some(list)) => list,
        Ok(None) => return Err(describe_damage(name, &"its list of parts is too long")),
        Err(FileStoreError::Missing) => {
            let mut found = complete(files, name).await?;
            found.sort_by_key(|it| time_at_end(it));
            let found = found.split_off(found.len().saturating_sub(NAMED));
            return Err(BackupError::NoBackup { place: name.to_owned(), found });
        }
        Err(error) => return Err(describe_refusal(name, error)),
    };
    let list: PartList = serde_json::from_slice(&list).map_err(|error| describe_damage(name, &error))?;
    if list.parts.iter().any(|it| it.bytes > PART_BYTES) {
        return Err(describe_damage(name, &"a part of it is too long"));
    }
    draft::check_space(folder, list.parts.iter().map(|it| it.bytes).sum())?;
    let draft = draft::create(folder).map_err(|error| draft::unwritable(folder, &error))?;
    let (mut file, path) = draft.into_parts();
    for (number, expected) in list.parts.iter().enumerate() {
        let object = part_name(name, number);
        let part = get(files, &object, expected.bytes).await;
        let part = part.map_err(|error| describe_refusal(name, error))?;
        let part = part.filter(|it| it.len() as u64 == expected.bytes && digest(it) == expected.sha256);
        let part = part.ok_or_else(|| describe_damage(name, &"a part does not match its hash"))?;
        file = on_disk(&path, move || file.write_all(&part).map(|()| file)).await?;
    }
    Ok(path)
}

fn describe_damage(name: &str, fault: &dyn std::fmt::Display) -> BackupError {
    BackupError::Damaged { path: PathBuf::from(name), fault: fault.to_string() }
}

/// Returns the backups in a part of a store: for each, its objects and when the newest was written.
async fn objects_of(
    files: &ObjectFiles,
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
pub(super) async fn complete(files: &ObjectFiles, prefix: &str) -> Result<Vec<String>, BackupError> {
    let found = objects_of(files, prefix).await?.into_iter();
    Ok(found.filter(|(_, (objects, _))| objects.iter().any(|it| it == LIST)).map(|(name, _)| name).collect())
}

/// Removes a backup: its list first, so that it is not complete any more.
pub(super) async fn remove(files: &ObjectFiles, folder: &str) -> Result<(), BackupError> {
    files.delete(&format!("{folder}/{LIST}")).await.map_err(|error| describe_refusal(folder, error))?;
    files.delete_many(folder).await.map_err(|error| describe_refusal(folder, error))
}

/// Removes incomplete backups whose newest object was written before a time.
pub(super) async fn remove_drafts(
    files: &ObjectFiles,
    prefix: &str,
    before: Wall,
    is_own: impl Fn(&str) -> bool,
) -> Result<(), BackupError> {
    for (name, (objects, newest)) in objects_of(files, prefix).await? {
        if newest < before && is_own(&name) && !objects.iter().any(|it| it == LIST) {
            let folder = format!("{prefix}/{name}");
            files.delete_many(&folder).await.map_err(|error| describe_refusal(&folder, error))?;
        }
    }
    Ok(())
}
