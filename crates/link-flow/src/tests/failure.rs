use link_types::host::{AccountErrorSubject, Callback, UiEventName};
use link_types::link::LinkPhase;
use link_types::{ErrorCode, LinkErrorCode};

use super::fixtures;
use super::harness;
use crate::Effect;
use crate::event::Press;
use crate::generated::message::Message;
use crate::view::Text;
use crate::view::block::{ActionState, Severity};

#[test]
fn failure_emits_error_code() {
    let mut harness = harness::at_connecting();
    let effects = harness.reply_account(2, fixtures::failed_phase(LinkErrorCode::AccountLocked));
    let argument = AccountErrorSubject {
        account_id: fixtures::account_id(),
        user_id: fixtures::user_id(2),
        provider_id: fixtures::provider_id(),
        error_code: LinkErrorCode::AccountLocked.into(),
    };
    let key = format!("{}/accountError/{}/2", fixtures::attempt_id(), fixtures::account_id());
    assert_eq!(effects, vec![Effect::Emit { key, callback: Callback::AccountError(argument) }]);
    assert_eq!(harness.ui_events().last(), Some(&UiEventName::ConnectErrorPageOpened));
}

#[test]
fn every_code_has_own_heading_and_action() {
    let mut headings = Vec::new();
    for code in LinkErrorCode::ALL {
        let harness = harness::at_failure(*code);
        assert!(!headings.contains(&harness.heading()), "{code}");
        headings.push(harness.heading());
        let (primary, secondary) = harness.actions();
        let presses = [primary.press, secondary.unwrap().press];
        assert!(presses.contains(&Press::TryAgain) && presses.contains(&Press::ChooseAnother), "{code}");
    }
}

#[test]
fn unknown_code_shows_generic_text_and_is_emitted() {
    let harness = harness::at_failure(ErrorCode::Unknown("PROVIDER_ON_STRIKE".to_owned()));
    assert_eq!(harness.heading(), Message::ErrorUnknownTitle);
    let emitted = format!("{:?}", harness.emitted);
    assert!(emitted.contains("PROVIDER_ON_STRIKE"));
}

#[test]
fn retry_keeps_login_name_and_clears_secret() {
    let mut harness = harness::at_failure(LinkErrorCode::InvalidCredentials);
    let before = harness.view().page.key;
    assert_eq!(harness.press(Press::TryAgain), vec![]);
    assert_eq!(harness.heading(), Message::LoginTitle);
    assert_ne!(harness.view().page.key, before, "new inputs replace the ones with the password");
    let field = harness.field("username").unwrap();
    assert!(format!("{:?}", field.input).contains("7 bytes"), "{field:?}");
    assert_eq!(harness.notice().unwrap().2, Message::LoginAgain.into());
}

#[test]
fn retry_does_not_emit_account_created_again() {
    let mut harness = harness::at_failure(LinkErrorCode::InvalidCredentials);
    harness.press(Press::TryAgain);
    harness.submit("password");
    harness.reply_account(3, fixtures::logging_in());
    harness.reply_account(4, fixtures::failed_phase(LinkErrorCode::InvalidCredentials));
    assert_eq!(harness.callbacks(), ["onAccountCreated", "onAccountError", "onAccountError"]);
}

#[test]
fn retry_waits_if_provider_requires_delay() {
    let mut harness = harness::at_connecting();
    let error_code = LinkErrorCode::InvalidCredentials.into();
    harness.reply_account(2, LinkPhase::Failed { error_code, declined: false, retry_in_ms: 2_500 });
    assert_eq!(harness.actions().0.state, ActionState::Off);
    harness.press(Press::TryAgain);
    assert_eq!(harness.heading(), Message::ErrorInvalidCredentialsTitle, "too early");
    let said = Text::with(Message::LoginWait, vec![3.into()]);
    let notice = (Severity::Warning, Some(Message::LoginLimitTitle.into()), said);
    assert_eq!(harness.notice(), Some(notice));
    harness.wait(1_000);
    harness.wait(1_000);
    harness.wait(1_000);
    assert_eq!((harness.notice(), harness.actions().0.state), (None, ActionState::Ready));
}

#[test]
fn failure_offers_another_provider() {
    let mut harness = harness::at_failure(LinkErrorCode::ServiceUnavailable);
    harness.press(Press::ChooseAnother);
    assert_eq!(harness.heading(), Message::ProvidersTitle);
}

#[test]
fn failure_offers_upload_unless_login_was_wrong() {
    use LinkErrorCode::{AuthRequired, ExpiredCredentials, InvalidCredentials};
    for code in LinkErrorCode::ALL {
        let mut harness = harness::at_failure_with_uploads(*code);
        let is_typed_again = matches!(code, AuthRequired | ExpiredCredentials | InvalidCredentials);
        let ways: &[&str] = if is_typed_again { &[] } else { &["/upload"] };
        assert_eq!(harness.ways(), ways, "{code}");
        harness.choose("/upload");
        assert_eq!(
            harness.ui_events().contains(&UiEventName::FileTypeListPageOpened),
            !is_typed_again,
            "{code}"
        );
    }
    assert!(
        harness::at_failure(LinkErrorCode::AccountDisabled).ways().is_empty(),
        "the template does not allow uploads"
    );
}
