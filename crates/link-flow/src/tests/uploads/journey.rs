//! From the kinds of documents to what was read.

use link_types::archive::{ArchiveErrorCode, ArchiveType, FileSlot};
use link_types::host::UiEventName;
use link_types::id::FileId;
use link_types::problem::ProblemCode;
use link_types::uploading::{AnalyzeStep, ArchivePhase, FileFact, FileOrder, UploadFile};

use super::hands::Hands;
use super::{at_kinds, at_upload, may_submit, reply, rows, stock, taken_up};
use crate::effect::{ArchiveAsk, Effect};
use crate::event::{Press, Refusal, Reply};
use crate::generated::message::Message;
use crate::tests::desk::{Desk, token};
use crate::view::block::ActionState;
use crate::{Event, Secrets};

fn analyzing() -> ArchivePhase {
    ArchivePhase::Analyzing { step: AnalyzeStep::Queued }
}

/// One file is there and can be submitted.
fn full() -> Hands {
    let mut hands = Hands::new(at_upload(ArchiveType::Payslip));
    hands.pick(FileSlot::Page, 100);
    hands.arrive(1, 100);
    assert!(may_submit(&hands.desk));
    hands
}

fn submitted() -> Desk {
    let mut hands = full();
    hands.submit();
    hands.desk
}

#[test]
fn the_template_s_kinds_are_offered_and_no_others() {
    let kinds = [ArchiveType::Payslip, ArchiveType::BankStatement];
    let desk = at_kinds(&kinds);
    assert_eq!(desk.choices(), ["PAYSLIP", "BANK_STATEMENT"]);
    assert_eq!(at_kinds(&[]).choices().len(), ArchiveType::ALL.len());
    assert_eq!(desk.ui_events().last(), Some(&UiEventName::FileTypeListPageOpened));
}

#[test]
fn a_single_kind_is_not_asked_for() {
    let mut desk = at_kinds(&[ArchiveType::TaxDocument]);
    assert_eq!(desk.heading(), Message::ArchiveTax);
    assert!(!desk.ui_events().contains(&UiEventName::FileTypeListPageOpened));
    desk.press(Press::Back);
    assert_eq!(desk.heading(), Message::ProvidersTitle);
}

#[test]
fn every_kind_has_its_page_with_its_places() {
    for kind in ArchiveType::ALL {
        let desk = at_upload(*kind);
        let cards = [ArchiveType::Identification, ArchiveType::CompanyId];
        assert_eq!(super::zones(&desk), if cards.contains(kind) { 2 } else { 1 });
        assert_eq!(desk.heading(), crate::uploads::kind_name(*kind));
        assert_eq!(desk.ui_events().last(), Some(&UiEventName::FileTypePageOpened));
    }
}

#[test]
fn a_card_needs_its_front_and_not_its_back() {
    let mut hands = Hands::new(at_upload(ArchiveType::Identification));
    hands.pick(FileSlot::Back, 100);
    hands.arrive(1, 100);
    assert!(!may_submit(&hands.desk));
    hands.pick(FileSlot::Front, 200);
    hands.arrive(2, 200);
    assert!(may_submit(&hands.desk));
}

#[test]
fn nothing_is_submitted_before_all_of_it_is_there() {
    let mut hands = full();
    hands.pick(FileSlot::Page, 200);
    hands.submit();
    assert!(!hands.submitted && !may_submit(&hands.desk));
    hands.arrive(2, 200);
    hands.submit();
    assert!(hands.submitted);
}

#[test]
fn submitting_tells_the_host_page_once() {
    let mut desk = submitted();
    assert_eq!(desk.heading(), Message::ReadingTitle);
    assert_eq!(desk.callbacks().last(), Some(&"onUploadsCreated"));
    reply(&mut desk, stock::archive(2, ArchivePhase::Analyzed {}, Vec::new()));
    let keys: Vec<&String> =
        desk.told.iter().map(|(key, _)| key).filter(|key| key.contains("uploadsCreated")).collect();
    assert_eq!(keys.len(), 2);
    assert_eq!(keys[0], keys[1], "the bridge tells it once");
}

#[test]
fn the_files_are_let_go_when_they_are_submitted() {
    let mut hands = full();
    hands.answers = false;
    hands.submit();
    let effects = reply(&mut hands.desk, stock::archive(2, analyzing(), Vec::new()));
    assert_eq!(effects[0], Effect::File(FileOrder::Close {}));
}

#[test]
fn reading_is_followed_to_its_end() {
    let mut desk = submitted();
    let reading = ArchivePhase::Analyzing { step: AnalyzeStep::Reading };
    reply(&mut desk, stock::archive(2, reading, Vec::new()));
    assert_eq!(desk.said(), Some(Message::ReadingPages.into()));
    reply(&mut desk, stock::archive(3, ArchivePhase::Analyzed {}, Vec::new()));
    assert_eq!(desk.heading(), Message::ArchiveReadTitle);
    assert_eq!(desk.ui_events().last(), Some(&UiEventName::ArchiveSuccessPageOpened));
    let effects = desk.press(Press::Done);
    assert!(effects.iter().any(|effect| matches!(effect, Effect::Close { .. })), "{effects:?}");
}

#[test]
fn every_failure_says_what_to_mend_and_keeps_the_kind() {
    let mut titles = Vec::new();
    for code in ArchiveErrorCode::ALL {
        let mut desk = submitted();
        reply(&mut desk, stock::archive(2, ArchivePhase::Failed { error_code: *code }, Vec::new()));
        titles.push(desk.heading());
        assert_eq!(desk.ui_events().last(), Some(&UiEventName::ArchiveErrorPageOpened));
        let (primary, secondary) = desk.actions();
        let presses = [Some(primary.press), secondary.map(|it| it.press)];
        let first = if *code == ArchiveErrorCode::FileWrongType { Press::Upload } else { Press::TryAgain };
        assert_eq!(primary.press, first);
        assert!(presses.contains(&Some(Press::Upload)) && presses.contains(&Some(Press::TryAgain)));
        desk.press(Press::TryAgain);
        assert_eq!((desk.heading(), rows(&desk)), (Message::ArchivePayslip, Vec::new()));
    }
    titles.dedup();
    assert_eq!(titles.len(), ArchiveErrorCode::ALL.len(), "each has its own words");
}

#[test]
fn a_lost_answer_to_the_submission_is_asked_after() {
    let mut hands = full();
    hands.answers = false;
    hands.submit();
    let refusal = stock::problem(409, ProblemCode::Conflict);
    let effects = hands.desk.reply(Reply::Archive(Err(refusal)));
    assert!(
        matches!(&effects[..], [Effect::Archive { ask: ArchiveAsk::Poll { after: 0, .. }, .. }]),
        "{effects:?}"
    );
    reply(&mut hands.desk, stock::archive(2, analyzing(), Vec::new()));
    assert_eq!(hands.desk.heading(), Message::ReadingTitle);
}

#[test]
fn a_file_that_was_announced_twice_is_taken_away_and_the_rest_submitted_unasked() {
    let mut hands = full();
    hands.answers = false;
    hands.submit();
    let twin = turned_down_for_a_twin(&mut hands);
    assert_eq!(hands.desk.actions().0.state, ActionState::Busy, "nothing is asked of the person meanwhile");
    let effects = super::tell(&mut hands.desk, FileFact::Dropped { handle: twin });
    let [Effect::Archive { ask: ArchiveAsk::Submit(_), .. }] = &effects[..] else { panic!("{effects:?}") };
    let submitted =
        |desk: &Desk| desk.ui_events().iter().filter(|it| **it == UiEventName::FilesSubmitted).count();
    assert_eq!(submitted(&hands.desk), 1, "the person did it once");
    // A service that finds another each time is not asked for ever.
    let twin = turned_down_for_a_twin(&mut hands);
    assert_eq!(super::tell(&mut hands.desk, FileFact::Dropped { handle: twin }), []);
    assert!(may_submit(&hands.desk));
}

#[test]
fn a_word_that_is_taken_back_while_the_twin_goes_is_not_kept() {
    type Meanwhile = fn(&mut Hands, u32);
    let picked: Meanwhile = |hands, _| {
        let second = hands.pick(FileSlot::Page, 200);
        hands.arrive(second, 200);
    };
    let closed: Meanwhile = |hands, _| {
        hands.send(Event::CloseRequested);
        hands.send(Event::CloseRequested);
    };
    let went_back: Meanwhile = |hands, twin| {
        super::tell(
            &mut hands.desk,
            FileFact::Cut { handle: twin, status: 503, file_fault: None, retry_in_ms: 0 },
        );
        hands.desk.press(Press::Back);
        hands.desk.press(Press::Stay);
    };
    for (what, meanwhile) in [("picked", picked), ("closed", closed), ("went back", went_back)] {
        let mut hands = full();
        hands.answers = false;
        hands.submit();
        let twin = turned_down_for_a_twin(&mut hands);
        meanwhile(&mut hands, twin);
        let effects = super::tell(&mut hands.desk, FileFact::Dropped { handle: twin });
        assert_eq!((effects, may_submit(&hands.desk)), (Vec::new(), true), "{what}");
    }
}

#[test]
fn a_word_is_kept_over_a_removal_that_fails_at_first() {
    let mut hands = full();
    hands.answers = false;
    hands.submit();
    let twin = turned_down_for_a_twin(&mut hands);
    let cut = FileFact::Cut { handle: twin, status: 503, file_fault: None, retry_in_ms: 0 };
    let effects = super::tell(&mut hands.desk, cut);
    let [Effect::StartTimer { timer, .. }] = effects[..] else { panic!("{effects:?}") };
    assert_eq!(hands.desk.actions().0.state, ActionState::Off, "the person may do something else");
    hands.desk.send(Event::TimerFired { timer, elapsed_ms: 60_000 });
    assert_eq!(hands.desk.actions().0.state, ActionState::Off, "the page does not change with each try");
    let effects = super::tell(&mut hands.desk, FileFact::Dropped { handle: twin });
    let [Effect::Archive { ask: ArchiveAsk::Submit(_), .. }] = &effects[..] else { panic!("{effects:?}") };
}

#[test]
fn a_word_is_kept_in_the_next_session_and_not_after_the_last() {
    let mut hands = full();
    hands.answers = false;
    hands.submit();
    let twin = turned_down_for_a_twin(&mut hands);
    hands.desk.session_ends();
    let effects = super::tell(&mut hands.desk, FileFact::Dropped { handle: twin });
    assert!(!effects.iter().any(|it| matches!(it, Effect::Archive { .. })), "{effects:?}");
    hands.desk.send(Event::TokenSet { token: token("next") });
    let archive = stock::archive(3, ArchivePhase::Uploading {}, hands.known());
    let effects = hands.desk.reply_session(super::session_with(archive));
    let submits = |it: &Effect| matches!(it, Effect::Archive { ask: ArchiveAsk::Submit(_), .. });
    assert_eq!(effects.iter().filter(|it| submits(it)).count(), 1, "{effects:?}");
}

/// The service answers a submission that it has a second file like the first, announced by a request whose answer was lost.
/// Gives the handle under which that is taken away.
fn turned_down_for_a_twin(hands: &mut Hands) -> u32 {
    hands.desk.reply(Reply::Archive(Err(stock::problem(409, ProblemCode::Conflict))));
    let mut files = hands.known();
    let twin = FileId::from_bytes([77; 16]);
    files.push(UploadFile { file_id: twin.clone(), received_bytes: 0, ..files[0].clone() });
    let effects = reply(&mut hands.desk, stock::archive(2, ArchivePhase::Uploading {}, files));
    let [Effect::File(FileOrder::Drop { handle, file_id: Some(file_id) })] = &effects[..] else {
        panic!("{effects:?}")
    };
    assert_eq!((file_id, may_submit(&hands.desk)), (&twin, false));
    *handle
}

#[test]
fn a_submission_that_lacks_a_file_sends_it_again() {
    let mut hands = full();
    hands.answers = false;
    hands.submit();
    hands.desk.reply(Reply::Archive(Err(stock::problem(409, ProblemCode::Conflict))));
    let effects = reply(&mut hands.desk, stock::archive(2, ArchivePhase::Uploading {}, Vec::new()));
    let [Effect::File(FileOrder::Send { handle: 1, file_id: None, .. })] = effects[..] else {
        panic!("{effects:?}")
    };
}

#[test]
fn going_back_asks_before_it_removes() {
    let mut hands = full();
    hands.answers = false;
    hands.desk.press(Press::Back);
    assert_eq!(hands.desk.overlay_heading(), Some(Message::UploadRemoveTitle));
    hands.desk.press(Press::Stay);
    assert_eq!((hands.desk.overlay_heading(), rows(&hands.desk).len()), (None, 1));
    hands.desk.press(Press::Back);
    let effects = hands.desk.press(Press::Confirm);
    let [Effect::File(FileOrder::Close {}), Effect::Archive { ask: ArchiveAsk::Remove(_), .. }] =
        &effects[..]
    else {
        panic!("{effects:?}")
    };
    hands.desk.reply(Reply::Done(Ok(())));
    assert_eq!(hands.desk.heading(), Message::UploadsTitle);
    assert!(!hands.desk.callbacks().contains(&"onUploadsRemoved"), "the host page never heard of it");
}

#[test]
fn a_removal_that_fails_is_tried_again_and_one_too_many_is_none() {
    let mut hands = full();
    hands.answers = false;
    hands.desk.press(Press::Back);
    hands.desk.press(Press::Confirm);
    let mut effects = hands.desk.reply(Reply::Done(Err(Refusal::Unreachable)));
    while let [Effect::StartTimer { timer, .. }] = effects[..] {
        hands.desk.send(Event::TimerFired { timer, elapsed_ms: 60_000 });
        effects = hands.desk.reply(Reply::Done(Err(Refusal::Unreachable)));
    }
    assert_eq!(hands.desk.heading(), Message::OfflineTitle);
    hands.desk.press(Press::Retry);
    hands.desk.reply(Reply::Done(Err(stock::problem(404, ProblemCode::MissingResource))));
    assert_eq!(hands.desk.heading(), Message::UploadsTitle);
}

#[test]
fn going_back_without_files_asks_nothing() {
    let mut desk = at_upload(ArchiveType::Payslip);
    desk.press(Press::Back);
    assert_eq!(desk.heading(), Message::UploadsTitle);
}

#[test]
fn an_attempt_is_taken_up_where_its_archive_stands() {
    let failed = ArchivePhase::Failed { error_code: ArchiveErrorCode::FileUnreadable };
    for (phase, heading) in [
        (ArchivePhase::Uploading {}, Message::ArchivePayslip),
        (analyzing(), Message::ReadingTitle),
        (ArchivePhase::Analyzed {}, Message::ArchiveReadTitle),
        (failed, Message::ArchiveUnreadableTitle),
    ] {
        assert_eq!(taken_up(stock::archive(3, phase, Vec::new())).heading(), heading);
    }
    let revoked = taken_up(stock::archive(3, ArchivePhase::Revoked {}, Vec::new()));
    assert_ne!(revoked.heading(), Message::UploadsTitle);
}

#[test]
fn reading_goes_on_in_a_new_session() {
    let mut desk = submitted();
    desk.session_ends();
    desk.send(Event::TokenSet { token: crate::tests::desk::token("next") });
    desk.reply_session(super::session_with(stock::archive(5, ArchivePhase::Analyzed {}, Vec::new())));
    assert_eq!(desk.heading(), Message::ArchiveReadTitle);
}

#[test]
fn leaving_with_files_asks_first_and_while_reading_does_not() {
    let mut hands = full();
    hands.desk.send(Event::CloseRequested);
    assert_eq!(hands.desk.overlay_heading(), Some(Message::LeaveTitle));
    let mut desk = submitted();
    let effects = desk.send(Event::CloseRequested);
    assert!(effects.iter().any(|effect| matches!(effect, Effect::Close { .. })), "{effects:?}");
}

#[test]
fn files_arrive_while_the_person_is_asked_whether_to_leave() {
    let mut hands = Hands::new(at_upload(ArchiveType::Payslip));
    hands.pick(FileSlot::Page, 100);
    hands.desk.send(Event::CloseRequested);
    hands.arrive(1, 100);
    hands.desk.press(Press::Stay);
    assert!(may_submit(&hands.desk));
    hands.send(Event::Submitted(Secrets::none()));
    assert!(hands.submitted);
}
