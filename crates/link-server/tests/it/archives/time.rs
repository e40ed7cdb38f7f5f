//! What time does to archives, and what a sweep finds.

use std::time::Duration;

use link_domain::archive::{ArchiveInput, RETENTION, SEGMENT_BYTES, Segment, UPLOAD_LIFE};
use link_domain::change::Change;
use link_domain::job::{Job, JobKind};
use link_server::http::problem::Answer;
use link_store::test_support::Backend;
use link_types::archive::ArchiveStatus;

use super::{Bench, bytes};

impl Bench {
    /// Waits until the worker gave a job back for later: the next one is due, but not now.
    pub async fn until_put_off(&self) {
        self.until("a job is put off", || async {
            let now = self.app.wall();
            let soon = now + Duration::from_secs(60);
            let next =
                self.app.store().read(move |reader| -> Answer<_> { Ok(reader.next_job_at(now)?) }).await;
            next.unwrap().is_some_and(|next| next < soon)
        })
        .await;
    }

    async fn job(&self, key: &str) -> Option<Job> {
        let (owner, key) = (self.owner.clone(), key.to_owned());
        self.app.store().read(move |reader| -> Answer<_> { Ok(reader.job(&owner, &key)?) }).await.unwrap()
    }

    /// Waits until a job is done.
    pub async fn until_no_job(&self, key: &str) {
        self.until("a job is done", || async { self.job(key).await.is_none() }).await;
    }

    /// Waits until a job has run and wants to run again.
    pub async fn until_job_tried(&self, key: &str) {
        self.until("a job is tried", || async {
            let now = self.app.wall();
            self.job(key).await.is_some_and(|job| job.attempts > 0 && job.run_at > now)
        })
        .await;
    }

    async fn owe(&self, kind: JobKind) {
        let mut context = self.app.context(Default::default());
        let jobs = vec![Job::now(&self.owner, kind, &mut context)];
        let (change, now) = (Change { jobs, ..Change::default() }, context.now());
        self.app.store().write(move |tx| -> Answer<_> { Ok(tx.apply(&change, now)?) }).await.unwrap();
    }
}

#[tokio::test]
async fn files_that_nobody_submits_go_a_day_after_the_last_byte() {
    let bench = Bench::new(Backend::Sqlite).await;
    let archive = bench.begun().await;
    let file = bench.announced(&archive, 1_000).await;
    bench.later(UPLOAD_LIFE / 2);
    let mut writer = bench.writer(&archive, &file).await;
    writer.append(&bytes(500)).await.unwrap();
    writer.finish().await.unwrap();
    // A day after it was begun, and half a day after the last byte.
    bench.later(UPLOAD_LIFE / 2 + Duration::from_secs(60));
    bench.owe(JobKind::SweepFiles { archive_id: archive.clone() }).await;
    bench.until_job_tried(&format!("sweep/{archive}")).await;
    assert!(bench.archive(&archive).await.is_some());
    assert_eq!(bench.objects(&archive).await.len(), 1);
    bench.later(UPLOAD_LIFE / 2);
    bench.until("the archive is gone", || async { bench.archive(&archive).await.is_none() }).await;
    bench.until("its objects are gone", || async { bench.objects(&archive).await.is_empty() }).await;
    bench.stop().await;
}

#[tokio::test]
async fn an_archive_ends_after_sixty_days_and_its_objects_go() {
    let bench = Bench::new(Backend::Sqlite).await;
    let archive = bench.submitted(&bytes(1_000)).await;
    bench
        .until("it is read", || async {
            bench.archive(&archive).await.unwrap().status() == Some(ArchiveStatus::Analyzed)
        })
        .await;
    bench.later(RETENTION);
    bench
        .until("it has ended", || async {
            bench.archive(&archive).await.unwrap().status() == Some(ArchiveStatus::Revoked)
        })
        .await;
    bench.until("its objects are gone", || async { bench.objects(&archive).await.is_empty() }).await;
    bench.stop().await;
}

#[tokio::test]
async fn a_revocation_removes_the_objects_and_looks_again_for_a_late_one() {
    for backend in Backend::ALL {
        let bench = Bench::new(backend).await;
        let archive = bench.submitted(&bytes(1_000)).await;
        bench.act(&archive, || ArchiveInput::Revoke).await;
        bench.until("its objects are gone", || async { bench.objects(&archive).await.is_empty() }).await;
        let folder = bench.database.folder().join("files").join(Segment::folder(&archive));
        bench.until("their folder is gone", async || !folder.exists()).await;
        bench.stop().await;
    }
    let bench = Bench::new(Backend::Sqlite).await;
    let archive = bench.submitted(&bytes(1_000)).await;
    bench.act(&archive, || ArchiveInput::Revoke).await;
    bench.until("its objects are gone", || async { bench.objects(&archive).await.is_empty() }).await;
    let sweep = format!("sweep/{archive}");
    bench.until_job_tried(&sweep).await;
    // A write that was under way when the archive ended.
    let late = format!("{}/f/00000-1", Segment::folder(&archive));
    bench.app.files().put(&late, vec![1]).await.unwrap();
    bench.later(Duration::from_secs(601));
    bench.until("the late one is gone", || async { bench.objects(&archive).await.is_empty() }).await;
    bench.until_job_tried(&sweep).await;
    bench.later(Duration::from_secs(601));
    bench.until_no_job(&sweep).await;
    bench.stop().await;
}

#[tokio::test]
async fn a_sweep_leaves_what_rows_name_and_what_may_be_under_way() {
    let bench = Bench::new(Backend::Sqlite).await;
    let archive = bench.begun().await;
    let file = bench.announced(&archive, 1_000).await;
    let mut writer = bench.writer(&archive, &file).await;
    writer.append(&bytes(500)).await.unwrap();
    writer.finish().await.unwrap();
    let kept = bench.objects(&archive).await.remove(0).name;
    let orphan = format!("{}/{file}/00000-0", Segment::folder(&archive));
    bench.app.files().put(&orphan, vec![1]).await.unwrap();
    bench.owe(JobKind::SweepFiles { archive_id: archive.clone() }).await;
    let sweep = format!("sweep/{archive}");
    bench.until_job_tried(&sweep).await;
    assert_eq!(bench.objects(&archive).await.len(), 2, "it is young");
    bench.later(Duration::from_secs(601));
    bench.until("the orphan is gone", || async { bench.objects(&archive).await.len() == 1 }).await;
    assert_eq!(bench.objects(&archive).await.remove(0).name, kept);
    bench.stop().await;
}

#[tokio::test]
async fn an_archive_that_ended_is_looked_at_once_more_even_if_it_had_no_objects() {
    let bench = Bench::new(Backend::Sqlite).await;
    let archive = bench.begun().await;
    bench.act(&archive, || ArchiveInput::Discard).await;
    let sweep = format!("sweep/{archive}");
    bench.until_job_tried(&sweep).await;
    // A write that was under way then, of a service that did not live to see the refusal of its row.
    let late = format!("{}/f/00000-1", Segment::folder(&archive));
    bench.app.files().put(&late, vec![1]).await.unwrap();
    bench.later(Duration::from_secs(601));
    bench.until("the late one is gone", || async { bench.objects(&archive).await.is_empty() }).await;
    bench.until_job_tried(&sweep).await;
    bench.later(Duration::from_secs(601));
    bench.until_no_job(&sweep).await;
    bench.stop().await;
}

#[tokio::test]
async fn the_bytes_of_a_file_that_is_taken_out_go_at_once_and_no_others() {
    for backend in Backend::ALL {
        let bench = Bench::new(backend).await;
        let archive = bench.begun().await;
        let kept = bench.announced(&archive, SEGMENT_BYTES as usize + 10).await;
        let wrong = bench.announced(&archive, 3 * SEGMENT_BYTES as usize).await;
        for file in [&kept, &wrong] {
            let mut writer = bench.writer(&archive, file).await;
            writer.append(&bytes(SEGMENT_BYTES as usize + 5)).await.unwrap();
            writer.finish().await.unwrap();
        }
        let orphan = format!("{}/{kept}/00001-0", Segment::folder(&archive));
        bench.app.files().put(&orphan, vec![1]).await.unwrap();
        assert_eq!(bench.objects(&archive).await.len(), 5);
        bench.act(&archive, move || ArchiveInput::RemoveFile { file_id: wrong.clone() }).await;
        bench.until("its objects are gone", || async { bench.objects(&archive).await.len() == 3 }).await;
        bench.until_job_tried(&format!("sweep/{archive}")).await;
        let left = bench.objects(&archive).await;
        assert!(left.iter().all(|it| Segment::file_of(&it.name).as_ref() == Some(&kept)), "{left:?}");
        bench.stop().await;
    }
}
