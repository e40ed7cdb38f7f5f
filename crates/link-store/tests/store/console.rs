//! Members, their one-time addresses and sessions.

use link_domain::change::{Change, Deletion, Row};
use link_domain::console::member::Member;
use link_domain::console::session::{ABSOLUTE_LIFE, ConsoleSession, IDLE_LIFE};
use link_domain::console::sign_in::{RECOVERY_LIFE, SignInAddress};
use link_domain::kernel::clock::Wall;
use link_domain::kernel::context::Context;
use link_store::test_support::{Backend, TestDatabase, sqlite};
use link_store::{Store, StoreError};
use link_types::Sensitive;
use link_types::console::{MemberDraft, Role};
use link_types::id::MemberId;
use rstest::rstest;

use crate::sample::{apply, context, owner};

async fn member(store: &Store) -> Member {
    let draft = MemberDraft { email: "ana@shop.example".into(), name: "Ana".into(), role: Role::Owner };
    let (member, change) = Member::invite(owner().tenant, &draft, &[], &mut context()).unwrap();
    apply(store, change, &context()).await;
    member
}

/// A context whose ids differ from those of the others.
fn later() -> Context {
    let mut context = context();
    for _ in 0..10 {
        context.uuid();
        context.secret();
    }
    context
}

async fn session(store: &Store, member: &Member) -> ConsoleSession {
    let (session, _) = ConsoleSession::begin(member, None, "Firefox on Linux".into(), &mut context());
    apply(store, Change::row(Row::ConsoleSession(session.clone())), &context()).await;
    session
}

#[rstest]
#[tokio::test]
async fn member_is_stored_sealed_and_read_back(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let database = TestDatabase::new(backend);
    let store = database.open().await;
    let member = member(&store).await;
    let id = member.id.clone();
    let (found, listed) = store
        .read(move |reader| -> Result<_, StoreError> {
            Ok((reader.console_members().get(&id)?, reader.console_members().list(&owner().tenant)?))
        })
        .await
        .unwrap();
    assert_eq!(found.as_ref(), Some(&member));
    assert_eq!(listed, [member]);
}

#[rstest]
#[tokio::test]
async fn email_address_is_unique_within_a_tenant(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let database = TestDatabase::new(backend);
    let store = database.open().await;
    let first = member(&store).await;
    let again = Member { id: MemberId::from_bytes([9; 16]), ..first };
    let (change, now) = (Change::row(Row::Member(again)), context().now());
    let stored: Result<(), StoreError> = store.write(move |tx| tx.apply(&change, now)).await;
    assert!(matches!(stored, Err(StoreError::Duplicate(_))), "{stored:?}");
}

/// Members keep their role without their key, so that owners still sign in, and the member can be removed.
#[tokio::test]
async fn member_without_key_keeps_id_and_role() {
    let database = TestDatabase::new(Backend::Sqlite);
    let store = database.open().await;
    let lost = member(&store).await;
    sqlite::execute(
        &database.files().join("linchpin.db"),
        &format!("UPDATE scope_keys SET day = 0 WHERE scope_id = '{}'", lost.id),
    );
    let draft = MemberDraft { email: "bo@shop.example".into(), name: "Bo".into(), role: Role::Owner };
    let (other, change) = Member::invite(owner().tenant, &draft, &[], &mut later()).unwrap();
    apply(&store, change, &context()).await;
    let list = async |email: &'static str| {
        let tenant = owner().tenant;
        store.read(move |it| it.console_members().list_knowing(&tenant, email)).await.unwrap()
    };
    let unnamed = Member { email: Sensitive::new(""), name: Sensitive::new(""), ..lost.clone() };
    assert_eq!(list("").await, [unnamed.clone(), other.clone()]);
    let known = Member { email: lost.email.clone(), ..unnamed.clone() };
    assert_eq!(list("ana@shop.example").await, [known.clone(), other.clone()]);

    let (demoted, change) = known.with_role(Role::Viewer, &[unnamed, other.clone()]).unwrap();
    apply(&store, change, &context()).await;
    let again = list("ana@shop.example").await;
    assert_eq!(again, [demoted.clone(), other.clone()], "its hash is unchanged");
    apply(&store, demoted.remove(&again).unwrap(), &context()).await;
    assert_eq!(list("").await, [other]);
}

#[rstest]
#[tokio::test]
async fn access_that_a_member_gave_is_deleted(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let database = TestDatabase::new(backend);
    let store = database.open().await;
    let member = member(&store).await;
    let giver = MemberId::from_bytes([9; 16]);
    for deletion in [Deletion::AccessGivenBy(giver.clone()), Deletion::Member(giver.clone())] {
        let by = Some(giver.clone());
        let (address, _, created) =
            SignInAddress::create(member.id.clone(), by.clone(), RECOVERY_LIFE, &mut context());
        let (session, _) = ConsoleSession::begin(&member, by, String::new(), &mut context());
        let (own, _) = ConsoleSession::begin(&member, None, String::new(), &mut later());
        let rows = [&session, &own].map(|it| Row::ConsoleSession(it.clone())).to_vec();
        apply(&store, created.then(Change { rows, ..Change::default() }), &context()).await;
        let member_id = member.id.clone();
        let left = async |store: &Store| {
            let (code, id) = (address.code_hash, member_id.clone());
            let found = store.write(move |tx| -> Result<_, StoreError> {
                let sessions = tx.console_sessions().of_member_after(&id, Wall::from_micros(0))?;
                Ok((tx.console_addresses().by_code(&code)?, sessions.len()))
            });
            found.await.unwrap()
        };
        assert_eq!(left(&store).await, (Some(address.clone()), 2));
        apply(&store, Change { deletions: vec![deletion], ..Change::default() }, &context()).await;
        assert_eq!(left(&store).await, (None, 1), "the operator's address gave the other");
        let end = Change { deletions: vec![Deletion::ConsoleSession(own.id)], ..Change::default() };
        apply(&store, end, &context()).await;
    }
}

#[rstest]
#[tokio::test]
async fn removed_member_leaves_nothing(#[values(Backend::Sqlite, Backend::Postgres)] backend: Backend) {
    let database = TestDatabase::new(backend);
    let store = database.open().await;
    let member = member(&store).await;
    let session = session(&store, &member).await;
    let (address, _, change) = SignInAddress::create(member.id.clone(), None, RECOVERY_LIFE, &mut context());
    let removal = Change { deletions: vec![Deletion::Member(member.id.clone())], ..Change::default() };
    apply(&store, change, &context()).await;
    apply(&store, removal, &context()).await;
    let found = store
        .write(move |tx| -> Result<_, StoreError> {
            let address = tx.console_addresses().by_code(&address.code_hash)?.is_some();
            let session = tx.console_sessions().by_secret(&session.secret_hash)?.is_some();
            Ok((tx.console_members().get(&member.id)?.is_some(), address, session))
        })
        .await
        .unwrap();
    assert_eq!(found, (false, false, false));
}

#[rstest]
#[tokio::test]
async fn ended_session_is_not_stored_again_by_its_use(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let database = TestDatabase::new(backend);
    let store = database.open().await;
    let member = member(&store).await;
    let session = session(&store, &member).await;
    let used = session.touch(session.created_at + IDLE_LIFE / 2).unwrap();
    let read = move |store: &Store| {
        let store = store.clone();
        async move { store.read(move |it| it.console_sessions().by_secret(&session.secret_hash)).await.unwrap() }
    };
    let set = |used: ConsoleSession| store.write(move |tx| tx.console_sessions().set_used(&used));
    set(used.clone()).await.unwrap();
    assert_eq!(read(&store).await, Some(used.clone()));
    let end = Change { deletions: vec![Deletion::ConsoleSession(used.id.clone())], ..Change::default() };
    apply(&store, end, &context()).await;
    set(used).await.unwrap();
    assert_eq!(read(&store).await, None);
}

#[rstest]
#[tokio::test]
async fn old_sessions_and_addresses_are_deleted(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let database = TestDatabase::new(backend);
    let store = database.open().await;
    let member = member(&store).await;
    let session = session(&store, &member).await;
    let (address, _, change) = SignInAddress::create(member.id, None, RECOVERY_LIFE, &mut context());
    apply(&store, change, &context()).await;
    let tidy = |now| {
        store.write(move |tx| -> Result<_, StoreError> {
            let addresses = tx.console_addresses().delete_expired_before(now)?;
            Ok((addresses, tx.console_sessions().delete_begun_before(now - ABSOLUTE_LIFE)?))
        })
    };
    assert_eq!(tidy(address.expires_at).await.unwrap(), (0, 0));
    let second = std::time::Duration::from_secs(1);
    assert_eq!(tidy(session.ends_at() + second).await.unwrap(), (1, 1));
}
