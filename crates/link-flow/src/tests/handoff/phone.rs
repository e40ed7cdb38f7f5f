//! The phone: it continues the step that was handed off, and nothing else.

use link_types::data::DataPointKind;
use link_types::host::{CloseReason, WidgetOptions};
use link_types::link::{ConnectStep, LinkPhase, LinkSession};
use link_types::problem::ProblemCode;
use link_types::uploading::{AnalyzeStep, ArchivePhase, FileFact, FileOrder};
use link_types::{LinkErrorCode, Sensitive};

use super::{archive, uploading};
use crate::effect::ArchiveAsk;
use crate::event::{Press, Reply, RequestError};
use crate::generated::message::Message;
use crate::tests::fixtures;
use crate::tests::harness::{Harness, close, open_event, without_closing_point};
use crate::{Effect, Event, Flow, Secrets};

/// Returns a session as the service shows it to a phone, without the consent of the computer.
fn on_phone(mut session: LinkSession) -> LinkSession {
    session.attempt.place.consent = None;
    LinkSession { is_handoff: true, may_hand_off: false, has_linked: false, ..session }
}

/// Returns a phone at its first page.
fn arriving(session: LinkSession) -> Harness {
    let mut harness = Harness::new(WidgetOptions::default());
    harness.send(open_event());
    harness.reply_session(on_phone(session));
    harness
}

/// Agrees to continue, and loads the step.
fn continuing(session: LinkSession) -> Harness {
    let mut harness = arriving(session.clone());
    harness.press(Press::Confirm);
    harness.reply_session(on_phone(session));
    harness
}

fn session_with_challenge() -> LinkSession {
    fixtures::session_with(fixtures::progress(2, fixtures::challenge_phase(fixtures::code())))
}

fn at_challenge() -> Harness {
    let mut harness = continuing(session_with_challenge());
    harness.reply_provider(fixtures::provider());
    harness
}

/// Continues an upload, and gives the consent that it needs.
fn agreeing(session: LinkSession) -> Harness {
    let mut harness = continuing(session);
    assert_eq!(harness.heading(), Message::ConsentTitle);
    harness.press(Press::Agree);
    harness.send(Event::File(FileFact::Connection { online: true, save_data: false }));
    harness
}

fn at_upload() -> Harness {
    agreeing(uploading(Vec::new()))
}

#[test]
fn phone_asks_before_it_continues() {
    let mut harness = arriving(session_with_challenge());
    assert_eq!(harness.heading(), Message::HandoffArrivalTitle);
    assert_eq!(harness.notice().map(|it| it.2), Some(Message::HandoffArrivalWarning.into()));
    let effects = without_closing_point(harness.press(Press::Leave));
    assert_eq!(effects, [Effect::EndSession, close(CloseReason::Close)]);
}

#[test]
fn phone_continues_at_the_challenge_and_then_leads_back() {
    let mut harness = at_challenge();
    assert_eq!(harness.heading(), Message::ChallengeCodeTitle);
    assert!(!harness.ways().contains(&"/phone".to_owned()));
    harness.submit_code("1234");
    harness.reply_account(3, LinkPhase::Connecting { step: ConnectStep::CheckingAnswer });
    let effects = harness.reply_account(4, LinkPhase::Connected {});
    assert_eq!((harness.heading(), effects), (Message::HandoffDoneTitle, vec![Effect::EndSession]));
    assert_eq!(harness.callbacks(), ["onAccountCreated"], "the computer reports the account");
    let effects = without_closing_point(harness.press(Press::Leave));
    assert_eq!(effects, [close(CloseReason::Close)], "the access has already ended");
}

#[test]
fn phone_shows_the_next_challenge() {
    let mut harness = at_challenge();
    harness.submit_code("1234");
    harness.reply_account(3, fixtures::challenge_phase(fixtures::choice()));
    assert_eq!(harness.heading(), Message::ChallengeChoiceTitle);
}

#[test]
fn failure_is_shown_on_the_computer() {
    let mut harness = at_challenge();
    harness.submit_code("1234");
    harness.reply_account(3, fixtures::failed_phase(LinkErrorCode::InvalidMfa));
    assert_eq!(harness.heading(), Message::HandoffBackTitle);
}

#[test]
fn phone_offers_no_other_provider_or_document() {
    let mut session =
        fixtures::session_with(fixtures::progress(2, fixtures::challenge_phase(fixtures::image())));
    session.template.uploads_enabled = true;
    let mut harness = continuing(session);
    harness.reply_provider(fixtures::provider());
    assert_eq!((harness.heading(), harness.ways()), (Message::ChallengeImageTitle, vec![]));
    for id in ["/upload", "/providers"] {
        harness.choose(id);
    }
    harness.press(Press::ChooseAnother);
    assert_eq!(harness.heading(), Message::ChallengeImageTitle);
}

#[test]
fn phone_submits_the_upload_and_then_leads_back() {
    let mut harness = agreeing(uploading(vec![fixtures::archive(
        1,
        ArchivePhase::Uploading {},
        vec![fixtures::received_file()],
    )]));
    assert_eq!(harness.heading(), Message::ArchivePayslip);
    let effects = harness.send(Event::Submitted(Secrets::none()));
    let [Effect::Archive { ask: ArchiveAsk::Submit(_, body), .. }] = &effects[..] else {
        panic!("{effects:?}");
    };
    assert_eq!(body.consent, Some(fixtures::receipt()), "the consent of this phone");
    let submitted = archive(ArchivePhase::Analyzing { step: AnalyzeStep::Queued });
    let effects = harness.reply(Reply::Archive(Ok(Box::new(submitted))));
    assert_eq!(harness.heading(), Message::HandoffDoneTitle);
    assert_eq!(effects, [Effect::File(FileOrder::Close {}), Effect::EndSession]);
    assert_eq!(harness.callbacks(), Vec::<&str>::new(), "the computer reports the upload");
}

#[test]
fn phone_asks_for_its_own_consent_and_saves_no_resume_point() {
    for archives in [Vec::new(), vec![archive(ArchivePhase::Uploading {})]] {
        let mut harness = continuing(uploading(archives));
        assert_eq!(harness.heading(), Message::ConsentTitle);
        let effects = harness.press(Press::Agree);
        assert_eq!(harness.heading(), Message::ArchivePayslip);
        assert!(!effects.iter().any(|it| matches!(it, Effect::SaveResumePoint { .. })), "{effects:?}");
    }
}

#[test]
fn phone_asks_for_its_own_choice() {
    let mut session = uploading(Vec::new());
    session.template.optional_data = vec![DataPointKind::Incomes];
    let mut harness = continuing(session);
    harness.press(Press::Agree);
    assert_eq!(harness.heading(), Message::DataChoiceTitle);
    harness.press(Press::Agree);
    assert_eq!(harness.heading(), Message::ArchivePayslip);
}

#[test]
fn phone_that_declines_closes() {
    let mut harness = continuing(uploading(Vec::new()));
    let effects = without_closing_point(harness.press(Press::Leave));
    assert_eq!(effects, [Effect::EndSession, close(CloseReason::Close)]);
}

#[test]
fn phone_asks_again_if_the_terms_changed() {
    let mut harness = agreeing(uploading(vec![fixtures::archive(
        1,
        ArchivePhase::Uploading {},
        vec![fixtures::received_file()],
    )]));
    harness.send(Event::Submitted(Secrets::none()));
    harness.reply(Reply::Archive(Err(fixtures::problem(409, ProblemCode::ConsentRequired))));
    harness.reply_session(on_phone(uploading(vec![archive(ArchivePhase::Uploading {})])));
    assert_eq!(harness.heading(), Message::ConsentTitle);
    harness.press(Press::Agree);
    assert_eq!(harness.heading(), Message::ArchivePayslip);
}

#[test]
fn phone_that_removes_its_upload_leads_back() {
    let mut harness = at_upload();
    assert_eq!(harness.heading(), Message::ArchivePayslip);
    harness.press(Press::Back);
    assert_eq!(harness.heading(), Message::HandoffBackTitle);
}

#[test]
fn revoked_phone_stops_and_does_not_ask_for_a_token() {
    let mut harness = at_challenge();
    harness.submit_code("1234");
    harness.refuse_account(fixtures::problem(401, ProblemCode::InvalidToken));
    assert_eq!(harness.heading(), Message::HandoffBackTitle);
    assert_eq!(harness.callbacks(), ["onAccountCreated"]);
    let effects = without_closing_point(harness.press(Press::Leave));
    assert_eq!(effects, [close(CloseReason::Close)], "the service accepts nothing from this phone");
}

#[test]
fn files_stop_when_the_phone_is_revoked() {
    let mut harness = at_upload();
    let effects = harness.session_ends();
    assert_eq!(effects, [Effect::File(FileOrder::Close {})]);
    assert_eq!(harness.heading(), Message::HandoffBackTitle);
}

/// Opens with the token of a code.
fn scan_code() -> Event {
    let mut event = open_event();
    if let Event::Opened { token, .. } = &mut event {
        *token = Sensitive::new("lph_code");
    }
    event
}

#[test]
fn dead_code_is_explained_without_a_session() {
    for code in [ProblemCode::TokenUsed, ProblemCode::TokenExpired, ProblemCode::InvalidToken] {
        let mut harness = Harness::new(WidgetOptions::default());
        harness.flow = Flow::in_parts(WidgetOptions::default());
        harness.send(scan_code());
        harness.refuse_session(fixtures::problem(401, code));
        harness.reply(Reply::Done(Ok(())));
        assert_eq!((harness.heading(), harness.callbacks()), (Message::HandoffDeadTitle, vec![]));
    }
}

#[test]
fn unreachable_exchange_of_a_code_is_retried() {
    let mut harness = Harness::new(WidgetOptions::default());
    harness.send(scan_code());
    harness.refuse_session(RequestError::Unreachable);
    assert!(harness.wait(800).iter().any(|effect| matches!(effect, Effect::Exchange { .. })));
}

#[test]
fn phone_never_shows_another_step() {
    let failed = fixtures::failed_phase(LinkErrorCode::MfaTimeout);
    let failed = fixtures::session_with(fixtures::progress(2, failed));
    for session in [fixtures::session(), failed] {
        let harness = continuing(session);
        assert_eq!(harness.heading(), Message::HandoffBackTitle);
    }
}

#[test]
fn step_that_does_not_load_can_be_retried() {
    let mut harness = arriving(session_with_challenge());
    harness.press(Press::Confirm);
    for delay_ms in [800, 2_400] {
        harness.refuse_session(RequestError::Unreachable);
        harness.wait(delay_ms);
    }
    harness.refuse_session(RequestError::Unreachable);
    assert_eq!(harness.heading(), Message::OfflineTitle);
    harness.press(Press::Retry);
    harness.reply_session(on_phone(session_with_challenge()));
    harness.reply_provider(fixtures::provider());
    assert_eq!(harness.heading(), Message::ChallengeCodeTitle);
}
