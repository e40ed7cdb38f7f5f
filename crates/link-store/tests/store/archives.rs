//! Archives: rows and keys of files, lists of submitted archives, quotas and erasure.

mod ends;

use link_store::test_support::Backend;
use rstest::rstest;
use std::time::Duration;

use link_domain::data::batch::Batch;
use link_domain::documents::archive::{
    Archive, ArchiveInput, ArchiveState, NewArchive, NewFile, QUOTA_SPAN, ReceivedBytes, SEGMENT_BYTES,
    Segment, UploadQuota, UploadUsage,
};
use link_domain::documents::document_reader::{DocumentReading, Inspection};
use link_domain::documents::file_store::FileStore;
use link_domain::kernel::context::Context;
use link_domain::kernel::digest::Digest32;
use link_domain::kernel::source::RevokedBy;
use link_domain::linking::consent::Consent;
use link_domain::linking::consent_reading::Sentences;
use link_store::{
    ArchiveFilter, DataPointFilter, FileSettings, ObjectFiles, PageRequest, PageSize, Store, StoreError,
    TaskFilter,
};
use link_types::Sensitive;
use link_types::archive::{ArchiveType, Extraction, FileFormat, FileSlot};
use link_types::data::DataPointKind;
use link_types::id::{ArchiveId, AttemptId, ConsentTemplateId, FileId, UserId};
use link_types::link::{ConsentGivenBy, ConsentReceipt};
use link_types::template::Retention;

use crate::sample::{self, context, other_owner, owner};

const QUOTA: UploadQuota = UploadQuota { files: 100, bytes: 1_000_000_000 };
const SIZE: u32 = SEGMENT_BYTES + 1_000;

fn attempt() -> AttemptId {
    AttemptId::from_bytes([7; 16])
}

async fn begin_archive(store: &Store, user: &UserId) -> Archive {
    let mut context = context();
    let receipt = ConsentReceipt {
        consent_template_id: ConsentTemplateId::from_bytes([2; 16]),
        version: "1.0".into(),
        locale: "en".into(),
        given_by: ConsentGivenBy::Person,
        sync_interval: None,
        retention: Retention::FromConnection,
        data_choice: None,
    };
    let new = NewArchive {
        owner: owner(),
        user_id: user.clone(),
        attempt_id: attempt(),
        visit_id: None,
        archive_type: ArchiveType::Payslip,
        consent: Consent {
            receipt,
            consented_at: context.now().tenant(),
            text: Digest32::from_text("You share your data."),
            sentences: Sentences::new("en", None, Retention::FromConnection),
            company: "Ardilla Loans".into(),
            given_in: None,
        },
    };
    let (archive, change) = Archive::begin(new, UploadUsage::default(), QUOTA, &mut context).unwrap();
    sample::apply(store, change, &context).await;
    archive
}

/// Applies an input in a separate unit, and returns the resulting archive.
async fn act(
    store: &Store,
    id: &ArchiveId,
    input: impl Fn(&Archive, &mut Context) -> ArchiveInput<'static> + Send + 'static,
) -> Archive {
    let (id, context) = (id.clone(), context());
    store
        .write(move |tx| {
            let mut context = context.clone();
            let archive = tx.archives().get(&owner(), &id)?.expect("the archive is there");
            let input = input(&archive, &mut context);
            let (archive, change) = archive.apply(input, &mut context).expect("the input is legal");
            tx.apply(&change, context.now())?;
            Ok::<_, StoreError>(archive)
        })
        .await
        .unwrap()
}

fn file_of(archive: &Archive) -> FileId {
    match &archive.state {
        ArchiveState::Uploading { files } => files.last().expect("a file").id().clone(),
        ArchiveState::Analyzing { files, .. }
        | ArchiveState::Analyzed { files, .. }
        | ArchiveState::Failed { files, .. } => files.last().expect("a file").id.clone(),
        ArchiveState::Revoked { .. } => panic!("a tombstone has no files"),
    }
}

/// Creates an archive with one file of two segments, and puts their sealed objects into `files`.
async fn upload(store: &Store, files: &dyn FileStore, user: &UserId, name: &'static str) -> Archive {
    let archive = begin_archive(store, user).await;
    let add = move |_: &Archive, _: &mut Context| ArchiveInput::AddFile {
        file: NewFile {
            name: Sensitive::new(name),
            slot: FileSlot::Page,
            size_bytes: SIZE.into(),
            sha256: None,
        },
        usage: UploadUsage::default(),
        quota: QUOTA,
    };
    let archive = act(store, &archive.id, add).await;
    let file_id = file_of(&archive);
    let mut segments = Vec::new();
    for (index, length) in [(0, SEGMENT_BYTES), (1, SIZE - SEGMENT_BYTES)] {
        let segment = Segment::new(&archive.id, &file_id, index, length, &mut context());
        let id = archive.id.clone();
        let key = store
            .read(move |reader| reader.files().key(&id))
            .await
            .unwrap_or_else(|it: StoreError| panic!("{it}"));
        let clear = vec![b'0' + u8::try_from(index).unwrap(); length as usize];
        files.put(&segment.object, key.seal(&segment, &clear).unwrap()).await.unwrap();
        segments.push(segment);
    }
    let (first, last) = (segments[0].clone(), segments[1].clone());
    let file = file_id.clone();
    act(store, &archive.id, move |_, _| {
        ArchiveInput::Received(ReceivedBytes { file_id: file.clone(), from: 0, segment: first.clone() })
    })
    .await;
    act(store, &archive.id, move |_, _| ArchiveInput::Completed {
        bytes: ReceivedBytes { file_id: file_id.clone(), from: SEGMENT_BYTES, segment: last.clone() },
        inspection: Inspection { format: FileFormat::Pdf, pages: 1, pixels: 0 },
        sha256: "ab".into(),
    })
    .await
}

/// Creates a submitted archive that was read and has `transactions` transactions.
async fn analyze(
    store: &Store,
    files: &dyn FileStore,
    user: &UserId,
    name: &'static str,
    transactions: usize,
) -> Archive {
    let archive = upload(store, files, user, name).await;
    let archive = act(store, &archive.id, |_, _| ArchiveInput::Submit).await;
    let (id, context) = (archive.id.clone(), context());
    store
        .write(move |tx| {
            let mut context = context.clone();
            let archive = tx.archives().get(&owner(), &id)?.expect("the archive is there");
            let ArchiveState::Analyzing { task, .. } = &archive.state else { panic!("no reading runs") };
            let bodies = (0..transactions).map(sample::transaction).collect();
            let reading = DocumentReading::Read {
                extracted: Extraction {
                    document_type: ArchiveType::Payslip,
                    pages: vec![1],
                    fields: Vec::new(),
                    faults: Vec::new(),
                }
                .into(),
                batch: Batch { bodies, ..Batch::default() },
            };
            let links = tx.page_cursors(&owner());
            let input = ArchiveInput::Read { task_id: task.id.clone(), reading, links: &links };
            let (archive, change) = archive.apply(input, &mut context).expect("the reading is in progress");
            tx.apply(&change, context.now())?;
            Ok::<_, StoreError>(archive)
        })
        .await
        .unwrap()
}

async fn revoke(store: &Store, archive: &Archive) -> Archive {
    act(store, &archive.id, |_, _| ArchiveInput::Revoke { by: RevokedBy::User }).await
}

fn memory() -> ObjectFiles {
    ObjectFiles::open(FileSettings::Memory).unwrap()
}

#[rstest]
#[tokio::test]
async fn archive_round_trips_for_its_owner_only(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let (_database, store) = sample::open(backend).await;
    let user = sample::user(&store).await;
    let archive = analyze(&store, &memory(), &user.id, "slip.pdf", 2).await;
    let file = file_of(&archive);
    let checked: Result<(), StoreError> = store
        .read(move |reader| {
            assert_eq!(reader.archives().get(&owner(), &archive.id)?.as_ref(), Some(&archive));
            assert_eq!(reader.archives().get(&other_owner(), &archive.id)?, None);
            assert_eq!(reader.files().holder_of(&file)?, Some((&archive.id).into()));
            assert_eq!(reader.archives().of_attempt(&owner(), &attempt())?, std::slice::from_ref(&archive));
            assert_eq!(reader.archives().of_attempt(&other_owner(), &attempt())?, []);
            let tasks = TaskFilter { source: Some(archive.id.as_str()), ..TaskFilter::default() };
            let tasks = reader.tasks().list(&owner(), tasks, &PageRequest::default())?.items;
            assert_eq!(tasks.len(), 1);
            assert_eq!(tasks[0].view().source_type.as_str(), "ARCHIVE");
            let source = DataPointFilter { source: Some(archive.id.as_str()), ..DataPointFilter::default() };
            let points = reader.data_points().list(
                &owner(),
                DataPointKind::Transactions,
                source,
                &PageRequest::default(),
            )?;
            assert_eq!(points.items.len(), 2);
            assert_eq!(points.items[0].metadata().source_type.as_str(), "ARCHIVE");
            Ok(())
        })
        .await;
    checked.unwrap();
}

#[rstest]
#[tokio::test]
async fn submitted_archives_are_listed_newest_first(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let (_database, store) = sample::open(backend).await;
    let user = sample::user(&store).await;
    let mut submitted = Vec::new();
    for _ in 0..3 {
        begin_archive(&store, &user.id).await;
        submitted.push(analyze(&store, &memory(), &user.id, "slip.pdf", 0).await.id);
    }
    let other = sample::user(&store).await;
    analyze(&store, &memory(), &other.id, "slip.pdf", 0).await;
    submitted.reverse();
    let checked: Result<(), StoreError> = store
        .read(move |reader| {
            let filter = ArchiveFilter { user: Some(&user.id), ..ArchiveFilter::default() };
            let mut request = PageRequest::first(PageSize::new(2)?);
            let page = reader.archives().list(&owner(), filter, &request)?;
            let mut found: Vec<_> = page.items.into_iter().map(|archive| archive.id).collect();
            request.cursor = page.next_cursor;
            let page = reader.archives().list(&owner(), filter, &request)?;
            found.extend(page.items.into_iter().map(|archive| archive.id));
            assert_eq!(found, submitted);
            let all = reader.archives().list(&owner(), ArchiveFilter::default(), &PageRequest::default())?;
            assert_eq!(all.items.len(), 4);
            assert_eq!(
                reader.archives().list(&other_owner(), filter, &PageRequest::default())?.items.len(),
                0
            );
            Ok(())
        })
        .await;
    checked.unwrap();
}

#[rstest]
#[tokio::test]
async fn segment_opens_only_at_its_place_with_its_archives_key(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let (_database, store) = sample::open(backend).await;
    let user = sample::user(&store).await;
    let (archive, other) = (begin_archive(&store, &user.id).await, begin_archive(&store, &user.id).await);
    let file = FileId::from_bytes([1; 16]);
    let (id, other_id) = (archive.id.clone(), other.id);
    let keys = store.read(move |reader| -> Result<_, StoreError> {
        Ok((reader.files().key(&id)?, reader.files().key(&other_id)?))
    });
    let (key, other) = keys.await.unwrap();
    let segment = Segment::new(&archive.id, &file, 0, 5, &mut context());
    let sealed = key.seal(&segment, b"bytes").unwrap();
    assert_eq!(key.open(&segment, &sealed).unwrap().as_slice(), b"bytes");
    assert!(key.open(&Segment { index: 1, ..segment.clone() }, &sealed).is_err());
    assert!(key.open(&Segment { file_id: FileId::from_bytes([2; 16]), ..segment.clone() }, &sealed).is_err());
    assert!(key.open(&Segment { length: 4, ..segment.clone() }, &sealed).is_err());
    assert!(other.open(&segment, &sealed).is_err());
}

#[rstest]
#[tokio::test]
async fn upload_usage_counts_discarded_archives_for_a_day(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let (_database, store) = sample::open(backend).await;
    let user = sample::user(&store).await;
    let archive = upload(&store, &memory(), &user.id, "slip.pdf").await;
    act(&store, &archive.id, |_, _| ArchiveInput::Discard).await;
    let other = sample::user(&store).await;
    begin_archive(&store, &other.id).await;
    let now = context().now().wall();
    let usage = |moment| {
        let user = user.id.clone();
        store.read(move |reader| reader.upload_uses().usage(&owner(), &user, moment))
    };
    let begun: Result<_, StoreError> = usage(now).await;
    assert_eq!(begun.unwrap(), UploadUsage { archives: 1, files: 1, bytes: SIZE.into() });
    let day_after: Result<_, StoreError> = usage(now + QUOTA_SPAN).await;
    assert_eq!(day_after.unwrap(), UploadUsage::default());
    let forgotten = store.write(move |tx| tx.upload_uses().delete_before(now + Duration::from_secs(1))).await;
    assert_eq!(forgotten.unwrap_or_else(|it: StoreError| panic!("{it}")), 3);
}

#[rstest]
#[tokio::test]
async fn removing_a_file_keeps_the_others(#[values(Backend::Sqlite, Backend::Postgres)] backend: Backend) {
    let (_database, store) = sample::open(backend).await;
    let user = sample::user(&store).await;
    let archive = upload(&store, &memory(), &user.id, "slip.pdf").await;
    let kept = file_of(&archive);
    let add = |_: &Archive, _: &mut Context| ArchiveInput::AddFile {
        file: NewFile { name: Sensitive::new("b.pdf"), slot: FileSlot::Page, size_bytes: 9, sha256: None },
        usage: UploadUsage::default(),
        quota: QUOTA,
    };
    let gone = file_of(&act(&store, &archive.id, add).await);
    let removed = gone.clone();
    act(&store, &archive.id, move |_, _| ArchiveInput::RemoveFile { file_id: removed.clone() }).await;
    let checked: Result<(), StoreError> = store
        .read(move |reader| {
            assert_eq!(reader.files().holder_of(&gone)?, None);
            assert_eq!(reader.files().holder_of(&kept)?, Some((&archive.id).into()));
            assert_eq!(reader.files().segments(&archive.id, &kept)?.len(), 2);
            Ok(())
        })
        .await;
    checked.unwrap();
}
