//! A reload, a crash, another device: back to the same step, and nothing that was given is asked for again.

use link_types::LinkErrorCode;
use link_types::archive::ArchiveType;
use link_types::host::{UiEventName, WidgetOptions};
use link_types::link::{ConsentGivenBy, LinkSession};
use link_types::problem::ProblemCode;
use link_types::uploading::AttemptPlace;

use super::desk::{self, Desk, token};
use super::stock;
use crate::event::{Press, Refusal, Reply};
use crate::generated::message::Message;
use crate::{Effect, Event};

fn consented() -> AttemptPlace {
    AttemptPlace { consent: Some(stock::receipt()), ..AttemptPlace::default() }
}

fn at_provider(option: Option<&str>) -> AttemptPlace {
    AttemptPlace {
        provider_id: Some(stock::provider_id()),
        login_option: option.map(str::to_owned),
        ..consented()
    }
}

fn session_at(place: AttemptPlace) -> LinkSession {
    let mut session = stock::session();
    session.attempt.place = place;
    session
}

fn reloaded(place: AttemptPlace) -> Desk {
    let mut desk = desk::exchanging();
    desk.reply_session(session_at(place));
    desk
}

/// Answers the save that is under way.
fn answer_save(desk: &mut Desk, reply: Result<(), Refusal>) -> Vec<Effect> {
    let request = desk.saving;
    desk.send(Event::Replied { request, reply: Reply::Done(reply) })
}

#[test]
fn each_step_is_saved_one_at_a_time() {
    let mut desk = desk::at_providers();
    assert_eq!(desk.saved, [consented()]);
    desk.choose("mx_social_security");
    desk.reply_provider(stock::provider_with_options());
    desk.choose("registry");
    assert_eq!(desk.saved, [consented()], "the first is not answered yet");
    answer_save(&mut desk, Ok(()));
    assert_eq!(desk.saved, [consented(), at_provider(Some("registry"))]);
    answer_save(&mut desk, Ok(()));
    desk.press(Press::Back);
    desk.press(Press::Back);
    answer_save(&mut desk, Ok(()));
    assert_eq!(desk.saved.last(), Some(&consented()));
    assert_eq!(answer_save(&mut desk, Ok(())), vec![]);
}

#[test]
fn a_save_that_failed_goes_out_after_the_next_answer() {
    let mut desk = desk::listing();
    answer_save(&mut desk, Err(Refusal::Unreachable));
    assert_eq!(desk.saved, [consented()]);
    desk.reply(Reply::Providers(Ok(stock::providers())));
    assert_eq!(desk.saved, [consented(), consented()]);
}

#[test]
fn a_save_that_the_service_will_not_have_is_not_sent_again() {
    let mut desk = desk::listing();
    answer_save(&mut desk, Err(stock::problem(422, ProblemCode::InvalidParameters)));
    desk.reply(Reply::Providers(Ok(stock::providers())));
    assert_eq!(desk.saved, [consented()]);
}

#[test]
fn a_save_that_the_session_no_longer_allows_pauses_and_goes_out_in_the_next() {
    let mut desk = desk::at_providers();
    answer_save(&mut desk, Err(stock::problem(401, ProblemCode::TokenExpired)));
    assert_eq!(desk.overlay_heading(), Some(Message::ExpiredTitle));
    desk.send(Event::TokenSet { token: token("second") });
    desk.reply_session(stock::session());
    assert_eq!(desk.saved, [consented(), consented()]);
}

#[test]
fn after_the_consent_the_list_is_next() {
    let desk = reloaded(consented());
    assert_eq!(desk.heading(), Message::ProvidersTitle);
    assert!(!desk.ui_events().contains(&UiEventName::ConsentPageOpened));
    assert_eq!(desk.flow.context.consent, Some(ConsentGivenBy::Person));
    assert_eq!(desk.saved, [], "the service knows it");
}

#[test]
fn consent_to_another_text_is_asked_for_again() {
    let mut receipt = stock::receipt();
    receipt.version = "2025-1".to_owned();
    let desk = reloaded(AttemptPlace { consent: Some(receipt), ..at_provider(None) });
    assert_eq!(desk.heading(), Message::ConsentTitle);
}

#[test]
fn a_chosen_provider_is_opened() {
    let mut desk = reloaded(at_provider(None));
    desk.reply_provider(stock::provider());
    assert_eq!(desk.heading(), Message::LoginTitle);
    desk.press(Press::Back);
    assert_eq!((desk.heading(), desk.saved.last()), (Message::ProvidersTitle, Some(&consented())));
}

#[test]
fn a_chosen_login_option_is_opened() {
    let mut desk = reloaded(at_provider(Some("registry")));
    desk.reply_provider(stock::provider_with_options());
    assert_eq!((desk.heading(), desk.field_ids()[0].as_str()), (Message::LoginTitle, "kind"));
    let mut desk = reloaded(at_provider(Some("gone")));
    desk.reply_provider(stock::provider_with_options());
    assert_eq!(desk.heading(), Message::LoginOptionsTitle);
}

#[test]
fn a_provider_that_is_gone_meanwhile_has_a_way_on() {
    let mut desk = reloaded(at_provider(None));
    desk.reply(Reply::Provider(Err(stock::problem(404, ProblemCode::MissingResource))));
    assert_eq!(desk.heading(), Message::ProviderMissingTitle);
    desk.press(Press::ChooseAnother);
    assert_eq!(desk.heading(), Message::ProvidersTitle);
}

#[test]
fn the_provider_that_the_page_asks_for_comes_before_the_one_of_before() {
    let options = WidgetOptions { provider_id: Some("ph_pension".to_owned()), ..WidgetOptions::default() };
    let mut desk = Desk::new(options);
    desk.send(desk::opened());
    let effects = desk.reply_session(session_at(at_provider(None)));
    let provider = "ph_pension".parse().unwrap();
    assert_eq!(effects, vec![Effect::LoadProvider { request: desk.request, provider }]);
}

#[test]
fn a_failed_try_shows_its_error_again_and_tells_the_page_by_the_same_key() {
    let failed = || stock::progress(2, stock::failed(LinkErrorCode::AccountLocked));
    let mut desk = desk::exchanging();
    let mut session = stock::session_with(failed());
    session.attempt.place = at_provider(None);
    desk.reply_session(session);
    desk.reply_provider(stock::provider());
    assert_eq!(desk.heading(), Message::ErrorAccountLockedTitle);
    let mut before = desk::at_connecting();
    before.reply_account(2, stock::failed(LinkErrorCode::AccountLocked));
    let key = |desk: &Desk| {
        let told = desk.told.iter().find(|(key, _)| key.contains("/accountError/"));
        told.map(|(key, _)| key.clone())
    };
    assert_eq!(key(&desk), key(&before));
    desk.press(Press::ChooseAnother);
    assert_eq!(desk.saved, [consented()], "whoever chose another provider is not led back here");
}

#[test]
fn a_kind_of_document_is_opened_where_it_was_chosen() {
    let place = AttemptPlace { archive_type: Some(ArchiveType::Payslip), ..consented() };
    let mut desk = desk::exchanging();
    let mut session = session_at(place);
    session.template.uploads_enabled = true;
    desk.reply_session(session);
    assert_eq!(desk.ui_events(), [UiEventName::FileTypePageOpened]);
}

#[test]
fn a_tenant_that_vouches_is_remembered_as_such() {
    let options = WidgetOptions { enable_consent_page: Some(false), ..WidgetOptions::default() };
    let mut desk = Desk::new(options);
    desk.send(desk::opened());
    let mut session = stock::session();
    session.template.allow_consent_skip = true;
    desk.reply_session(session);
    let given_by = desk.saved[0].consent.as_ref().map(|receipt| receipt.given_by);
    assert_eq!(given_by, Some(ConsentGivenBy::Tenant));
}

#[test]
fn somebody_elses_session_knows_nothing_of_the_place() {
    let mut desk = desk::at_login();
    desk.session_ends();
    desk.send(Event::TokenSet { token: token("second") });
    desk.reply_session(LinkSession { user_id: stock::user_id(9), ..stock::session() });
    assert_eq!(desk.flow.context.place.at, AttemptPlace::default());
}

#[test]
fn another_try_after_a_reload_asks_for_the_same_login_option() {
    let mut desk = desk::exchanging();
    let mut session =
        stock::session_with(stock::progress(2, stock::failed(LinkErrorCode::InvalidCredentials)));
    session.attempt.place = at_provider(Some("registry"));
    desk.reply_session(session);
    desk.reply_provider(stock::provider_with_options());
    desk.press(Press::TryAgain);
    assert_eq!(desk.field_ids()[0], "kind");
}
