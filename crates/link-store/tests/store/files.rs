//! File stores: objects can be written, read, listed and deleted.

use link_domain::documents::file_store::{FileStore, FileStoreError};
use link_store::{FileSettings, ObjectFiles};

async fn check_file_store(files: &dyn FileStore) {
    let begun = crate::sample::wall();
    files.put("archives/a/f/00000-1", b"one".to_vec()).await.unwrap();
    files.put("archives/a/f/00001-2", b"two".to_vec()).await.unwrap();
    files.put("archives/ab/f/00000-3", b"other".to_vec()).await.unwrap();
    assert_eq!(files.get("archives/a/f/00000-1").await.unwrap(), b"one");
    files.put("archives/a/f/00000-1", b"new".to_vec()).await.unwrap();
    assert_eq!(files.get("archives/a/f/00000-1").await.unwrap(), b"new");
    let mut listed = files.list("archives/a").await.unwrap();
    listed.sort_by(|one, other| one.name.cmp(&other.name));
    let names: Vec<&str> = listed.iter().map(|object| object.name.as_str()).collect();
    assert_eq!(names, ["archives/a/f/00000-1", "archives/a/f/00001-2"]);
    // Stores report times in seconds.
    let second = std::time::Duration::from_secs(1);
    assert!(listed.iter().all(|object| object.written_at + second >= begun));
    files.delete("archives/a/f/00001-2").await.unwrap();
    files.delete("archives/a/f/00001-2").await.unwrap();
    assert_eq!(files.get("archives/a/f/00001-2").await, Err(FileStoreError::Missing));
    files.delete_all("archives/a").await.unwrap();
    files.delete_all("archives/a").await.unwrap();
    assert_eq!(files.list("archives/a").await.unwrap(), []);
    assert_eq!(files.get("archives/ab/f/00000-3").await.unwrap(), b"other");
}

#[tokio::test]
async fn folder_stores_files() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("files");
    let files = ObjectFiles::open(FileSettings::Folder(path.clone())).unwrap();
    check_file_store(&files).await;
    use std::os::unix::fs::PermissionsExt as _;
    assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o700);
}

#[tokio::test]
async fn missing_volume_is_not_mistaken_for_missing_files() {
    let folder = tempfile::tempdir().unwrap();
    let (path, away) = (folder.path().join("files"), folder.path().join("away"));
    let files = ObjectFiles::open(FileSettings::Folder(path.clone())).unwrap();
    files.put("archives/a/f/00000-1", b"one".to_vec()).await.unwrap();
    // The mount point without its volume.
    std::fs::rename(&path, &away).unwrap();
    std::fs::create_dir(&path).unwrap();
    let is_refused =
        |error: FileStoreError| matches!(error, FileStoreError::Refused { code, .. } if code == "ENOENT");
    assert!(is_refused(files.get("archives/a/f/00000-1").await.unwrap_err()));
    assert!(is_refused(files.put("archives/a/f/00001-2", b"two".to_vec()).await.unwrap_err()));
    std::fs::remove_dir(&path).unwrap();
    std::fs::rename(&away, &path).unwrap();
    assert_eq!(files.get("archives/a/f/00000-1").await.unwrap(), b"one");
}

#[tokio::test]
async fn folder_in_use_is_opened_without_a_write() {
    let folder = tempfile::tempdir().unwrap();
    let settings = FileSettings::Folder(folder.path().to_owned());
    drop(ObjectFiles::open(settings.clone()).unwrap());
    let marker = folder.path().join("linchpin-files");
    std::fs::write(&marker, "as it was").unwrap();
    drop(ObjectFiles::open(settings).unwrap());
    // The folder may be read-only. Root, which runs some tests, could write it nevertheless.
    assert_eq!(std::fs::read_to_string(&marker).unwrap(), "as it was");
}

#[tokio::test]
async fn memory_stores_files() {
    check_file_store(&ObjectFiles::open(FileSettings::Memory).unwrap()).await;
}

#[tokio::test]
async fn partial_write_is_deleted_with_its_archive() {
    let folder = tempfile::tempdir().unwrap();
    let files = ObjectFiles::open(FileSettings::Folder(folder.path().to_owned())).unwrap();
    files.put("archives/a/f/00000-1", b"one".to_vec()).await.unwrap();
    let draft = folder.path().join("archives/a/f/00001-2#1");
    std::fs::write(&draft, "half").unwrap();
    assert_eq!(files.list("archives/a").await.unwrap().len(), 1, "a temporary file is not an object");
    files.delete_all("archives/a").await.unwrap();
    assert!(!draft.exists() && !folder.path().join("archives/a").exists());
}
