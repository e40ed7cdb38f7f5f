//! Places that keep backups: folders and buckets. A folder takes the place of a bucket, through the same port.

use std::path::{Path, PathBuf};
use std::time::{Duration, UNIX_EPOCH};

use link_domain::kernel::clock::Wall;
use link_store::test_support::{Backend, TestDatabase};
use link_store::{
    BackupError, BackupForm, BackupPlace, BackupTarget, FileSettings, KeyFiles, Store, StoreSettings,
    StoredBackup,
};

use sha2::{Digest as _, Sha256};

use crate::sample::{self, wall};

const PREFIX: &str = "company/linchpin";
const SERIES: &str = "0a1b2c3d";
const HOUR: Duration = Duration::from_secs(3_600);

fn keys(database: &TestDatabase) -> KeyFiles {
    match database.settings() {
        StoreSettings::Sqlite { keys, .. } | StoreSettings::Postgres { keys, .. } => keys,
        StoreSettings::Ephemeral => panic!("no keys"),
    }
}

/// A service whose backups are in a place.
struct Kept {
    database: TestDatabase,
    store: Store,
    place: BackupPlace,
    files: FileSettings,
}

impl Kept {
    async fn new(target: impl FnOnce(PathBuf) -> BackupTarget) -> Self {
        let (database, store) = sample::open(Backend::Sqlite).await;
        let folder = database.folder().join("place");
        std::fs::create_dir(&folder).unwrap();
        let files = FileSettings::Folder(folder.clone());
        let place = BackupPlace::open(&target(folder), &keys(&database), Some(SERIES)).unwrap();
        Self { database, store, place, files }
    }

    async fn in_folder() -> Self {
        Self::new(BackupTarget::Folder).await
    }

    async fn in_bucket() -> Self {
        let bucket =
            |folder| BackupTarget::Bucket { files: FileSettings::Folder(folder), prefix: PREFIX.to_owned() };
        Self::new(bucket).await
    }

    fn folder(&self) -> PathBuf {
        self.database.folder().join("place")
    }

    async fn back_up(&self, at: Wall) -> StoredBackup {
        let draft = self.place.draft(self.database.folder()).await.unwrap();
        self.store.back_up(draft.to_path_buf(), BackupForm::Portable, at).await.unwrap();
        let verified = link_store::verify(&keys(&self.database), &draft, at).unwrap();
        self.place.keep(draft, &verified.master_key, at).await.unwrap()
    }
}

/// Returns the paths of all files below a folder.
fn files_below(folder: &Path) -> Vec<PathBuf> {
    let paths = std::fs::read_dir(folder).unwrap().map(|it| it.unwrap().path());
    paths.flat_map(|path| if path.is_dir() { files_below(&path) } else { vec![path] }).collect()
}

fn part(kept: &Kept, backup: &StoredBackup, name: &str) -> PathBuf {
    kept.folder().join(PREFIX).join(&backup.name).join(name)
}

#[tokio::test]
async fn backups_are_listed_by_age_and_removed_alone() {
    for kept in [Kept::in_folder().await, Kept::in_bucket().await] {
        let newer = kept.back_up(wall()).await;
        let older = kept.back_up(wall() - HOUR).await;
        assert_eq!(kept.place.list().await.unwrap(), [older.clone(), newer.clone()]);
        kept.place.remove(&older).await.unwrap();
        assert_eq!(kept.place.list().await.unwrap(), std::slice::from_ref(&newer));
        let left = files_below(&kept.folder());
        assert!(!left.iter().any(|it| it.to_string_lossy().contains(&older.name)), "{left:?}");
        assert_eq!(files_below(kept.database.folder()).iter().filter(|it| is_draft(it)).count(), 0);
    }
}

#[tokio::test]
async fn backup_is_named_after_the_key_in_its_header() {
    for kept in [Kept::in_folder().await, Kept::in_bucket().await] {
        // The place was opened with the first key.
        let rotated = kept.store.rotate_master_key(wall()).await.unwrap();
        let backup = kept.back_up(wall()).await;
        assert!(backup.name.starts_with(&format!("linchpin-{}-", rotated.new)), "{backup:?}");
        let place = kept.place.with_earlier_keys(vec![rotated.old, rotated.new]);
        assert_eq!(place.list().await.unwrap(), [backup]);
    }
}

fn is_draft(path: &Path) -> bool {
    path.to_string_lossy().contains(".linchpin-backup-")
}

#[tokio::test]
async fn other_files_and_other_services_are_not_listed() {
    let kept = Kept::in_folder().await;
    let backup = kept.back_up(wall()).await;
    let like = |name: String| kept.folder().join(name);
    // A file with the right name, a backup with the name of another service, and a folder.
    let time = &backup.name[backup.name.len() - "2026-11-27T03-00-00Z.backup".len()..];
    let (start, _) = backup.name.split_at(backup.name.len() - time.len());
    std::fs::write(like(format!("{start}2026-01-01T00-00-00Z.backup")), "Linchpin backup 1\nnot really")
        .unwrap();
    let own = like(backup.name.clone());
    std::fs::copy(&own, like(format!("linchpin-0123456789abcdef-{time}"))).unwrap();
    std::fs::copy(&own, like("copy.backup".to_owned())).unwrap();
    assert_eq!(kept.place.list().await.unwrap(), [backup]);

    let (other, _store) = sample::open(Backend::Sqlite).await;
    let place = BackupPlace::open(&BackupTarget::Folder(kept.folder()), &keys(&other), Some(SERIES)).unwrap();
    assert_eq!(place.list().await.unwrap(), []);
}

#[tokio::test]
async fn copy_of_a_database_has_other_backups() {
    for kept in [Kept::in_folder().await, Kept::in_bucket().await] {
        let backup = kept.back_up(wall()).await;
        assert!(backup.name.contains(SERIES), "{backup:?}");
        let folder = kept.folder();
        let target = match &kept.place.list().await.unwrap()[0].name {
            name if name.ends_with(".backup") => BackupTarget::Folder(folder),
            _ => BackupTarget::Bucket { files: kept.files.clone(), prefix: PREFIX.to_owned() },
        };
        for series in [None, Some("ffffffff")] {
            let place = BackupPlace::open(&target, &keys(&kept.database), series).unwrap();
            assert_eq!(place.list().await.unwrap(), [], "{series:?}");
        }
    }
}

#[tokio::test]
async fn folder_without_its_mark_is_refused_after_a_backup() {
    let kept = Kept::in_folder().await;
    assert!(!link_store::is_marked(&kept.folder()));
    let refused = kept.place.mark(true).await.unwrap_err();
    assert_eq!(refused.code(), "NoMarker", "{refused}");
    kept.place.mark(false).await.unwrap();
    kept.place.mark(true).await.unwrap();
    assert!(link_store::is_marked(&kept.folder()));
}

#[tokio::test]
async fn fetched_backup_has_the_bytes_that_were_uploaded() {
    let kept = Kept::in_bucket().await;
    for _ in 0..3 {
        sample::user(&kept.store).await;
    }
    let backup = kept.back_up(wall()).await;
    let name = format!("{PREFIX}/{}", backup.name);
    let copy = link_store::fetch_backup(&kept.files, &name, kept.database.folder()).await.unwrap();
    let verified = link_store::verify(&keys(&kept.database), &copy, wall()).unwrap();
    assert_eq!(verified.tables.iter().find(|it| it.table == "users").unwrap().rows, 3);
    let path = copy.to_path_buf();
    drop(copy);
    assert!(!path.exists(), "the copy is temporary");
}

#[tokio::test]
async fn upload_without_its_list_is_not_a_backup() {
    let kept = Kept::in_bucket().await;
    let backup = kept.back_up(wall() - HOUR).await;
    std::fs::remove_file(part(&kept, &backup, "parts.json")).unwrap();
    assert_eq!(kept.place.list().await.unwrap(), []);
    let name = format!("{PREFIX}/{}", backup.name);
    let refused = link_store::fetch_backup(&kept.files, &name, kept.database.folder()).await;
    assert!(matches!(refused, Err(BackupError::NoBackup { .. })), "{refused:?}");

    // The upload may still run for an hour.
    kept.place.remove_drafts(wall()).await.unwrap();
    assert!(part(&kept, &backup, "part-000000").exists());
    let whole = kept.back_up(wall()).await;
    std::fs::create_dir_all(kept.folder().join(PREFIX).join("others")).unwrap();
    std::fs::write(kept.folder().join(PREFIX).join("others/file"), "").unwrap();
    kept.place.remove_drafts(wall() + 2 * HOUR).await.unwrap();
    assert!(!part(&kept, &backup, "part-000000").exists());
    assert!(part(&kept, &whole, "part-000000").exists(), "complete backups stay");
    assert!(kept.folder().join(PREFIX).join("others/file").exists(), "the files of others stay");
}

#[tokio::test]
async fn changed_part_is_refused() {
    let kept = Kept::in_bucket().await;
    let backup = kept.back_up(wall()).await;
    let path = part(&kept, &backup, "part-000000");
    let mut bytes = std::fs::read(&path).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    std::fs::write(&path, bytes).unwrap();
    let name = format!("{PREFIX}/{}", backup.name);
    let refused = link_store::fetch_backup(&kept.files, &name, kept.database.folder()).await;
    assert!(matches!(refused, Err(BackupError::Damaged { .. })), "{refused:?}");
}

/// Writes a file to the bucket as a backup with a name.
fn put(kept: &Kept, name: &str, content: &[u8]) {
    let folder = kept.folder().join(PREFIX).join(name);
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("part-000000"), content).unwrap();
    let sha256 = base16ct::lower::encode_string(&Sha256::digest(content));
    let list = serde_json::json!({ "parts": [{ "bytes": content.len(), "sha256": sha256 }] });
    std::fs::write(folder.join("parts.json"), list.to_string()).unwrap();
}

#[tokio::test]
async fn unsigned_or_exchanged_backup_is_refused() {
    let kept = Kept::in_bucket().await;
    let backup = kept.back_up(wall()).await;
    let fetch = async |name: &str| {
        let name = format!("{PREFIX}/{name}");
        link_store::fetch_backup(&kept.files, &name, kept.database.folder()).await.map(drop)
    };
    fetch(&backup.name).await.unwrap();
    let own = std::fs::read(part(&kept, &backup, "part-000000")).unwrap();
    let older = "linchpin-0123456789abcdef-0a1b2c3d-2026-01-01T00-00-00Z";
    put(&kept, older, &own);
    let refused = fetch(older).await.unwrap_err();
    assert!(refused.to_string().contains("another time"), "{refused}");
    put(&kept, older, b"SQLite format 3\0 and so on");
    let refused = fetch(older).await.unwrap_err();
    assert!(refused.to_string().contains("not signed"), "{refused}");
}

#[tokio::test]
async fn part_of_another_size_is_not_read() {
    let kept = Kept::in_bucket().await;
    let backup = kept.back_up(wall()).await;
    let path = part(&kept, &backup, "part-000000");
    let mut bytes = std::fs::read(&path).unwrap();
    bytes.push(0);
    std::fs::write(&path, bytes).unwrap();
    let name = format!("{PREFIX}/{}", backup.name);
    let refused = link_store::fetch_backup(&kept.files, &name, kept.database.folder()).await;
    assert!(matches!(refused, Err(BackupError::Damaged { .. })), "{refused:?}");
    std::fs::File::create(part(&kept, &backup, "parts.json")).unwrap().set_len(1 << 30).unwrap();
    let refused = link_store::fetch_backup(&kept.files, &name, kept.database.folder()).await.unwrap_err();
    assert!(refused.to_string().contains("too long"), "{refused}");
}

#[tokio::test]
async fn name_of_a_whole_prefix_lists_its_backups() {
    let kept = Kept::in_bucket().await;
    let backup = kept.back_up(wall()).await;
    let refused = link_store::fetch_backup(&kept.files, PREFIX, kept.database.folder()).await.unwrap_err();
    assert!(refused.to_string().contains(&backup.name), "{refused}");
}

#[tokio::test]
async fn next_backup_removes_what_a_killed_one_left() {
    let kept = Kept::in_folder().await;
    let [old, young] = ["old", "young"].map(|it| kept.folder().join(format!(".linchpin-backup-{it}")));
    for path in [&old, &young] {
        std::fs::write(path, "part of a backup").unwrap();
    }
    let unrelated = kept.folder().join("old");
    std::fs::write(&unrelated, "").unwrap();
    for path in [&old, &unrelated] {
        std::fs::File::open(path).unwrap().set_modified(UNIX_EPOCH).unwrap();
    }
    kept.back_up(wall()).await;
    assert!(!old.exists() && young.exists() && unrelated.exists());
}

#[tokio::test]
async fn folder_that_is_away_is_named() {
    let kept = Kept::in_folder().await;
    std::fs::remove_dir(kept.folder()).unwrap();
    let draft = kept.place.draft(kept.database.folder()).await.unwrap();
    let written = kept.store.back_up(draft.to_path_buf(), BackupForm::Portable, wall()).await;
    let refused = written.unwrap_err();
    assert_eq!(refused.code(), "Unwritable");
    assert!(refused.to_string().contains("place"), "{refused}");
}
