//! After a reload, the service has a part and the device has the files: only the missing bytes are sent.

use link_types::archive::{ArchiveType, FileSlot};
use link_types::link::ConsentReceipt;
use link_types::problem::ProblemCode;
use link_types::template::SyncInterval;
use link_types::uploading::{AnalyzeStep, ArchivePhase, FileFact, FileOrder, UploadFile};

use super::hands::{Hands, Held};
use super::{detail, fixtures, may_submit, rows, take_up, zones};
use crate::Event;
use crate::effect::{ArchiveAsk, Effect};
use crate::event::{FilePress, Press, Reply};
use crate::generated::message::Message;
use crate::submission::Secrets;
use crate::view::{Argument, Text};
use link_types::id::FileId;

fn known_file(id: u8, size_bytes: u32, received_bytes: u32) -> UploadFile {
    UploadFile {
        file_id: FileId::from_bytes([100 + id; 16]),
        name: format!("page-{id}.pdf"),
        slot: FileSlot::Page,
        format: None,
        size_bytes,
        sha256: Some(format!("{id:064}")),
        received_bytes,
    }
}

/// Starts a session in which data is read every day, or in which the terms are in another language.
fn renew(
    hands: &mut Hands,
    archives: &[link_types::uploading::ArchiveProgress],
    is_daily: bool,
) -> Vec<Effect> {
    hands.harness.session_ends();
    hands.send(Event::TokenSet { token: crate::tests::harness::token("next") });
    let mut session = super::session(&[]);
    session.attempt.archives = archives.to_vec();
    if is_daily {
        session.template.sync_interval = Some(SyncInterval::Daily);
    } else {
        session.template.consent.locale = "es".to_owned();
    }
    hands.harness.reply_session(session)
}

/// Returns the upload of a person who comes back to two files: one complete, one half.
fn back() -> Hands {
    let files = vec![known_file(1, 1_000, 1_000), known_file(2, 2_000, 1_000)];
    Hands::new(take_up(fixtures::archive(4, ArchivePhase::Uploading {}, files)))
}

#[test]
fn partial_file_must_be_chosen_again() {
    let hands = back();
    assert_eq!(detail(&hands.harness, 0), Text::with(Message::UploadSent, vec![Argument::Tenths(1)]));
    assert_eq!(detail(&hands.harness, 1), Text::with(Message::UploadMissing, vec![50.into()]));
    assert_eq!(zones(&hands.harness), 1);
    assert!(!may_submit(&hands.harness));
}

#[test]
fn rechosen_file_continues_by_its_hash() {
    let mut hands = back();
    let handle = hands.report_picked(FileSlot::Page, 2_000);
    let at = hands.held.iter().position(|it| it.handle == handle).unwrap();
    hands.held[at] =
        Held { received: 1_000, file_id: Some(known_file(2, 0, 0).file_id), ..hands.held[at].clone() };
    hands.inspect(handle, 2_000, None, &format!("{:064}", 2));
    assert_eq!((rows(&hands.harness).len(), &hands.sending[..]), (2, &[handle][..]));
    hands.arrive(handle, 1_000);
    assert!(may_submit(&hands.harness));
}

#[test]
fn different_file_starts_new_upload() {
    let mut hands = back();
    hands.pick(FileSlot::Page, 2_000);
    let handle = hands.report_picked(FileSlot::Page, 3_000);
    hands.inspect(handle, 3_000, None, &format!("{:064}", 2));
    assert_eq!(rows(&hands.harness).len(), 4, "files of different sizes are different");
    assert!(!may_submit(&hands.harness));
}

#[test]
fn rechosen_complete_file_is_not_sent_again() {
    let mut hands = back();
    let handle = hands.report_picked(FileSlot::Page, 1_000);
    hands.inspect(handle, 1_000, None, &format!("{:064}", 1));
    assert_eq!((rows(&hands.harness).len(), hands.sending.len()), (2, 0));
    assert!(rows(&hands.harness)[0].done);
}

#[test]
fn partial_file_can_be_removed() {
    let mut hands = back();
    let handle = rows(&hands.harness)[1].handle;
    let effects = hands.harness.send(Event::Pressed(Press::File(FilePress::Remove, handle)));
    let file_id = Some(known_file(2, 0, 0).file_id);
    assert_eq!(effects, [Effect::File(FileOrder::Drop { handle, file_id })]);
    hands.send(Event::File(FileFact::Dropped { handle }));
    assert!(may_submit(&hands.harness));
}

#[test]
fn files_move_to_new_archive_if_old_is_gone() {
    let mut hands = back();
    let handle = hands.pick(FileSlot::Page, 500);
    hands.arrive(handle, 500);
    hands.harness.session_ends();
    hands.send(Event::TokenSet { token: crate::tests::harness::token("next") });
    // The service has forgotten all of it.
    hands.held.iter_mut().for_each(|it| it.file_id = None);
    hands.held.iter_mut().for_each(|it| it.received = 0);
    let effects = hands.harness.reply_session(super::session(&[]));
    assert!(
        effects.iter().any(|effect| matches!(effect, Effect::Archive { ask: ArchiveAsk::Create(_), .. })),
        "{effects:?}"
    );
    assert_eq!(rows(&hands.harness).len(), 1, "only the file on this device remains");
}

/// Returns an upload whose file waits for the reply to the request for an archive.
fn without_archive() -> Hands {
    let mut hands = Hands::new(super::at_upload(ArchiveType::Payslip));
    hands.answers = false;
    hands.pick(FileSlot::Page, 500);
    hands
}

/// Returns the consent that a submission carries.
fn submit_uploads(hands: &mut Hands) -> Option<ConsentReceipt> {
    let effects = hands.harness.send(Event::Submitted(Secrets::none()));
    let found = effects.into_iter().find_map(|effect| {
        let Effect::Archive { ask: ArchiveAsk::Submit(_, body), .. } = effect else { return None };
        Some(body.consent)
    });
    found.unwrap()
}

#[test]
fn upload_of_an_earlier_session_needs_another_consent() {
    let files = vec![known_file(1, 1_000, 1_000)];
    let mut session = super::session_with(fixtures::archive(4, ArchivePhase::Uploading {}, files));
    session.attempt.place.consent = None;
    let mut harness = crate::tests::harness::exchanging();
    harness.reply_session(session);
    assert_eq!(harness.heading(), Message::ConsentTitle);
    harness.press(Press::Agree);
    let mut hands = Hands::new(harness);
    assert_eq!(rows(&hands.harness).len(), 1, "the upload continues");
    assert_eq!(submit_uploads(&mut hands), Some(fixtures::receipt()));
}

#[test]
fn submission_without_consent_returns_to_the_upload() {
    let archive = || fixtures::archive(5, ArchivePhase::Uploading {}, vec![known_file(1, 1_000, 1_000)]);
    let mut hands = back();
    renew(&mut hands, &[archive()], true);
    assert_eq!(submit_uploads(&mut hands), None, "the person has not seen these terms");
    let refused = fixtures::problem(409, ProblemCode::ConsentRequired);
    hands.harness.reply(Reply::Archive(Err(refused)));
    let mut session = super::session_with(archive());
    session.template.sync_interval = Some(SyncInterval::Daily);
    hands.harness.reply_session(session);
    assert_eq!(hands.harness.heading(), Message::ConsentTitle);
    assert_eq!(hands.harness.notice().unwrap().2, Message::ConsentChanged.into());
    hands.harness.press(Press::Agree);
    assert_eq!(rows(&hands.harness).len(), 1, "no file is lost");
    assert!(submit_uploads(&mut hands).is_some());
}

#[test]
fn archive_is_kept_if_a_new_session_has_other_terms() {
    let mut hands = back();
    let archive = fixtures::archive(5, ArchivePhase::Uploading {}, vec![known_file(1, 1_000, 1_000)]);
    let effects = renew(&mut hands, &[archive], true);
    assert!(!effects.contains(&Effect::File(FileOrder::Close {})), "{effects:?}");
    assert!(may_submit(&hands.harness));
    assert_eq!(rows(&hands.harness).len(), 1);
}

#[test]
fn submitted_upload_is_kept_if_a_session_has_other_terms() {
    let analyzing = |version| {
        fixtures::archive(version, ArchivePhase::Analyzing { step: AnalyzeStep::Queued }, Vec::new())
    };
    let mut hands = Hands::new(take_up(analyzing(4)));
    renew(&mut hands, &[analyzing(5)], true);
    assert_eq!(hands.harness.heading(), Message::ReadingTitle);
    super::reply(&mut hands.harness, fixtures::archive(6, ArchivePhase::Analyzed {}, Vec::new()));
    assert_eq!(hands.harness.heading(), Message::ArchiveReadTitle);
    hands.harness.press(Press::Upload);
    assert_eq!(
        hands.harness.heading(),
        Message::ConsentTitle,
        "another upload needs a consent to these terms"
    );
    assert_eq!(hands.harness.notice().unwrap().2, Message::ConsentChanged.into());
    hands.harness.press(Press::Agree);
    assert_eq!(hands.harness.heading(), Message::UploadsTitle);
}

#[test]
fn upload_without_archive_needs_a_consent_to_other_terms() {
    let mut hands = without_archive();
    let effects = renew(&mut hands, &[], true);
    assert!(effects.contains(&Effect::File(FileOrder::Close {})), "{effects:?}");
    assert_eq!(hands.harness.heading(), Message::ConsentTitle);
    assert_eq!(hands.harness.notice().unwrap().2, Message::ConsentChanged.into());
}

#[test]
fn lost_archive_is_not_replaced_without_a_consent() {
    let mut hands = back();
    renew(&mut hands, &[], true);
    assert_eq!(hands.harness.heading(), Message::ConsentTitle);
}

#[test]
fn consent_in_another_language_stays_valid() {
    let mut hands = without_archive();
    let effects = renew(&mut hands, &[], false);
    let receipt = effects.iter().find_map(|effect| {
        let Effect::Archive { ask: ArchiveAsk::Create(body), .. } = effect else { return None };
        Some(&body.consent)
    });
    assert_eq!(receipt, Some(&fixtures::receipt()), "the language is the one that the person saw");
    assert_eq!(rows(&hands.harness).len(), 1);
}

#[test]
fn paused_file_continues_in_a_new_archive() {
    let mut hands = Hands::new(super::at_upload(ArchiveType::Payslip));
    let handle = hands.pick(FileSlot::Page, 1_000);
    hands.press(FilePress::Pause, handle);
    renew(&mut hands, &[], false);
    let effects = hands.harness.press(Press::File(FilePress::Continue, handle));
    let is_created = |effect: &Effect| matches!(effect, Effect::Archive { ask: ArchiveAsk::Create(_), .. });
    assert!(effects.iter().any(is_created), "{effects:?}");
}
