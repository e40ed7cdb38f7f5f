//! Long polls: the number that may wait at once, and their cost while nothing changes.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use axum::http::Method;
use link_server::http::polling;
use link_server::http::polling::long_polls::Poller;
use link_server::http::problem::ApiResult;
use link_store::Watched;
use link_store::test_support::Backend;
use link_test_support::wait;
use link_types::id::ArchiveId;
use rstest::rstest;

use crate::service::{As, TestService};
use crate::uploads::Uploader;

#[tokio::test(flavor = "multi_thread")]
async fn fifth_long_poll_of_a_session_ends_the_oldest() {
    let service = Arc::new(TestService::start(Backend::Sqlite).await);
    let widget = Uploader::new(&service).await;
    let (archive, session) = (widget.archive("PAYSLIP").await, widget.session.clone());
    let path = format!("/link/archives/{archive}?after=1000&wait=25000");
    let mut polls: Vec<tokio::task::JoinHandle<()>> = Vec::new();
    for number in 0..12 {
        let (polled, path, session) = (Arc::clone(&service), path.clone(), session.clone());
        polls.push(tokio::spawn(async move {
            let answer = polled.send(Method::GET, &path, As::Session(&session), None).await;
            assert_eq!(answer.status, 200, "{answer:?}");
        }));
        let has_begun = || match number {
            0..4 => service.app.long_polls().waiting() > number,
            _ => polls[number - 4].is_finished(),
        };
        wait::until("the poll waits in its slot", async || has_begun()).await;
    }
    let waiting: Vec<usize> = (0..12).filter(|it| !polls[*it].is_finished()).collect();
    eprintln!("12 long polls of a session: {} waiting", waiting.len());
    assert_eq!(waiting, [8, 9, 10, 11], "the newest four wait");
}

#[tokio::test]
async fn poll_on_sqlite_reads_nothing_until_a_commit() {
    let service = TestService::start(Backend::Sqlite).await;
    let looks = AtomicUsize::new(0);
    let look = async || -> ApiResult<()> {
        looks.fetch_add(1, Ordering::Relaxed);
        Ok(())
    };
    let timeout = Duration::from_millis(2_200);
    let whose = Poller { tenant: service.owner().tenant, session: None };
    let about = Watched::Archive(ArchiveId::from_bytes([1; 16]));
    polling::awaited(&service.app, (whose, about, timeout), |()| 1, |()| false, look).await.unwrap();
    let looks = looks.load(Ordering::Relaxed);
    eprintln!("a poll of 2.2 s without news: {looks} reads");
    assert!(looks <= 2, "{looks} reads");
}

#[rstest]
#[tokio::test(flavor = "multi_thread")]
async fn poll_returns_on_a_commit_of_its_own_node(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let service = Arc::new(TestService::start(backend).await);
    let widget = Uploader::new(&service).await;
    let archive = widget.archive("PAYSLIP").await;
    let path = format!("/link/archives/{archive}?after=1&wait=20000");
    let (polled, session) = (Arc::clone(&service), widget.session.clone());
    let began = std::time::Instant::now();
    let poll = tokio::spawn(async move {
        polled.send(Method::GET, &path, As::Session(&session), None).await.body["version"].clone()
    });
    wait::until("the poll waits", async || service.app.long_polls().waiting() > 0).await;
    widget.begin(&archive, "PAGE", 500).await;
    assert!(poll.await.unwrap().as_u64() > Some(1));
    assert!(began.elapsed() < Duration::from_secs(10), "{:?}", began.elapsed());
}

#[tokio::test(flavor = "multi_thread")]
async fn poll_on_postgres_returns_on_a_commit_of_another_node() {
    let service = Arc::new(TestService::start(Backend::Postgres).await);
    let widget = Uploader::new(&service).await;
    let archive = widget.archive("PAYSLIP").await;
    let id: ArchiveId = archive.parse().unwrap();
    let path = format!("/link/archives/{archive}?after=1&wait=20000");
    let (polled, session) = (Arc::clone(&service), widget.session.clone());
    let began = std::time::Instant::now();
    let poll = tokio::spawn(async move {
        polled.send(Method::GET, &path, As::Session(&session), None).await.status.as_u16()
    });
    wait::until("the poll waits", async || service.app.long_polls().waiting() > 0).await;
    let (owner, other) = (service.owner(), service.database.open().await);
    let context = service.app.context(link_domain::kernel::clock::ClockOffset::default());
    let discarded = other.write(move |tx| -> Result<(), link_store::StoreError> {
        let archive = tx.archives().get(&owner, &id)?.unwrap();
        let mut context = context.clone();
        let (_, change) =
            archive.apply(link_domain::documents::archive::ArchiveInput::Discard, &mut context).unwrap();
        tx.apply(&change, context.now())
    });
    discarded.await.unwrap();
    assert_eq!(poll.await.unwrap(), 404, "the archive is gone");
    assert!(began.elapsed() < Duration::from_secs(10), "{:?}", began.elapsed());
}
