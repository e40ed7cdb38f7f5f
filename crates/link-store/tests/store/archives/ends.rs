//! Data that remains of a discarded or revoked archive.

use link_domain::documents::archive::{Archive, ArchiveInput, Segment};
use link_domain::documents::file_store::FileStore;
use link_store::test_support::{Backend, TestDatabase};
use link_store::{
    DataPointFilter, EventFilter, FileSettings, ObjectFiles, PageRequest, PageSize, StoreError,
};
use link_types::archive::ArchiveStatus;
use link_types::data::DataPointKind;
use rstest::rstest;

use super::{act, analyze, file_of, memory, revoke, upload};
use crate::sample::{self, context, owner};

#[rstest]
#[tokio::test]
async fn discarded_archive_leaves_no_row_and_no_key(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let (_database, store) = sample::open(backend).await;
    let user = sample::user(&store).await;
    let archive = upload(&store, &memory(), &user.id, "slip.pdf").await;
    let file = file_of(&archive);
    let id = archive.id.clone();
    act(&store, &archive.id, |_, _| ArchiveInput::Discard).await;
    let checked: Result<(), StoreError> = store
        .read(move |reader| {
            assert_eq!(reader.archives().get(&owner(), &id)?, None);
            assert_eq!(reader.files().holder_of(&file)?, None);
            assert_eq!(reader.files().objects_of(&id)?, [""; 0]);
            assert!(matches!(reader.files().key(&id), Err(StoreError::Erased)));
            let of_archive = EventFilter { subject: Some(id.as_str()), ..EventFilter::default() };
            assert_eq!(reader.events().list(&owner(), of_archive, &PageRequest::default())?.items.len(), 0);
            Ok(())
        })
        .await;
    checked.unwrap();
}

#[rstest]
#[tokio::test]
async fn revoked_archive_is_stripped_and_rejects_late_writes(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let (_database, store) = sample::open(backend).await;
    let user = sample::user(&store).await;
    let archive = analyze(&store, &memory(), &user.id, "slip.pdf", 3).await;
    let kept = analyze(&store, &memory(), &user.id, "kept.pdf", 3).await;
    let revoked = revoke(&store, &archive).await;
    let (id, kept_id) = (archive.id.clone(), kept.id);
    let checked: Result<(), StoreError> = store
        .read(move |reader| {
            let tombstone = reader.archives().get(&owner(), &id)?.expect("the tombstone stays");
            assert_eq!(tombstone, revoked);
            assert_eq!(tombstone.status(), Some(ArchiveStatus::Revoked));
            assert!(matches!(reader.files().key(&id), Err(StoreError::Erased)));
            assert_eq!(reader.files().objects_of(&id)?, [""; 0]);
            let all = PageRequest::first(PageSize::new(150)?);
            for (id, left) in [(&id, 0), (&kept_id, 3)] {
                let source = DataPointFilter { source: Some(id.as_str()), ..DataPointFilter::default() };
                let points =
                    reader.data_points().list(&owner(), DataPointKind::Transactions, source, &all)?;
                assert_eq!(points.items.len(), left);
                let subject = EventFilter { subject: Some(id.as_str()), ..EventFilter::default() };
                let events = reader.events().list(&owner(), subject, &all)?.items;
                let mut told = false;
                for event in &events {
                    let whole = reader.events().get(&owner(), &event.id)?.unwrap();
                    told |= String::from_utf8_lossy(whole.body(true)).contains("Salary number");
                }
                assert_eq!(told, left > 0);
                let finished = events.iter().filter(|it| it.event_type.as_str() == "TASK_FINISHED");
                assert_eq!(finished.count(), 1);
            }
            Ok(())
        })
        .await;
    checked.unwrap();
    // A node that read the archive before it was revoked, with a much newer version.
    let late = Archive { version: archive.version + 100, ..archive };
    let change = link_domain::change::Change::row(link_domain::change::Row::Archive(Box::new(late)));
    let result = store.write(move |tx| tx.apply(&change, context().now())).await;
    assert!(matches!(result, Err(StoreError::Erased)), "{result:?}");
}

#[tokio::test]
async fn no_file_holds_a_revoked_archives_key_or_content() {
    let database = TestDatabase::new(Backend::Sqlite);
    let store = database.open().await;
    let objects = database.folder().join("objects");
    let files = ObjectFiles::open(FileSettings::Folder(objects.clone())).unwrap();
    let user = sample::user(&store).await;
    let mut archives = Vec::new();
    for _ in 0..10 {
        archives.push(analyze(&store, &files, &user.id, "slip.pdf", 4).await);
    }
    let folder = database.files();
    let mut secrets: Vec<Vec<u8>> = Vec::new();
    let mut segments: Vec<Vec<u8>> = Vec::new();
    {
        let raw = rusqlite::Connection::open(folder.join("linchpin.db")).unwrap();
        for archive in &archives {
            for query in [
                "SELECT wrapped FROM scope_keys WHERE scope_id = ?1",
                "SELECT body FROM archives WHERE id = ?1",
                "SELECT body FROM data_points WHERE scope_id = ?1 LIMIT 1",
                "SELECT with_payload FROM events WHERE scope_id = ?1 AND with_payload IS NOT NULL",
            ] {
                secrets.push(raw.query_row(query, [archive.id.as_str()], |row| row.get(0)).unwrap());
            }
            for object in files.list(&Segment::folder(&archive.id)).await.unwrap() {
                segments.push(files.get(&object.name).await.unwrap());
            }
        }
    }
    assert_eq!(segments.len(), 20);
    let zeros = vec![b'0'; 32];
    assert!(
        !crate::erasure::holds(database.folder(), &zeros),
        "uploaded bytes are never written unencrypted"
    );
    // A part from the middle of each, because a page may split a long value.
    let pieces: Vec<&[u8]> = secrets.iter().chain(&segments).map(|secret| &secret[24..56]).collect();
    assert!(pieces.iter().all(|piece| crate::erasure::holds(database.folder(), piece)));
    for archive in &archives {
        revoke(&store, archive).await;
        // The revocation's job does this.
        files.delete_all(&Segment::folder(&archive.id)).await.unwrap();
    }
    for piece in pieces {
        assert!(!crate::erasure::holds(database.folder(), piece));
    }
}
