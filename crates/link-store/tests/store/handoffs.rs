//! Hand-offs end with the session that created them.

use std::sync::Arc;

use link_domain::change::{Change, Row};
use link_domain::invitations::visit::VisitRef;
use link_domain::kernel::digest::Digest32;
use link_domain::kernel::scope::ErasureScope;
use link_domain::linking::link::{Handoff, HandoffStep, LinkSession};
use link_store::test_support::{Backend, TestDatabase};
use link_store::{Store, StoreError};
use link_types::archive::ArchiveType;
use link_types::id::{AttemptId, InviteId, LinkSessionId, LinkSiteSessionId, LinkTemplateId};

use crate::sample::{self, apply, context, owner};

fn invite() -> InviteId {
    InviteId::from_bytes([4; 16])
}

/// Opens a session in a visit of the invitation.
async fn open_visit(store: &Store) -> LinkSession {
    let now = context().now().wall();
    let session = LinkSession {
        id: LinkSessionId::from_bytes([6; 16]),
        secret_hash: Digest32::from_text("secret"),
        owner: owner(),
        user_id: sample::user(store).await.id,
        template_id: LinkTemplateId::from_bytes([1; 16]),
        host_origin: "https://link.example".into(),
        visit: Some(VisitRef { id: LinkSiteSessionId::from_bytes([3; 16]), invite_id: Some(invite()) }),
        attempt_id: AttemptId::from_bytes([5; 16]),
        created_at: now,
        last_used_at: now,
        ended: None,
    };
    apply(store, Change::row(Row::LinkSession(session.clone())), &context()).await;
    session
}

/// A unit that hands off a step, and its token's digest.
fn hand_off(session: &LinkSession) -> (Change, Digest32) {
    let step = HandoffStep::Upload(ArchiveType::Payslip);
    let (handoff, _, change) = Handoff::create(session, step, None, &mut context()).unwrap();
    (change, handoff.token_hash)
}

#[tokio::test(flavor = "multi_thread")]
async fn erased_invitation_leaves_no_concurrent_hand_off() {
    // SQLite has one writer, so there the second unit begins after the first has ended.
    let database = Arc::new(TestDatabase::new(Backend::Postgres));
    let store = database.open().await;
    let session = open_visit(&store).await;
    let (change, token) = hand_off(&session);
    let (created, mut creates) = tokio::sync::mpsc::unbounded_channel();
    let (go, wait) = std::sync::mpsc::channel::<()>();
    let creation = tokio::spawn({
        let store = store.clone();
        async move {
            store
                .write(move |tx| -> Result<(), StoreError> {
                    tx.link_sessions().by_secret(&session.secret_hash)?.expect("the session is open");
                    tx.apply(&change, context().now())?;
                    created.send(()).unwrap();
                    wait.recv().unwrap();
                    Ok(())
                })
                .await
        }
    });
    creates.recv().await.unwrap();
    let erasure = tokio::spawn({
        let store = store.clone();
        let change = Change { erasures: vec![ErasureScope::Invite(invite())], ..Change::default() };
        async move { apply(&store, change, &context()).await }
    });
    database.until_a_unit_waits().await;
    go.send(()).unwrap();
    creation.await.unwrap().unwrap();
    erasure.await.unwrap();
    let left = store.read(move |reader| reader.link_handoffs().by_token(&token)).await;
    assert_eq!(left.unwrap(), None);
}

#[tokio::test]
async fn erased_invitation_leaves_no_hand_off() {
    for backend in [Backend::Sqlite, Backend::Postgres] {
        let (_database, store) = sample::open(backend).await;
        let (change, token) = hand_off(&open_visit(&store).await);
        apply(&store, change, &context()).await;
        let erased = Change { erasures: vec![ErasureScope::Invite(invite())], ..Change::default() };
        apply(&store, erased, &context()).await;
        let left = store
            .read(move |reader| -> Result<_, StoreError> {
                let session = reader.link_sessions().by_secret(&Digest32::from_text("secret"))?;
                Ok((session, reader.link_handoffs().by_token(&token)?))
            })
            .await;
        assert_eq!(left.unwrap(), (None, None));
    }
}
