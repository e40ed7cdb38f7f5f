//! The options of the first version: each has its effect, and none more than the link template allows.

use link_types::host::WidgetOptions;
use link_types::link::LinkSession;

use super::desk::{self, Desk};
use super::stock;
use crate::event::{Press, Reply};
use crate::generated::message::Message;
use crate::view::block::Block;

/// At the provider list, opened with these options.
fn listed(options: WidgetOptions, uploads_enabled: bool) -> Desk {
    let mut session = stock::session();
    session.template.uploads_enabled = uploads_enabled;
    session.attempt.place.consent = Some(stock::receipt());
    opened(options, session, |desk| drop(desk.reply(Reply::Providers(Ok(stock::providers())))))
}

fn opened(options: WidgetOptions, session: LinkSession, then: fn(&mut Desk)) -> Desk {
    let mut desk = Desk::new(options);
    desk.send(desk::opened());
    desk.reply_session(session);
    then(&mut desk);
    desk
}

fn has(desk: &Desk, is_it: fn(&Block) -> bool) -> bool {
    desk.view().page.blocks.iter().any(is_it)
}

fn has_search(desk: &Desk) -> bool {
    has(desk, |block| matches!(block, Block::Search { .. }))
}

fn has_tabs(desk: &Desk) -> bool {
    has(desk, |block| matches!(block, Block::Tabs { .. }))
}

fn texts(texts: &[&str]) -> Option<Vec<String>> {
    Some(texts.iter().map(|text| (*text).to_owned()).collect())
}

#[test]
fn without_options_all_is_offered_that_the_template_allows() {
    let desk = listed(WidgetOptions::default(), true);
    assert_eq!((has_search(&desk), has_tabs(&desk)), (true, true));
    assert_eq!(desk.ways(), ["/survey", "/upload"]);
    assert_eq!(desk.choices(), ["ph_pension", "mx_social_security", "gig_rides", "mx_housing"]);
}

#[test]
fn providers_leaves_these_over() {
    let options = WidgetOptions { providers: texts(&["gig_rides"]), ..WidgetOptions::default() };
    assert_eq!(listed(options, false).choices(), ["gig_rides"]);
}

#[test]
fn top_providers_come_first() {
    let options = WidgetOptions { top_providers: texts(&["gig_rides"]), ..WidgetOptions::default() };
    assert_eq!(listed(options, false).choices()[0], "gig_rides");
}

#[test]
fn enable_search_bar_and_enable_type_bar_take_each_away() {
    let options = WidgetOptions { enable_search_bar: Some(false), ..WidgetOptions::default() };
    let desk = listed(options, false);
    assert_eq!((has_search(&desk), has_tabs(&desk)), (false, true));
    let options = WidgetOptions { enable_type_bar: Some(false), ..WidgetOptions::default() };
    let desk = listed(options, false);
    assert_eq!((has_search(&desk), has_tabs(&desk)), (true, false));
}

#[test]
fn enable_upload_only_narrows_what_the_template_says() {
    for (option, template, offered) in [
        (None, true, true),
        (None, false, false),
        (Some(true), true, true),
        (Some(true), false, false),
        (Some(false), true, false),
    ] {
        let options = WidgetOptions { enable_upload: option, ..WidgetOptions::default() };
        let mut desk = listed(options, template);
        assert_eq!(desk.ways().contains(&"/upload".to_owned()), offered, "{option:?} {template}");
        desk.choose("/upload");
        let went = desk.flow.state.sheet(&desk.flow.context).title != Message::ProvidersTitle.into();
        assert_eq!(went, offered, "{option:?} {template}");
    }
}

#[test]
fn enable_consent_page_is_skipped_only_where_the_template_lets_the_tenant_vouch() {
    for (option, template, skipped) in [
        (None, true, false),
        (Some(true), true, false),
        (Some(false), false, false),
        (Some(false), true, true),
    ] {
        let options = WidgetOptions { enable_consent_page: option, ..WidgetOptions::default() };
        let mut session = stock::session();
        session.template.allow_consent_skip = template;
        let desk = opened(options, session, |_| ());
        assert_eq!(desk.heading() != Message::ConsentTitle, skipped, "{option:?} {template}");
    }
}

#[test]
fn company_name_is_in_the_words_but_never_on_the_consent_page() {
    let options = WidgetOptions { company_name: Some("Brand".to_owned()), ..WidgetOptions::default() };
    let mut desk = opened(options, stock::session(), |_| ());
    assert!(!format!("{:?}", desk.view()).contains("Brand"));
    desk.press(Press::Agree);
    assert!(format!("{:?}", desk.view()).contains("Brand"));
}

#[test]
fn provider_id_goes_straight_there_and_offers_no_other() {
    let options =
        WidgetOptions { provider_id: Some("mx_social_security".to_owned()), ..WidgetOptions::default() };
    let mut session = stock::session();
    session.attempt.place.consent = Some(stock::receipt());
    let desk = opened(options, session, |desk| drop(desk.reply_provider(stock::provider())));
    assert_eq!((desk.heading(), desk.view().page.header.back), (Message::LoginTitle, None));
}
