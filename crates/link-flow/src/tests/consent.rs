use link_types::host::{UiEventName, WidgetOptions};
use link_types::link::{ConsentGivenBy, ConsentReceipt, LinkSession};
use link_types::problem::ProblemCode;
use link_types::template::{Retention, SyncInterval};

use super::fixtures;
use super::harness::{self, Harness, open_event};
use crate::event::{Press, Reply};
use crate::generated::message::Message;
use crate::view::Text;
use crate::view::block::Block;
use crate::{Effect, Event};

fn open_with(options: WidgetOptions, session: LinkSession) -> Harness {
    let mut harness = Harness::new(options);
    harness.send(open_event());
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
fn consent_says_how_often_data_is_read_and_when_deleted() {
    use Retention::{FromConnection, FromLastSync};
    use SyncInterval::{Daily, Monthly, Weekly};
    for (sync_interval, retention, expected) in [
        (None, FromConnection, Message::ConsentTimeOnce),
        (Some(Daily), FromConnection, Message::ConsentTimeDaily),
        (Some(Weekly), FromConnection, Message::ConsentTimeWeekly),
        (Some(Monthly), FromConnection, Message::ConsentTimeMonthly),
        (None, FromLastSync, Message::ConsentSyncOnce),
        (Some(Daily), FromLastSync, Message::ConsentSyncDaily),
        (Some(Weekly), FromLastSync, Message::ConsentSyncWeekly),
        (Some(Monthly), FromLastSync, Message::ConsentSyncMonthly),
    ] {
        let mut session = fixtures::session();
        session.template.sync_interval = sync_interval;
        session.template.retention = retention;
        let blocks = open_with(WidgetOptions::default(), session).view().page.blocks;
        let says = |block: &Block| matches!(block, Block::Summary { items } if items.iter().any(|it| it.detail == expected.into()));
        assert!(blocks.iter().any(says), "{sync_interval:?}");
    }
}

#[test]
fn consent_shows_company_of_template() {
    let options =
        WidgetOptions { company_name: Some("Somebody Else".to_owned()), ..WidgetOptions::default() };
    let mut harness = open_with(options, fixtures::session());
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
    let harness = open_with(without_consent_page(), may_skip(true));
    assert_eq!(harness.heading(), Message::ProvidersTitle);
    assert_eq!(harness.flow.context.consent.receipt().unwrap().given_by, ConsentGivenBy::Tenant);
}

#[test]
fn consent_is_shown_if_template_forbids_skip() {
    assert_eq!(open_with(without_consent_page(), may_skip(false)).heading(), Message::ConsentTitle);
}

#[test]
fn consent_is_shown_without_skip_option() {
    assert_eq!(open_with(WidgetOptions::default(), may_skip(true)).heading(), Message::ConsentTitle);
}

#[test]
fn declining_closes_widget() {
    let mut harness = harness::at_consent();
    let reason = link_types::host::CloseReason::Close;
    let effects = harness::without_closing_point(harness.press(Press::Leave));
    assert_eq!(effects, vec![Effect::EndSession, harness::close(reason)]);
}

/// Returns the login form of an opening in which the tenant vouched for the consent.
fn at_login_without_consent() -> Harness {
    let mut harness = open_with(without_consent_page(), may_skip(true));
    harness.reply(Reply::Providers(Ok(fixtures::providers())));
    harness.choose("mx_social_security");
    harness.reply_provider(fixtures::provider());
    harness.edit("username", "good");
    harness
}

fn renew(harness: &mut Harness, allow_consent_skip: bool) {
    harness.session_ends();
    harness.send(Event::TokenSet { token: harness::token("second") });
    harness.reply_session(daily(allow_consent_skip));
}

/// Returns a session in which data is read every day.
fn daily(allow_consent_skip: bool) -> LinkSession {
    let mut session = may_skip(allow_consent_skip);
    session.template.sync_interval = Some(SyncInterval::Daily);
    session
}

/// Submits the login. Returns the consent that was sent.
fn submit_login(harness: &mut Harness) -> Option<ConsentReceipt> {
    let effects = harness.submit("password");
    let [Effect::StartLink { body, .. }] = &effects[..] else { panic!("{effects:?}") };
    body.consent.clone()
}

fn receipt_of_tenant() -> ConsentReceipt {
    ConsentReceipt {
        given_by: ConsentGivenBy::Tenant,
        sync_interval: Some(SyncInterval::Daily),
        retention: Retention::FromConnection,
        ..fixtures::receipt()
    }
}

#[test]
fn tenant_vouches_for_other_terms_of_a_new_session() {
    let mut harness = at_login_without_consent();
    renew(&mut harness, true);
    assert_eq!(submit_login(&mut harness), Some(receipt_of_tenant()));
}

#[test]
fn person_is_asked_if_the_tenant_may_no_longer_vouch() {
    let mut harness = at_login_without_consent();
    renew(&mut harness, false);
    harness.submit("password");
    assert_eq!(harness.heading(), Message::ConsentTitle);
    assert_eq!(harness.notice(), None, "the person has not seen any terms");
}

#[test]
fn tenant_vouches_for_terms_that_changed_meanwhile() {
    let mut harness = at_login_without_consent();
    submit_login(&mut harness);
    harness.refuse_account(fixtures::problem(409, ProblemCode::ConsentRequired));
    harness.reply_session(daily(true));
    assert_eq!(harness.heading(), Message::LoginTitle);
    assert_eq!(harness.notice().unwrap().2, Message::LoginAgain.into());
    assert_eq!(submit_login(&mut harness), Some(receipt_of_tenant()));
}
