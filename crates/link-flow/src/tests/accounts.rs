//! The accounts screen: open, sign in again, remove.

use link_types::host::{AccountSubject, Callback, LinkMistake, UiEventName, WidgetOptions};
use link_types::id::{AccountId, ArchiveId};
use link_types::problem::ProblemCode;
use link_types::uploading::{ConfirmRevocation, Linked, Revocation};

use super::fixtures;
use super::harness::{self, Harness};
use crate::Effect;
use crate::effect::ItemId;
use crate::event::{Press, Reply, RequestError};
use crate::generated::message::Message;
use crate::view::Text;
use crate::view::block::ActionState;

const CONNECTED: [u8; 16] = [7; 16];
const NEEDS_LOGIN: [u8; 16] = [8; 16];
const PAYSLIP: [u8; 16] = [6; 16];

fn account(bytes: [u8; 16]) -> String {
    AccountId::from_bytes(bytes).as_str().to_owned()
}

fn archive() -> String {
    ArchiveId::from_bytes(PAYSLIP).as_str().to_owned()
}

fn item() -> ItemId {
    ItemId::Account(AccountId::from_bytes(CONNECTED))
}

/// Returns a flow whose page asks for an account.
fn updating(id: &str) -> Harness {
    let mut harness =
        Harness::new(WidgetOptions { account_id: Some(id.to_owned()), ..WidgetOptions::default() });
    harness.send(harness::open_event());
    harness.reply_session(fixtures::session());
    harness
}

fn reply_linked(harness: &mut Harness) -> Vec<Effect> {
    harness.reply(Reply::Linked(Ok(Box::new(fixtures::linked_accounts()))))
}

/// Returns a flow after the person confirmed the removal of the first account.
fn confirm_removal() -> Harness {
    let mut harness = harness::at_accounts();
    harness.choose(&account(CONNECTED));
    harness.press(Press::Disconnect);
    harness.press(Press::Confirm);
    harness
}

fn allow(harness: &mut Harness) -> Vec<Effect> {
    harness.reply(Reply::Revocation(Ok(Revocation { confirmation: "right".to_owned() })))
}

#[test]
fn person_with_links_starts_at_accounts() {
    let mut harness = harness::exchanging();
    let effects =
        harness.reply_session(link_types::link::LinkSession { has_linked: true, ..fixtures::session() });
    assert_eq!(effects, vec![Effect::LoadLinked { request: harness.request }]);
    assert_eq!(harness.heading(), Message::AccountsTitle);
    assert_eq!(harness.ui_events(), [UiEventName::AccountListPageOpened]);
    reply_linked(&mut harness);
    assert_eq!(harness.choices(), [account(CONNECTED), account(NEEDS_LOGIN), archive()]);
    let details: Vec<Option<Text>> =
        harness.lists().into_iter().flat_map(|list| list.choices).map(|choice| choice.detail).collect();
    let expected = [
        Some(Text::with(Message::AccountSynced, vec![0.into()])),
        Some(Message::AccountAction.into()),
        Some(Text::with(Message::AccountAdded, vec![3.into()])),
    ];
    assert_eq!(details, expected);
}

#[test]
fn accounts_page_connects_another_account() {
    let mut harness = harness::at_accounts();
    harness.press(Press::ChooseAnother);
    assert_eq!(harness.heading(), Message::ConsentTitle);
    harness.press(Press::Agree);
    harness.reply(Reply::Providers(Ok(fixtures::providers())));
    assert_eq!(harness.ways(), ["/survey", "/upload", "/accounts"]);
    harness.choose("/accounts");
    assert_eq!(harness.heading(), Message::AccountsTitle);
}

#[test]
fn done_on_accounts_page_closes_with_exit() {
    let mut harness = harness::at_accounts();
    let effects = harness.press(Press::Done);
    assert!(format!("{effects:?}").contains("Exit"), "{effects:?}");
}

#[test]
fn account_page_shows_status() {
    let mut harness = harness::at_accounts();
    harness.choose(&account(CONNECTED));
    assert_eq!(harness.heading(), Message::AccountTitle);
    assert!(format!("{:?}", harness.view()).contains("g•••d"));
    assert_eq!(harness.actions().0.press, Press::Back);
    harness.press(Press::SignIn);
    assert_eq!(harness.heading(), Message::AccountTitle, "the account does not need a new login");
    harness.press(Press::Back);
    assert_eq!(harness.heading(), Message::AccountsTitle);
}

#[test]
fn account_with_action_required_can_sign_in() {
    let mut harness = harness::at_accounts();
    harness.choose(&account(NEEDS_LOGIN));
    assert_eq!(harness.actions().0.press, Press::SignIn);
    let effects = harness.press(Press::SignIn);
    let provider = "ph_pension".parse().unwrap();
    assert_eq!(effects, vec![Effect::LoadProvider { request: harness.request, provider }]);
}

#[test]
fn account_is_disconnected_after_confirmation() {
    let mut harness = harness::at_accounts();
    harness.choose(&account(CONNECTED));
    harness.press(Press::Disconnect);
    assert_eq!(harness.heading(), Message::RevokeTitle);
    assert_eq!(harness.ui_events().last(), Some(&UiEventName::AccountRevokePageOpened));
    let effects = harness.press(Press::Confirm);
    assert_eq!(effects, vec![Effect::AskRevocation { request: harness.request, item: item() }]);
    assert_eq!(harness.actions().0.state, ActionState::Busy);
    let effects = allow(&mut harness);
    let body = ConfirmRevocation { confirmation: "right".to_owned() };
    assert_eq!(effects, vec![Effect::Revoke { request: harness.request, item: item(), body }]);
    let effects = harness.reply(Reply::Done(Ok(())));
    let removed = AccountSubject {
        account_id: AccountId::from_bytes(CONNECTED),
        user_id: fixtures::user_id(2),
        provider_id: fixtures::provider_id(),
    };
    let key = format!("{}/accountRemoved/{}", fixtures::attempt_id(), account(CONNECTED));
    assert_eq!(effects, vec![Effect::Emit { key, callback: Callback::AccountRemoved(removed) }]);
    assert_eq!(harness.choices(), [account(NEEDS_LOGIN), archive()]);
    assert_eq!(harness.announcement(), Some(Message::RevokeDone.into()));
}

#[test]
fn upload_is_removed_after_confirmation() {
    let mut harness = harness::at_accounts();
    harness.choose(&archive());
    assert!(format!("{:?}", harness.view()).contains("may.pdf"));
    harness.press(Press::Disconnect);
    assert_eq!(harness.heading(), Message::RevokeUploadTitle);
    assert_eq!(harness.ui_events().last(), Some(&UiEventName::RevokeArchivePageOpened));
    harness.press(Press::Confirm);
    allow(&mut harness);
    harness.reply(Reply::Done(Ok(())));
    assert_eq!(harness.callbacks(), ["onUploadsRemoved"]);
    assert_eq!(harness.choices(), [account(CONNECTED), account(NEEDS_LOGIN)]);
}

#[test]
fn cancelled_removal_keeps_account() {
    let mut harness = harness::at_accounts();
    harness.choose(&account(CONNECTED));
    harness.press(Press::Disconnect);
    assert_eq!(harness.press(Press::Back), vec![]);
    assert_eq!(harness.heading(), Message::AccountTitle);
    let mut harness = confirm_removal();
    harness.press(Press::Back);
    assert_eq!(harness.heading(), Message::RevokeTitle, "back has no effect during a revocation");
}

#[test]
fn failed_removal_can_be_retried() {
    let mut harness = confirm_removal();
    for delay_ms in [800, 2_400] {
        harness.reply(Reply::Revocation(Err(RequestError::Unreachable)));
        harness.wait(delay_ms);
    }
    harness.reply(Reply::Revocation(Err(RequestError::Unreachable)));
    assert_eq!(harness.notice().unwrap().1, Some(Message::OfflineTitle.into()));
    assert_eq!(harness.announcement(), Some(Message::OfflineTitle.into()));
    let effects = harness.press(Press::Confirm);
    assert_eq!(effects, vec![Effect::AskRevocation { request: harness.request, item: item() }]);
}

#[test]
fn removal_with_lost_reply_is_emitted_once() {
    let mut harness = confirm_removal();
    allow(&mut harness);
    harness.reply(Reply::Done(Err(RequestError::Unreachable)));
    harness.wait(800);
    let effects = harness.reply(Reply::Done(Err(fixtures::problem(404, ProblemCode::MissingResource))));
    assert_eq!(effects, vec![Effect::LoadLinked { request: harness.request }]);
    let Linked { mut accounts, archives } = fixtures::linked_accounts();
    accounts.remove(0);
    harness.reply(Reply::Linked(Ok(Box::new(Linked { accounts, archives }))));
    assert_eq!(harness.callbacks(), ["onAccountRemoved"]);
    assert_eq!(harness.choices(), [account(NEEDS_LOGIN), archive()]);
}

#[test]
fn refused_removal_keeps_account() {
    let mut harness = confirm_removal();
    harness.reply(Reply::Revocation(Err(fixtures::problem(409, ProblemCode::Conflict))));
    reply_linked(&mut harness);
    assert_eq!(harness.callbacks(), [""; 0]);
    assert_eq!(harness.choices().len(), 3);
}

#[test]
fn new_session_requests_new_confirmation() {
    let mut harness = confirm_removal();
    allow(&mut harness);
    harness.session_ends();
    harness.send(crate::Event::TokenSet { token: harness::token("second") });
    let effects = harness.reply_session(fixtures::session());
    assert_eq!(effects, vec![Effect::AskRevocation { request: harness.request, item: item() }]);
}

#[test]
fn account_id_opens_login_if_required() {
    let mut harness = updating(&account(NEEDS_LOGIN));
    reply_linked(&mut harness);
    harness.reply_provider(fixtures::provider());
    assert_eq!(harness.heading(), Message::LoginTitle);
    assert_eq!(harness.view().page.header.back, None, "the page has no back button");
    assert!(!harness.ui_events().contains(&UiEventName::AccountListPageOpened));
}

#[test]
fn account_id_shows_healthy_account() {
    let mut harness = updating(&account(CONNECTED));
    reply_linked(&mut harness);
    assert_eq!(harness.heading(), Message::AccountTitle);
    assert!(format!("{:?}", harness.view()).contains("AccountNothing"));
}

#[test]
fn account_id_of_other_person_is_missing() {
    let mut harness = updating(&account([9; 16]));
    reply_linked(&mut harness);
    assert_eq!(harness.heading(), Message::AccountMissingTitle);
    assert_eq!(harness.errors(), [LinkMistake::Account]);
    harness.press(Press::ChooseAnother);
    assert_eq!(harness.heading(), Message::ConsentTitle);
}

#[test]
fn account_id_resumes_account_under_way() {
    let mut harness = Harness::new(WidgetOptions {
        account_id: Some(fixtures::account_id().as_str().to_owned()),
        ..WidgetOptions::default()
    });
    harness.send(harness::open_event());
    harness.reply_session(fixtures::session_with(fixtures::progress(
        3,
        fixtures::challenge_phase(fixtures::code()),
    )));
    harness.reply_provider(fixtures::provider());
    assert_eq!(harness.heading(), Message::ChallengeCodeTitle);
}

#[test]
fn success_page_links_to_accounts() {
    let mut harness = harness::at_success();
    assert_eq!(harness.ways(), ["/accounts"]);
    harness.choose("/accounts");
    reply_linked(&mut harness);
    assert_eq!(harness.choices().len(), 3);
}

#[test]
fn failed_accounts_list_can_be_retried() {
    let mut harness = harness::exchanging();
    harness.reply_session(link_types::link::LinkSession { has_linked: true, ..fixtures::session() });
    harness.reply(Reply::Linked(Err(fixtures::problem(404, ProblemCode::MissingResource))));
    assert_eq!(harness.heading(), Message::UnavailableTitle);
    let effects = harness.press(Press::Retry);
    assert_eq!(effects, vec![Effect::LoadLinked { request: harness.request }]);
}
