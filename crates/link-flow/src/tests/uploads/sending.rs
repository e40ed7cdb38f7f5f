//! Files under way: order, failures, pauses, the connection and the session.

use link_types::archive::{ArchiveType, FileSlot};
use link_types::uploading::{FileFact, FileOrder};

use super::hands::Hands;
use super::{at_upload, detail, may_submit, rows, tell};
use crate::event::FilePress;
use crate::generated::message::Message;
use crate::view::Text;
use crate::{Effect, Event};

fn hands() -> Hands {
    Hands::new(at_upload(ArchiveType::Payslip))
}

fn percent(message: Message, percent: u32) -> Text {
    Text::with(message, vec![percent.into()])
}

#[test]
fn two_files_are_sent_at_once() {
    let mut hands = hands();
    for size in [100, 200, 300] {
        hands.pick(FileSlot::Page, size);
    }
    assert_eq!(hands.sending, [1, 2]);
    assert_eq!(detail(&hands.harness, 2), Message::UploadWaiting.into());
    hands.arrive(2, 200);
    assert_eq!(hands.sending, [1, 3]);
}

#[test]
fn save_data_sends_one_file_at_once() {
    let mut hands = hands();
    hands.connection(true, true);
    hands.pick(FileSlot::Page, 100);
    hands.pick(FileSlot::Page, 200);
    assert_eq!(hands.sending, [1]);
}

#[test]
fn busy_service_is_retried_after_retry_after() {
    for (status, asked, delay_ms) in
        [(503, 5_000, 5_000), (429, 2_000, 2_000), (503, 0, 1_000), (503, u32::MAX, 300_000)]
    {
        let mut hands = hands();
        hands.pick(FileSlot::Page, 1_000);
        hands.arrive(1, 500);
        let cut = FileFact::Cut { handle: 1, status, file_fault: None, retry_in_ms: asked };
        let effects = tell(&mut hands.harness, cut);
        let [Effect::StartTimer { timer, after_ms }] = effects[..] else { panic!("{effects:?}") };
        assert_eq!(after_ms, delay_ms, "{status}, Retry-After {asked}");
        let effects = hands.harness.send(Event::TimerFired { timer, elapsed_ms: after_ms });
        assert!(matches!(effects[..], [Effect::File(FileOrder::Send { handle: 1, .. })]), "{effects:?}");
    }
}

#[test]
fn failures_delay_longer_and_continue_at_offset() {
    let mut hands = hands();
    hands.pick(FileSlot::Page, 1_000);
    hands.arrive(1, 500);
    let mut rests = Vec::new();
    for _ in 0..7 {
        hands.sending.clear();
        let cut = FileFact::Cut { handle: 1, status: 0, file_fault: None, retry_in_ms: 0 };
        let effects = tell(&mut hands.harness, cut);
        let [Effect::StartTimer { timer, after_ms }] = effects[..] else { panic!("{effects:?}") };
        rests.push(after_ms);
        assert_eq!(detail(&hands.harness, 0), Message::UploadRetrying.into());
        let effects = hands.harness.send(Event::TimerFired { timer, elapsed_ms: after_ms });
        let [Effect::File(FileOrder::Send { handle: 1, file_id: Some(file_id), .. })] = &effects[..] else {
            panic!("{effects:?}")
        };
        hands.sending.push(1);
        let file_id = file_id.clone();
        tell(&mut hands.harness, FileFact::Sending { handle: 1, file_id, offset: 500 });
    }
    assert_eq!(rests, [1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
    hands.arrive(1, 100);
    hands.cut(1, 503, None);
    hands.wait();
    hands.arrive(1, 400);
    assert!(may_submit(&hands.harness));
}

#[test]
fn forgotten_file_starts_over() {
    let mut hands = hands();
    hands.pick(FileSlot::Page, 1_000);
    hands.arrive(1, 500);
    hands.cut(1, 410, None);
    hands.wait();
    assert_eq!(rows(&hands.harness)[0].percent, Some(0));
    hands.arrive(1, 1_000);
    assert!(may_submit(&hands.harness));
}

#[test]
fn rejected_file_waits_for_person() {
    let mut hands = hands();
    hands.pick(FileSlot::Page, 1_000);
    hands.cut(1, 403, None);
    assert_eq!(detail(&hands.harness, 0), Message::UploadStuck.into());
    hands.wait();
    assert_eq!(hands.sending, [0_u32; 0]);
    hands.press(FilePress::Continue, 1);
    assert_eq!(hands.sending, [1]);
}

#[test]
fn file_can_be_paused_and_continued() {
    let mut hands = hands();
    hands.pick(FileSlot::Page, 1_000);
    hands.pick(FileSlot::Page, 2_000);
    hands.pick(FileSlot::Page, 3_000);
    hands.arrive(1, 500);
    hands.press(FilePress::Pause, 1);
    assert_eq!(
        (detail(&hands.harness, 0), &hands.sending[..]),
        (percent(Message::UploadPaused, 50), &[2, 3][..])
    );
    hands.arrive(2, 2_000);
    hands.arrive(3, 3_000);
    hands.wait();
    assert_eq!(hands.sending, [0_u32; 0], "a paused file is not sent");
    hands.press(FilePress::Continue, 1);
    hands.arrive(1, 500);
    assert!(may_submit(&hands.harness));
}

#[test]
fn files_wait_while_offline() {
    let mut hands = hands();
    hands.pick(FileSlot::Page, 1_000);
    hands.arrive(1, 500);
    hands.connection(false, false);
    assert_eq!(hands.harness.notice().map(|(_, _, text)| text), Some(Message::UploadOffline.into()));
    assert_eq!(hands.harness.announcement(), Some(Message::UploadOffline.into()));
    hands.pick(FileSlot::Page, 2_000);
    assert_eq!(hands.sending, [0_u32; 0]);
    hands.connection(true, false);
    assert_eq!(
        (&hands.sending[..], hands.harness.announcement()),
        (&[1, 2][..], Some(Message::UploadOnline.into()))
    );
}

#[test]
fn file_removed_offline_is_deleted_online() {
    let mut hands = hands();
    hands.pick(FileSlot::Page, 1_000);
    hands.arrive(1, 1_000);
    hands.connection(false, false);
    hands.press(FilePress::Remove, 1);
    assert_eq!(detail(&hands.harness, 0), Message::UploadRemoving.into());
    assert!(!may_submit(&hands.harness), "the service still has the file");
    hands.connection(true, false);
    hands.wait();
    assert_eq!((rows(&hands.harness), hands.held.len()), (Vec::new(), 0));
}

#[test]
fn new_session_sends_missing_bytes() {
    let mut hands = hands();
    hands.pick(FileSlot::Page, 1_000);
    hands.arrive(1, 500);
    hands.renew();
    assert_eq!(hands.sending, [1]);
    hands.arrive(1, 500);
    assert!(may_submit(&hands.harness));
}

#[test]
fn unauthorized_upload_pauses() {
    let mut hands = hands();
    hands.pick(FileSlot::Page, 1_000);
    hands.pick(FileSlot::Page, 2_000);
    let order =
        tell(&mut hands.harness, FileFact::Cut { handle: 1, status: 401, file_fault: None, retry_in_ms: 0 });
    assert!(order.contains(&Effect::File(FileOrder::Stop { handle: 2 })), "{order:?}");
    assert!(!order.iter().any(|effect| matches!(effect, Effect::File(FileOrder::Send { .. }))), "{order:?}");
    assert_eq!(hands.harness.overlay_heading(), Some(Message::ExpiredTitle));
}

#[test]
fn progress_is_announced_by_quarters() {
    let mut hands = hands();
    hands.pick(FileSlot::Page, 1_000);
    let mut said = Vec::new();
    for _ in 0..10 {
        let before = hands.harness.view().announcement.turn;
        hands.arrive(1, 100);
        let announcement = hands.harness.view().announcement;
        if announcement.turn != before {
            said.push(announcement.text.unwrap());
        }
    }
    let quarter =
        |percent: u32| Text::with(Message::UploadAnnounce, vec!["page-1.pdf".into(), percent.into()]);
    assert_eq!(said, [25, 50, 75, 100].map(quarter));
}

#[test]
fn archive_is_created_once() {
    let mut hands = hands();
    hands.answers = false;
    hands.pick(FileSlot::Page, 1_000);
    let effects = hands.harness.send(Event::File(FileFact::Picked {
        handle: 9,
        slot: FileSlot::Page,
        name: "b".to_owned(),
        size_bytes: 1,
        from_camera: false,
    }));
    assert_eq!(effects, []);
    assert_eq!(hands.sending, [0_u32; 0]);
    hands.answer_now();
    assert_eq!(hands.sending, [1]);
}

#[test]
fn failed_archive_creation_is_retried() {
    let mut hands = hands();
    hands.answers = false;
    hands.pick(FileSlot::Page, 1_000);
    for _ in 0..3 {
        let refusal = crate::event::RequestError::Unreachable;
        let effects = hands.harness.reply(crate::event::Reply::Archive(Err(refusal)));
        if let [Effect::StartTimer { timer, .. }] = effects[..] {
            hands.send(Event::TimerFired { timer, elapsed_ms: 60_000 });
        }
    }
    let (primary, _) = hands.harness.actions();
    assert_eq!(primary.press, crate::event::Press::Retry);
    hands.send(Event::Pressed(primary.press));
    hands.answer_now();
    assert_eq!(hands.sending, [1]);
}
