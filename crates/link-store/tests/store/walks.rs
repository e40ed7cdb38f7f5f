//! Walks through long lists while another client inserts and deletes.

use std::collections::{BTreeMap, BTreeSet};

use link_store::test_support::lists::{AnyList, Start};
use link_store::{PageSize, Store, StoreError};
use tokio::sync::watch;

use crate::sample::on_both;

const ROWS: u64 = 10_000;

/// The walk is over.
const OVER: u64 = u64::MAX;

/// What another client changes while pages are read, a few changes ahead of them: an item gone, one new in the middle of
/// what was there, one new at its beginning. Gives what is gone.
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
        // A step that shares no factor with the rows meets them all, here and there.
        let number = round * 7_919 % ROWS;
        let new = vec![((number + ROWS / 2) % ROWS, "-between"), (ROWS + round, "")];
        let changed: Result<(), StoreError> = list.exchange(&store, number, new).await;
        changed.unwrap();
        gone.insert(number);
        changes.send_replace(round + 1);
    }
    gone
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_a_list_holds_from_beginning_to_end_comes_exactly_once_however_it_changes() {
    on_both(|store, _database| async move {
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
    })
    .await;
}
