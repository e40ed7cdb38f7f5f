//! A reload, a crash, another device: the flow resumes the step and repeats no question.

use link_types::LinkErrorCode;
use link_types::archive::ArchiveType;
use link_types::host::{UiEventName, WidgetOptions};
use link_types::link::{ConsentGivenBy, LinkSession};
use link_types::problem::ProblemCode;
use link_types::uploading::ResumePoint;

use super::fixtures;
use super::harness::{self, Harness, token};
use crate::event::{Press, Reply, RequestError};
use crate::generated::message::Message;
use crate::{Effect, Event};

fn place_with_consent() -> ResumePoint {
    ResumePoint { consent: Some(fixtures::receipt()), ..ResumePoint::default() }
}

fn at_provider(option: Option<&str>) -> ResumePoint {
    ResumePoint {
        provider_id: Some(fixtures::provider_id()),
        login_option: option.map(str::to_owned),
        ..place_with_consent()
    }
}

fn session_at(place: ResumePoint) -> LinkSession {
    let mut session = fixtures::session();
    session.attempt.place = place;
    session
}

fn reload(place: ResumePoint) -> Harness {
    let mut harness = harness::exchanging();
    harness.reply_session(session_at(place));
    harness
}

/// Replies to the save under way.
fn answer_save(harness: &mut Harness, reply: Result<(), RequestError>) -> Vec<Effect> {
    let request = harness.saving;
    harness.send(Event::Replied { request, reply: Reply::Done(reply) })
}

#[test]
fn resume_point_is_saved_one_at_a_time() {
    let mut harness = harness::at_providers();
    assert_eq!(harness.saved, [place_with_consent()]);
    harness.choose("mx_social_security");
    harness.reply_provider(fixtures::provider_with_options());
    harness.choose("registry");
    assert_eq!(harness.saved, [place_with_consent()], "the first save has no reply yet");
    answer_save(&mut harness, Ok(()));
    assert_eq!(harness.saved, [place_with_consent(), at_provider(Some("registry"))]);
    answer_save(&mut harness, Ok(()));
    harness.press(Press::Back);
    harness.press(Press::Back);
    answer_save(&mut harness, Ok(()));
    assert_eq!(harness.saved.last(), Some(&place_with_consent()));
    assert_eq!(answer_save(&mut harness, Ok(())), vec![]);
}

#[test]
fn failed_save_is_retried_after_next_reply() {
    let mut harness = harness::listing();
    answer_save(&mut harness, Err(RequestError::Unreachable));
    assert_eq!(harness.saved, [place_with_consent()]);
    harness.reply(Reply::Providers(Ok(fixtures::providers())));
    assert_eq!(harness.saved, [place_with_consent(), place_with_consent()]);
}

#[test]
fn refused_save_is_not_retried() {
    let mut harness = harness::listing();
    answer_save(&mut harness, Err(fixtures::problem(422, ProblemCode::InvalidParameters)));
    harness.reply(Reply::Providers(Ok(fixtures::providers())));
    assert_eq!(harness.saved, [place_with_consent()]);
}

#[test]
fn unauthorized_save_pauses_and_is_retried() {
    let mut harness = harness::at_providers();
    answer_save(&mut harness, Err(fixtures::problem(401, ProblemCode::TokenExpired)));
    assert_eq!(harness.overlay_heading(), Some(Message::ExpiredTitle));
    harness.send(Event::TokenSet { token: token("second") });
    harness.reply_session(fixtures::session());
    assert_eq!(harness.saved, [place_with_consent(), place_with_consent()]);
}

#[test]
fn resumed_consent_leads_to_provider_list() {
    let harness = reload(place_with_consent());
    assert_eq!(harness.heading(), Message::ProvidersTitle);
    assert!(!harness.ui_events().contains(&UiEventName::ConsentPageOpened));
    assert_eq!(harness.flow.context.consent.receipt(), Some(&fixtures::receipt()));
    assert_eq!(harness.saved, [], "the service has the consent already");
}

#[test]
fn changed_consent_text_asks_again() {
    let mut receipt = fixtures::receipt();
    receipt.version = "2025-1".to_owned();
    let harness = reload(ResumePoint { consent: Some(receipt), ..at_provider(None) });
    assert_eq!(harness.heading(), Message::ConsentTitle);
}

#[test]
fn earlier_session_is_continued_after_another_consent() {
    for has_linked in [false, true] {
        let place = ResumePoint { consent: None, ..at_provider(Some("registry")) };
        let mut harness = harness::exchanging();
        harness.reply_session(LinkSession { has_linked, ..session_at(place) });
        assert_eq!(harness.heading(), Message::ConsentTitle);
        assert!(harness.notice().is_none(), "the terms have not changed");
        harness.press(Press::Agree);
        assert_eq!(harness.saved, [at_provider(Some("registry"))]);
        harness.reply_provider(fixtures::provider_with_options());
        assert_eq!((harness.heading(), harness.field_ids()[0].as_str()), (Message::LoginTitle, "kind"));
    }
}

#[test]
fn consent_of_this_opening_is_saved_in_a_renewed_session() {
    let mut harness = harness::at_login();
    let before = harness.saved.len();
    answer_save(&mut harness, Ok(()));
    answer_save(&mut harness, Ok(()));
    harness.session_ends();
    harness.send(Event::TokenSet { token: token("second") });
    harness.reply_session(session_at(ResumePoint { consent: None, ..at_provider(None) }));
    assert_eq!(harness.heading(), Message::LoginTitle, "the person is not asked again");
    assert_eq!(harness.saved.last(), Some(&at_provider(None)));
    assert!(harness.saved.len() > before, "{:?}", harness.saved);
}

#[test]
fn consent_to_earlier_terms_is_not_saved_in_a_renewed_session() {
    let mut harness = harness::at_login();
    answer_save(&mut harness, Ok(()));
    answer_save(&mut harness, Ok(()));
    harness.session_ends();
    harness.send(Event::TokenSet { token: token("second") });
    let mut session = session_at(ResumePoint { consent: None, ..at_provider(None) });
    session.template.consent.version = "2027-1".to_owned();
    let before = harness.saved.len();
    harness.reply_session(session);
    assert!(harness.saved[before..].iter().all(|it| it.consent.is_none()), "{:?}", harness.saved);
}

#[test]
fn resumed_provider_is_opened() {
    let mut harness = reload(at_provider(None));
    harness.reply_provider(fixtures::provider());
    assert_eq!(harness.heading(), Message::LoginTitle);
    harness.press(Press::Back);
    assert_eq!(
        (harness.heading(), harness.saved.last()),
        (Message::ProvidersTitle, Some(&place_with_consent()))
    );
}

#[test]
fn restarted_login_says_what_is_kept() {
    let mut harness = reload(at_provider(None));
    harness.flow.context.restarted = true;
    harness.reply_provider(fixtures::provider());
    assert_eq!(harness.notice().unwrap().1, Some(Message::LoginRestartedTitle.into()));
    assert_eq!(harness.announcement(), Some(Message::LoginRestartedTitle.into()));
    harness.press(Press::Back);
    harness.choose("mx_social_security");
    harness.reply_provider(fixtures::provider());
    assert_eq!(harness.notice(), None, "it is said once");
}

#[test]
fn resumed_login_option_is_opened() {
    let mut harness = reload(at_provider(Some("registry")));
    harness.reply_provider(fixtures::provider_with_options());
    assert_eq!((harness.heading(), harness.field_ids()[0].as_str()), (Message::LoginTitle, "kind"));
    let mut harness = reload(at_provider(Some("gone")));
    harness.reply_provider(fixtures::provider_with_options());
    assert_eq!(harness.heading(), Message::LoginOptionsTitle);
}

#[test]
fn missing_resumed_provider_offers_another() {
    let mut harness = reload(at_provider(None));
    harness.reply(Reply::Provider(Err(fixtures::problem(404, ProblemCode::MissingResource))));
    assert_eq!(harness.heading(), Message::ProviderMissingTitle);
    harness.press(Press::ChooseAnother);
    assert_eq!(harness.heading(), Message::ProvidersTitle);
}

#[test]
fn provider_option_precedes_resumed_provider() {
    let options = WidgetOptions { provider_id: Some("ph_pension".to_owned()), ..WidgetOptions::default() };
    let mut harness = Harness::new(options);
    harness.send(harness::open_event());
    let effects = harness.reply_session(session_at(at_provider(None)));
    let provider = "ph_pension".parse().unwrap();
    assert_eq!(effects, vec![Effect::LoadProvider { request: harness.request, provider }]);
}

#[test]
fn resumed_failure_emits_same_key() {
    let failed = || fixtures::progress(2, fixtures::failed_phase(LinkErrorCode::AccountLocked));
    let mut harness = harness::exchanging();
    let mut session = fixtures::session_with(failed());
    session.attempt.place = at_provider(None);
    harness.reply_session(session);
    harness.reply_provider(fixtures::provider());
    assert_eq!(harness.heading(), Message::ErrorAccountLockedTitle);
    let mut before = harness::at_connecting();
    before.reply_account(2, fixtures::failed_phase(LinkErrorCode::AccountLocked));
    let key = |harness: &Harness| {
        let emitted = harness.emitted.iter().find(|(key, _)| key.contains("/accountError/"));
        emitted.map(|(key, _)| key.clone())
    };
    assert_eq!(key(&harness), key(&before));
    harness.press(Press::ChooseAnother);
    assert_eq!(
        harness.saved,
        [place_with_consent()],
        "the choice of another provider is not saved as a resume point"
    );
}

#[test]
fn resumed_document_kind_is_opened() {
    for consent in [place_with_consent().consent, None] {
        let is_asked = consent.is_none();
        let place =
            ResumePoint { archive_type: Some(ArchiveType::Payslip), consent, ..ResumePoint::default() };
        let mut harness = harness::exchanging();
        let mut session = session_at(place);
        session.template.uploads_enabled = true;
        harness.reply_session(session);
        if is_asked {
            assert_eq!(harness.heading(), Message::ConsentTitle);
            harness.press(Press::Agree);
        }
        assert_eq!(harness.ui_events().last(), Some(&UiEventName::FileTypePageOpened));
    }
}

#[test]
fn consent_of_tenant_is_saved() {
    let options = WidgetOptions { enable_consent_page: Some(false), ..WidgetOptions::default() };
    let mut harness = Harness::new(options);
    harness.send(harness::open_event());
    let mut session = fixtures::session();
    session.template.allow_consent_skip = true;
    harness.reply_session(session);
    let given_by = harness.saved[0].consent.as_ref().map(|receipt| receipt.given_by);
    assert_eq!(given_by, Some(ConsentGivenBy::Tenant));
}

#[test]
fn foreign_session_clears_resume_point() {
    let mut harness = harness::at_login();
    harness.session_ends();
    harness.send(Event::TokenSet { token: token("second") });
    harness.reply_session(LinkSession { user_id: fixtures::user_id(9), ..fixtures::session() });
    assert_eq!(harness.flow.context.resume_point.at, ResumePoint::default());
}

#[test]
fn retry_after_reload_keeps_login_option() {
    let mut harness = harness::exchanging();
    let mut session = fixtures::session_with(fixtures::progress(
        2,
        fixtures::failed_phase(LinkErrorCode::InvalidCredentials),
    ));
    session.attempt.place = at_provider(Some("registry"));
    harness.reply_session(session);
    harness.reply_provider(fixtures::provider_with_options());
    harness.press(Press::TryAgain);
    assert_eq!(harness.field_ids()[0], "kind");
}
