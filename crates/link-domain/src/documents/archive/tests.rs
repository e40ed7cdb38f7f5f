//! Tests of the archive's life cycle: one table of every state and input, examples, and random sequences.

mod life;
mod random;
mod repeats;
mod table;

use std::time::Duration;

use link_types::Sensitive;
use link_types::archive::{ArchiveErrorCode, ArchiveType, Extraction, FileFormat, FileSlot};
use link_types::data::{DataPointBody, Income, IncomeFrequency};
use link_types::id::{AttemptId, FileId, IncomeId, TaskId};

use super::*;
use crate::data::batch::Batch;
use crate::documents::document_reader::{DocumentReading, Inspection};
use crate::fixture::{self, PlainLinks};
use crate::kernel::context::Context;
use crate::kernel::source::RevokedBy;
use crate::notifications::event::EventRecord;

const QUOTA: UploadQuota = UploadQuota { files: 20, bytes: 100_000_000 };
/// Size of a file with two segments, the second one short.
const SIZE: u32 = SEGMENT_BYTES + 1_000;
const DIGEST: &str = "ab";

fn new_archive() -> NewArchive {
    NewArchive {
        owner: fixture::owner(),
        user_id: fixture::user_id(),
        attempt_id: AttemptId::from_bytes([6; 16]),
        visit_id: None,
        archive_type: ArchiveType::Payslip,
        consent: fixture::consent(fixture::context().now().tenant()),
    }
}

fn begin_archive(context: &mut Context) -> Archive {
    Archive::begin(new_archive(), UploadUsage::default(), QUOTA, context).unwrap().0
}

fn file(slot: FileSlot, size_bytes: u64) -> NewFile {
    NewFile { name: Sensitive::new("pay slip.pdf"), slot, size_bytes, sha256: None }
}

fn adds(file: NewFile) -> ArchiveInput<'static> {
    ArchiveInput::AddFile { file, usage: UploadUsage::default(), quota: QUOTA }
}

/// Returns the last file of an archive that is still uploading.
fn last_file(archive: &Archive) -> FileId {
    match &archive.state {
        ArchiveState::Uploading { files } => files.last().unwrap().id().clone(),
        other @ (ArchiveState::Analyzing { .. }
        | ArchiveState::Analyzed { .. }
        | ArchiveState::Failed { .. }
        | ArchiveState::Revoked { .. }) => panic!("the archive is not uploading: {other:?}"),
    }
}

fn segment(archive: &Archive, file_id: &FileId, index: u32, length: u32) -> Segment {
    Segment::new(&archive.id, file_id, index, length, &mut fixture::context())
}

fn receives(archive: &Archive, file_id: &FileId, from: u32, length: u32) -> ArchiveInput<'static> {
    let segment = segment(archive, file_id, from / SEGMENT_BYTES, length);
    ArchiveInput::Received(ReceivedBytes { file_id: file_id.clone(), from, segment })
}

fn completes(archive: &Archive, file_id: &FileId, from: u32, length: u32) -> ArchiveInput<'static> {
    ArchiveInput::Completed {
        bytes: ReceivedBytes {
            file_id: file_id.clone(),
            from,
            segment: segment(archive, file_id, from / SEGMENT_BYTES, length),
        },
        inspection: Inspection { format: FileFormat::Pdf, pages: 2, pixels: 0 },
        sha256: DIGEST.to_owned(),
    }
}

fn read(archive_type: ArchiveType) -> DocumentReading {
    let (document_type, pages) = (archive_type, vec![1]);
    let document = Extraction { document_type, pages, fields: Vec::new(), faults: Vec::new() };
    let income = DataPointBody::Income(Income {
        id: IncomeId::from_bytes([0; 16]),
        employer: Some("Cafe".into()),
        start_date: Some("2026-10-01".parse().unwrap()),
        end_date: None,
        currency: "MXN".into(),
        frequency: IncomeFrequency::Monthly,
        base_amount: None,
        gross_amount: Some(link_types::Money::from_hundredths(1_000_000)),
        net_amount: None,
    });
    let batch = Batch { bodies: vec![income], ..Batch::default() };
    DocumentReading::Read { extracted: document.into(), batch }
}

fn fail_reading(code: ArchiveErrorCode) -> DocumentReading {
    DocumentReading::Failed { code }
}

fn ends_reading(archive: &Archive, reading: DocumentReading) -> ArchiveInput<'static> {
    ArchiveInput::Read { task_id: task(archive), reading, links: &PlainLinks }
}

/// Returns the running task, or an unknown one.
fn task(archive: &Archive) -> TaskId {
    match &archive.state {
        ArchiveState::Analyzing { task, .. } => task.id.clone(),
        ArchiveState::Uploading { .. }
        | ArchiveState::Analyzed { .. }
        | ArchiveState::Failed { .. }
        | ArchiveState::Revoked { .. } => TaskId::from_bytes([9; 16]),
    }
}

fn after(archive: Archive, input: ArchiveInput<'_>, context: &mut Context) -> Archive {
    archive.apply(input, context).unwrap().0
}

/// Returns an archive with one completely uploaded file.
fn upload_file(context: &mut Context) -> Archive {
    let archive = after(begin_archive(context), adds(file(FileSlot::Page, SIZE.into())), context);
    let id = last_file(&archive);
    let input = receives(&archive, &id, 0, SEGMENT_BYTES);
    let archive = after(archive, input, context);
    let input = completes(&archive, &id, SEGMENT_BYTES, SIZE - SEGMENT_BYTES);
    after(archive, input, context)
}

fn submit_archive(context: &mut Context) -> Archive {
    after(upload_file(context), ArchiveInput::Submit, context)
}

fn types(events: &[EventRecord]) -> Vec<&'static str> {
    events.iter().map(|event| event.event_type.as_str()).collect()
}

fn later(elapsed: Duration) -> Context {
    fixture::context_after(elapsed)
}
