//! Checks that the running service does what each table row of the interface document says.

mod callbacks;
mod endpoints;
mod event_rows;
mod events;
mod fields;
pub mod limits;
mod resources;
mod states;

use link_store::test_support::Backend;
use rstest::rstest;

use self::fields::*;
use self::resources::Seen;
use crate::sandbox_complete::Walk;

/// The tables of fields, by the names under which [`Seen`] records them.
const SEEN: &[(&str, &[resources::Field])] = &[
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
async fn service_conforms_to_every_row_of_the_interface(#[case] backend: Backend) {
    let walk = Walk::whole(backend).await;
    let mut seen = Seen::default();
    resources::answer_forms(&walk).await;
    resources::link_a_custom_login(&walk).await;
    endpoints::walk(&walk, &mut seen).await;
    resources::walk(&walk, &mut seen).await;
    callbacks::walk_codes(&walk).await;
    states::walk(&walk).await;
    limits::walk_table(&walk).await;
    callbacks::walk(&walk, &mut seen).await;
    limits::walk(&walk).await;
    walk.until_tasks_end().await;
    events::walk(&walk, &mut seen).await;
    let never: Vec<String> = SEEN.iter().flat_map(|(table, fields)| seen.never(table, fields)).collect();
    assert_eq!(never, [""; 0], "fields that were null or missing in every response");
}

#[tokio::test]
async fn account_data_is_removed_60_days_after_connection() {
    limits::retention().await;
}
