//! The hand-off to a phone. `phone` is the other side.

mod phone;

use link_types::archive::ArchiveType;
use link_types::handoff::{HandoffPhase, HandoffSubject};
use link_types::host::{UiEventName, WidgetOptions};
use link_types::link::{LinkPhase, LinkSession};
use link_types::problem::ProblemCode;
use link_types::uploading::{AnalyzeStep, ArchivePhase, ArchiveProgress, FileFact, FileOrder};

use super::fixtures::{self, WAITING};
use super::harness::{CANARY, Harness, at_handoff, open_event_on_computer};
use crate::effect::HandoffAsk;
use crate::event::{Press, Reply, RequestError};
use crate::generated::message::Message;
use crate::view::block::Block;
use crate::{Effect, Event};

fn on_computer() -> Harness {
    let mut harness = Harness::new(WidgetOptions::default());
    harness.send(open_event_on_computer());
    harness
}

/// Returns a session that uploads a payslip, with these archives of the attempt.
fn uploading(archives: Vec<ArchiveProgress>) -> LinkSession {
    let mut session = fixtures::session();
    session.template.uploads_enabled = true;
    session.attempt.place.consent = Some(fixtures::receipt());
    session.attempt.place.archive_type = Some(ArchiveType::Payslip);
    session.attempt.archives = archives;
    session
}

fn at_upload() -> Harness {
    let mut harness = on_computer();
    harness.reply_session(uploading(Vec::new()));
    harness.send(Event::File(FileFact::Connection { online: true, save_data: false }));
    harness
}

fn at_code_of_upload() -> Harness {
    let mut harness = at_upload();
    harness.choose("/phone");
    harness.reply_handoff(WAITING);
    harness
}

/// Lets a phone use the code.
fn phone_continues(mut harness: Harness) -> Harness {
    harness.wait(2_000);
    harness.reply_handoff(HandoffPhase::Continued {});
    harness
}

fn archive(phase: ArchivePhase) -> ArchiveProgress {
    fixtures::archive(2, phase, Vec::new())
}

fn asks(effects: &[Effect]) -> Vec<HandoffAsk> {
    let ask = |effect: &Effect| if let Effect::Handoff { ask, .. } = effect { Some(*ask) } else { None };
    effects.iter().filter_map(ask).collect()
}

fn is_loading(effects: &[Effect]) -> bool {
    effects.iter().any(|effect| matches!(effect, Effect::LoadSession { .. }))
}

#[test]
fn computer_offers_the_phone_on_challenge_and_upload() {
    assert!(at_upload().ways().contains(&"/phone".to_owned()));
    let mut harness = on_computer();
    let asked = fixtures::progress(2, fixtures::challenge_phase(fixtures::code()));
    harness.reply_session(fixtures::session_with(asked));
    harness.reply_provider(fixtures::provider());
    assert!(harness.ways().contains(&"/phone".to_owned()));
}

#[test]
fn touch_device_offers_no_phone() {
    let mut harness = super::harness::exchanging();
    harness.reply_session(uploading(Vec::new()));
    harness.send(Event::File(FileFact::Connection { online: true, save_data: false }));
    assert_eq!(harness.heading(), Message::ArchivePayslip);
    assert!(!harness.ways().contains(&"/phone".to_owned()));
    assert!(harness.choose("/phone").is_empty());
}

#[test]
fn phone_is_not_offered_while_a_file_is_picked() {
    let mut harness = at_upload();
    let picked = FileFact::Picked {
        handle: 1,
        slot: link_types::archive::FileSlot::Page,
        name: "payslip.pdf".to_owned(),
        size_bytes: 9,
        from_camera: false,
    };
    harness.send(Event::File(picked));
    assert!(!harness.ways().contains(&"/phone".to_owned()));
    assert!(harness.choose("/phone").is_empty(), "the file would be lost");
}

#[test]
fn upload_is_closed_and_its_code_requested() {
    let mut harness = at_upload();
    let effects = harness.choose("/phone");
    assert_eq!(effects[0], Effect::File(FileOrder::Close {}));
    let subject = HandoffSubject::Upload { archive_type: ArchiveType::Payslip };
    assert_eq!(asks(&effects), [HandoffAsk::Create(subject)]);
    assert_eq!(harness.ui_events().last(), Some(&UiEventName::HandoffPageOpened));
}

#[test]
fn code_is_shown_and_no_debug_output_contains_it() {
    let harness = at_handoff();
    assert_eq!(harness.heading(), Message::HandoffTitle);
    let view = harness.view();
    let code = view.page.blocks.iter().find_map(|block| {
        if let Block::Picture { src, scan: true, .. } = block { Some(src.expose()) } else { None }
    });
    assert_eq!(code, Some(&*format!("data:{CANARY}")));
    assert!(!format!("{view:?} {:?}", harness.flow).contains(CANARY));
    assert_eq!(harness.actions().0.label, Message::HandoffHere.into());
}

#[test]
fn code_is_polled_every_two_seconds() {
    let mut harness = at_handoff();
    for _ in 0..3 {
        assert_eq!(asks(&harness.wait(2_000)), [HandoffAsk::Poll]);
        let effects = harness.reply_handoff(WAITING);
        assert_eq!(effects, [Effect::StartTimer { timer: harness.timer, after_ms: 2_000 }]);
    }
}

#[test]
fn computer_says_that_a_phone_continues() {
    let mut harness = at_handoff();
    harness.wait(2_000);
    harness.reply_handoff(HandoffPhase::Continued {});
    assert_eq!(harness.heading(), Message::HandoffContinuedTitle);
    assert_eq!(harness.notice().map(|it| it.2), Some(Message::HandoffContinuedWarning.into()));
    assert!(!harness.view().page.blocks.iter().any(|it| matches!(it, Block::Picture { .. })));
    assert_eq!(asks(&harness.wait(2_000)), [HandoffAsk::Poll]);
}

#[test]
fn computer_reports_the_account_that_the_phone_connected() {
    let mut harness = at_handoff();
    harness.wait(2_000);
    assert!(is_loading(&harness.reply_handoff(HandoffPhase::Finished {})));
    harness.reply_session(fixtures::session_with(fixtures::progress(5, LinkPhase::Connected {})));
    assert_eq!(harness.heading(), Message::SuccessTitle);
    assert_eq!(harness.callbacks(), ["onAccountCreated", "onAccountConnected"]);
}

#[test]
fn computer_shows_the_next_challenge_after_continue_here() {
    let mut harness = at_handoff();
    assert_eq!(asks(&harness.press(Press::Back)), [HandoffAsk::End]);
    assert!(is_loading(&harness.reply_handoff(HandoffPhase::Ended {})));
    let asked = fixtures::progress(4, fixtures::challenge_phase(fixtures::choice()));
    harness.reply_session(fixtures::session_with(asked));
    assert_eq!(harness.heading(), Message::ChallengeChoiceTitle);
}

#[test]
fn computer_reports_the_document_that_the_phone_submitted() {
    for (phase, heading) in [
        (ArchivePhase::Analyzing { step: AnalyzeStep::Queued }, Message::ReadingTitle),
        (ArchivePhase::Analyzed {}, Message::ArchiveReadTitle),
    ] {
        let mut harness = phone_continues(at_code_of_upload());
        harness.wait(2_000);
        assert!(is_loading(&harness.reply_handoff(HandoffPhase::Finished {})));
        harness.reply_session(uploading(vec![archive(phase)]));
        assert_eq!((harness.heading(), harness.callbacks()), (heading, vec!["onUploadsCreated"]));
    }
}

#[test]
fn document_of_the_phone_is_reported_in_a_new_session() {
    let mut harness = phone_continues(at_code_of_upload());
    harness.wait(2_000);
    harness.reply_handoff(HandoffPhase::Finished {});
    harness.reply(Reply::Session(Err(fixtures::problem(401, ProblemCode::InvalidToken))));
    harness.send(Event::TokenSet { token: super::harness::token("second") });
    harness.reply_session(uploading(vec![archive(ArchivePhase::Analyzed {})]));
    assert!(harness.callbacks().contains(&"onUploadsCreated"), "{:?}", harness.callbacks());
}

#[test]
fn computer_continues_the_upload_after_continue_here() {
    let of_phone = vec![archive(ArchivePhase::Uploading {})];
    let of_an_earlier_upload = vec![archive(ArchivePhase::Analyzed {})];
    for archives in [of_phone, of_an_earlier_upload, Vec::new()] {
        let mut harness = at_code_of_upload();
        harness.press(Press::Back);
        harness.reply_handoff(HandoffPhase::Ended {});
        harness.reply_session(uploading(archives));
        assert_eq!((harness.heading(), harness.callbacks()), (Message::ArchivePayslip, vec![]));
    }
}

#[test]
fn continue_here_after_the_submission_reports_the_document() {
    let mut harness = at_code_of_upload();
    harness.press(Press::Back);
    harness.reply_handoff(HandoffPhase::Finished {});
    harness.reply_session(uploading(vec![archive(ArchivePhase::Analyzed {})]));
    assert_eq!(harness.callbacks(), ["onUploadsCreated"]);
}

#[test]
fn stopped_hand_off_offers_a_new_code() {
    for (phase, heading) in [
        (HandoffPhase::Expired {}, Message::HandoffExpiredTitle),
        (HandoffPhase::Ended {}, Message::HandoffLeftTitle),
    ] {
        let mut harness = at_handoff();
        harness.wait(2_000);
        assert!(harness.reply_handoff(phase).is_empty(), "nothing is polled any more");
        assert_eq!(harness.heading(), heading);
        assert!(matches!(asks(&harness.press(Press::TryAgain))[..], [HandoffAsk::Create(_)]));
        harness.reply_handoff(WAITING);
        assert_eq!(harness.heading(), Message::HandoffTitle);
    }
}

#[test]
fn lost_connection_is_said_and_polling_continues() {
    let mut harness = at_handoff();
    for delay_ms in [2_000, 1_000] {
        harness.wait(delay_ms);
        harness.reply(Reply::Handoff(Err(RequestError::Unreachable)));
    }
    assert_eq!(harness.notice().and_then(|it| it.1), Some(Message::ConnectingLostTitle.into()));
    harness.wait(2_000);
    harness.reply_handoff(WAITING);
    assert_eq!(harness.notice(), None);
}

#[test]
fn refused_code_returns_to_the_step_without_the_offer() {
    let mut harness = at_upload();
    harness.choose("/phone");
    let refusal = fixtures::problem(409, ProblemCode::Conflict);
    assert!(is_loading(&harness.reply(Reply::Handoff(Err(refusal)))));
    harness.reply_session(uploading(Vec::new()));
    assert_eq!(harness.heading(), Message::ArchivePayslip);
    assert!(!harness.ways().contains(&"/phone".to_owned()));
}

#[test]
fn failed_code_offers_to_continue_here() {
    let mut harness = at_upload();
    harness.choose("/phone");
    for delay_ms in [800, 2_400] {
        harness.reply(Reply::Handoff(Err(RequestError::Unreachable)));
        harness.wait(delay_ms);
    }
    harness.reply(Reply::Handoff(Err(RequestError::Unreachable)));
    assert_eq!(harness.actions().1.map(|it| it.press), Some(Press::Back));
    harness.press(Press::Back);
    // The session has no hand-off.
    let refusal = fixtures::problem(404, ProblemCode::MissingResource);
    assert!(is_loading(&harness.reply(Reply::Handoff(Err(refusal)))));
    harness.reply_session(uploading(Vec::new()));
    assert_eq!(harness.heading(), Message::ArchivePayslip);
}

#[test]
fn new_session_takes_the_step_back() {
    let mut harness = at_handoff();
    harness.session_ends();
    assert_eq!(harness.overlay_heading(), Some(Message::ExpiredTitle));
    harness.send(Event::TokenSet { token: super::harness::token("second") });
    let asked = fixtures::progress(4, fixtures::challenge_phase(fixtures::code()));
    harness.reply_session(fixtures::session_with(asked));
    assert_eq!(harness.heading(), Message::ChallengeCodeTitle);
}

#[test]
fn leaving_while_the_phone_continues_asks_first() {
    for (mut harness, loss) in [
        (at_handoff(), Message::LeaveConnecting),
        (phone_continues(at_code_of_upload()), Message::UploadLoss),
    ] {
        harness.send(Event::CloseRequested);
        assert_eq!(harness.overlay_heading(), Some(Message::LeaveTitle));
        let blocks = harness.view().overlay.map(|it| it.blocks).unwrap_or_default();
        assert!(blocks.iter().any(|it| matches!(it, Block::Paragraph { text, .. } if *text == loss.into())));
    }
}
