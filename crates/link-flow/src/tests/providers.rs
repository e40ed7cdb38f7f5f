use link_types::host::{LinkMistake, UiEventName, WidgetOptions};
use link_types::list::Page;
use link_types::problem::ProblemCode;
use link_types::provider::ProviderType;

use super::fixtures;
use super::harness::{self, Harness, open_event};
use crate::event::{Press, Reply, RequestError};
use crate::generated::message::Message;
use crate::view::block::Block;
use crate::view::{Text, Typed};
use crate::{Effect, Event};

fn search(harness: &mut Harness, text: &str) -> Vec<Effect> {
    harness.send(Event::Searched { text: Typed::new(text) })
}

fn list_with(options: WidgetOptions) -> Harness {
    let mut harness = Harness::new(options);
    harness.send(open_event());
    harness.reply_session(fixtures::session());
    harness.press(Press::Agree);
    harness.reply(Reply::Providers(Ok(fixtures::providers())));
    harness
}

fn found_text(count: u32) -> Option<Text> {
    Some(Text::with(Message::ProvidersFound, vec![count.into()]))
}

#[test]
fn list_shows_skeleton_while_loading() {
    assert!(harness::listing().view().page.blocks.contains(&Block::Skeleton { rows: 5 }));
    assert_eq!(harness::listing().announcement(), Some(Message::ProvidersLoading.into()));
}

#[test]
fn top_providers_precede_others() {
    let harness = harness::at_providers();
    let labels: Vec<Text> = harness.lists().into_iter().map(|list| list.label).collect();
    assert_eq!(
        labels,
        [Message::ProvidersListTop.into(), Message::ProvidersListAll.into(), Message::ActionMore.into()]
    );
    assert_eq!(harness.choices(), ["ph_pension", "gig_rides", "mx_social_security", "mx_housing"]);
    assert_eq!(harness.announcement(), found_text(4));
}

#[test]
fn option_replaces_top_providers_of_template() {
    let harness = list_with(WidgetOptions {
        top_providers: Some(vec!["gig_rides".to_owned(), "mx_social_security".to_owned()]),
        ..WidgetOptions::default()
    });
    assert_eq!(harness.choices()[..2], ["gig_rides", "mx_social_security"]);
}

#[test]
fn list_offers_only_requested_providers() {
    let options = WidgetOptions { providers: Some(vec!["gig_rides".to_owned()]), ..WidgetOptions::default() };
    assert_eq!(list_with(options).choices(), ["gig_rides"]);
}

#[test]
fn options_that_name_no_provider_are_an_error() {
    let options = WidgetOptions {
        providers: Some(vec!["nope".to_owned(), "none".to_owned()]),
        ..WidgetOptions::default()
    };
    assert_eq!(list_with(options).errors(), [LinkMistake::Provider]);
}

#[test]
fn search_tolerates_typos_and_announces_count() {
    let mut harness = harness::at_providers();
    for typed in ["PENSION", "pensión", "penison"] {
        assert_eq!(search(&mut harness, typed), vec![]);
        assert_eq!(harness.choices(), ["ph_pension"], "{typed}");
        assert_eq!(harness.announcement(), found_text(1));
    }
}

#[test]
fn empty_search_offers_all_providers() {
    let mut harness = harness::at_providers();
    search(&mut harness, "zzzz");
    assert_eq!(harness.announcement(), found_text(0));
    assert_eq!(harness.notice().unwrap().1, Some(Message::ProvidersEmptyTitle.into()));
    let (primary, _) = harness.actions();
    harness.press(primary.press);
    assert_eq!(harness.choices().len(), 4);
}

#[test]
fn tab_filters_by_type() {
    let mut harness = harness::at_providers();
    harness.send(Event::Filtered { tab: "GIG".to_owned() });
    assert_eq!(harness.choices(), ["gig_rides"]);
    harness.send(Event::Filtered { tab: String::new() });
    assert_eq!(harness.choices().len(), 4);
}

#[test]
fn options_hide_search_and_tabs() {
    let harness = list_with(WidgetOptions {
        enable_search_bar: Some(false),
        enable_type_bar: Some(false),
        ..WidgetOptions::default()
    });
    let blocks = harness.view().page.blocks;
    assert!(!blocks.iter().any(|block| matches!(block, Block::Search { .. } | Block::Tabs { .. })));
}

#[test]
fn chosen_provider_shows_spinner_while_loading() {
    let mut harness = harness::at_providers();
    let effects = harness.choose("mx_social_security");
    assert_eq!(
        effects,
        vec![Effect::LoadProvider { request: harness.request, provider: fixtures::provider_id() }]
    );
    let rows = harness.lists().into_iter().flat_map(|list| list.choices);
    let busy: Vec<String> = rows.filter(|row| row.busy).map(|row| row.id).collect();
    assert_eq!(busy, ["mx_social_security"]);
    assert_eq!(harness.ui_events().last(), Some(&UiEventName::ProviderSelected));
    assert_eq!(harness.choose("gig_rides"), vec![], "one provider loads at a time");
}

#[test]
fn disabled_provider_cannot_be_opened() {
    let mut harness = harness::at_providers();
    assert_eq!(harness.choose("mx_housing"), vec![]);
    let mut rows = harness.lists().into_iter().flat_map(|list| list.choices);
    let row = rows.find(|row| row.id == "mx_housing").unwrap();
    assert!(row.disabled);
    assert_eq!(row.detail, Some(Message::ProviderAway.into()));
}

#[test]
fn failed_list_can_be_retried() {
    let mut harness = harness::listing();
    harness.reply(Reply::Providers(Err(fixtures::problem(404, ProblemCode::MissingResource))));
    assert_eq!(harness.notice().unwrap().1, Some(Message::UnavailableTitle.into()));
    let effects = harness.press(Press::Retry);
    assert_eq!(effects, vec![Effect::LoadProviders { request: harness.request, cursor: None }]);
}

#[test]
fn failed_provider_keeps_list() {
    let mut harness = harness::at_providers();
    harness.choose("mx_social_security");
    for _ in 0..3 {
        harness.reply(Reply::Provider(Err(RequestError::Unreachable)));
        harness.wait(1);
    }
    assert_eq!(harness.notice().unwrap().1, Some(Message::OfflineTitle.into()));
    assert_eq!(harness.choices().len(), 4);
    assert_eq!(harness.choose("gig_rides").len(), 1, "another provider can be chosen");
}

#[test]
fn list_loads_all_pages() {
    let mut harness = harness::listing();
    let mut first = fixtures::providers();
    let rest = first.items.split_off(2);
    first.next_cursor = Some("next".to_owned());
    let effects = harness.reply(Reply::Providers(Ok(first)));
    assert_eq!(
        effects,
        vec![Effect::LoadProviders { request: harness.request, cursor: Some("next".to_owned()) }]
    );
    harness.reply(Reply::Providers(Ok(Page { items: rest, next_cursor: None })));
    assert_eq!(harness.choices().len(), 4);
}

#[test]
fn list_reports_no_providers() {
    let mut harness = harness::listing();
    harness.reply(Reply::Providers(Ok(Page { items: Vec::new(), next_cursor: None })));
    assert_eq!(harness.notice().unwrap().1, Some(Message::ProvidersNoneTitle.into()));
    assert_eq!(harness.actions().0.press, Press::Leave);
    assert_eq!(harness.ways(), ["/survey"], "the page offers the survey");
}

#[test]
fn list_is_unchanged_after_going_back() {
    let mut harness = harness::at_providers();
    search(&mut harness, "seguro");
    harness.choose("mx_social_security");
    harness.reply_provider(fixtures::provider());
    assert_eq!(harness.press(Press::Back), vec![], "the list is not loaded again");
    assert_eq!(harness.choices(), ["mx_social_security"]);
}

#[test]
fn long_list_is_shown_in_parts() {
    let names: Vec<String> = (0..250).rev().map(|number| format!("bank {number:03}")).collect();
    let items = names
        .iter()
        .map(|name| fixtures::summary(&name.replace(' ', "_"), name, ProviderType::Employer, name));
    let mut harness = harness::listing();
    harness.reply(Reply::Providers(Ok(Page { items: items.collect(), next_cursor: None })));
    let expected =
        |count: usize| -> Vec<String> { (0..count).map(|number| format!("bank_{number:03}")).collect() };
    assert_eq!((harness.choices(), harness.announcement()), (expected(100), found_text(250)));
    harness.choose("/more");
    assert_eq!((harness.choices(), harness.announcement()), (expected(200), found_text(250)));
    search(&mut harness, "bank");
    assert_eq!(harness.choices(), expected(100), "new results begin at the first");
    harness.choose("/more");
    harness.choose("/more");
    assert_eq!(harness.choices(), expected(250));
    assert!(!harness.ways().contains(&"/more".to_owned()), "nothing is left");
    search(&mut harness, "bank 249");
    assert_eq!((harness.choices(), harness.announcement()), (expected(250)[249..].to_vec(), found_text(1)));
}
