use link_types::host::{UiEventName, WidgetOptions};
use link_types::link::ConsentGivenBy;
use link_types::link::LinkSession;

use super::desk::{self, Desk, opened};
use super::stock;
use crate::Effect;
use crate::event::Press;
use crate::generated::message::Message;
use crate::view::Text;
use crate::view::block::Block;

fn opened_with(options: WidgetOptions, session: LinkSession) -> Desk {
    let mut desk = Desk::new(options);
    desk.send(opened());
    desk.reply_session(session);
    desk
}

fn may_skip(allow_consent_skip: bool) -> LinkSession {
    let mut session = stock::session();
    session.template.allow_consent_skip = allow_consent_skip;
    session
}

fn without_consent_page() -> WidgetOptions {
    WidgetOptions { enable_consent_page: Some(false), ..WidgetOptions::default() }
}

#[test]
fn it_shows_what_is_shared_and_the_text_of_the_template() {
    let blocks = desk::at_consent().view().page.blocks;
    assert!(blocks.iter().any(|block| matches!(block, Block::Summary { items } if items.len() == 4)));
    let document = Block::Document {
        title: Text::Verbatim("Terms of sharing".to_owned()),
        version: Text::with(Message::ConsentVersion, vec!["2026-1".into()]),
        paragraphs: vec!["First paragraph.".to_owned(), "Second paragraph.".to_owned()],
    };
    assert!(blocks.contains(&document));
}

#[test]
fn it_shows_the_templates_company_whatever_the_option_says() {
    let options =
        WidgetOptions { company_name: Some("Somebody Else".to_owned()), ..WidgetOptions::default() };
    let mut desk = opened_with(options, stock::session());
    assert!(!format!("{:?}", desk.view()).contains("Somebody Else"));
    desk.press(Press::Agree);
    assert!(format!("{:?}", desk.view()).contains("Somebody Else"));
}

#[test]
fn agreeing_leads_to_the_providers() {
    let mut desk = desk::at_consent();
    let effects = desk.press(Press::Agree);
    assert_eq!(effects, vec![Effect::LoadProviders { request: desk.request, cursor: None }]);
    assert_eq!(desk.heading(), Message::ProvidersTitle);
    let expected =
        [UiEventName::ConsentPageOpened, UiEventName::ConsentGiven, UiEventName::ProviderListPageOpened];
    assert_eq!(desk.ui_events(), expected);
}

#[test]
fn it_is_skipped_when_the_template_lets_the_tenant_vouch_for_it() {
    let desk = opened_with(without_consent_page(), may_skip(true));
    assert_eq!(desk.heading(), Message::ProvidersTitle);
    assert_eq!(desk.flow.context.receipt().unwrap().given_by, ConsentGivenBy::Tenant);
}

#[test]
fn it_is_not_skipped_when_the_template_does_not_permit_it() {
    assert_eq!(opened_with(without_consent_page(), may_skip(false)).heading(), Message::ConsentTitle);
}

#[test]
fn it_is_not_skipped_when_the_page_does_not_ask_for_it() {
    assert_eq!(opened_with(WidgetOptions::default(), may_skip(true)).heading(), Message::ConsentTitle);
}

#[test]
fn declining_closes() {
    let mut desk = desk::at_consent();
    let reason = link_types::host::CloseReason::Close;
    assert_eq!(desk.press(Press::Leave), vec![Effect::EndSession, Effect::Close { reason }]);
}
