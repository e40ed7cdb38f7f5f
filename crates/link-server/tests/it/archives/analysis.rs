//! The job that reads a submitted archive.

use std::time::Duration;

use link_connectors::documents::ChildReader;
use link_domain::archive::{ArchiveInput, ArchiveState, SEGMENT_BYTES};
use link_domain::ports::DocumentReading;
use link_server::http::problem::Answer;
use link_store::test_support::Backend;
use link_store::{EventFilter, PageRequest, PageSize};
use link_types::archive::{ArchiveErrorCode, ArchiveStatus};
use link_types::id::ArchiveId;
use link_types::uploading::AnalyzeStep;

use super::{Bench, bytes, recognized};

const AWAY: DocumentReading = DocumentReading::Failed { code: ArchiveErrorCode::ServiceUnavailable };

impl Bench {
    async fn until_status(&self, id: &ArchiveId, status: ArchiveStatus) {
        self.until(
            status.as_str(),
            || async move { self.archive(id).await.unwrap().status() == Some(status) },
        )
        .await;
    }

    /// The types of an archive's events, in order.
    async fn told(&self, id: &ArchiveId) -> Vec<&'static str> {
        let (owner, id) = (self.owner.clone(), id.clone());
        let events = self.app.store().read(move |reader| -> Answer<_> {
            let filter = EventFilter { subject: Some(id.as_str()), ..EventFilter::default() };
            Ok(reader.events(&owner, filter, &PageRequest::first(PageSize::new(150)?))?.items)
        });
        let mut events = events.await.unwrap();
        events.sort_by_key(|event| event.sequence);
        events.iter().map(|event| event.event_type.as_str()).collect()
    }
}

#[tokio::test]
async fn a_submitted_archive_is_read_whole() {
    for backend in Backend::ALL {
        let bench = Bench::new(backend).await;
        let whole = bytes(SEGMENT_BYTES as usize * 2 + 3);
        let archive = bench.submitted(&whole).await;
        bench.until_status(&archive, ArchiveStatus::Analyzed).await;
        assert_eq!(*bench.reader.seen.lock().unwrap(), [whole]);
        let told = bench.told(&archive).await;
        assert_eq!(told, ["ARCHIVE_STARTED", "TASK_STARTED", "ARCHIVE_ANALYZED", "TASK_FINISHED"]);
        bench.stop().await;
    }
}

#[tokio::test]
async fn the_widget_sees_that_the_reader_has_begun() {
    let bench = Bench::new(Backend::Sqlite).await;
    bench.reader.free.send_replace(false);
    let archive = bench.submitted(&bytes(10)).await;
    bench.reader.asked.subscribe().wait_for(|asked| *asked == 1).await.unwrap();
    let state = bench.archive(&archive).await.unwrap().state;
    assert!(matches!(state, ArchiveState::Analyzing { step: AnalyzeStep::Reading, .. }), "{state:?}");
    bench.reader.free.send_replace(true);
    bench.until_status(&archive, ArchiveStatus::Analyzed).await;
    bench.stop().await;
}

#[tokio::test]
async fn readings_take_no_other_jobs_turn_and_no_more_of_them_begin_than_can_be_read() {
    let bench = Bench::new(Backend::Sqlite).await;
    bench.reader.free.send_replace(false);
    for _ in 0..=ChildReader::READINGS {
        bench.submitted(&bytes(10)).await;
    }
    let most = u32::try_from(ChildReader::READINGS).unwrap();
    bench.reader.asked.subscribe().wait_for(|asked| *asked == most).await.unwrap();
    let thrown_away = bench.begun().await;
    bench.act(&thrown_away, || ArchiveInput::Discard).await;
    bench.until_job_tried(&format!("sweep/{thrown_away}")).await;
    assert_eq!(*bench.reader.asked.borrow(), most, "the last waits in the store, not in a worker");
    bench.reader.free.send_replace(true);
    bench.reader.asked.subscribe().wait_for(|asked| *asked == most + 1).await.unwrap();
    bench.stop().await;
}

#[tokio::test]
async fn a_reader_that_comes_back_in_time_is_asked_again() {
    let bench = Bench::new(Backend::Sqlite).await;
    *bench.reader.readings.lock().unwrap() = [AWAY, AWAY, recognized()].into();
    let archive = bench.submitted(&bytes(10)).await;
    for asked in 1..3 {
        bench.reader.asked.subscribe().wait_for(|count| *count >= asked).await.unwrap();
        assert_eq!(bench.archive(&archive).await.unwrap().status(), Some(ArchiveStatus::Started));
        bench.until_put_off().await;
        bench.later(Duration::from_secs(10));
    }
    bench.until_status(&archive, ArchiveStatus::Analyzed).await;
    assert_eq!(*bench.reader.asked.borrow(), 3);
    bench.stop().await;
}

#[tokio::test]
async fn a_reader_that_stays_away_fails_the_archive_and_says_so() {
    let bench = Bench::new(Backend::Sqlite).await;
    *bench.reader.readings.lock().unwrap() = [AWAY].into();
    let archive = bench.submitted(&bytes(10)).await;
    for asked in 1..4 {
        bench.reader.asked.subscribe().wait_for(|count| *count >= asked).await.unwrap();
        bench.until_put_off().await;
        bench.later(Duration::from_secs(20));
    }
    bench.until_status(&archive, ArchiveStatus::Error).await;
    let state = bench.archive(&archive).await.unwrap().state;
    assert!(matches!(state, ArchiveState::Failed { code: ArchiveErrorCode::ServiceUnavailable, .. }));
    let told = bench.told(&archive).await;
    assert_eq!(told, ["ARCHIVE_STARTED", "TASK_STARTED", "ARCHIVE_FAILED", "TASK_FINISHED"]);
    bench.stop().await;
}

#[tokio::test]
async fn what_is_revoked_while_it_is_read_stays_revoked() {
    let bench = Bench::new(Backend::Sqlite).await;
    bench.reader.free.send_replace(false);
    let archive = bench.submitted(&bytes(10)).await;
    bench.reader.asked.subscribe().wait_for(|asked| *asked == 1).await.unwrap();
    bench.act(&archive, || ArchiveInput::Revoke).await;
    bench.reader.free.send_replace(true);
    bench.until("no objects", || async { bench.objects(&archive).await.is_empty() }).await;
    let archive_id = archive.clone();
    bench.until_no_job(&format!("analyze/{archive_id}")).await;
    assert_eq!(bench.archive(&archive).await.unwrap().status(), Some(ArchiveStatus::Revoked));
    let told = bench.told(&archive).await;
    assert_eq!(told, ["ARCHIVE_STARTED", "TASK_STARTED", "TASK_FINISHED", "ARCHIVE_REVOKED"]);
    bench.stop().await;
}
