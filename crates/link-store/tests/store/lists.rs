//! Lists: keyset pagination, newest first, with signed cursors that are bound to their filters.

use link_domain::kernel::clock::TenantTime;
use link_domain::kernel::owner::Owner;
use link_domain::linking::account::AccountSummary;
use link_domain::notifications::event::EventRecord;
use link_domain::tenancy::user::User;
use link_store::test_support::Backend;
use link_store::{
    AccountFilter, Created, DataPointFilter, EventFilter, Page, PageRequest, PageSize, Store, StoreError,
};
use link_types::data::DataPointKind;
use link_types::event::EventType;
use rstest::rstest;

use crate::sample::{self, other_owner, owner};

fn size(size: i64) -> PageSize {
    PageSize::new(size).unwrap()
}

async fn users(store: &Store, owner: Owner, created: Created, request: PageRequest) -> Page<User> {
    store
        .read(move |reader| reader.users().list(&owner, None, created, &request))
        .await
        .unwrap_or_else(|error: StoreError| panic!("{error}"))
}

#[rstest]
#[tokio::test]
async fn pages_neither_repeat_nor_skip_rows_during_inserts(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let (_database, store) = sample::open(backend).await;
    let mut expected = Vec::new();
    for _ in 0..25 {
        expected.insert(0, sample::user(&store).await.id);
    }
    let mut seen = Vec::new();
    let mut request = PageRequest::first(PageSize::default());
    loop {
        let page = users(&store, owner(), Created::default(), request).await;
        seen.extend(page.items.into_iter().map(|user| user.id));
        sample::user(&store).await;
        match page.next_cursor {
            Some(cursor) => request = PageRequest::after(size(7), cursor),
            None => break,
        }
    }
    assert_eq!(seen, expected);
    let elsewhere = users(&store, other_owner(), Created::default(), PageRequest::default()).await;
    assert_eq!(elsewhere.items, []);
}

#[rstest]
#[tokio::test]
async fn full_last_page_has_no_cursor(#[values(Backend::Sqlite, Backend::Postgres)] backend: Backend) {
    let (_database, store) = sample::open(backend).await;
    for _ in 0..4 {
        sample::user(&store).await;
    }
    let first = users(&store, owner(), Created::default(), PageRequest::first(size(2))).await;
    let cursor = first.next_cursor.unwrap();
    let last = users(&store, owner(), Created::default(), PageRequest::after(size(2), cursor)).await;
    assert_eq!((last.items.len(), last.next_cursor), (2, None));
}

#[rstest]
#[tokio::test]
async fn creation_span_includes_start_and_excludes_end(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let (_database, store) = sample::open(backend).await;
    let mut made = Vec::new();
    for _ in 0..5 {
        made.push(sample::user(&store).await);
    }
    let created = Created { from: Some(made[1].created_at), until: Some(made[3].created_at) };
    let page = users(&store, owner(), created, PageRequest::default()).await;
    let ids: Vec<_> = page.items.into_iter().map(|user| user.id).collect();
    assert_eq!(ids, [made[2].id.clone(), made[1].id.clone()]);
}

#[rstest]
#[tokio::test]
async fn cursor_is_bound_to_list_owner_and_filters(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let (_database, store) = sample::open(backend).await;
    for _ in 0..3 {
        sample::user(&store).await;
    }
    let first = users(&store, owner(), Created::default(), PageRequest::first(size(1))).await;
    let cursor = first.next_cursor.unwrap();
    let mut tampered = cursor.clone();
    tampered.replace_range(..1, if cursor.starts_with('A') { "B" } else { "A" });
    let request = |cursor: &str| PageRequest::after(size(1), cursor);
    let span = Created { from: Some(TenantTime::from_micros(0)), until: None };
    let attempts = [
        (owner(), Created::default(), request(&tampered)),
        (owner(), Created::default(), request("not a cursor")),
        (owner(), span, request(&cursor)),
        (other_owner(), Created::default(), request(&cursor)),
    ];
    for (owner, created, request) in attempts {
        let result: Result<_, StoreError> =
            store.read(move |reader| reader.users().list(&owner, None, created, &request)).await;
        assert!(matches!(result, Err(StoreError::BadCursor)));
    }
    let request = request(&cursor);
    let elsewhere: Result<_, StoreError> =
        store.read(move |reader| reader.accounts().list(&owner(), AccountFilter::default(), &request)).await;
    assert!(matches!(elsewhere, Err(StoreError::BadCursor)));
}

#[rstest]
#[tokio::test]
async fn accounts_are_found_by_user_and_by_login(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let (_database, store) = sample::open(backend).await;
    let (ana, luis) = (sample::user(&store).await, sample::user(&store).await);
    let first = sample::connect(&store, &ana.id, "ana").await;
    let second = sample::begin_account(&store, &ana.id, "ana-2").await;
    sample::begin_account(&store, &luis.id, "luis").await;
    let (login, of) = (first.login_hash.expect("a connected account has its login's hash"), ana.id.clone());
    let by_login: Result<_, StoreError> =
        store.write(move |tx| tx.accounts().by_login(&owner(), &of, &sample::provider(), &login)).await;
    let found: Result<_, StoreError> = store
        .read(move |reader| {
            let filter = AccountFilter { user: Some(&ana.id), ..AccountFilter::default() };
            let page = reader.accounts().list(&owner(), filter, &PageRequest::default())?;
            let hidden = reader.accounts().get(&other_owner(), &first.id)?;
            let shown = reader.accounts().summaries(&owner(), filter, &PageRequest::default())?;
            assert_eq!(shown.next_cursor, page.next_cursor);
            let views: Vec<_> = shown.items.into_iter().map(AccountSummary::view).collect();
            assert_eq!(views, [second.view(), first.view()], "the same as the full account");
            assert_eq!(reader.accounts().summary(&owner(), &first.id)?.unwrap().view(), first.view());
            assert_eq!(reader.accounts().summary(&other_owner(), &first.id)?, None);
            Ok((page.items, vec![second, first.clone()], first, hidden))
        })
        .await;
    let (items, expected, first, hidden) = found.unwrap();
    assert_eq!(items, expected);
    assert_eq!(by_login.unwrap(), Some(first));
    assert_eq!(hidden, None);
}

#[rstest]
#[tokio::test]
async fn payload_cursor_continues_the_list(#[values(Backend::Sqlite, Backend::Postgres)] backend: Backend) {
    let (_database, store) = sample::open(backend).await;
    let user = sample::user(&store).await;
    let account = sample::read(&store, &user.id, "many", 305).await;
    let checked: Result<(), StoreError> = store
        .read(move |reader| {
            let finished =
                EventFilter { event_type: Some(EventType::TaskFinished), ..EventFilter::default() };
            let events = reader.events().list(&owner(), finished, &PageRequest::default())?.items;
            let sealed = |event: &EventRecord| event.sealed.clone();
            assert!(sealed(&events[0]).unwrap().with_payload.is_none(), "a list does not decrypt payloads");
            let span = (TenantTime::from_micros(0), TenantTime::from_micros(i64::MAX / 2));
            let open = reader.events().open_between(&owner(), span, None, 100)?;
            let with_payloads = reader.events().between(&owner(), span, None, 100)?;
            let plain = reader.events().plain_between(&owner(), span, None, 100)?;
            assert_eq!(open.len(), with_payloads.len());
            assert_eq!(plain.len(), with_payloads.len());
            for (plain, with_payload) in plain.iter().zip(&with_payloads) {
                assert_eq!(plain.body(false), with_payload.body(false));
                assert!(sealed(plain).is_none_or(|sealed| sealed.with_payload.is_none()));
            }
            assert!(open.iter().all(|event| event.sealed.is_none()), "nothing is opened");
            let whole = reader.events().get(&owner(), &events[0].id)?.unwrap();
            let body: serde_json::Value = serde_json::from_slice(whole.body(true)).unwrap();
            let list = &body["data"]["payload"]["transactions"];
            assert_eq!(list["items"].as_array().unwrap().len(), 300);
            let cursor = list["nextCursor"].as_str().unwrap();

            let source = DataPointFilter { source: Some(account.id.as_str()), ..DataPointFilter::default() };
            let rest = reader.data_points().list(
                &owner(),
                DataPointKind::Transactions,
                source,
                &PageRequest::after(PageSize::default(), cursor),
            )?;
            assert_eq!((rest.items.len(), rest.next_cursor), (5, None));
            let last: serde_json::Value = serde_json::from_slice(&rest.items[4].body).unwrap();
            assert_eq!(last["description"], "Salary number 0");
            Ok(())
        })
        .await;
    checked.unwrap();
}

#[rstest]
#[tokio::test]
async fn data_points_are_filtered_by_user_source_date_and_month(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let (_database, store) = sample::open(backend).await;
    let user = sample::user(&store).await;
    let account = sample::read(&store, &user.id, "good", 24).await;
    sample::read(&store, &user.id, "other", 12).await;
    let counts: Result<Vec<usize>, StoreError> = store
        .read(move |reader| {
            let all = DataPointFilter::default();
            let source = Some(account.id.as_str());
            let march = Some("2025-03-01".parse().unwrap());
            let may = Some("2025-05-01".parse().unwrap());
            let filters = [
                all,
                DataPointFilter { user: Some(&user.id), ..all },
                DataPointFilter { source, ..all },
                DataPointFilter { source, from_date: march, to_date: may, ..all },
                DataPointFilter { source, from_month: Some("2025-12".parse().unwrap()), ..all },
                DataPointFilter { source: Some("a-nothing"), ..all },
            ];
            let request = PageRequest::first(size(150));
            filters
                .into_iter()
                .map(|filter| {
                    let page =
                        reader.data_points().list(&owner(), DataPointKind::Transactions, filter, &request)?;
                    Ok(page.items.len())
                })
                .collect()
        })
        .await;
    assert_eq!(counts.unwrap(), [36, 36, 24, 6, 2, 0]);
}
