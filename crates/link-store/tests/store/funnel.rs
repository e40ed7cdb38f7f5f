//! The funnel counts in the unit that stores the events, without users, and is deleted when it is old.

use link_domain::change::{Change, Row};
use link_domain::linking::funnel::{CountedOpening, FunnelCount, FunnelKey};
use link_domain::linking::link::UiEvents;
use link_store::test_support::Backend;
use link_store::{FunnelFilter, Store, StoreError};
use link_types::console::funnel::FunnelStep;
use link_types::host::UiEventName;
use link_types::id::{AttemptId, LinkTemplateId, ProviderId};
use link_types::uploading::UiEventRecord;
use link_types::{Date, LinkErrorCode};
use rstest::rstest;

use crate::sample::{self, apply, context, owner, templates, user};

fn day(text: &str) -> Date {
    text.parse().unwrap()
}

fn template() -> LinkTemplateId {
    templates().0.template.id
}

fn other_template() -> LinkTemplateId {
    LinkTemplateId::from_bytes([9; 16])
}

fn key(step: FunnelStep, provider: &str, error: Option<LinkErrorCode>) -> FunnelKey {
    FunnelKey { step, provider: provider.parse().ok(), error }
}

fn count(of: &str, template_id: LinkTemplateId, key: FunnelKey) -> Row {
    Row::Funnel(FunnelCount { owner: owner(), day: day(of), template_id, key })
}

/// Returns the counts of November as lines: days, providers, errors.
async fn november(store: &Store, template: Option<LinkTemplateId>, provider: Option<&str>) -> Vec<String> {
    let provider: Option<ProviderId> = provider.map(|it| it.parse().unwrap());
    let found = store
        .read(move |reader| -> Result<_, StoreError> {
            let (from, to) = (day("2026-11-01"), day("2026-11-30"));
            let filter = FunnelFilter { from, to, template: template.as_ref(), provider: provider.as_ref() };
            reader.funnel().counts(&owner(), filter)
        })
        .await
        .unwrap();
    let days = found.days.iter().map(|it| format!("{} {} {}", it.of, it.step, it.openings));
    let providers = found.providers.iter().map(|it| format!("{} {} {}", it.of, it.step, it.openings));
    let errors = found.errors.iter().map(|it| format!("{} {} {}", it.provider, it.code, it.shown));
    days.chain(providers).chain(errors).collect()
}

#[rstest]
#[tokio::test]
async fn funnel_sums_by_day_provider_and_error(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let (_database, store) = sample::open(backend).await;
    let opened = || key(FunnelStep::Opened, "", None);
    let failed = || key(FunnelStep::Failed, "a", Some(LinkErrorCode::InvalidCredentials));
    let rows = vec![
        count("2026-10-31", template(), opened()),
        count("2026-11-01", template(), opened()),
        count("2026-11-01", template(), opened()),
        count("2026-11-30", other_template(), opened()),
        count("2026-11-02", template(), key(FunnelStep::ProviderChosen, "", None)),
        count("2026-11-02", template(), key(FunnelStep::ProviderChosen, "a", None)),
        count("2026-11-02", template(), failed()),
        count("2026-11-03", template(), failed()),
    ];
    apply(&store, Change { rows, ..Change::default() }, &context()).await;
    let rest = ["2026-11-02 PROVIDER_CHOSEN 1", "a PROVIDER_CHOSEN 1", "a INVALID_CREDENTIALS 2"];
    let of_all = november(&store, None, None).await;
    assert_eq!(of_all, [&["2026-11-01 OPENED 2"], &rest[..1], &["2026-11-30 OPENED 1"], &rest[1..]].concat());
    let of_template = november(&store, Some(template()), None).await;
    assert_eq!(of_template, [&["2026-11-01 OPENED 2"], &rest[..]].concat());
    assert_eq!(november(&store, None, Some("a")).await, rest);
    let found =
        store.read(|reader| reader.funnel().templates(&owner(), (day("2026-11-01"), day("2026-11-30"))));
    assert_eq!(found.await.unwrap(), [template(), other_template()]);
}

#[rstest]
#[tokio::test]
async fn funnel_counts_older_than_a_day_are_deleted(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let (_database, store) = sample::open(backend).await;
    let on = |text| count(text, template(), key(FunnelStep::CouldNotFind, "", None));
    let rows = vec![on("2026-11-01"), on("2026-11-02")];
    apply(&store, Change { rows, ..Change::default() }, &context()).await;
    let deleted = store.write(|tx| tx.funnel().delete_before(day("2026-11-02"))).await.unwrap();
    assert_eq!(deleted, 1);
    assert_eq!(november(&store, None, None).await, ["2026-11-02 COULD_NOT_FIND 1"]);
}

#[rstest]
#[tokio::test]
async fn opening_remembers_what_it_is_counted_under(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let (_database, store) = sample::open(backend).await;
    let (user, context) = (user(&store).await, context());
    let keys = vec![key(FunnelStep::Opened, "", None), key(FunnelStep::ProviderChosen, "a", None)];
    let first = day("2026-11-20");
    let batch = |seq, counted| UiEvents {
        owner: owner(),
        user_id: user.id.clone(),
        template_id: template(),
        attempt_id: AttemptId::from_bytes([5; 16]),
        visit_id: None,
        opening: "opening-1".into(),
        events: vec![UiEventRecord {
            seq,
            event_name: UiEventName::LoginPageOpened,
            after_ms: 0,
            account_id: None,
            archive_id: None,
        }],
        trap: None,
        counted,
        received_at: context.now().wall(),
    };
    let stored = async || {
        let user = user.id.clone();
        store.write(move |tx| tx.ui_events().find_counted(&owner(), &user, "opening-1")).await.unwrap()
    };
    assert_eq!(stored().await, CountedOpening::default());
    apply(&store, Change::row(Row::UiEvents(batch(2, Some((first, keys.clone()))))), &context).await;
    apply(&store, Change::row(Row::UiEvents(batch(1, None))), &context).await;
    assert_eq!(stored().await, CountedOpening { counted: keys, day: Some(first), last_seq: 2 });
}
