//! Uploads, written segment by segment.

use std::sync::Arc;

use axum::http::StatusCode;
use link_domain::archive::{ArchiveInput, SEGMENT_BYTES, Segment};
use link_domain::ports::{FileContent, InspectFault};
use link_server::uploads::{StoredContent, UploadEnd, UploadWriter};
use link_store::test_support::Backend;
use link_types::archive::{FileFault, FileFormat};

use super::{Bench, bytes};
use crate::held_files::HeldFiles;

const SEGMENT: usize = SEGMENT_BYTES as usize;

async fn content(
    bench: &Bench,
    archive: &link_types::id::ArchiveId,
    file: &link_types::id::FileId,
) -> Vec<u8> {
    let mut content = StoredContent::open(&bench.app, archive, file).await.unwrap();
    let mut all = Vec::new();
    while let Some(piece) = content.next().await.unwrap() {
        assert!(piece.len() <= SEGMENT);
        all.extend(piece);
    }
    all
}

#[tokio::test]
async fn a_file_that_comes_in_odd_pieces_over_cuts_is_whole_and_sealed() {
    for backend in Backend::ALL {
        let bench = Bench::new(backend).await;
        let whole = bytes(3 * SEGMENT + 77);
        let archive = bench.begun().await;
        let file = bench.announced(&archive, whole.len()).await;
        let mut cuts = 0;
        let stored = loop {
            let mut writer = bench.writer(&archive, &file).await;
            let from = writer.received() as usize;
            assert_eq!(writer.size() as usize, whole.len());
            // Each connection brings a little more than half a segment, in pieces of an odd length.
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
        assert_eq!(content(&bench, &archive, &file).await, whole);
        let objects = bench.objects(&archive).await;
        assert_eq!(objects.len(), 4, "what was written anew is gone");
        for object in objects {
            let sealed = bench.app.files().get(&object.name).await.unwrap();
            assert!(!sealed.windows(16).any(|window| window == &whole[1_000..1_016]));
            assert!(sealed.len() <= SEGMENT + 40);
        }
        bench.stop().await;
    }
}

#[tokio::test]
async fn a_writer_that_is_dropped_loses_what_it_had_not_written_and_nothing_else() {
    for backend in Backend::ALL {
        let bench = Bench::new(backend).await;
        let whole = bytes(2 * SEGMENT + 5);
        let archive = bench.begun().await;
        let file = bench.announced(&archive, whole.len()).await;
        let mut writer = bench.writer(&archive, &file).await;
        writer.append(&whole[..2 * SEGMENT - 1]).await.unwrap();
        drop(writer);
        let mut writer = bench.writer(&archive, &file).await;
        assert_eq!(writer.received() as usize, SEGMENT);
        writer.append(&whole[SEGMENT..]).await.unwrap();
        assert!(matches!(writer.finish().await.unwrap(), UploadEnd::Complete(_)));
        assert_eq!(content(&bench, &archive, &file).await, whole);
        bench.stop().await;
    }
}

#[tokio::test]
async fn of_two_writers_of_one_file_the_slower_one_changes_nothing() {
    for backend in Backend::ALL {
        let bench = Bench::new(backend).await;
        let whole = bytes(2 * SEGMENT);
        let archive = bench.begun().await;
        let file = bench.announced(&archive, whole.len()).await;
        let mut slow = bench.writer(&archive, &file).await;
        slow.append(&vec![0xff; SEGMENT - 1]).await.unwrap();
        let mut quick = bench.writer(&archive, &file).await;
        quick.append(&whole[..SEGMENT]).await.unwrap();
        let conflict = slow.append(&[0xff]).await.unwrap_err();
        assert_eq!(conflict.status(), StatusCode::CONFLICT);
        quick.append(&whole[SEGMENT..]).await.unwrap();
        assert!(matches!(quick.finish().await.unwrap(), UploadEnd::Complete(_)));
        assert_eq!(content(&bench, &archive, &file).await, whole);
        assert_eq!(bench.objects(&archive).await.len(), 2, "nothing of the slower one stays");
        let late = UploadWriter::open(&bench.app, &bench.owner, &archive, &file).await.err().unwrap();
        assert_eq!(late.status(), StatusCode::CONFLICT);
        bench.stop().await;
    }
}

#[tokio::test]
async fn more_bytes_than_were_announced_are_refused() {
    let bench = Bench::new(Backend::Sqlite).await;
    let archive = bench.begun().await;
    let file = bench.announced(&archive, 10).await;
    let mut writer = bench.writer(&archive, &file).await;
    writer.append(&[1; 10]).await.unwrap();
    assert_eq!(writer.append(&[1]).await.unwrap_err().status(), StatusCode::PAYLOAD_TOO_LARGE);
    bench.stop().await;
}

#[tokio::test]
async fn a_file_that_is_refused_goes_with_its_bytes() {
    for backend in Backend::ALL {
        let bench = Bench::new(backend).await;
        let refused = Err(InspectFault::Refused(FileFault::Encrypted));
        bench.reader.inspections.lock().unwrap().push_front(refused);
        let archive = bench.begun().await;
        let file = bench.announced(&archive, SEGMENT + 10).await;
        let mut writer = bench.writer(&archive, &file).await;
        writer.append(&bytes(SEGMENT + 10)).await.unwrap();
        assert_eq!(writer.finish().await.unwrap(), UploadEnd::Refused(FileFault::Encrypted));
        let left = bench.archive(&archive).await.unwrap();
        assert_eq!(left.uploading(&file), None);
        let gone = UploadWriter::open(&bench.app, &bench.owner, &archive, &file).await.err().unwrap();
        assert_eq!(gone.status(), StatusCode::NOT_FOUND);
        bench.until("its bytes are gone", || async { bench.objects(&archive).await.is_empty() }).await;
        bench.stop().await;
    }
}

#[tokio::test]
async fn a_segment_that_comes_after_its_archive_ended_is_taken_back() {
    let mut held = None;
    let bench = Bench::of(Backend::Sqlite, |parts| {
        let files = HeldFiles::over(Arc::clone(&parts.files), false);
        held = Some(Arc::clone(&files));
        parts.files = files;
    })
    .await;
    let files = held.unwrap();
    let archive = bench.begun().await;
    let file = bench.announced(&archive, 2 * SEGMENT).await;
    let mut writer = bench.writer(&archive, &file).await;
    let late = tokio::spawn(async move { writer.append(&bytes(SEGMENT)).await });
    files.until_begun(1).await;
    bench.act(&archive, || ArchiveInput::Discard).await;
    bench.until_job_tried(&format!("sweep/{archive}")).await;
    files.open.send_replace(true);
    assert_eq!(late.await.unwrap().unwrap_err().status(), StatusCode::NOT_FOUND);
    assert_eq!(bench.objects(&archive).await.len(), 0);
    bench.stop().await;
}

#[tokio::test]
async fn while_the_reader_is_away_the_last_segment_can_be_sent_again() {
    for backend in Backend::ALL {
        let bench = Bench::new(backend).await;
        bench.reader.inspections.lock().unwrap().push_front(Err(InspectFault::Unavailable));
        let whole = bytes(SEGMENT + 10);
        let archive = bench.begun().await;
        let file = bench.announced(&archive, whole.len()).await;
        let mut writer = bench.writer(&archive, &file).await;
        writer.append(&whole).await.unwrap();
        assert_eq!(writer.finish().await.unwrap_err().status(), StatusCode::SERVICE_UNAVAILABLE);
        let mut writer = bench.writer(&archive, &file).await;
        assert_eq!(writer.received() as usize, SEGMENT);
        writer.append(&whole[SEGMENT..]).await.unwrap();
        assert!(matches!(writer.finish().await.unwrap(), UploadEnd::Complete(_)));
        assert_eq!(content(&bench, &archive, &file).await, whole);
        bench.stop().await;
    }
}

#[tokio::test]
async fn a_segment_that_was_changed_outside_does_not_open() {
    let bench = Bench::new(Backend::Sqlite).await;
    let archive = bench.submitted(&bytes(100)).await;
    let object = bench.objects(&archive).await.remove(0);
    let mut sealed = bench.app.files().get(&object.name).await.unwrap();
    sealed[60] ^= 1;
    bench.app.files().put(&object.name, sealed).await.unwrap();
    let file = bench.archive(&archive).await.unwrap().stored_files()[0].id.clone();
    let mut content = StoredContent::open(&bench.app, &archive, &file).await.unwrap();
    assert!(content.next().await.is_err());
    bench.stop().await;
}

#[test]
fn a_segment_is_named_after_its_archive() {
    let id = link_types::id::ArchiveId::from_bytes([1; 16]);
    assert_eq!(Segment::folder(&id), format!("archives/{id}"));
}
