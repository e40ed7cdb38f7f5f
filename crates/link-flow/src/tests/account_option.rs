//! The widget was opened with `accountId`: the person never ends at another account, unless they ask for one.

use link_types::host::WidgetOptions;
use link_types::id::{AccountId, ProviderId};
use link_types::link::{AccountProgress, LinkPhase, LinkSession};
use link_types::problem::ProblemCode;
use link_types::provider::Provider;
use link_types::uploading::Linked;

use super::fixtures;
use super::harness::{self, Harness};
use crate::Effect;
use crate::event::{Press, Reply};
use crate::generated::message::Message;

fn account_id() -> AccountId {
    AccountId::from_bytes([8; 16])
}

fn provider_id() -> ProviderId {
    "ph_pension".parse().unwrap()
}

fn progress(version: u32, phase: LinkPhase) -> AccountProgress {
    AccountProgress {
        account_id: account_id(),
        provider_id: provider_id(),
        ..fixtures::progress(version, phase)
    }
}

/// Opens the widget with the account that requires a login.
fn open(session: LinkSession) -> Harness {
    let account_id = Some(account_id().as_str().to_owned());
    let mut harness = Harness::new(WidgetOptions { account_id, ..WidgetOptions::default() });
    harness.send(harness::open_event());
    harness.reply_session(session);
    harness
}

fn session() -> LinkSession {
    let mut session = fixtures::session();
    session.has_linked = true;
    session.template.uploads_enabled = true;
    session
}

/// Replies with the list of accounts, after the person removed the one that requires a login.
fn reply_linked_without(harness: &mut Harness) {
    let Linked { mut accounts, archives } = fixtures::linked_accounts();
    accounts.pop();
    harness.reply(Reply::Linked(Ok(Box::new(Linked { accounts, archives }))));
}

fn reply_linked(harness: &mut Harness) -> Vec<Effect> {
    harness.reply(Reply::Linked(Ok(Box::new(fixtures::linked_accounts()))))
}

fn load_linked(harness: &Harness) -> Vec<Effect> {
    vec![Effect::LoadLinked { request: harness.request }]
}

fn load_provider(harness: &Harness) -> Vec<Effect> {
    vec![Effect::LoadProvider { request: harness.request, provider: provider_id() }]
}

/// Returns a flow at the login of the account.
fn at_login() -> Harness {
    let mut harness = open(session());
    reply_linked(&mut harness);
    harness.reply_provider(Provider { id: provider_id(), ..fixtures::provider() });
    assert_eq!(harness.heading(), Message::LoginTitle);
    harness
}

/// Submits a login. Returns the account that was sent.
fn submit(harness: &mut Harness) -> Option<AccountId> {
    harness.edit("username", "good");
    let effects = harness.submit("password");
    let [Effect::StartLink { body, .. }] = &effects[..] else { panic!("{effects:?}") };
    body.account_id.clone()
}

fn reply_progress(harness: &mut Harness, version: u32, phase: LinkPhase) -> Vec<Effect> {
    harness.reply(Reply::Account(Ok(Box::new(progress(version, phase)))))
}

fn missing() -> crate::event::RequestError {
    fixtures::problem(404, ProblemCode::MissingResource)
}

/// Checks that the page says that the account is missing, and that only the person's wish leads to other providers.
fn check_missing(harness: &mut Harness) {
    reply_linked_without(harness);
    assert_eq!(harness.heading(), Message::AccountMissingTitle);
    harness.press(Press::ChooseAnother);
    assert_eq!(harness.heading(), Message::ConsentTitle);
    let effects = harness.press(Press::Agree);
    assert_eq!(effects, vec![Effect::LoadProviders { request: harness.request, cursor: None }]);
}

#[test]
fn account_revoked_during_the_login_is_missing() {
    let mut harness = at_login();
    submit(&mut harness);
    reply_progress(&mut harness, 3, fixtures::logging_in());
    let effects = harness.refuse_account(missing());
    assert_eq!(effects, load_linked(&harness));
    check_missing(&mut harness);
}

#[test]
fn account_disconnected_during_a_challenge_is_missing() {
    let mut harness = at_login();
    submit(&mut harness);
    reply_progress(&mut harness, 3, fixtures::challenge_phase(fixtures::code()));
    harness.submit_code("1234");
    reply_progress(&mut harness, 4, LinkPhase::Disconnected {});
    check_missing(&mut harness);
}

#[test]
fn login_of_a_removed_account_leads_to_its_page() {
    let mut harness = at_login();
    submit(&mut harness);
    let effects = harness.refuse_account(missing());
    assert_eq!(effects, load_linked(&harness));
    check_missing(&mut harness);
}

#[test]
fn removed_account_of_the_list_leads_to_its_page() {
    let mut harness = harness::at_accounts();
    harness.choose(account_id().as_str());
    harness.press(Press::SignIn);
    harness.reply_provider(Provider { id: provider_id(), ..fixtures::provider() });
    submit(&mut harness);
    harness.refuse_account(missing());
    check_missing(&mut harness);
}

#[test]
fn login_of_another_account_stays_on_the_form_of_the_account() {
    let mut harness = at_login();
    assert_eq!(submit(&mut harness), Some(account_id()));
    harness.refuse_account(fixtures::problem(409, ProblemCode::AccountMismatch));
    assert_eq!(harness.notice().unwrap().1, Some(Message::LoginOtherTitle.into()));
    assert_eq!(harness.view().page.header.back, None);
    assert_eq!(submit(&mut harness), Some(account_id()));
}

#[test]
fn back_from_the_upload_leads_to_the_account() {
    let mut harness = at_login();
    submit(&mut harness);
    reply_progress(&mut harness, 3, fixtures::failed_phase(link_types::LinkErrorCode::AccountLocked));
    harness.choose("/upload");
    assert_eq!(harness.heading(), Message::ConsentTitle, "the account's consent is not for documents");
    harness.press(Press::Agree);
    let effects = harness.press(Press::Back);
    assert_eq!(effects, load_linked(&harness));
    reply_linked(&mut harness);
    assert_eq!(harness.heading(), Message::AccountTitle, "the login does not follow again");
    let effects = harness.press(Press::SignIn);
    assert_eq!(effects, load_provider(&harness));
    harness.reply_provider(Provider { id: provider_id(), ..fixtures::provider() });
    assert_eq!(submit(&mut harness), Some(account_id()));
}

#[test]
fn missing_provider_of_the_account_leads_to_its_page() {
    let mut harness = open(session());
    reply_linked(&mut harness);
    harness.reply(Reply::Provider(Err(missing())));
    assert_eq!(harness.heading(), Message::ProviderMissingTitle);
    let effects = harness.press(Press::ChooseAnother);
    assert_eq!(effects, load_linked(&harness));
    reply_linked(&mut harness);
    assert_eq!(harness.heading(), Message::AccountTitle);
}

#[test]
fn account_whose_attempt_is_over_is_looked_up() {
    for phase in
        [LinkPhase::Disconnected {}, fixtures::failed_phase(link_types::LinkErrorCode::AccountLocked)]
    {
        let mut session = session();
        session.attempt.account = Some(progress(3, phase));
        let mut harness = open(session);
        check_missing(&mut harness);
    }
}

#[test]
fn account_of_the_list_precedes_the_provider_option() {
    let provider_id = Some(fixtures::provider_id().as_str().to_owned());
    let mut harness = Harness::new(WidgetOptions { provider_id, ..WidgetOptions::default() });
    harness.send(harness::open_event());
    harness.reply_session(fixtures::session_with(fixtures::progress(2, LinkPhase::Connected {})));
    harness.reply_provider(fixtures::provider());
    harness.choose("/accounts");
    reply_linked(&mut harness);
    harness.choose(account_id().as_str());
    let effects = harness.press(Press::SignIn);
    assert_eq!(effects, load_provider(&harness));
}

#[test]
fn account_that_was_linked_before_needs_a_login() {
    let mut session = session();
    session.attempt.account = Some(progress(3, LinkPhase::Connected {}));
    let mut harness = open(session);
    reply_linked(&mut harness);
    harness.reply_provider(Provider { id: provider_id(), ..fixtures::provider() });
    assert_eq!(harness.heading(), Message::LoginTitle);
    assert!(!harness.emitted.iter().any(|(key, _)| key.contains("/account")), "{:?}", harness.emitted);
}

#[test]
fn account_that_was_signed_in_to_is_resumed() {
    let mut session = session();
    session.attempt.account = Some(progress(3, LinkPhase::Connected {}));
    session.attempt.place.provider_id = Some(provider_id());
    session.attempt.place.account_id = Some(account_id());
    let mut harness = open(session);
    harness.reply_provider(Provider { id: provider_id(), ..fixtures::provider() });
    assert_eq!(harness.heading(), Message::SuccessTitle);
}
