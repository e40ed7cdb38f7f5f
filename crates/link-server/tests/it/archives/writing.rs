//! Uploads, written in segments.

use std::sync::Arc;

use axum::http::StatusCode;
use link_domain::documents::archive::{ArchiveInput, SEGMENT_BYTES, Segment};
use link_domain::documents::document_reader::{FileContent, InspectError};
use link_server::uploads::{StoredContent, UploadEnd, UploadWriter};
use link_store::test_support::Backend;
use link_test_support::wait;
use link_types::archive::{FileFault, FileFormat};
use rstest::rstest;

use super::{Harness, bytes};
use crate::jobs::HeldFiles;

const SEGMENT: usize = SEGMENT_BYTES as usize;

async fn content(
    harness: &Harness,
    archive: &link_types::id::ArchiveId,
    file: &link_types::id::FileId,
) -> Vec<u8> {
    let mut content = StoredContent::open(&harness.app, archive, file).await.unwrap();
    let mut all = Vec::new();
    while let Some(piece) = content.next().await.unwrap() {
        assert!(piece.len() <= SEGMENT);
        all.extend(piece);
    }
    all
}

#[tokio::test]
async fn upload_in_odd_pieces_is_stored_whole_and_encrypted() {
    let harness = Harness::new(Backend::Sqlite).await;
    let whole = bytes(3 * SEGMENT + 77);
    let archive = harness.begin_archive().await;
    let file = harness.announce(&archive, whole.len()).await;
    let mut cuts = 0;
    let stored = loop {
        let mut writer = harness.writer(&archive, &file).await;
        let from = writer.received_bytes() as usize;
        assert_eq!(writer.size() as usize, whole.len());
        // Each connection sends just over half a segment, in chunks of an odd length.
        let until = whole.len().min(from + SEGMENT / 2 + 1_001);
        for piece in whole[from..until].chunks(7_919) {
            writer.append(piece).await.unwrap();
        }
        match writer.finish().await.unwrap() {
            UploadEnd::Partial { received } => assert_eq!(received as usize, until),
            UploadEnd::Complete(stored) => break stored,
            UploadEnd::Refused(fault) => panic!("{fault:?}"),
        }
        cuts += 1;
    };
    assert!(cuts > 4);
    assert_eq!(stored.sha256, crate::uploads::sha256(&whole));
    assert_eq!((stored.format, stored.pages), (FileFormat::Pdf, 1));
    assert_eq!(content(&harness, &archive, &file).await, whole);
    let objects = harness.objects(&archive).await;
    assert_eq!(objects.len(), 4, "replaced segments are deleted");
    for object in objects {
        let sealed = harness.app.ports.files.get(&object.name).await.unwrap();
        assert!(!sealed.windows(16).any(|window| window == &whole[1_000..1_016]));
        assert!(sealed.len() <= SEGMENT + 40);
    }
    harness.stop().await;
}

#[tokio::test]
async fn dropped_writer_loses_only_its_partial_segment() {
    let harness = Harness::new(Backend::Sqlite).await;
    let whole = bytes(2 * SEGMENT + 5);
    let archive = harness.begin_archive().await;
    let file = harness.announce(&archive, whole.len()).await;
    let mut writer = harness.writer(&archive, &file).await;
    writer.append(&whole[..2 * SEGMENT - 1]).await.unwrap();
    drop(writer);
    let mut writer = harness.writer(&archive, &file).await;
    assert_eq!(writer.received_bytes() as usize, SEGMENT);
    writer.append(&whole[SEGMENT..]).await.unwrap();
    assert!(matches!(writer.finish().await.unwrap(), UploadEnd::Complete(_)));
    assert_eq!(content(&harness, &archive, &file).await, whole);
    harness.stop().await;
}

#[rstest]
#[tokio::test]
async fn slower_of_two_writers_gets_a_conflict(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let harness = Harness::new(backend).await;
    let whole = bytes(2 * SEGMENT);
    let archive = harness.begin_archive().await;
    let file = harness.announce(&archive, whole.len()).await;
    let mut slow = harness.writer(&archive, &file).await;
    slow.append(&vec![0xff; SEGMENT - 1]).await.unwrap();
    let mut quick = harness.writer(&archive, &file).await;
    quick.append(&whole[..SEGMENT]).await.unwrap();
    let conflict = slow.append(&[0xff]).await.unwrap_err();
    assert_eq!(conflict.status(), StatusCode::CONFLICT);
    quick.append(&whole[SEGMENT..]).await.unwrap();
    assert!(matches!(quick.finish().await.unwrap(), UploadEnd::Complete(_)));
    assert_eq!(content(&harness, &archive, &file).await, whole);
    assert_eq!(harness.objects(&archive).await.len(), 2, "the slower writer leaves no objects");
    let late = UploadWriter::open(&harness.app, &harness.owner, &archive, &file).await.err().unwrap();
    assert_eq!(late.status(), StatusCode::CONFLICT);
    harness.stop().await;
}

#[tokio::test]
async fn bytes_beyond_announced_length_are_rejected() {
    let harness = Harness::new(Backend::Sqlite).await;
    let archive = harness.begin_archive().await;
    let file = harness.announce(&archive, 10).await;
    let mut writer = harness.writer(&archive, &file).await;
    writer.append(&[1; 10]).await.unwrap();
    assert_eq!(writer.append(&[1]).await.unwrap_err().status(), StatusCode::PAYLOAD_TOO_LARGE);
    harness.stop().await;
}

#[tokio::test]
async fn rejected_file_is_removed_with_its_bytes() {
    let harness = Harness::new(Backend::Sqlite).await;
    let refused = Err(InspectError::Refused(FileFault::Encrypted));
    harness.reader.inspections.lock().unwrap().push_front(refused);
    let archive = harness.begin_archive().await;
    let file = harness.announce(&archive, SEGMENT + 10).await;
    let mut writer = harness.writer(&archive, &file).await;
    writer.append(&bytes(SEGMENT + 10)).await.unwrap();
    assert_eq!(writer.finish().await.unwrap(), UploadEnd::Refused(FileFault::Encrypted));
    let left = harness.archive(&archive).await.unwrap();
    assert_eq!(left.uploading(&file), None);
    let gone = UploadWriter::open(&harness.app, &harness.owner, &archive, &file).await.err().unwrap();
    assert_eq!(gone.status(), StatusCode::NOT_FOUND);
    wait::until("its bytes are gone", async || harness.objects(&archive).await.is_empty()).await;
    harness.stop().await;
}

#[tokio::test]
async fn segment_written_after_discard_is_deleted() {
    let mut held = None;
    let harness = Harness::with_parts(Backend::Sqlite, |parts| {
        let files = HeldFiles::over(Arc::clone(&parts.ports.files), false);
        held = Some(Arc::clone(&files));
        parts.ports.files = files;
    })
    .await;
    let files = held.unwrap();
    let archive = harness.begin_archive().await;
    let file = harness.announce(&archive, 2 * SEGMENT).await;
    let mut writer = harness.writer(&archive, &file).await;
    let late = tokio::spawn(async move { writer.append(&bytes(SEGMENT)).await });
    files.until_begun(1).await;
    harness.act(&archive, || ArchiveInput::Discard).await;
    harness.until_job_tried(&format!("delete-orphans/{archive}")).await;
    files.open.send_replace(true);
    assert_eq!(late.await.unwrap().unwrap_err().status(), StatusCode::NOT_FOUND);
    assert_eq!(harness.objects(&archive).await.len(), 0);
    harness.stop().await;
}

#[tokio::test]
async fn last_segment_can_be_resent_if_reader_is_unavailable() {
    let harness = Harness::new(Backend::Sqlite).await;
    harness.reader.inspections.lock().unwrap().push_front(Err(InspectError::Unavailable));
    let whole = bytes(SEGMENT + 10);
    let archive = harness.begin_archive().await;
    let file = harness.announce(&archive, whole.len()).await;
    let mut writer = harness.writer(&archive, &file).await;
    writer.append(&whole).await.unwrap();
    assert_eq!(writer.finish().await.unwrap_err().status(), StatusCode::SERVICE_UNAVAILABLE);
    let mut writer = harness.writer(&archive, &file).await;
    assert_eq!(writer.received_bytes() as usize, SEGMENT);
    writer.append(&whole[SEGMENT..]).await.unwrap();
    assert!(matches!(writer.finish().await.unwrap(), UploadEnd::Complete(_)));
    assert_eq!(content(&harness, &archive, &file).await, whole);
    harness.stop().await;
}

#[tokio::test]
async fn tampered_segment_fails_to_decrypt() {
    let harness = Harness::new(Backend::Sqlite).await;
    let archive = harness.submit(&bytes(100)).await;
    let object = harness.objects(&archive).await.remove(0);
    let mut sealed = harness.app.ports.files.get(&object.name).await.unwrap();
    sealed[60] ^= 1;
    harness.app.ports.files.put(&object.name, sealed).await.unwrap();
    let file = harness.archive(&archive).await.unwrap().stored_files()[0].id.clone();
    let mut content = StoredContent::open(&harness.app, &archive, &file).await.unwrap();
    assert!(content.next().await.is_err());
    harness.stop().await;
}

#[test]
fn segment_folder_contains_the_archive_id() {
    let id = link_types::id::ArchiveId::from_bytes([1; 16]);
    assert_eq!(Segment::folder(&id), format!("archives/{id}"));
}
