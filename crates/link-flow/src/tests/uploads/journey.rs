//! From the document kinds to the result.

use link_types::archive::{ArchiveErrorCode, ArchiveType, FileSlot};
use link_types::host::UiEventName;
use link_types::id::FileId;
use link_types::problem::ProblemCode;
use link_types::uploading::{AnalyzeStep, ArchivePhase, FileFact, FileOrder, UploadFile};

use super::hands::Hands;
use super::{at_kinds, at_upload, fixtures, may_submit, reply, rows, take_up};
use crate::effect::{ArchiveAsk, Effect};
use crate::event::{Press, Reply, RequestError};
use crate::generated::message::Message;
use crate::tests::harness::{Harness, token};
use crate::view::block::ActionState;
use crate::{Event, Secrets};

fn analyzing() -> ArchivePhase {
    ArchivePhase::Analyzing { step: AnalyzeStep::Queued }
}

/// Returns an upload with one complete file, which can be submitted.
fn full() -> Hands {
    let mut hands = Hands::new(at_upload(ArchiveType::Payslip));
    hands.pick(FileSlot::Page, 100);
    hands.arrive(1, 100);
    assert!(may_submit(&hands.harness));
    hands
}

fn submit_full() -> Harness {
    let mut hands = full();
    hands.submit();
    hands.harness
}

#[test]
fn only_document_kinds_of_template_are_offered() {
    let kinds = [ArchiveType::Payslip, ArchiveType::BankStatement];
    let harness = at_kinds(&kinds);
    assert_eq!(harness.choices(), ["PAYSLIP", "BANK_STATEMENT"]);
    assert_eq!(at_kinds(&[]).choices().len(), ArchiveType::ALL.len());
    assert_eq!(harness.ui_events().last(), Some(&UiEventName::FileTypeListPageOpened));
}

#[test]
fn single_document_kind_skips_choice() {
    let mut harness = at_kinds(&[ArchiveType::TaxDocument]);
    assert_eq!(harness.heading(), Message::ArchiveTax);
    assert!(!harness.ui_events().contains(&UiEventName::FileTypeListPageOpened));
    harness.press(Press::Back);
    assert_eq!(harness.heading(), Message::ProvidersTitle);
}

#[test]
fn every_document_kind_has_its_slots() {
    for kind in ArchiveType::ALL {
        let harness = at_upload(*kind);
        let cards = [ArchiveType::Identification, ArchiveType::CompanyId];
        assert_eq!(super::zones(&harness), if cards.contains(kind) { 2 } else { 1 });
        assert_eq!(harness.heading(), crate::uploads::kind_name(*kind));
        assert_eq!(harness.ui_events().last(), Some(&UiEventName::FileTypePageOpened));
    }
}

#[test]
fn card_requires_front_only() {
    let mut hands = Hands::new(at_upload(ArchiveType::Identification));
    hands.pick(FileSlot::Back, 100);
    hands.arrive(1, 100);
    assert!(!may_submit(&hands.harness));
    hands.pick(FileSlot::Front, 200);
    hands.arrive(2, 200);
    assert!(may_submit(&hands.harness));
}

#[test]
fn submit_requires_complete_files() {
    let mut hands = full();
    hands.pick(FileSlot::Page, 200);
    hands.submit();
    assert!(!hands.submitted && !may_submit(&hands.harness));
    hands.arrive(2, 200);
    hands.submit();
    assert!(hands.submitted);
}

#[test]
fn submit_emits_uploads_created_once() {
    let mut harness = submit_full();
    assert_eq!(harness.heading(), Message::ReadingTitle);
    assert_eq!(harness.callbacks().last(), Some(&"onUploadsCreated"));
    reply(&mut harness, fixtures::archive(2, ArchivePhase::Analyzed {}, Vec::new()));
    let keys: Vec<&String> =
        harness.emitted.iter().map(|(key, _)| key).filter(|key| key.contains("uploadsCreated")).collect();
    assert_eq!(keys.len(), 2);
    assert_eq!(keys[0], keys[1], "both have the same key, so the bridge emits one");
}

#[test]
fn files_are_released_after_submit() {
    let mut hands = full();
    hands.answers = false;
    hands.submit();
    let effects = reply(&mut hands.harness, fixtures::archive(2, analyzing(), Vec::new()));
    assert_eq!(effects[0], Effect::File(FileOrder::Close {}));
}

#[test]
fn reading_is_polled_until_end() {
    let mut harness = submit_full();
    let reading = ArchivePhase::Analyzing { step: AnalyzeStep::Reading };
    reply(&mut harness, fixtures::archive(2, reading, Vec::new()));
    assert_eq!(harness.announcement(), Some(Message::ReadingPages.into()));
    reply(&mut harness, fixtures::archive(3, ArchivePhase::Analyzed {}, Vec::new()));
    assert_eq!(harness.heading(), Message::ArchiveReadTitle);
    assert_eq!(harness.ui_events().last(), Some(&UiEventName::ArchiveSuccessPageOpened));
    let effects = harness.press(Press::Done);
    assert!(effects.iter().any(|effect| matches!(effect, Effect::Close { .. })), "{effects:?}");
}

#[test]
fn every_read_error_explains_next_step() {
    let mut titles = Vec::new();
    for code in ArchiveErrorCode::ALL {
        let mut harness = submit_full();
        reply(&mut harness, fixtures::archive(2, ArchivePhase::Failed { error_code: *code }, Vec::new()));
        titles.push(harness.heading());
        assert_eq!(harness.ui_events().last(), Some(&UiEventName::ArchiveErrorPageOpened));
        let (primary, secondary) = harness.actions();
        let presses = [Some(primary.press), secondary.map(|it| it.press)];
        let first = if *code == ArchiveErrorCode::FileWrongType { Press::Upload } else { Press::TryAgain };
        assert_eq!(primary.press, first);
        assert!(presses.contains(&Some(Press::Upload)) && presses.contains(&Some(Press::TryAgain)));
        harness.press(Press::TryAgain);
        assert_eq!((harness.heading(), rows(&harness)), (Message::ArchivePayslip, Vec::new()));
    }
    titles.dedup();
    assert_eq!(titles.len(), ArchiveErrorCode::ALL.len(), "each error code has its own title");
}

#[test]
fn lost_reply_to_submit_is_looked_up() {
    let mut hands = full();
    hands.answers = false;
    hands.submit();
    let refusal = fixtures::problem(409, ProblemCode::Conflict);
    let effects = hands.harness.reply(Reply::Archive(Err(refusal)));
    assert!(
        matches!(&effects[..], [Effect::Archive { ask: ArchiveAsk::Poll { after: 0, .. }, .. }]),
        "{effects:?}"
    );
    reply(&mut hands.harness, fixtures::archive(2, analyzing(), Vec::new()));
    assert_eq!(hands.harness.heading(), Message::ReadingTitle);
}

#[test]
fn duplicate_is_removed_and_submit_is_repeated() {
    let mut hands = full();
    hands.answers = false;
    hands.submit();
    let duplicate = reject_for_duplicate(&mut hands);
    assert_eq!(hands.harness.actions().0.state, ActionState::Busy, "the page stays busy");
    let effects = super::tell(&mut hands.harness, FileFact::Dropped { handle: duplicate });
    let [Effect::Archive { ask: ArchiveAsk::Submit(..), .. }] = &effects[..] else { panic!("{effects:?}") };
    let submitted = |harness: &Harness| {
        harness.ui_events().iter().filter(|it| **it == UiEventName::FilesSubmitted).count()
    };
    assert_eq!(submitted(&hands.harness), 1, "the person submitted once");
    // The number of repeated submissions is limited.
    let duplicate = reject_for_duplicate(&mut hands);
    assert_eq!(super::tell(&mut hands.harness, FileFact::Dropped { handle: duplicate }), []);
    assert!(may_submit(&hands.harness));
}

#[test]
fn cancelled_submit_is_not_repeated() {
    type Meanwhile = fn(&mut Hands, u32);
    let picked: Meanwhile = |hands, _| {
        let second = hands.pick(FileSlot::Page, 200);
        hands.arrive(second, 200);
    };
    let closed: Meanwhile = |hands, _| {
        hands.send(Event::CloseRequested);
        hands.send(Event::CloseRequested);
    };
    let went_back: Meanwhile = |hands, duplicate| {
        super::tell(
            &mut hands.harness,
            FileFact::Cut { handle: duplicate, status: 503, file_fault: None, retry_in_ms: 0 },
        );
        hands.harness.press(Press::Back);
        hands.harness.press(Press::Stay);
    };
    for (what, meanwhile) in [("picked", picked), ("closed", closed), ("went back", went_back)] {
        let mut hands = full();
        hands.answers = false;
        hands.submit();
        let duplicate = reject_for_duplicate(&mut hands);
        meanwhile(&mut hands, duplicate);
        let effects = super::tell(&mut hands.harness, FileFact::Dropped { handle: duplicate });
        assert_eq!((effects, may_submit(&hands.harness)), (Vec::new(), true), "{what}");
    }
}

#[test]
fn submit_is_repeated_after_retried_removal() {
    let mut hands = full();
    hands.answers = false;
    hands.submit();
    let duplicate = reject_for_duplicate(&mut hands);
    let cut = FileFact::Cut { handle: duplicate, status: 503, file_fault: None, retry_in_ms: 0 };
    let effects = super::tell(&mut hands.harness, cut);
    let [Effect::StartTimer { timer, .. }] = effects[..] else { panic!("{effects:?}") };
    assert_eq!(hands.harness.actions().0.state, ActionState::Off, "the submit button is off during the wait");
    hands.harness.send(Event::TimerFired { timer, elapsed_ms: 60_000 });
    assert_eq!(hands.harness.actions().0.state, ActionState::Off, "the button stays off during the retry");
    let effects = super::tell(&mut hands.harness, FileFact::Dropped { handle: duplicate });
    let [Effect::Archive { ask: ArchiveAsk::Submit(..), .. }] = &effects[..] else { panic!("{effects:?}") };
}

#[test]
fn submit_is_repeated_in_next_session_only() {
    let mut hands = full();
    hands.answers = false;
    hands.submit();
    let duplicate = reject_for_duplicate(&mut hands);
    hands.harness.session_ends();
    let effects = super::tell(&mut hands.harness, FileFact::Dropped { handle: duplicate });
    assert!(!effects.iter().any(|it| matches!(it, Effect::Archive { .. })), "{effects:?}");
    hands.harness.send(Event::TokenSet { token: token("next") });
    let archive = fixtures::archive(3, ArchivePhase::Uploading {}, hands.known_files());
    let effects = hands.harness.reply_session(super::session_with(archive));
    let submits = |it: &Effect| matches!(it, Effect::Archive { ask: ArchiveAsk::Submit(..), .. });
    assert_eq!(effects.iter().filter(|it| submits(it)).count(), 1, "{effects:?}");
}

/// Replies to a submission that the service has a second copy of the file, from a request whose reply was lost.
/// Returns the handle under which the copy is deleted.
fn reject_for_duplicate(hands: &mut Hands) -> u32 {
    hands.harness.reply(Reply::Archive(Err(fixtures::problem(409, ProblemCode::Conflict))));
    let mut files = hands.known_files();
    let duplicate = FileId::from_bytes([77; 16]);
    files.push(UploadFile { file_id: duplicate.clone(), received_bytes: 0, ..files[0].clone() });
    let effects = reply(&mut hands.harness, fixtures::archive(2, ArchivePhase::Uploading {}, files));
    let [Effect::File(FileOrder::Drop { handle, file_id: Some(file_id) })] = &effects[..] else {
        panic!("{effects:?}")
    };
    assert_eq!((file_id, may_submit(&hands.harness)), (&duplicate, false));
    *handle
}

#[test]
fn incomplete_submit_sends_missing_file() {
    let mut hands = full();
    hands.answers = false;
    hands.submit();
    hands.harness.reply(Reply::Archive(Err(fixtures::problem(409, ProblemCode::Conflict))));
    let effects = reply(&mut hands.harness, fixtures::archive(2, ArchivePhase::Uploading {}, Vec::new()));
    let [Effect::File(FileOrder::Send { handle: 1, file_id: None, .. })] = effects[..] else {
        panic!("{effects:?}")
    };
}

#[test]
fn back_asks_before_removal() {
    let mut hands = full();
    hands.answers = false;
    hands.harness.press(Press::Back);
    assert_eq!(hands.harness.overlay_heading(), Some(Message::UploadRemoveTitle));
    hands.harness.press(Press::Stay);
    assert_eq!((hands.harness.overlay_heading(), rows(&hands.harness).len()), (None, 1));
    hands.harness.press(Press::Back);
    let effects = hands.harness.press(Press::Confirm);
    let [Effect::File(FileOrder::Close {}), Effect::Archive { ask: ArchiveAsk::Remove(_), .. }] =
        &effects[..]
    else {
        panic!("{effects:?}")
    };
    hands.harness.reply(Reply::Done(Ok(())));
    assert_eq!(hands.harness.heading(), Message::UploadsTitle);
    assert!(
        !hands.harness.callbacks().contains(&"onUploadsRemoved"),
        "the host page was never informed of the upload"
    );
}

#[test]
fn failed_removal_is_retried() {
    let mut hands = full();
    hands.answers = false;
    hands.harness.press(Press::Back);
    hands.harness.press(Press::Confirm);
    let mut effects = hands.harness.reply(Reply::Done(Err(RequestError::Unreachable)));
    while let [Effect::StartTimer { timer, .. }] = effects[..] {
        hands.harness.send(Event::TimerFired { timer, elapsed_ms: 60_000 });
        effects = hands.harness.reply(Reply::Done(Err(RequestError::Unreachable)));
    }
    assert_eq!(hands.harness.heading(), Message::OfflineTitle);
    hands.harness.press(Press::Retry);
    hands.harness.reply(Reply::Done(Err(fixtures::problem(404, ProblemCode::MissingResource))));
    assert_eq!(hands.harness.heading(), Message::UploadsTitle);
}

#[test]
fn back_without_files_does_not_ask() {
    let mut harness = at_upload(ArchiveType::Payslip);
    harness.press(Press::Back);
    assert_eq!(harness.heading(), Message::UploadsTitle);
}

#[test]
fn attempt_resumes_at_phase_of_archive() {
    let failed = ArchivePhase::Failed { error_code: ArchiveErrorCode::FileUnreadable };
    for (phase, heading) in [
        (ArchivePhase::Uploading {}, Message::ArchivePayslip),
        (analyzing(), Message::ReadingTitle),
        (ArchivePhase::Analyzed {}, Message::ArchiveReadTitle),
        (failed, Message::ArchiveUnreadableTitle),
    ] {
        assert_eq!(take_up(fixtures::archive(3, phase, Vec::new())).heading(), heading);
    }
    let revoked = take_up(fixtures::archive(3, ArchivePhase::Revoked {}, Vec::new()));
    assert_ne!(revoked.heading(), Message::UploadsTitle);
}

#[test]
fn reading_resumes_in_new_session() {
    let mut harness = submit_full();
    harness.session_ends();
    harness.send(Event::TokenSet { token: crate::tests::harness::token("next") });
    harness.reply_session(super::session_with(fixtures::archive(5, ArchivePhase::Analyzed {}, Vec::new())));
    assert_eq!(harness.heading(), Message::ArchiveReadTitle);
}

#[test]
fn close_asks_with_files_but_not_while_reading() {
    let mut hands = full();
    hands.harness.send(Event::CloseRequested);
    assert_eq!(hands.harness.overlay_heading(), Some(Message::LeaveTitle));
    let mut harness = submit_full();
    let effects = harness.send(Event::CloseRequested);
    assert!(effects.iter().any(|effect| matches!(effect, Effect::Close { .. })), "{effects:?}");
}

#[test]
fn files_are_sent_below_leave_dialog() {
    let mut hands = Hands::new(at_upload(ArchiveType::Payslip));
    hands.pick(FileSlot::Page, 100);
    hands.harness.send(Event::CloseRequested);
    hands.arrive(1, 100);
    hands.harness.press(Press::Stay);
    assert!(may_submit(&hands.harness));
    hands.send(Event::Submitted(Secrets::none()));
    assert!(hands.submitted);
}
