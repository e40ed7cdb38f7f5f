use link_types::host::{AccountErrorSubject, Callback, UiEventName};
use link_types::link::LinkPhase;
use link_types::{ErrorCode, LinkErrorCode};

use super::desk;
use super::stock;
use crate::Effect;
use crate::event::Press;
use crate::generated::message::Message;
use crate::view::Text;
use crate::view::block::{ActionState, Severity};

#[test]
fn the_host_page_is_told_the_code() {
    let mut desk = desk::at_connecting();
    let effects = desk.reply_account(2, stock::failed(LinkErrorCode::AccountLocked));
    let argument = AccountErrorSubject {
        account_id: stock::account_id(),
        user_id: stock::user_id(2),
        provider_id: stock::provider_id(),
        error_code: LinkErrorCode::AccountLocked.into(),
    };
    let key = format!("{}/accountError/{}/2", stock::attempt_id(), stock::account_id());
    assert_eq!(effects, vec![Effect::Tell { key, callback: Callback::AccountError(argument) }]);
    assert_eq!(desk.ui_events().last(), Some(&UiEventName::ConnectErrorPageOpened));
}

#[test]
fn every_code_has_a_heading_of_its_own_and_a_way_on() {
    let mut headings = Vec::new();
    for code in LinkErrorCode::ALL {
        let desk = desk::at_failure(*code);
        assert!(!headings.contains(&desk.heading()), "{code}");
        headings.push(desk.heading());
        let (primary, secondary) = desk.actions();
        let presses = [primary.press, secondary.unwrap().press];
        assert!(presses.contains(&Press::TryAgain) && presses.contains(&Press::ChooseAnother), "{code}");
    }
}

#[test]
fn a_code_nobody_knows_has_safe_words_and_is_passed_on() {
    let desk = desk::at_failure(ErrorCode::Unknown("PROVIDER_ON_STRIKE".to_owned()));
    assert_eq!(desk.heading(), Message::ErrorUnknownTitle);
    let told = format!("{:?}", desk.told);
    assert!(told.contains("PROVIDER_ON_STRIKE"));
}

#[test]
fn another_try_keeps_the_login_name_and_clears_the_secret() {
    let mut desk = desk::at_failure(LinkErrorCode::InvalidCredentials);
    let before = desk.view().page.key;
    assert_eq!(desk.press(Press::TryAgain), vec![]);
    assert_eq!(desk.heading(), Message::LoginTitle);
    assert_ne!(desk.view().page.key, before, "the inputs are built anew, and with them the password is gone");
    let field = desk.field("username").unwrap();
    assert!(format!("{:?}", field.input).contains("7 bytes"), "{field:?}");
    assert_eq!(desk.notice().unwrap().2, Message::LoginAgain.into());
}

#[test]
fn a_second_try_is_the_same_account_and_told_no_second_time() {
    let mut desk = desk::at_failure(LinkErrorCode::InvalidCredentials);
    desk.press(Press::TryAgain);
    desk.submit("password");
    desk.reply_account(3, stock::logging_in());
    desk.reply_account(4, stock::failed(LinkErrorCode::InvalidCredentials));
    assert_eq!(desk.callbacks(), ["onAccountCreated", "onAccountError", "onAccountError"]);
}

#[test]
fn where_the_provider_wants_a_pause_the_try_waits() {
    let mut desk = desk::at_connecting();
    let error_code = LinkErrorCode::InvalidCredentials.into();
    desk.reply_account(2, LinkPhase::Failed { error_code, retry_in_ms: 2_500 });
    assert_eq!(desk.actions().0.state, ActionState::Off);
    desk.press(Press::TryAgain);
    assert_eq!(desk.heading(), Message::ErrorInvalidCredentialsTitle, "too early");
    let said = Text::with(Message::LoginWait, vec![3.into()]);
    let notice = (Severity::Warning, Some(Message::LoginLimitTitle.into()), said);
    assert_eq!(desk.notice(), Some(notice));
    desk.wait(1_000);
    desk.wait(1_000);
    desk.wait(1_000);
    assert_eq!((desk.notice(), desk.actions().0.state), (None, ActionState::Ready));
}

#[test]
fn another_provider_can_be_chosen() {
    let mut desk = desk::at_failure(LinkErrorCode::ServiceUnavailable);
    desk.press(Press::ChooseAnother);
    assert_eq!(desk.heading(), Message::ProvidersTitle);
}

#[test]
fn a_document_is_a_way_out_unless_typing_the_login_right_is() {
    use LinkErrorCode::{AuthRequired, ExpiredCredentials, InvalidCredentials};
    for code in LinkErrorCode::ALL {
        let mut desk = desk::at_failure_with_uploads(*code);
        let is_typed_again = matches!(code, AuthRequired | ExpiredCredentials | InvalidCredentials);
        let ways: &[&str] = if is_typed_again { &[] } else { &["/upload"] };
        assert_eq!(desk.ways(), ways, "{code}");
        desk.choose("/upload");
        assert_eq!(
            desk.ui_events().contains(&UiEventName::FileTypeListPageOpened),
            !is_typed_again,
            "{code}"
        );
    }
    assert!(
        desk::at_failure(LinkErrorCode::AccountDisabled).ways().is_empty(),
        "the template does not allow it"
    );
}
