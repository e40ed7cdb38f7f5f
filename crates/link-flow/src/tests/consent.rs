use link_types::host::{UiEventName, WidgetOptions};
use link_types::link::ConsentGivenBy;
use link_types::link::LinkSession;
use link_types::template::SyncInterval;

use super::fixtures;
use super::harness::{self, Harness, opened};
use crate::Effect;
use crate::event::Press;
use crate::generated::message::Message;
use crate::view::Text;
use crate::view::block::Block;

fn opened_with(options: WidgetOptions, session: LinkSession) -> Harness {
    let mut harness = Harness::new(options);
    harness.send(opened());
    harness.reply_session(session);
    harness
}

fn may_skip(allow_consent_skip: bool) -> LinkSession {
    let mut session = fixtures::session();
    session.template.allow_consent_skip = allow_consent_skip;
    session
}

fn without_consent_page() -> WidgetOptions {
    WidgetOptions { enable_consent_page: Some(false), ..WidgetOptions::default() }
}

#[test]
fn consent_shows_facts_and_text_of_template() {
    let blocks = harness::at_consent().view().page.blocks;
    assert!(blocks.iter().any(|block| matches!(block, Block::Summary { items } if items.len() == 4)));
    let document = Block::Document {
        title: Text::Verbatim("Terms of sharing".to_owned()),
        version: Text::with(Message::ConsentVersion, vec!["2026-1".into()]),
        paragraphs: vec!["First paragraph.".to_owned(), "Second paragraph.".to_owned()],
    };
    assert!(blocks.contains(&document));
}

#[test]
fn consent_says_how_often_data_is_read() {
    for (sync_interval, expected) in [
        (None, Message::ConsentTimeOnce),
        (Some(SyncInterval::Daily), Message::ConsentTimeDaily),
        (Some(SyncInterval::Weekly), Message::ConsentTimeWeekly),
        (Some(SyncInterval::Monthly), Message::ConsentTimeMonthly),
    ] {
        let mut session = fixtures::session();
        session.template.sync_interval = sync_interval;
        let blocks = opened_with(WidgetOptions::default(), session).view().page.blocks;
        let says = |block: &Block| matches!(block, Block::Summary { items } if items.iter().any(|it| it.detail == expected.into()));
        assert!(blocks.iter().any(says), "{sync_interval:?}");
    }
}

#[test]
fn consent_shows_company_of_template() {
    let options =
        WidgetOptions { company_name: Some("Somebody Else".to_owned()), ..WidgetOptions::default() };
    let mut harness = opened_with(options, fixtures::session());
    assert!(!format!("{:?}", harness.view()).contains("Somebody Else"));
    harness.press(Press::Agree);
    assert!(format!("{:?}", harness.view()).contains("Somebody Else"));
}

#[test]
fn agreeing_leads_to_provider_list() {
    let mut harness = harness::at_consent();
    let effects = harness.press(Press::Agree);
    assert_eq!(effects, vec![Effect::LoadProviders { request: harness.request, cursor: None }]);
    assert_eq!(harness.heading(), Message::ProvidersTitle);
    let expected =
        [UiEventName::ConsentPageOpened, UiEventName::ConsentGiven, UiEventName::ProviderListPageOpened];
    assert_eq!(harness.ui_events(), expected);
}

#[test]
fn consent_is_skipped_if_tenant_vouches() {
    let harness = opened_with(without_consent_page(), may_skip(true));
    assert_eq!(harness.heading(), Message::ProvidersTitle);
    assert_eq!(harness.flow.context.receipt().unwrap().given_by, ConsentGivenBy::Tenant);
}

#[test]
fn consent_is_shown_if_template_forbids_skip() {
    assert_eq!(opened_with(without_consent_page(), may_skip(false)).heading(), Message::ConsentTitle);
}

#[test]
fn consent_is_shown_without_skip_option() {
    assert_eq!(opened_with(WidgetOptions::default(), may_skip(true)).heading(), Message::ConsentTitle);
}

#[test]
fn declining_closes_widget() {
    let mut harness = harness::at_consent();
    let reason = link_types::host::CloseReason::Close;
    let effects = harness::without_place(harness.press(Press::Leave));
    assert_eq!(effects, vec![Effect::EndSession, harness::close(reason)]);
}
