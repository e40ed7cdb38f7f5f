//! What is already linked: seen, signed in to again, taken back.

use link_types::host::{AccountSubject, Callback, UiEventName, WidgetOptions};
use link_types::id::{AccountId, ArchiveId};
use link_types::problem::ProblemCode;
use link_types::uploading::{ConfirmRevocation, Linked, Revocation};

use super::desk::{self, Desk};
use super::stock;
use crate::Effect;
use crate::effect::Given;
use crate::event::{Press, Refusal, Reply};
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

fn given() -> Given {
    Given::Account(AccountId::from_bytes(CONNECTED))
}

/// A flow whose page asks for an account.
fn updating(id: &str) -> Desk {
    let mut desk = Desk::new(WidgetOptions { account_id: Some(id.to_owned()), ..WidgetOptions::default() });
    desk.send(desk::opened());
    desk.reply_session(stock::session());
    desk
}

fn reply_linked(desk: &mut Desk) -> Vec<Effect> {
    desk.reply(Reply::Linked(Ok(Box::new(stock::linked()))))
}

/// Asked whether to take the first account back, and said yes.
fn confirmed() -> Desk {
    let mut desk = desk::at_accounts();
    desk.choose(&account(CONNECTED));
    desk.press(Press::Disconnect);
    desk.press(Press::Confirm);
    desk
}

fn allow(desk: &mut Desk) -> Vec<Effect> {
    desk.reply(Reply::Revocation(Ok(Revocation { confirmation: "right".to_owned() })))
}

#[test]
fn who_has_linked_something_begins_with_it() {
    let mut desk = desk::exchanging();
    let effects = desk.reply_session(link_types::link::LinkSession { has_linked: true, ..stock::session() });
    assert_eq!(effects, vec![Effect::LoadLinked { request: desk.request }]);
    assert_eq!(desk.heading(), Message::AccountsTitle);
    assert_eq!(desk.ui_events(), [UiEventName::AccountListPageOpened]);
    reply_linked(&mut desk);
    assert_eq!(desk.choices(), [account(CONNECTED), account(NEEDS_LOGIN), archive()]);
    let details: Vec<Option<Text>> =
        desk.lists().into_iter().flat_map(|list| list.choices).map(|choice| choice.detail).collect();
    let expected = [
        Some(Text::with(Message::AccountSynced, vec![0.into()])),
        Some(Message::AccountAction.into()),
        Some(Text::with(Message::AccountAdded, vec![3.into()])),
    ];
    assert_eq!(details, expected);
}

#[test]
fn another_account_is_connected_from_there() {
    let mut desk = desk::at_accounts();
    desk.press(Press::ChooseAnother);
    assert_eq!(desk.heading(), Message::ConsentTitle);
    desk.press(Press::Agree);
    desk.reply(Reply::Providers(Ok(stock::providers())));
    assert_eq!(desk.ways(), ["/survey", "/upload", "/accounts"]);
    desk.choose("/accounts");
    assert_eq!(desk.heading(), Message::AccountsTitle);
}

#[test]
fn done_closes_with_exit() {
    let mut desk = desk::at_accounts();
    let effects = desk.press(Press::Done);
    assert!(format!("{effects:?}").contains("Exit"), "{effects:?}");
}

#[test]
fn an_account_shows_how_it_fares_and_the_way_back() {
    let mut desk = desk::at_accounts();
    desk.choose(&account(CONNECTED));
    assert_eq!(desk.heading(), Message::AccountTitle);
    assert!(format!("{:?}", desk.view()).contains("g•••d"));
    assert_eq!(desk.actions().0.press, Press::Back);
    desk.press(Press::SignIn);
    assert_eq!(desk.heading(), Message::AccountTitle, "it needs none");
    desk.press(Press::Back);
    assert_eq!(desk.heading(), Message::AccountsTitle);
}

#[test]
fn an_account_that_waits_for_the_person_is_signed_in_to_again() {
    let mut desk = desk::at_accounts();
    desk.choose(&account(NEEDS_LOGIN));
    assert_eq!(desk.actions().0.press, Press::SignIn);
    desk.press(Press::SignIn);
    let effects = desk.press(Press::Agree);
    let provider = "ph_pension".parse().unwrap();
    assert_eq!(effects, vec![Effect::LoadProvider { request: desk.request, provider }]);
}

#[test]
fn an_account_is_taken_back_after_a_question() {
    let mut desk = desk::at_accounts();
    desk.choose(&account(CONNECTED));
    desk.press(Press::Disconnect);
    assert_eq!(desk.heading(), Message::RevokeTitle);
    assert_eq!(desk.ui_events().last(), Some(&UiEventName::AccountRevokePageOpened));
    let effects = desk.press(Press::Confirm);
    assert_eq!(effects, vec![Effect::AskRevocation { request: desk.request, given: given() }]);
    assert_eq!(desk.actions().0.state, ActionState::Busy);
    let effects = allow(&mut desk);
    let body = ConfirmRevocation { confirmation: "right".to_owned() };
    assert_eq!(effects, vec![Effect::Revoke { request: desk.request, given: given(), body }]);
    let effects = desk.reply(Reply::Done(Ok(())));
    let removed = AccountSubject {
        account_id: AccountId::from_bytes(CONNECTED),
        user_id: stock::user_id(2),
        provider_id: stock::provider_id(),
    };
    let key = format!("{}/accountRemoved/{}", stock::attempt_id(), account(CONNECTED));
    assert_eq!(effects, vec![Effect::Tell { key, callback: Callback::AccountRemoved(removed) }]);
    assert_eq!(desk.choices(), [account(NEEDS_LOGIN), archive()]);
    assert_eq!(desk.said(), Some(Message::RevokeDone.into()));
}

#[test]
fn a_document_is_taken_back_the_same_way() {
    let mut desk = desk::at_accounts();
    desk.choose(&archive());
    assert!(format!("{:?}", desk.view()).contains("may.pdf"));
    desk.press(Press::Disconnect);
    assert_eq!(desk.heading(), Message::RevokeUploadTitle);
    assert_eq!(desk.ui_events().last(), Some(&UiEventName::RevokeArchivePageOpened));
    desk.press(Press::Confirm);
    allow(&mut desk);
    desk.reply(Reply::Done(Ok(())));
    assert_eq!(desk.callbacks(), ["onUploadsRemoved"]);
    assert_eq!(desk.choices(), [account(CONNECTED), account(NEEDS_LOGIN)]);
}

#[test]
fn who_thinks_better_of_it_keeps_it() {
    let mut desk = desk::at_accounts();
    desk.choose(&account(CONNECTED));
    desk.press(Press::Disconnect);
    assert_eq!(desk.press(Press::Back), vec![]);
    assert_eq!(desk.heading(), Message::AccountTitle);
    let mut desk = confirmed();
    desk.press(Press::Back);
    assert_eq!(desk.heading(), Message::RevokeTitle, "not while it is under way");
}

#[test]
fn what_failed_is_said_and_may_be_tried_again() {
    let mut desk = confirmed();
    for rest in [800, 2_400] {
        desk.reply(Reply::Revocation(Err(Refusal::Unreachable)));
        desk.wait(rest);
    }
    desk.reply(Reply::Revocation(Err(Refusal::Unreachable)));
    assert_eq!(desk.notice().unwrap().1, Some(Message::OfflineTitle.into()));
    let effects = desk.press(Press::Confirm);
    assert_eq!(effects, vec![Effect::AskRevocation { request: desk.request, given: given() }]);
}

#[test]
fn what_was_taken_back_though_the_answer_was_lost_is_told_once() {
    let mut desk = confirmed();
    allow(&mut desk);
    desk.reply(Reply::Done(Err(Refusal::Unreachable)));
    desk.wait(800);
    let effects = desk.reply(Reply::Done(Err(stock::problem(404, ProblemCode::MissingResource))));
    assert_eq!(effects, vec![Effect::LoadLinked { request: desk.request }]);
    let Linked { mut accounts, archives } = stock::linked();
    accounts.remove(0);
    desk.reply(Reply::Linked(Ok(Box::new(Linked { accounts, archives }))));
    assert_eq!(desk.callbacks(), ["onAccountRemoved"]);
    assert_eq!(desk.choices(), [account(NEEDS_LOGIN), archive()]);
}

#[test]
fn what_the_service_would_not_take_back_is_still_there() {
    let mut desk = confirmed();
    desk.reply(Reply::Revocation(Err(stock::problem(409, ProblemCode::Conflict))));
    reply_linked(&mut desk);
    assert_eq!(desk.callbacks(), [""; 0]);
    assert_eq!(desk.choices().len(), 3);
}

#[test]
fn a_new_session_asks_for_a_new_right() {
    let mut desk = confirmed();
    allow(&mut desk);
    desk.session_ends();
    desk.send(crate::Event::TokenSet { token: desk::token("second") });
    let effects = desk.reply_session(stock::session());
    assert_eq!(effects, vec![Effect::AskRevocation { request: desk.request, given: given() }]);
}

#[test]
fn an_update_goes_straight_to_the_login_of_what_needs_one() {
    let mut desk = updating(&account(NEEDS_LOGIN));
    reply_linked(&mut desk);
    assert_eq!(desk.heading(), Message::ConsentTitle, "each submit has its receipt");
    desk.press(Press::Agree);
    desk.reply_provider(stock::provider());
    assert_eq!(desk.heading(), Message::LoginTitle);
    assert_eq!(desk.view().page.header.back, None, "there is nothing else here");
    assert!(!desk.ui_events().contains(&UiEventName::AccountListPageOpened));
}

#[test]
fn an_update_of_what_needs_nothing_says_so() {
    let mut desk = updating(&account(CONNECTED));
    reply_linked(&mut desk);
    assert_eq!(desk.heading(), Message::AccountTitle);
    assert!(format!("{:?}", desk.view()).contains("AccountNothing"));
}

#[test]
fn an_update_of_somebody_elses_account_says_that_it_is_not_here() {
    let mut desk = updating(&account([9; 16]));
    reply_linked(&mut desk);
    assert_eq!(desk.heading(), Message::AccountMissingTitle);
    desk.press(Press::ChooseAnother);
    assert_eq!(desk.heading(), Message::ConsentTitle);
}

#[test]
fn an_update_under_way_goes_on_where_it_was() {
    let mut desk = Desk::new(WidgetOptions {
        account_id: Some(stock::account_id().as_str().to_owned()),
        ..WidgetOptions::default()
    });
    desk.send(desk::opened());
    desk.reply_session(stock::session_with(stock::progress(3, stock::challenged(stock::code()))));
    desk.reply_provider(stock::provider());
    assert_eq!(desk.heading(), Message::ChallengeCodeTitle);
}

#[test]
fn after_success_the_accounts_are_a_row_away() {
    let mut desk = desk::at_success();
    assert_eq!(desk.ways(), ["/accounts"]);
    desk.choose("/accounts");
    reply_linked(&mut desk);
    assert_eq!(desk.choices().len(), 3);
}

#[test]
fn a_list_that_does_not_load_can_be_asked_for_again() {
    let mut desk = desk::exchanging();
    desk.reply_session(link_types::link::LinkSession { has_linked: true, ..stock::session() });
    desk.reply(Reply::Linked(Err(stock::problem(404, ProblemCode::MissingResource))));
    assert_eq!(desk.heading(), Message::UnavailableTitle);
    let effects = desk.press(Press::Retry);
    assert_eq!(effects, vec![Effect::LoadLinked { request: desk.request }]);
}
