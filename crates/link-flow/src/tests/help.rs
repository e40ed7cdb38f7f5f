//! The link to the tenant's help.

use link_types::LinkErrorCode;
use link_types::host::UiEventName;
use link_types::link::LinkSession;

use super::fixtures;
use super::harness::{self, Harness};
use crate::event::Press;
use crate::generated::message::Message;
use crate::view::Help;

const PAGE: &str = "https://help.example.com/";

fn with_help(mut session: LinkSession, url: Option<&str>) -> Harness {
    session.template.help_url = url.map(str::to_owned);
    let mut harness = harness::exchanging();
    harness.reply_session(session);
    harness
}

#[test]
fn help_is_on_the_first_page_and_on_errors() {
    let help = Some(Help { label: Message::HelpLink.into(), url: PAGE.to_owned() });
    let mut harness = with_help(fixtures::session(), Some(PAGE));
    assert_eq!(harness.view().page.help, help);
    harness = with_help(
        fixtures::session_with(fixtures::progress(2, fixtures::failed_phase(LinkErrorCode::AccountLocked))),
        Some(PAGE),
    );
    assert_eq!(harness.view().page.help, help);
}

#[test]
fn opened_help_is_reported_and_changes_nothing() {
    let mut harness = with_help(fixtures::session(), Some(PAGE));
    let before = harness.view();
    assert_eq!(harness.press(Press::Help), vec![]);
    assert_eq!(harness.ui_events().last(), Some(&UiEventName::HelpOpened));
    assert_eq!(harness.view(), before);
}

#[test]
fn nothing_is_shown_without_an_https_address() {
    for url in [None, Some("http://help.example.com/"), Some("javascript:alert(1)")] {
        let harness = with_help(fixtures::session(), url);
        assert_eq!(harness.view().page.help, None, "{url:?}");
    }
    let mut harness = harness::exchanging();
    assert_eq!(harness.view().page.help, None, "the session has not begun");
    harness.press(Press::Help);
    assert!(!harness.ui_events().contains(&UiEventName::HelpOpened));
}
