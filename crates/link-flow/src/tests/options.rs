//! Each option has its effect, within what the link template allows.

use link_types::host::WidgetOptions;
use link_types::link::LinkSession;

use super::fixtures;
use super::harness::{self, Harness};
use crate::event::{Press, Reply};
use crate::generated::message::Message;
use crate::view::block::Block;

/// Returns a flow at the provider list, opened with these options.
fn open_at_list(options: WidgetOptions, uploads_enabled: bool) -> Harness {
    let mut session = fixtures::session();
    session.template.uploads_enabled = uploads_enabled;
    session.attempt.place.consent = Some(fixtures::receipt());
    open_with(options, session, |harness| drop(harness.reply(Reply::Providers(Ok(fixtures::providers())))))
}

fn open_with(options: WidgetOptions, session: LinkSession, then: fn(&mut Harness)) -> Harness {
    let mut harness = Harness::new(options);
    harness.send(harness::open_event());
    harness.reply_session(session);
    then(&mut harness);
    harness
}

fn has(harness: &Harness, is_it: fn(&Block) -> bool) -> bool {
    harness.view().page.blocks.iter().any(is_it)
}

fn has_search(harness: &Harness) -> bool {
    has(harness, |block| matches!(block, Block::Search { .. }))
}

fn has_tabs(harness: &Harness) -> bool {
    has(harness, |block| matches!(block, Block::Tabs { .. }))
}

fn texts(texts: &[&str]) -> Option<Vec<String>> {
    Some(texts.iter().map(|text| (*text).to_owned()).collect())
}

#[test]
fn defaults_offer_all_that_template_allows() {
    let harness = open_at_list(WidgetOptions::default(), true);
    assert_eq!((has_search(&harness), has_tabs(&harness)), (true, true));
    assert_eq!(harness.ways(), ["/survey", "/upload"]);
    assert_eq!(harness.choices(), ["ph_pension", "gig_rides", "mx_social_security", "mx_housing"]);
}

#[test]
fn providers_limits_list() {
    let options = WidgetOptions { providers: texts(&["gig_rides"]), ..WidgetOptions::default() };
    assert_eq!(open_at_list(options, false).choices(), ["gig_rides"]);
}

#[test]
fn top_providers_are_listed_first() {
    let options = WidgetOptions { top_providers: texts(&["gig_rides"]), ..WidgetOptions::default() };
    assert_eq!(open_at_list(options, false).choices()[0], "gig_rides");
}

#[test]
fn enable_search_bar_and_type_bar_hide_each() {
    let options = WidgetOptions { enable_search_bar: Some(false), ..WidgetOptions::default() };
    let harness = open_at_list(options, false);
    assert_eq!((has_search(&harness), has_tabs(&harness)), (false, true));
    let options = WidgetOptions { enable_type_bar: Some(false), ..WidgetOptions::default() };
    let harness = open_at_list(options, false);
    assert_eq!((has_search(&harness), has_tabs(&harness)), (true, false));
}

#[test]
fn enable_upload_only_narrows_template() {
    for (option, template, offered) in [
        (None, true, true),
        (None, false, false),
        (Some(true), true, true),
        (Some(true), false, false),
        (Some(false), true, false),
    ] {
        let options = WidgetOptions { enable_upload: option, ..WidgetOptions::default() };
        let mut harness = open_at_list(options, template);
        assert_eq!(harness.ways().contains(&"/upload".to_owned()), offered, "{option:?} {template}");
        harness.choose("/upload");
        let went = harness.flow.state.sheet(&harness.flow.context).title != Message::ProvidersTitle.into();
        assert_eq!(went, offered, "{option:?} {template}");
    }
}

#[test]
fn enable_consent_page_requires_skip_permission() {
    for (option, template, skipped) in [
        (None, true, false),
        (Some(true), true, false),
        (Some(false), false, false),
        (Some(false), true, true),
    ] {
        let options = WidgetOptions { enable_consent_page: option, ..WidgetOptions::default() };
        let mut session = fixtures::session();
        session.template.allow_consent_skip = template;
        let harness = open_with(options, session, |_| ());
        assert_eq!(harness.heading() != Message::ConsentTitle, skipped, "{option:?} {template}");
    }
}

#[test]
fn company_name_is_not_on_consent_page() {
    let options = WidgetOptions { company_name: Some("Brand".to_owned()), ..WidgetOptions::default() };
    let mut harness = open_with(options, fixtures::session(), |_| ());
    assert!(!format!("{:?}", harness.view()).contains("Brand"));
    harness.press(Press::Agree);
    assert!(format!("{:?}", harness.view()).contains("Brand"));
}

#[test]
fn provider_id_opens_provider_and_hides_others() {
    let options =
        WidgetOptions { provider_id: Some("mx_social_security".to_owned()), ..WidgetOptions::default() };
    let mut session = fixtures::session();
    session.attempt.place.consent = Some(fixtures::receipt());
    let harness = open_with(options, session, |harness| drop(harness.reply_provider(fixtures::provider())));
    assert_eq!((harness.heading(), harness.view().page.header.back), (Message::LoginTitle, None));
}
