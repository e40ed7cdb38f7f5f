use link_types::host::{UiEventName, WidgetOptions};
use link_types::list::Page;
use link_types::problem::ProblemCode;

use super::desk::{self, Desk, opened};
use super::stock;
use crate::event::{Press, Refusal, Reply};
use crate::generated::message::Message;
use crate::view::block::Block;
use crate::view::{Text, Typed};
use crate::{Effect, Event};

fn search(desk: &mut Desk, text: &str) -> Vec<Effect> {
    desk.send(Event::Searched { text: Typed::new(text) })
}

fn listed_with(options: WidgetOptions) -> Desk {
    let mut desk = Desk::new(options);
    desk.send(opened());
    desk.reply_session(stock::session());
    desk.press(Press::Agree);
    desk.reply(Reply::Providers(Ok(stock::providers())));
    desk
}

fn found(count: u32) -> Option<Text> {
    Some(Text::with(Message::ProvidersFound, vec![count.into()]))
}

#[test]
fn rows_are_sketched_while_the_list_loads() {
    assert!(desk::listing().view().page.blocks.contains(&Block::Skeleton { rows: 5 }));
    assert_eq!(desk::listing().said(), Some(Message::ProvidersLoading.into()));
}

#[test]
fn the_most_used_come_first_and_the_others_after_them() {
    let desk = desk::at_providers();
    let labels: Vec<Text> = desk.lists().into_iter().map(|list| list.label).collect();
    assert_eq!(
        labels,
        [Message::ProvidersListTop.into(), Message::ProvidersListAll.into(), Message::ActionMore.into()]
    );
    assert_eq!(desk.choices(), ["ph_pension", "mx_social_security", "gig_rides", "mx_housing"]);
    assert_eq!(desk.said(), found(4));
}

#[test]
fn the_pages_own_most_used_take_the_place_of_the_templates() {
    let desk = listed_with(WidgetOptions {
        top_providers: Some(vec!["gig_rides".to_owned(), "mx_social_security".to_owned()]),
        ..WidgetOptions::default()
    });
    assert_eq!(desk.choices()[..2], ["gig_rides", "mx_social_security"]);
}

#[test]
fn only_the_providers_the_page_asks_for_are_offered() {
    let options = WidgetOptions { providers: Some(vec!["gig_rides".to_owned()]), ..WidgetOptions::default() };
    assert_eq!(listed_with(options).choices(), ["gig_rides"]);
}

#[test]
fn search_forgives_case_accents_and_typos_and_says_how_many() {
    let mut desk = desk::at_providers();
    for typed in ["PENSION", "pensión", "penison"] {
        assert_eq!(search(&mut desk, typed), vec![]);
        assert_eq!(desk.choices(), ["ph_pension"], "{typed}");
        assert_eq!(desk.said(), found(1));
    }
}

#[test]
fn nothing_found_says_so_and_offers_everything_again() {
    let mut desk = desk::at_providers();
    search(&mut desk, "zzzz");
    assert_eq!(desk.said(), found(0));
    assert_eq!(desk.notice().unwrap().1, Some(Message::ProvidersEmptyTitle.into()));
    let (primary, _) = desk.actions();
    desk.press(primary.press);
    assert_eq!(desk.choices().len(), 4);
}

#[test]
fn a_tab_leaves_its_kind_over() {
    let mut desk = desk::at_providers();
    desk.send(Event::Filtered { tab: "GIG".to_owned() });
    assert_eq!(desk.choices(), ["gig_rides"]);
    desk.send(Event::Filtered { tab: String::new() });
    assert_eq!(desk.choices().len(), 4);
}

#[test]
fn search_and_tabs_can_be_switched_off() {
    let desk = listed_with(WidgetOptions {
        enable_search_bar: Some(false),
        enable_type_bar: Some(false),
        ..WidgetOptions::default()
    });
    let blocks = desk.view().page.blocks;
    assert!(!blocks.iter().any(|block| matches!(block, Block::Search { .. } | Block::Tabs { .. })));
}

#[test]
fn choosing_loads_the_provider_and_shows_which() {
    let mut desk = desk::at_providers();
    let effects = desk.choose("mx_social_security");
    assert_eq!(effects, vec![Effect::LoadProvider { request: desk.request, provider: stock::provider_id() }]);
    let rows = desk.lists().into_iter().flat_map(|list| list.choices);
    let busy: Vec<String> = rows.filter(|row| row.busy).map(|row| row.id).collect();
    assert_eq!(busy, ["mx_social_security"]);
    assert_eq!(desk.ui_events().last(), Some(&UiEventName::ProviderSelected));
    assert_eq!(desk.choose("gig_rides"), vec![], "one at a time");
}

#[test]
fn a_provider_in_maintenance_is_shown_but_not_opened() {
    let mut desk = desk::at_providers();
    assert_eq!(desk.choose("mx_housing"), vec![]);
    let mut rows = desk.lists().into_iter().flat_map(|list| list.choices);
    let row = rows.find(|row| row.id == "mx_housing").unwrap();
    assert!(row.disabled);
    assert_eq!(row.detail, Some(Message::ProviderAway.into()));
}

#[test]
fn a_list_that_does_not_load_can_be_asked_for_again() {
    let mut desk = desk::listing();
    desk.reply(Reply::Providers(Err(stock::problem(404, ProblemCode::MissingResource))));
    assert_eq!(desk.notice().unwrap().1, Some(Message::UnavailableTitle.into()));
    let effects = desk.press(Press::Retry);
    assert_eq!(effects, vec![Effect::LoadProviders { request: desk.request, cursor: None }]);
}

#[test]
fn a_provider_that_does_not_load_leaves_the_list_in_place() {
    let mut desk = desk::at_providers();
    desk.choose("mx_social_security");
    for _ in 0..3 {
        desk.reply(Reply::Provider(Err(Refusal::Unreachable)));
        desk.wait(1);
    }
    assert_eq!(desk.notice().unwrap().1, Some(Message::OfflineTitle.into()));
    assert_eq!(desk.choices().len(), 4);
    assert_eq!(desk.choose("gig_rides").len(), 1, "another can be chosen");
}

#[test]
fn a_list_in_several_pages_is_read_to_its_end() {
    let mut desk = desk::listing();
    let mut first = stock::providers();
    let rest = first.items.split_off(2);
    first.next_cursor = Some("next".to_owned());
    let effects = desk.reply(Reply::Providers(Ok(first)));
    assert_eq!(
        effects,
        vec![Effect::LoadProviders { request: desk.request, cursor: Some("next".to_owned()) }]
    );
    desk.reply(Reply::Providers(Ok(Page { items: rest, next_cursor: None })));
    assert_eq!(desk.choices().len(), 4);
}

#[test]
fn without_any_provider_the_page_says_so() {
    let mut desk = desk::listing();
    desk.reply(Reply::Providers(Ok(Page { items: Vec::new(), next_cursor: None })));
    assert_eq!(desk.notice().unwrap().1, Some(Message::ProvidersNoneTitle.into()));
    assert_eq!(desk.actions().0.press, Press::Leave);
    assert_eq!(desk.ways(), ["/survey"], "and asks whom they looked for");
}

#[test]
fn going_back_finds_the_list_as_it_was_left() {
    let mut desk = desk::at_providers();
    search(&mut desk, "seguro");
    desk.choose("mx_social_security");
    desk.reply_provider(stock::provider());
    assert_eq!(desk.press(Press::Back), vec![], "nothing is loaded again");
    assert_eq!(desk.choices(), ["mx_social_security"]);
}
