//! Widget reports are stored once, show where users left, and are deleted when they are old.

use link_store::test_support::Backend;
use rstest::rstest;
use std::time::Duration;

use link_domain::change::{Change, Row};
use link_domain::kernel::clock::Wall;
use link_domain::linking::link::{Survey, UiEvents};
use link_store::StoreError;
use link_types::host::UiEventName;
use link_types::id::{AttemptId, LinkSiteSessionId, LinkTemplateId};
use link_types::uploading::{EmployerSurvey, TrapReport, UiEventRecord};

use crate::sample::{self, apply, context, owner, templates, user};

fn template() -> LinkTemplateId {
    templates().0.template.id
}

fn event(seq: u32, event_name: UiEventName) -> UiEventRecord {
    UiEventRecord { seq, event_name, after_ms: seq, account_id: None, archive_id: None }
}

#[rstest]
#[tokio::test]
async fn last_ui_event_counts_in_any_order_and_is_deleted(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let (_database, store) = sample::open(backend).await;
    let user = user(&store).await;
    let context = context();
    let at = context.now().wall();
    let visit = LinkSiteSessionId::from_bytes([6; 16]);
    let told = |events| UiEvents {
        owner: owner(),
        user_id: user.id.clone(),
        template_id: template(),
        attempt_id: AttemptId::from_bytes([5; 16]),
        visit_id: Some(visit.clone()),
        opening: "opening-1".into(),
        events,
        trap: Some(TrapReport { build: "a.wasm".into(), offsets: vec![1, 2] }),
        counted: None,
        received_at: at,
    };
    let late = told(vec![event(3, UiEventName::MfaPageOpened), event(2, UiEventName::LoginPageOpened)]);
    let early = told(vec![event(1, UiEventName::ConsentPageOpened), event(2, UiEventName::LoginPageOpened)]);
    for batch in [&late, &early, &late] {
        apply(&store, Change::row(Row::UiEvents(batch.clone())), &context).await;
    }
    let answer = EmployerSurvey { employer: "Talleres".into(), searched: None };
    let survey = Survey {
        id: "1".into(),
        owner: owner(),
        user_id: user.id.clone(),
        template_id: template(),
        answer: answer.clone(),
        received_at: at,
    };
    apply(&store, Change::row(Row::Survey(survey)), &context).await;
    let left = async |since: Wall| {
        let all = store.read(move |reader| -> Result<_, StoreError> {
            let exits = reader.ui_events().exit_points(&template(), since)?;
            let (traps, surveys) =
                (reader.ui_events().traps(&template(), since)?, reader.surveys().newest(&template(), 9)?);
            Ok((exits, traps.len(), surveys.len()))
        });
        all.await.unwrap()
    };
    let last = UiEventName::MfaPageOpened;
    let of = async |visit: LinkSiteSessionId| {
        store.read(move |reader| reader.ui_events().last_page_of_visit(&visit)).await.unwrap()
    };
    assert_eq!(of(visit.clone()).await, Some(last));
    assert_eq!(of(LinkSiteSessionId::from_bytes([7; 16])).await, None);
    assert_eq!(left(at).await, (vec![(last, 1)], 1, 1));
    assert_eq!(left(at + Duration::from_secs(1)).await, (vec![], 0, 1));
    for (moment, gone) in [(at, 0), (at + Duration::from_secs(1), 3)] {
        let told = store.write(move |tx| -> Result<_, StoreError> {
            Ok((tx.ui_events().delete_before(moment)?, tx.surveys().delete_before(moment)?))
        });
        assert_eq!(told.await.unwrap(), (gone, gone.min(1)));
    }
    assert_eq!(left(at).await, (vec![], 0, 0));
}
