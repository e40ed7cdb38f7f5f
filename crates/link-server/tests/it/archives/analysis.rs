//! The job that reads a submitted archive.

use std::time::Duration;

use link_documents::ChildReader;
use link_domain::change::Change;
use link_domain::change::job::{Job, JobKind};
use link_domain::documents::archive::{
    ArchiveInput, ArchiveState, RETENTION, SEGMENT_BYTES, Segment, UPLOAD_LIFE,
};
use link_domain::documents::document_reader::DocumentReading;
use link_domain::kernel::source::RevokedBy;
use link_server::http::problem::ApiResult;
use link_store::test_support::Backend;
use link_store::{EventFilter, PageRequest, PageSize};
use link_test_support::wait;
use link_types::archive::{ArchiveErrorCode, ArchiveStatus};
use link_types::id::ArchiveId;
use link_types::uploading::AnalyzeStep;

use super::{Harness, bytes, payslip_reading};

const UNAVAILABLE: DocumentReading = DocumentReading::Failed { code: ArchiveErrorCode::ServiceUnavailable };

impl Harness {
    async fn until_status(&self, id: &ArchiveId, status: ArchiveStatus) {
        wait::until(
            status.as_str(),
            || async move { self.archive(id).await.unwrap().status() == Some(status) },
        )
        .await;
    }

    /// Returns the types of an archive's events, oldest first.
    async fn event_types(&self, id: &ArchiveId) -> Vec<&'static str> {
        let (owner, id) = (self.owner.clone(), id.clone());
        let events = self.app.store.read(move |reader| -> ApiResult<_> {
            let filter = EventFilter { subject: Some(id.as_str()), ..EventFilter::default() };
            Ok(reader.events().list(&owner, filter, &PageRequest::first(PageSize::new(150)?))?.items)
        });
        let mut events = events.await.unwrap();
        events.sort_by_key(|event| event.sequence);
        events.iter().map(|event| event.event_type.as_str()).collect()
    }
}

#[tokio::test]
async fn submitted_archive_is_analyzed() {
    let harness = Harness::new(Backend::Sqlite).await;
    let whole = bytes(SEGMENT_BYTES as usize * 2 + 3);
    let archive = harness.submit(&whole).await;
    harness.until_status(&archive, ArchiveStatus::Analyzed).await;
    assert_eq!(*harness.reader.seen.lock().unwrap(), [whole]);
    let emitted = harness.event_types(&archive).await;
    assert_eq!(emitted, ["ARCHIVE_STARTED", "TASK_STARTED", "ARCHIVE_ANALYZED", "TASK_FINISHED"]);
    harness.stop().await;
}

#[tokio::test]
async fn archive_step_is_reading_while_the_reader_works() {
    let harness = Harness::new(Backend::Sqlite).await;
    harness.reader.free.send_replace(false);
    let archive = harness.submit(&bytes(10)).await;
    harness.reader.asked.subscribe().wait_for(|asked| *asked == 1).await.unwrap();
    let state = harness.archive(&archive).await.unwrap().state;
    assert!(matches!(state, ArchiveState::Analyzing { step: AnalyzeStep::Reading, .. }), "{state:?}");
    harness.reader.free.send_replace(true);
    harness.until_status(&archive, ArchiveStatus::Analyzed).await;
    harness.stop().await;
}

#[tokio::test]
async fn analysis_jobs_leave_workers_free_for_other_jobs() {
    let harness = Harness::new(Backend::Sqlite).await;
    harness.reader.free.send_replace(false);
    for _ in 0..=ChildReader::MAX_READINGS {
        harness.submit(&bytes(10)).await;
    }
    let most = u32::try_from(ChildReader::MAX_READINGS).unwrap();
    harness.reader.asked.subscribe().wait_for(|asked| *asked == most).await.unwrap();
    let discarded = harness.begin_archive().await;
    harness.act(&discarded, || ArchiveInput::Discard).await;
    harness.until_job_tried(&format!("delete-orphans/{discarded}")).await;
    assert_eq!(
        *harness.reader.asked.borrow(),
        most,
        "the last reading waits in the job queue, not in a worker"
    );
    harness.reader.free.send_replace(true);
    harness.reader.asked.subscribe().wait_for(|asked| *asked == most + 1).await.unwrap();
    harness.stop().await;
}

#[tokio::test]
async fn unavailable_reader_is_retried_until_it_returns() {
    let harness = Harness::new(Backend::Sqlite).await;
    *harness.reader.readings.lock().unwrap() = [UNAVAILABLE, UNAVAILABLE, payslip_reading()].into();
    let archive = harness.submit(&bytes(10)).await;
    for asked in 1..3 {
        harness.reader.asked.subscribe().wait_for(|count| *count >= asked).await.unwrap();
        assert_eq!(harness.archive(&archive).await.unwrap().status(), Some(ArchiveStatus::Started));
        harness.until_job_tried(&format!("analyze/{archive}")).await;
        harness.advance(Duration::from_secs(10));
    }
    harness.until_status(&archive, ArchiveStatus::Analyzed).await;
    assert_eq!(*harness.reader.asked.borrow(), 3);
    harness.stop().await;
}

#[tokio::test]
async fn archive_fails_if_reader_stays_unavailable() {
    let harness = Harness::new(Backend::Sqlite).await;
    *harness.reader.readings.lock().unwrap() = [UNAVAILABLE].into();
    let archive = harness.submit(&bytes(10)).await;
    for asked in 1..4 {
        harness.reader.asked.subscribe().wait_for(|count| *count >= asked).await.unwrap();
        harness.until_job_tried(&format!("analyze/{archive}")).await;
        harness.advance(Duration::from_secs(20));
    }
    harness.until_status(&archive, ArchiveStatus::Error).await;
    let state = harness.archive(&archive).await.unwrap().state;
    assert!(matches!(state, ArchiveState::Failed { code: ArchiveErrorCode::ServiceUnavailable, .. }));
    let emitted = harness.event_types(&archive).await;
    assert_eq!(emitted, ["ARCHIVE_STARTED", "TASK_STARTED", "ARCHIVE_FAILED", "TASK_FINISHED"]);
    harness.stop().await;
}

#[tokio::test]
async fn archive_revoked_during_analysis_stays_revoked() {
    let harness = Harness::new(Backend::Sqlite).await;
    harness.reader.free.send_replace(false);
    let archive = harness.submit(&bytes(10)).await;
    harness.reader.asked.subscribe().wait_for(|asked| *asked == 1).await.unwrap();
    harness.act(&archive, || ArchiveInput::Revoke { by: RevokedBy::User }).await;
    harness.reader.free.send_replace(true);
    wait::until("the objects are gone", async || harness.objects(&archive).await.is_empty()).await;
    let archive_id = archive.clone();
    harness.until_no_job(&format!("analyze/{archive_id}")).await;
    assert_eq!(harness.archive(&archive).await.unwrap().status(), Some(ArchiveStatus::Revoked));
    let emitted = harness.event_types(&archive).await;
    assert_eq!(emitted, ["ARCHIVE_STARTED", "TASK_STARTED", "TASK_FINISHED", "ARCHIVE_REVOKED"]);
    harness.stop().await;
}

impl Harness {
    async fn job(&self, key: &str) -> Option<Job> {
        let (owner, key) = (self.owner.clone(), key.to_owned());
        self.app
            .store
            .read(move |reader| -> ApiResult<_> { Ok(reader.jobs().get(&owner, &key)?) })
            .await
            .unwrap()
    }

    /// Waits until a job is done.
    pub async fn until_no_job(&self, key: &str) {
        wait::until("a job is done", async || self.job(key).await.is_none()).await;
    }

    /// Waits until a job has run and is scheduled to run again.
    pub async fn until_job_tried(&self, key: &str) {
        wait::until("a job is tried", async || {
            let now = self.app.wall();
            self.job(key).await.is_some_and(|job| job.attempts > 0 && job.run_at > now)
        })
        .await;
    }

    async fn schedule(&self, kind: JobKind) {
        let mut context = self.app.context(Default::default());
        let jobs = vec![Job::now(&self.owner, kind, &mut context)];
        let (change, now) = (Change { jobs, ..Change::default() }, context.now());
        self.app.store.write(move |tx| -> ApiResult<_> { Ok(tx.apply(&change, now)?) }).await.unwrap();
    }
}

#[tokio::test]
async fn unsubmitted_archive_is_removed_a_day_after_last_byte() {
    let harness = Harness::new(Backend::Sqlite).await;
    let archive = harness.begin_archive().await;
    let file = harness.announce(&archive, 1_000).await;
    harness.advance(UPLOAD_LIFE / 2);
    let mut writer = harness.writer(&archive, &file).await;
    writer.append(&bytes(500)).await.unwrap();
    writer.finish().await.unwrap();
    // A day after its creation, but only half a day after the last byte.
    harness.advance(UPLOAD_LIFE / 2 + Duration::from_secs(60));
    harness.schedule(JobKind::DeleteOrphans { holder: (&archive).into(), since: harness.app.wall() }).await;
    harness.until_job_tried(&format!("delete-orphans/{archive}")).await;
    assert!(harness.archive(&archive).await.is_some());
    assert_eq!(harness.objects(&archive).await.len(), 1);
    harness.advance(UPLOAD_LIFE / 2);
    wait::until("the archive is gone", async || harness.archive(&archive).await.is_none()).await;
    wait::until("its objects are gone", async || harness.objects(&archive).await.is_empty()).await;
    harness.stop().await;
}

#[tokio::test]
async fn archive_is_revoked_with_its_objects_after_60_days() {
    let harness = Harness::new(Backend::Sqlite).await;
    let archive = harness.submit(&bytes(1_000)).await;
    wait::until("the archive is analyzed", async || {
        harness.archive(&archive).await.unwrap().status() == Some(ArchiveStatus::Analyzed)
    })
    .await;
    harness.advance(RETENTION);
    wait::until("the archive is revoked", async || {
        harness.archive(&archive).await.unwrap().status() == Some(ArchiveStatus::Revoked)
    })
    .await;
    wait::until("its objects are gone", async || harness.objects(&archive).await.is_empty()).await;
    harness.stop().await;
}

#[tokio::test]
async fn revocation_removes_objects_including_late_writes() {
    let harness = Harness::new(Backend::Sqlite).await;
    let archive = harness.submit(&bytes(1_000)).await;
    harness.act(&archive, || ArchiveInput::Revoke { by: RevokedBy::User }).await;
    wait::until("its objects are gone", async || harness.objects(&archive).await.is_empty()).await;
    let folder = harness.database.folder().join("files").join(Segment::folder(&archive));
    wait::until("their folder is gone", async || !folder.exists()).await;
    harness.stop().await;
    let harness = Harness::new(Backend::Sqlite).await;
    let archive = harness.submit(&bytes(1_000)).await;
    harness.act(&archive, || ArchiveInput::Revoke { by: RevokedBy::User }).await;
    wait::until("its objects are gone", async || harness.objects(&archive).await.is_empty()).await;
    let deletion = format!("delete-orphans/{archive}");
    harness.until_job_tried(&deletion).await;
    // A write that was in progress when the archive was revoked.
    let late = format!("{}/f/00000-1", Segment::folder(&archive));
    harness.app.ports.files.put(&late, vec![1]).await.unwrap();
    harness.advance(Duration::from_secs(601));
    wait::until("the late object is gone", async || harness.objects(&archive).await.is_empty()).await;
    harness.until_job_tried(&deletion).await;
    harness.advance(Duration::from_secs(601));
    harness.until_no_job(&deletion).await;
    harness.stop().await;
}

#[tokio::test]
async fn file_cleanup_keeps_referenced_and_recent_objects() {
    let harness = Harness::new(Backend::Sqlite).await;
    let archive = harness.begin_archive().await;
    let file = harness.announce(&archive, 1_000).await;
    let mut writer = harness.writer(&archive, &file).await;
    writer.append(&bytes(500)).await.unwrap();
    writer.finish().await.unwrap();
    let kept = harness.objects(&archive).await.remove(0).name;
    let orphan = format!("{}/{file}/00000-0", Segment::folder(&archive));
    harness.app.ports.files.put(&orphan, vec![1]).await.unwrap();
    harness.schedule(JobKind::DeleteOrphans { holder: (&archive).into(), since: harness.app.wall() }).await;
    let deletion = format!("delete-orphans/{archive}");
    harness.until_job_tried(&deletion).await;
    assert_eq!(harness.objects(&archive).await.len(), 2, "recent objects are kept");
    harness.advance(Duration::from_secs(601));
    wait::until("the orphan is gone", async || harness.objects(&archive).await.len() == 1).await;
    assert_eq!(harness.objects(&archive).await.remove(0).name, kept);
    harness.stop().await;
}

#[tokio::test]
async fn discarded_archive_is_checked_again_for_late_writes() {
    let harness = Harness::new(Backend::Sqlite).await;
    let archive = harness.begin_archive().await;
    harness.act(&archive, || ArchiveInput::Discard).await;
    let deletion = format!("delete-orphans/{archive}");
    harness.until_job_tried(&deletion).await;
    // A write in progress at the discard, by a process that died before its row was rejected.
    let late = format!("{}/f/00000-1", Segment::folder(&archive));
    harness.app.ports.files.put(&late, vec![1]).await.unwrap();
    harness.advance(Duration::from_secs(601));
    wait::until("the late object is gone", async || harness.objects(&archive).await.is_empty()).await;
    harness.until_job_tried(&deletion).await;
    harness.advance(Duration::from_secs(601));
    harness.until_no_job(&deletion).await;
    harness.stop().await;
}

#[tokio::test]
async fn removing_a_file_deletes_only_its_objects() {
    let harness = Harness::new(Backend::Sqlite).await;
    let archive = harness.begin_archive().await;
    let kept = harness.announce(&archive, SEGMENT_BYTES as usize + 10).await;
    let wrong = harness.announce(&archive, 3 * SEGMENT_BYTES as usize).await;
    for file in [&kept, &wrong] {
        let mut writer = harness.writer(&archive, file).await;
        writer.append(&bytes(SEGMENT_BYTES as usize + 5)).await.unwrap();
        writer.finish().await.unwrap();
    }
    let orphan = format!("{}/{kept}/00001-0", Segment::folder(&archive));
    harness.app.ports.files.put(&orphan, vec![1]).await.unwrap();
    assert_eq!(harness.objects(&archive).await.len(), 5);
    harness.act(&archive, move || ArchiveInput::RemoveFile { file_id: wrong.clone() }).await;
    wait::until("its objects are gone", async || harness.objects(&archive).await.len() == 3).await;
    harness.until_job_tried(&format!("delete-orphans/{archive}")).await;
    let left = harness.objects(&archive).await;
    assert!(left.iter().all(|it| Segment::file_of(&it.name).as_ref() == Some(&kept)), "{left:?}");
    harness.stop().await;
}
