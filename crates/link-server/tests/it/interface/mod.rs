//! The interface document, row by row: the running service does what each row of each table says. Every entry has its
//! line in the document and the words that stand there; where the document lies beside the project, [`document`] proves
//! that the words do stand there and that no row is left out.

mod codes;
mod document;
mod endpoints;
mod event_rows;
mod events;
mod fields;
mod offers;
mod shape;
mod states;
mod things;

use std::sync::Arc;
use std::time::Duration;

use link_store::test_support::Backend;
use rstest::rstest;

use self::fields::*;
use self::shape::Seen;
use crate::archives::MovedClock;
use crate::sandbox_complete::Walk;
use crate::service::{TestService, text};

/// The tables of fields by the names under which they are seen.
const SEEN: &[(&str, &[shape::Field])] = &[
    ("Token", TOKEN),
    ("Account", ACCOUNT),
    ("Connection", CONNECTION_PARTS),
    ("Monitor", MONITOR_PARTS),
    ("Record request", RECORD_REQUEST),
    ("Record", RECORD),
    ("Result", RECORD_RESULT),
    ("Consent", CONSENT),
    ("Form", FORM),
    ("Document", DOCUMENT),
    ("Rating", RATING),
    ("Estimated income", ESTIMATED_INCOME),
    ("Metadata", METADATA),
    ("Embedded document", EMBEDDED_DOCUMENT),
    ("Identity", IDENTITY),
    ("Email", EMAIL),
    ("Phone", PHONE),
    ("Social profile", SOCIAL_PROFILE),
    ("Address", ADDRESS),
    ("Employment", EMPLOYMENT),
    ("Contribution", CONTRIBUTION),
    ("Liability", LIABILITY),
    ("Embedded estimated income", EMBEDDED_ESTIMATED_INCOME),
    ("Webhook", WEBHOOK),
    ("Envelope", ENVELOPE),
    ("Payload", PAYLOAD),
];

#[rstest]
#[case(Backend::Sqlite)]
#[case(Backend::Postgres)]
#[tokio::test(flavor = "multi_thread")]
async fn every_row_of_the_document_is_as_it_says(#[case] backend: Backend) {
    let walk = Walk::whole(backend).await;
    let mut seen = Seen::default();
    things::answer_forms(&walk).await;
    things::link_an_own_login(&walk).await;
    endpoints::walk(&walk, &mut seen).await;
    things::walk(&walk, &mut seen).await;
    codes::walk(&walk).await;
    states::walk(&walk).await;
    offers::walk(&walk).await;
    walk.until_tasks_end().await;
    events::walk(&walk, &mut seen).await;
    assert_eq!(SEEN.len(), TABLES.len());
    let never: Vec<String> = SEEN.iter().flat_map(|(table, fields)| seen.never(table, fields)).collect();
    assert_eq!(never, [""; 0], "null everywhere, or in nothing that was looked at");
}

#[tokio::test]
async fn an_accounts_data_ends_sixty_days_after_it_was_connected() {
    let clock = Arc::new(MovedClock::default());
    let moved = Arc::clone(&clock);
    let service = TestService::start_of(Backend::Sqlite, |_| {}, move |parts| parts.clock = moved).await;
    let session = service.session().await;
    let progress = service.submit(&session, "mx_social_security", "good", "pass").await;
    service.settled(&session, &progress).await;
    service.until_event("TASK_FINISHED").await;
    let path = format!("/accounts/{}/payload", text(&progress["accountId"]));
    let days = Duration::from_secs(60 * 86_400);
    clock.later(days - Duration::from_secs(3_600));
    assert_eq!(service.get(&path).await.status, 200, "an hour is left");
    clock.later(Duration::from_secs(3_601));
    service.until_event("ACCOUNT_DISCONNECTED").await;
    assert_eq!(service.get(&path).await.status, 404);
}
