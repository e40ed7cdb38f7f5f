use std::collections::BTreeMap;

use link_types::Sensitive;
use link_types::host::UiEventName;
use link_types::link::{ConsentGivenBy, ConsentReceipt, LinkPhase};
use link_types::problem::ProblemCode;

use super::desk::{self, CANARY, Desk};
use super::stock;
use crate::event::{Press, Refusal, Reply};
use crate::generated::message::Message;
use crate::view::block::{ActionState, Input, Keyboard};
use crate::view::{FocusTarget, Text, Typed};
use crate::{Effect, Event, Secrets};

fn by_registry() -> Desk {
    let mut desk = desk::at_provider(stock::provider_with_options());
    desk.choose("registry");
    desk
}

fn error(desk: &Desk, field: &str) -> Option<Text> {
    desk.field(field).unwrap().error
}

#[test]
fn the_form_has_the_providers_fields_for_password_managers() {
    let desk = desk::at_login();
    let (name, password) = (desk.field("username").unwrap(), desk.field("password").unwrap());
    assert_eq!(name.autocomplete, "section-mx_social_security username");
    assert_eq!(password.autocomplete, "section-mx_social_security current-password");
    assert_eq!(name.input, Input::Text { value: Typed::default(), keyboard: Keyboard::Text });
    assert!(matches!(password.input, Input::Password { .. }));
    assert_eq!(desk.ui_events().last(), Some(&UiEventName::LoginPageOpened));
}

#[test]
fn submitting_moves_the_secret_into_the_effect_and_nowhere_else() {
    let mut desk = desk::at_login();
    desk.edit("username", "good");
    let effects = desk.submit("password");
    let credentials = [("username", "good"), ("password", CANARY)];
    let consent = ConsentReceipt {
        consent_template_id: stock::session().template.consent.consent_template_id,
        version: "2026-1".to_owned(),
        locale: "en".to_owned(),
        given_by: ConsentGivenBy::Person,
    };
    let body = crate::submission::LoginSubmission {
        provider_id: stock::provider_id(),
        login_option: Some("password".to_owned()),
        login_name: Some(Sensitive::new("good")),
        credentials: credentials.map(|(name, text)| (name.to_owned(), Sensitive::new(text))).into(),
        consent,
    };
    assert_eq!(effects, vec![Effect::StartLink { request: desk.request, body: Box::new(body) }]);
    assert!(!format!("{:?} {:?} {:?}", effects, desk.flow, desk.view()).contains(CANARY));
    assert_eq!(desk.actions().0.state, ActionState::Busy);
    assert_eq!(desk.ui_events().last(), Some(&UiEventName::LoginSubmitted));
}

#[test]
fn empty_fields_are_named_and_the_first_gets_the_focus() {
    let mut desk = desk::at_login();
    assert_eq!(desk.send(Event::Submitted(Secrets::none())), vec![]);
    assert_eq!(error(&desk, "username"), Some(Message::FieldEmpty.into()));
    assert_eq!(error(&desk, "password"), Some(Message::FieldEmpty.into()));
    assert_eq!(desk.view().focus.target, FocusTarget::Field("username".to_owned()));
    assert_eq!(desk.said(), Some(Text::with(Message::FormErrors, vec![2.into()])));
}

#[test]
fn a_second_submit_with_the_same_faults_moves_the_focus_again() {
    let mut desk = desk::at_login();
    desk.send(Event::Submitted(Secrets::none()));
    let turn = desk.view().focus.turn;
    desk.send(Event::Submitted(Secrets::none()));
    assert!(desk.view().focus.turn > turn);
}

#[test]
fn a_field_is_checked_when_it_is_left_and_again_while_it_is_mended() {
    let mut desk = by_registry();
    desk.edit("kind", "email");
    desk.edit("email", "ana");
    assert_eq!(error(&desk, "email"), None, "not while it is first typed");
    desk.leave_field("email");
    assert_eq!(error(&desk, "email"), Some(Message::FieldEmail.into()));
    desk.edit("email", "ana@example.com");
    assert_eq!(error(&desk, "email"), None);
}

#[test]
fn a_field_that_is_left_empty_is_not_scolded() {
    let mut desk = desk::at_login();
    desk.leave_field("username");
    assert_eq!(error(&desk, "username"), None);
}

#[test]
fn a_field_appears_with_the_choice_it_depends_on() {
    let mut desk = by_registry();
    assert_eq!(desk.field_ids(), ["kind", "born", "password"]);
    desk.edit("kind", "curp");
    assert_eq!(desk.field_ids(), ["kind", "curp", "born", "password"]);
    desk.edit("kind", "email");
    assert_eq!(desk.field_ids(), ["kind", "email", "born", "password"]);
}

#[test]
fn only_visible_and_filled_fields_are_sent_without_spaces_around_them() {
    let mut desk = by_registry();
    desk.edit("kind", "curp");
    desk.edit("curp", "HEGG560427MVZRRL04");
    desk.edit("kind", "email");
    desk.edit("email", " ana@example.com ");
    let effects = desk.submit("password");
    let [Effect::StartLink { body, .. }] = &effects[..] else { panic!("{effects:?}") };
    let sent: BTreeMap<&str, &str> =
        body.credentials.iter().map(|(name, text)| (name.as_str(), text.expose())).collect();
    assert_eq!(sent, [("kind", "email"), ("email", "ana@example.com"), ("password", CANARY)].into());
    assert_eq!(body.login_option.as_deref(), Some("registry"));
}

#[test]
fn an_optional_field_says_so_and_may_stay_empty_but_not_wrong() {
    let mut desk = by_registry();
    assert_eq!(desk.field("born").unwrap().optional, Some(Message::FieldOptional.into()));
    desk.edit("kind", "curp");
    desk.edit("curp", "HEGG560427MVZRRL04");
    desk.edit("born", "2023-02-29");
    desk.submit("password");
    assert_eq!(error(&desk, "born"), Some(Message::FieldDate.into()));
}

#[test]
fn a_space_at_the_end_of_free_text_is_pointed_out_but_sent() {
    let mut desk = desk::at_login();
    desk.edit("username", "good ");
    desk.leave_field("username");
    assert_eq!(desk.field("username").unwrap().hint, Some(Message::FieldSpace.into()));
    desk.edit("username", "good");
    assert_eq!(desk.field("username").unwrap().hint, None);
}

#[test]
fn a_space_at_the_end_of_a_password_is_pointed_out_without_seeing_it() {
    let mut desk = desk::at_login();
    desk.send(Event::SecretLeft { field: "password".to_owned(), empty: false, stray_space: true });
    assert_eq!(desk.field("password").unwrap().hint, Some(Message::FieldSpace.into()));
}

#[test]
fn text_that_is_reported_for_a_secret_field_is_not_kept() {
    let mut desk = desk::at_login();
    desk.edit("password", CANARY);
    assert_eq!(desk.flow.state.loss(), None);
    desk.edit("username", "good");
    let effects = desk.send(Event::Submitted(Secrets::none()));
    assert_eq!(effects, vec![]);
    assert_eq!(error(&desk, "password"), Some(Message::FieldEmpty.into()));
}

#[test]
fn what_the_service_does_not_accept_is_shown_at_its_field() {
    let mut desk = desk::sending();
    desk.refuse_account(stock::refused_fields(&["credentials.username", "consent.version"]));
    let refused = Text::with(Message::FieldRefused, vec!["Seguro Social".into()]);
    assert_eq!(error(&desk, "username"), Some(refused));
    assert_eq!(desk.view().focus.target, FocusTarget::Field("username".to_owned()));
    assert_eq!(desk.actions().0.state, ActionState::Ready);
}

#[test]
fn a_lost_answer_is_looked_up_and_an_account_under_way_goes_on() {
    let mut desk = desk::sending();
    let effects = desk.refuse_account(Refusal::Unreachable);
    assert_eq!(effects, vec![Effect::LoadSession { request: desk.request }]);
    desk.reply_session(stock::session_with(stock::progress(1, stock::logging_in())));
    assert_eq!(desk.heading(), Message::ConnectingTitle);
    assert_eq!(desk.callbacks(), ["onAccountCreated"]);
}

#[test]
fn a_login_that_never_arrived_is_asked_for_with_everything_still_typed() {
    let mut desk = desk::sending();
    let key = desk.view().page.key;
    desk.refuse_account(Refusal::Unreachable);
    desk.reply_session(stock::session());
    assert_eq!(desk.notice().unwrap().1, Some(Message::LoginNotSentTitle.into()));
    assert_eq!(desk.said(), Some(Message::LoginNotSentTitle.into()));
    assert_eq!(desk.view().page.key, key, "the same page, so the password is still in its input");
    assert_eq!(desk.actions().0.state, ActionState::Ready);
}

#[test]
fn an_earlier_failure_is_not_taken_for_the_answer() {
    let mut desk = desk::at_failure(link_types::LinkErrorCode::InvalidCredentials);
    desk.press(Press::TryAgain);
    desk.submit("password");
    desk.refuse_account(stock::problem(503, ProblemCode::ServiceUnavailable));
    let old = stock::progress(2, stock::failed(link_types::LinkErrorCode::InvalidCredentials));
    desk.reply_session(stock::session_with(old));
    assert_eq!(desk.heading(), Message::LoginTitle);
    assert_eq!(desk.notice().unwrap().1, Some(Message::LoginNotSentTitle.into()));
}

#[test]
fn an_account_of_an_earlier_opening_is_not_taken_for_the_answer() {
    let old = || stock::progress(2, stock::failed(link_types::LinkErrorCode::AccountLocked));
    let mut desk = desk::taken_up(old());
    desk.press(Press::Agree);
    desk.reply(Reply::Providers(Ok(stock::providers())));
    desk.choose("mx_social_security");
    desk.reply_provider(stock::provider());
    desk.edit("username", "good");
    desk.submit("password");
    desk.refuse_account(Refusal::Unreachable);
    desk.reply_session(stock::session_with(old()));
    assert_eq!(desk.heading(), Message::LoginTitle);
    assert_eq!(desk.notice().unwrap().1, Some(Message::LoginNotSentTitle.into()));
    desk.submit("password");
    desk.refuse_account(Refusal::Unreachable);
    desk.reply_session(stock::session_with(stock::progress(3, stock::logging_in())));
    assert_eq!(desk.heading(), Message::ConnectingTitle, "but what happened to it since is");
}

#[test]
fn an_account_linked_before_in_this_opening_is_not_taken_for_the_answer() {
    let mut desk = desk::at_failure(link_types::LinkErrorCode::InvalidCredentials);
    desk.press(Press::ChooseAnother);
    desk.choose("mx_social_security");
    desk.reply_provider(stock::provider());
    desk.edit("username", "good");
    desk.submit("password");
    let old = || stock::progress(2, stock::failed(link_types::LinkErrorCode::InvalidCredentials));
    desk.refuse_account(Refusal::Unreachable);
    desk.reply_session(stock::session_with(old()));
    assert_eq!(desk.notice().unwrap().1, Some(Message::LoginNotSentTitle.into()));

    desk.submit("password");
    desk.session_ends();
    desk.send(Event::TokenSet { token: desk::token("second") });
    desk.reply_session(stock::session_with(old()));
    assert_eq!(desk.heading(), Message::LoginTitle, "nor after a pause");
}

#[test]
fn a_linked_account_whose_data_is_being_read_is_not_taken_for_the_answer() {
    let mut desk = desk::at_success();
    desk.press(Press::ChooseAnother);
    desk.choose("mx_social_security");
    desk.reply_provider(stock::provider());
    desk.edit("username", "another");
    desk.submit("password");
    desk.refuse_account(Refusal::Unreachable);
    desk.reply_session(stock::session_with(stock::progress(5, LinkPhase::Connected {})));
    assert_eq!(desk.notice().unwrap().1, Some(Message::LoginNotSentTitle.into()));
    desk.submit("password");
    desk.refuse_account(Refusal::Unreachable);
    desk.reply_session(stock::session_with(stock::progress(6, stock::logging_in())));
    assert_eq!(desk.heading(), Message::ConnectingTitle, "but that it is linked once more is");
}

#[test]
fn too_many_tries_say_so() {
    let mut desk = desk::sending();
    desk.refuse_account(stock::problem(429, ProblemCode::RequestLimitExceeded));
    assert_eq!(desk.notice().unwrap().1, Some(Message::BusyTitle.into()));
}

#[test]
fn while_the_login_is_on_its_way_nothing_can_be_changed() {
    let mut desk = desk::sending();
    let before = desk.view();
    desk.edit("username", "other");
    desk.submit("password");
    desk.press(Press::Back);
    assert_eq!(desk.view(), before);
    assert!(desk.field("username").unwrap().disabled);
}

#[test]
fn a_provider_without_a_login_has_one_button() {
    let mut desk = desk::at_provider(stock::provider_without_login());
    assert_eq!(desk.heading(), Message::LoginNoneTitle);
    assert!(desk.field_ids().is_empty());
    let effects = desk.send(Event::Submitted(Secrets::none()));
    let [Effect::StartLink { body, .. }] = &effects[..] else { panic!("{effects:?}") };
    assert_eq!((body.login_option.as_ref(), body.credentials.len()), (None, 0));
}
