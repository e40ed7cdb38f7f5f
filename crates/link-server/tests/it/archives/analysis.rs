//! The job that reads a submitted archive.

use std::time::Duration;

use link_documents::ChildReader;
use link_domain::documents::archive::{ArchiveInput, ArchiveState, SEGMENT_BYTES};
use link_domain::documents::document_reader::DocumentReading;
use link_domain::tenancy::revoked_by::RevokedBy;
use link_server::http::problem::ApiResult;
use link_store::test_support::Backend;
use link_store::{EventFilter, PageRequest, PageSize};
use link_test_support::wait;
use link_types::archive::{ArchiveErrorCode, ArchiveStatus};
use link_types::id::ArchiveId;
use link_types::uploading::AnalyzeStep;

use super::{Harness, bytes, recognized};

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
    async fn emitted(&self, id: &ArchiveId) -> Vec<&'static str> {
        let (owner, id) = (self.owner.clone(), id.clone());
        let events = self.app.store().read(move |reader| -> ApiResult<_> {
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
    let archive = harness.submitted(&whole).await;
    harness.until_status(&archive, ArchiveStatus::Analyzed).await;
    assert_eq!(*harness.reader.seen.lock().unwrap(), [whole]);
    let emitted = harness.emitted(&archive).await;
    assert_eq!(emitted, ["ARCHIVE_STARTED", "TASK_STARTED", "ARCHIVE_ANALYZED", "TASK_FINISHED"]);
    harness.stop().await;
}

#[tokio::test]
async fn archive_step_is_reading_while_the_reader_works() {
    let harness = Harness::new(Backend::Sqlite).await;
    harness.reader.free.send_replace(false);
    let archive = harness.submitted(&bytes(10)).await;
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
    for _ in 0..=ChildReader::READINGS {
        harness.submitted(&bytes(10)).await;
    }
    let most = u32::try_from(ChildReader::READINGS).unwrap();
    harness.reader.asked.subscribe().wait_for(|asked| *asked == most).await.unwrap();
    let discarded = harness.begun().await;
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
    *harness.reader.readings.lock().unwrap() = [UNAVAILABLE, UNAVAILABLE, recognized()].into();
    let archive = harness.submitted(&bytes(10)).await;
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
    let archive = harness.submitted(&bytes(10)).await;
    for asked in 1..4 {
        harness.reader.asked.subscribe().wait_for(|count| *count >= asked).await.unwrap();
        harness.until_job_tried(&format!("analyze/{archive}")).await;
        harness.advance(Duration::from_secs(20));
    }
    harness.until_status(&archive, ArchiveStatus::Error).await;
    let state = harness.archive(&archive).await.unwrap().state;
    assert!(matches!(state, ArchiveState::Failed { code: ArchiveErrorCode::ServiceUnavailable, .. }));
    let emitted = harness.emitted(&archive).await;
    assert_eq!(emitted, ["ARCHIVE_STARTED", "TASK_STARTED", "ARCHIVE_FAILED", "TASK_FINISHED"]);
    harness.stop().await;
}

#[tokio::test]
async fn archive_revoked_during_analysis_stays_revoked() {
    let harness = Harness::new(Backend::Sqlite).await;
    harness.reader.free.send_replace(false);
    let archive = harness.submitted(&bytes(10)).await;
    harness.reader.asked.subscribe().wait_for(|asked| *asked == 1).await.unwrap();
    harness.act(&archive, || ArchiveInput::Revoke { by: RevokedBy::User }).await;
    harness.reader.free.send_replace(true);
    wait::until("the objects are gone", async || harness.objects(&archive).await.is_empty()).await;
    let archive_id = archive.clone();
    harness.until_no_job(&format!("analyze/{archive_id}")).await;
    assert_eq!(harness.archive(&archive).await.unwrap().status(), Some(ArchiveStatus::Revoked));
    let emitted = harness.emitted(&archive).await;
    assert_eq!(emitted, ["ARCHIVE_STARTED", "TASK_STARTED", "TASK_FINISHED", "ARCHIVE_REVOKED"]);
    harness.stop().await;
}
