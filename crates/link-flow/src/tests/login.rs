use std::collections::BTreeMap;

use link_types::Sensitive;
use link_types::host::UiEventName;
use link_types::link::{ConsentGivenBy, ConsentReceipt, LinkPhase};
use link_types::problem::ProblemCode;
use link_types::template::Retention;

use super::fixtures;
use super::harness::{self, CANARY, Harness};
use crate::event::{Press, Reply, RequestError};
use crate::generated::message::Message;
use crate::view::block::{ActionState, Block, Input, Keyboard, Severity};
use crate::view::{Argument, FocusTarget, Text, Typed};
use crate::{Effect, Event, Secrets};

fn by_registry() -> Harness {
    let mut harness = harness::at_provider(fixtures::provider_with_options());
    harness.choose("registry");
    harness
}

fn error(harness: &Harness, field: &str) -> Option<Text> {
    harness.field(field).unwrap().error
}

#[test]
fn form_supports_password_managers() {
    let harness = harness::at_login();
    let (name, password) = (harness.field("username").unwrap(), harness.field("password").unwrap());
    assert_eq!(name.autocomplete, "section-mx_social_security username");
    assert_eq!(password.autocomplete, "section-mx_social_security current-password");
    assert_eq!(name.input, Input::Text { value: Typed::default(), keyboard: Keyboard::Text });
    assert!(matches!(password.input, Input::Password { .. }));
    assert_eq!(harness.ui_events().last(), Some(&UiEventName::LoginPageOpened));
}

#[test]
fn submit_moves_secret_into_effect_only() {
    let mut harness = harness::at_login();
    harness.edit("username", "good");
    let effects = harness.submit("password");
    let credentials = [("username", "good"), ("password", CANARY)];
    let consent = ConsentReceipt {
        consent_template_id: fixtures::session().template.consent.consent_template_id,
        version: "2026-1".to_owned(),
        locale: "en".to_owned(),
        given_by: ConsentGivenBy::Person,
        sync_interval: None,
        retention: Retention::FromConnection,
        data_choice: None,
    };
    let body = crate::submission::LoginSubmission {
        provider_id: fixtures::provider_id(),
        login_option: Some("password".to_owned()),
        login_name: Some(Sensitive::new("good")),
        credentials: credentials.map(|(name, text)| (name.to_owned(), Sensitive::new(text))).into(),
        account_id: None,
        consent: Some(consent),
    };
    assert_eq!(effects, vec![Effect::StartLink { request: harness.request, body: Box::new(body) }]);
    assert!(!format!("{:?} {:?} {:?}", effects, harness.flow, harness.view()).contains(CANARY));
    assert_eq!(harness.actions().0.state, ActionState::Busy);
    assert_eq!(harness.ui_events().last(), Some(&UiEventName::LoginSubmitted));
}

#[test]
fn empty_fields_are_reported_and_first_is_focused() {
    let mut harness = harness::at_login();
    assert_eq!(harness.send(Event::Submitted(Secrets::none())), vec![]);
    assert_eq!(error(&harness, "username"), Some(Message::FieldEmpty.into()));
    assert_eq!(error(&harness, "password"), Some(Message::FieldEmpty.into()));
    assert_eq!(harness.view().focus.target, FocusTarget::Field("username".to_owned()));
    assert_eq!(harness.announcement(), Some(Text::with(Message::FormErrors, vec![2.into()])));
}

#[test]
fn second_faulty_submit_moves_focus_again() {
    let mut harness = harness::at_login();
    harness.send(Event::Submitted(Secrets::none()));
    let turn = harness.view().focus.turn;
    harness.send(Event::Submitted(Secrets::none()));
    assert!(harness.view().focus.turn > turn);
}

#[test]
fn field_is_checked_on_blur_and_while_corrected() {
    let mut harness = by_registry();
    harness.edit("kind", "email");
    harness.edit("email", "ana");
    assert_eq!(error(&harness, "email"), None, "an input is not checked before it loses focus");
    harness.leave_field("email");
    assert_eq!(error(&harness, "email"), Some(Message::FieldEmail.into()));
    harness.edit("email", "ana@example.com");
    assert_eq!(error(&harness, "email"), None);
}

#[test]
fn empty_field_is_not_reported_on_blur() {
    let mut harness = harness::at_login();
    harness.leave_field("username");
    assert_eq!(error(&harness, "username"), None);
}

#[test]
fn conditional_field_appears_with_its_choice() {
    let mut harness = by_registry();
    assert_eq!(harness.field_ids(), ["kind", "born", "password"]);
    harness.edit("kind", "curp");
    assert_eq!(harness.field_ids(), ["kind", "curp", "born", "password"]);
    harness.edit("kind", "email");
    assert_eq!(harness.field_ids(), ["kind", "email", "born", "password"]);
}

#[test]
fn only_visible_filled_fields_are_sent_trimmed() {
    let mut harness = by_registry();
    harness.edit("kind", "curp");
    harness.edit("curp", "HEGG560427MVZRRL04");
    harness.edit("kind", "email");
    harness.edit("email", " ana@example.com ");
    let effects = harness.submit("password");
    let [Effect::StartLink { body, .. }] = &effects[..] else { panic!("{effects:?}") };
    let sent: BTreeMap<&str, &str> =
        body.credentials.iter().map(|(name, text)| (name.as_str(), text.expose())).collect();
    assert_eq!(sent, [("kind", "email"), ("email", "ana@example.com"), ("password", CANARY)].into());
    assert_eq!(body.login_option.as_deref(), Some("registry"));
}

#[test]
fn number_is_sent_without_what_people_copy_with_it() {
    let mut harness = by_registry();
    harness.edit("kind", "curp");
    harness.edit("curp", "\u{200e}HEGG 560427 MVZRRL04 ");
    let effects = harness.submit("password");
    let [Effect::StartLink { body, .. }] = &effects[..] else { panic!("{effects:?}") };
    assert_eq!(body.credentials["curp"].expose(), "HEGG560427MVZRRL04");
}

#[test]
fn footer_names_password_only_where_one_is_asked() {
    let footer = |harness: &harness::Harness| match harness.view().page.footer {
        Some(Text::Message(message, _)) => message,
        other => panic!("{other:?}"),
    };
    assert_eq!(footer(&harness::at_login()), Message::FooterPassword);
    for harness in
        [harness::at_providers(), harness::at_challenge(fixtures::code()), harness::at_connecting()]
    {
        assert_eq!(footer(&harness), Message::FooterConsent, "{:?}", harness.heading());
    }
}

#[test]
fn new_notice_is_shown_only_on_the_same_page() {
    let mut harness = harness::sending();
    let before = harness.view();
    harness.refuse_account(fixtures::problem(429, ProblemCode::RequestLimitExceeded));
    assert!(harness.view().has_new_notice(&before));
}

#[test]
fn other_notice_in_its_place_is_new_but_not_its_countdown() {
    let notice = |message, seconds| {
        let mut view = harness::sending().view();
        let text = Text::with(message, vec![Argument::Number(seconds)]);
        view.page.blocks.push(Block::Notice { severity: Severity::Warning, title: None, text });
        view
    };
    let before = notice(Message::FooterPassword, 5);
    assert!(notice(Message::FooterConsent, 5).has_new_notice(&before));
    assert!(!notice(Message::FooterPassword, 4).has_new_notice(&before));
}

#[test]
fn optional_field_may_be_empty_but_not_wrong() {
    let mut harness = by_registry();
    assert_eq!(harness.field("born").unwrap().optional, Some(Message::FieldOptional.into()));
    harness.edit("kind", "curp");
    harness.edit("curp", "HEGG560427MVZRRL04");
    harness.edit("born", "2023-02-29");
    harness.submit("password");
    assert_eq!(error(&harness, "born"), Some(Message::FieldDate.into()));
}

#[test]
fn trailing_space_in_free_text_is_hinted_and_sent() {
    let mut harness = harness::at_login();
    harness.edit("username", "good ");
    harness.leave_field("username");
    assert_eq!(harness.field("username").unwrap().hint, Some(Message::FieldSpace.into()));
    harness.edit("username", "good");
    assert_eq!(harness.field("username").unwrap().hint, None);
}

#[test]
fn trailing_space_in_password_is_hinted() {
    let mut harness = harness::at_login();
    harness.send(Event::SecretLeft { field: "password".to_owned(), empty: false, stray_space: true });
    assert_eq!(harness.field("password").unwrap().hint, Some(Message::FieldSpace.into()));
}

#[test]
fn text_of_secret_field_is_not_stored() {
    let mut harness = harness::at_login();
    harness.edit("password", CANARY);
    assert_eq!(harness.flow.state.loss(), None);
    harness.edit("username", "good");
    let effects = harness.send(Event::Submitted(Secrets::none()));
    assert_eq!(effects, vec![]);
    assert_eq!(error(&harness, "password"), Some(Message::FieldEmpty.into()));
}

#[test]
fn refused_field_shows_error() {
    let mut harness = harness::sending();
    harness.refuse_account(fixtures::refused_fields(&["credentials.username", "consent.version"]));
    let refused = Text::with(Message::FieldRefused, vec!["Seguro Social".into()]);
    assert_eq!(error(&harness, "username"), Some(refused));
    assert_eq!(harness.view().focus.target, FocusTarget::Field("username".to_owned()));
    assert_eq!(harness.actions().0.state, ActionState::Ready);
}

#[test]
fn lost_reply_to_login_is_looked_up() {
    let mut harness = harness::sending();
    let effects = harness.refuse_account(RequestError::Unreachable);
    assert_eq!(effects, vec![Effect::LoadSession { request: harness.request }]);
    harness.reply_session(fixtures::session_with(fixtures::progress(1, fixtures::logging_in())));
    assert_eq!(harness.heading(), Message::ConnectingTitle);
    assert_eq!(harness.callbacks(), ["onAccountCreated"]);
}

#[test]
fn lost_login_keeps_typed_text() {
    let mut harness = harness::sending();
    let key = harness.view().page.key;
    harness.refuse_account(RequestError::Unreachable);
    harness.reply_session(fixtures::session());
    assert_eq!(harness.notice().unwrap().1, Some(Message::LoginNotSentTitle.into()));
    assert_eq!(harness.announcement(), Some(Message::LoginNotSentTitle.into()));
    assert_eq!(harness.view().page.key, key, "the page is the same, so its input keeps the password");
    assert_eq!(harness.actions().0.state, ActionState::Ready);
}

#[test]
fn failing_service_is_not_called_a_lost_connection() {
    let mut harness = harness::sending();
    harness.refuse_account(RequestError::Unreadable { status: 500 });
    for delay_ms in [800, 2_400] {
        harness.refuse_session(RequestError::Unreadable { status: 500 });
        harness.wait(delay_ms);
    }
    harness.refuse_session(RequestError::Unreadable { status: 500 });
    assert_eq!(harness.notice().unwrap().1, Some(Message::UnavailableTitle.into()));
    assert_eq!(harness.announcement(), Some(Message::UnavailableTitle.into()));
}

#[test]
fn earlier_failure_is_not_taken_for_reply() {
    let mut harness = harness::at_failure(link_types::LinkErrorCode::InvalidCredentials);
    harness.press(Press::TryAgain);
    harness.submit("password");
    harness.refuse_account(fixtures::problem(503, ProblemCode::ServiceUnavailable));
    let old = fixtures::progress(2, fixtures::failed_phase(link_types::LinkErrorCode::InvalidCredentials));
    harness.reply_session(fixtures::session_with(old));
    assert_eq!(harness.heading(), Message::LoginTitle);
    assert_eq!(harness.notice().unwrap().1, Some(Message::LoginNotSentTitle.into()));
}

#[test]
fn account_of_earlier_opening_is_not_reply() {
    let old = || fixtures::progress(2, fixtures::failed_phase(link_types::LinkErrorCode::AccountLocked));
    let mut harness = harness::take_up(old());
    harness.press(Press::Agree);
    harness.reply(Reply::Providers(Ok(fixtures::providers())));
    harness.choose("mx_social_security");
    harness.reply_provider(fixtures::provider());
    harness.edit("username", "good");
    harness.submit("password");
    harness.refuse_account(RequestError::Unreachable);
    harness.reply_session(fixtures::session_with(old()));
    assert_eq!(harness.heading(), Message::LoginTitle);
    assert_eq!(harness.notice().unwrap().1, Some(Message::LoginNotSentTitle.into()));
    harness.submit("password");
    harness.refuse_account(RequestError::Unreachable);
    harness.reply_session(fixtures::session_with(fixtures::progress(3, fixtures::logging_in())));
    assert_eq!(harness.heading(), Message::ConnectingTitle, "a newer version of the account is the reply");
}

#[test]
fn account_linked_before_is_not_reply() {
    let mut harness = harness::at_failure(link_types::LinkErrorCode::InvalidCredentials);
    harness.press(Press::ChooseAnother);
    harness.choose("mx_social_security");
    harness.reply_provider(fixtures::provider());
    harness.edit("username", "good");
    harness.submit("password");
    let old = || fixtures::progress(2, fixtures::failed_phase(link_types::LinkErrorCode::InvalidCredentials));
    harness.refuse_account(RequestError::Unreachable);
    harness.reply_session(fixtures::session_with(old()));
    assert_eq!(harness.notice().unwrap().1, Some(Message::LoginNotSentTitle.into()));

    harness.submit("password");
    harness.session_ends();
    harness.send(Event::TokenSet { token: harness::token("second") });
    harness.reply_session(fixtures::session_with(old()));
    assert_eq!(
        harness.heading(),
        Message::LoginTitle,
        "an old account is not the reply after a pause either"
    );
}

#[test]
fn linked_account_being_read_is_not_reply() {
    let mut harness = harness::at_success();
    harness.press(Press::ChooseAnother);
    harness.choose("mx_social_security");
    harness.reply_provider(fixtures::provider());
    harness.edit("username", "another");
    harness.submit("password");
    harness.refuse_account(RequestError::Unreachable);
    harness.reply_session(fixtures::session_with(fixtures::progress(5, LinkPhase::Connected {})));
    assert_eq!(harness.notice().unwrap().1, Some(Message::LoginNotSentTitle.into()));
    harness.submit("password");
    harness.refuse_account(RequestError::Unreachable);
    harness.reply_session(fixtures::session_with(fixtures::progress(6, fixtures::logging_in())));
    assert_eq!(harness.heading(), Message::ConnectingTitle, "a new link of the account is the reply");
}

#[test]
fn too_many_logins_show_limit() {
    let mut harness = harness::sending();
    harness.refuse_account(fixtures::problem(429, ProblemCode::RequestLimitExceeded));
    assert_eq!(harness.notice().unwrap().1, Some(Message::BusyTitle.into()));
}

#[test]
fn form_is_locked_while_login_is_sent() {
    let mut harness = harness::sending();
    let before = harness.view();
    harness.edit("username", "other");
    harness.submit("password");
    harness.press(Press::Back);
    assert_eq!(harness.view(), before);
    assert!(harness.field("username").unwrap().disabled);
}

#[test]
fn provider_without_login_has_one_button() {
    let mut harness = harness::at_provider(fixtures::provider_without_login());
    assert_eq!(harness.heading(), Message::LoginNoneTitle);
    assert!(harness.field_ids().is_empty());
    let effects = harness.send(Event::Submitted(Secrets::none()));
    let [Effect::StartLink { body, .. }] = &effects[..] else { panic!("{effects:?}") };
    assert_eq!((body.login_option.as_ref(), body.credentials.len()), (None, 0));
}
