//! Reads long lists page by page while another client inserts and deletes.

use link_store::test_support::Backend;
use rstest::rstest;
use std::collections::{BTreeMap, BTreeSet};

use link_store::test_support::lists::{AnyList, Start};
use link_store::{PageSize, Store, StoreError};
use tokio::sync::watch;

use crate::sample;

const ROWS: u64 = 10_000;

/// All pages were read.
const OVER: u64 = u64::MAX;

/// Changes a list while pages are read, a few changes ahead of them: each time deletes an item, inserts one in the
/// middle of the list, and one at its beginning. Returns the deleted items.
async fn change(
    list: AnyList,
    store: Store,
    changes: watch::Sender<u64>,
    mut pages: watch::Receiver<u64>,
) -> BTreeSet<u64> {
    let mut gone = BTreeSet::new();
    for round in 0.. {
        let read = *pages.wait_for(|pages| pages.saturating_add(2) >= round).await.unwrap();
        if read == OVER {
            break;
        }
        // The step shares no factor with the number of rows, so it visits all of them in a scattered order.
        let number = round * 7_919 % ROWS;
        let new = vec![((number + ROWS / 2) % ROWS, "-between"), (ROWS + round, "")];
        let changed: Result<(), StoreError> = list.exchange(&store, number, new).await;
        changed.unwrap();
        gone.insert(number);
        changes.send_replace(round + 1);
    }
    gone
}

#[rstest]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn list_returns_stable_rows_once_during_changes(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let (_database, store) = sample::open(backend).await;
    for list in AnyList::all() {
        list.fill(&store, 0..ROWS).await.unwrap();
        let (tell_changes, mut changes) = watch::channel(0);
        let (tell_pages, pages) = watch::channel(0);
        let other = tokio::spawn(change(list, store.clone(), tell_changes, pages));
        let mut seen = BTreeMap::<String, u32>::new();
        let mut from = Start::Newest;
        for number in 1.. {
            let page = list.page(&store, None, from, PageSize::new(150).unwrap()).await.unwrap();
            for id in page.items {
                *seen.entry(id).or_default() += 1;
            }
            let Some(cursor) = page.next_cursor else { break };
            from = Start::Cursor(cursor);
            tell_pages.send_replace(number);
            changes.wait_for(|changes| *changes >= number).await.unwrap();
        }
        tell_pages.send_replace(OVER);
        let removed = other.await.unwrap();
        assert!(removed.len() as u64 >= ROWS / 150, "{}: it changed with every page", list.name());
        let expected = (0..ROWS).filter(|number| !removed.contains(number));
        for number in expected {
            let id = AnyList::id(number, "");
            assert_eq!(seen.get(&id), Some(&1), "{} {id}", list.name());
        }
        let twice: Vec<_> = seen.iter().filter(|(_, times)| **times != 1).collect();
        assert!(twice.is_empty(), "{}: {twice:?}", list.name());
    }
}
