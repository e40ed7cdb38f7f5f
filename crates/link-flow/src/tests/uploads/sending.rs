//! Files on their way: turns, cuts, pauses, the connection and the session.

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
fn two_files_are_on_their_way_at_once_and_the_others_wait() {
    let mut hands = hands();
    for size in [100, 200, 300] {
        hands.pick(FileSlot::Page, size);
    }
    assert_eq!(hands.sending, [1, 2]);
    assert_eq!(detail(&hands.desk, 2), Message::UploadWaiting.into());
    hands.arrive(2, 200);
    assert_eq!(hands.sending, [1, 3]);
}

#[test]
fn one_file_at_a_time_for_who_saves_data() {
    let mut hands = hands();
    hands.connection(true, true);
    hands.pick(FileSlot::Page, 100);
    hands.pick(FileSlot::Page, 200);
    assert_eq!(hands.sending, [1]);
}

#[test]
fn busy_service_is_asked_again_after_retry_after() {
    for (status, asked, rest) in
        [(503, 5_000, 5_000), (429, 2_000, 2_000), (503, 0, 1_000), (503, u32::MAX, 300_000)]
    {
        let mut hands = hands();
        hands.pick(FileSlot::Page, 1_000);
        hands.arrive(1, 500);
        let cut = FileFact::Cut { handle: 1, status, file_fault: None, retry_in_ms: asked };
        let effects = tell(&mut hands.desk, cut);
        let [Effect::StartTimer { timer, after_ms }] = effects[..] else { panic!("{effects:?}") };
        assert_eq!(after_ms, rest, "{status}, Retry-After {asked}");
        let effects = hands.desk.send(Event::TimerFired { timer, elapsed_ms: after_ms });
        assert!(matches!(effects[..], [Effect::File(FileOrder::Send { handle: 1, .. })]), "{effects:?}");
    }
}

#[test]
fn a_cut_rests_longer_each_time_and_goes_on_where_it_was() {
    let mut hands = hands();
    hands.pick(FileSlot::Page, 1_000);
    hands.arrive(1, 500);
    let mut rests = Vec::new();
    for _ in 0..7 {
        hands.sending.clear();
        let cut = FileFact::Cut { handle: 1, status: 0, file_fault: None, retry_in_ms: 0 };
        let effects = tell(&mut hands.desk, cut);
        let [Effect::StartTimer { timer, after_ms }] = effects[..] else { panic!("{effects:?}") };
        rests.push(after_ms);
        assert_eq!(detail(&hands.desk, 0), Message::UploadResting.into());
        let effects = hands.desk.send(Event::TimerFired { timer, elapsed_ms: after_ms });
        let [Effect::File(FileOrder::Send { handle: 1, file_id: Some(file_id), .. })] = &effects[..] else {
            panic!("{effects:?}")
        };
        hands.sending.push(1);
        let file_id = file_id.clone();
        tell(&mut hands.desk, FileFact::Sending { handle: 1, file_id, offset: 500 });
    }
    assert_eq!(rests, [1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
    hands.arrive(1, 100);
    hands.cut(1, 503, None);
    hands.wait();
    hands.arrive(1, 400);
    assert!(may_submit(&hands.desk));
}

#[test]
fn a_file_that_the_service_forgot_starts_anew() {
    let mut hands = hands();
    hands.pick(FileSlot::Page, 1_000);
    hands.arrive(1, 500);
    hands.cut(1, 410, None);
    hands.wait();
    assert_eq!(rows(&hands.desk)[0].percent, Some(0));
    hands.arrive(1, 1_000);
    assert!(may_submit(&hands.desk));
}

#[test]
fn what_the_service_does_not_take_waits_for_the_person() {
    let mut hands = hands();
    hands.pick(FileSlot::Page, 1_000);
    hands.cut(1, 403, None);
    assert_eq!(detail(&hands.desk, 0), Message::UploadStuck.into());
    hands.wait();
    assert_eq!(hands.sending, [0_u32; 0]);
    hands.press(FilePress::Continue, 1);
    assert_eq!(hands.sending, [1]);
}

#[test]
fn the_person_holds_a_file_and_lets_it_go_on() {
    let mut hands = hands();
    hands.pick(FileSlot::Page, 1_000);
    hands.pick(FileSlot::Page, 2_000);
    hands.pick(FileSlot::Page, 3_000);
    hands.arrive(1, 500);
    hands.press(FilePress::Pause, 1);
    assert_eq!(
        (detail(&hands.desk, 0), &hands.sending[..]),
        (percent(Message::UploadPaused, 50), &[2, 3][..])
    );
    hands.arrive(2, 2_000);
    hands.arrive(3, 3_000);
    hands.wait();
    assert_eq!(hands.sending, [0_u32; 0], "a held file waits for the person");
    hands.press(FilePress::Continue, 1);
    hands.arrive(1, 500);
    assert!(may_submit(&hands.desk));
}

#[test]
fn without_a_connection_files_wait_and_go_on_by_themselves() {
    let mut hands = hands();
    hands.pick(FileSlot::Page, 1_000);
    hands.arrive(1, 500);
    hands.connection(false, false);
    assert_eq!(hands.desk.notice().map(|(_, _, text)| text), Some(Message::UploadOffline.into()));
    assert_eq!(hands.desk.said(), Some(Message::UploadOffline.into()));
    hands.pick(FileSlot::Page, 2_000);
    assert_eq!(hands.sending, [0_u32; 0]);
    hands.connection(true, false);
    assert_eq!((&hands.sending[..], hands.desk.said()), (&[1, 2][..], Some(Message::UploadOnline.into())));
}

#[test]
fn a_file_removed_without_a_connection_goes_when_there_is_one() {
    let mut hands = hands();
    hands.pick(FileSlot::Page, 1_000);
    hands.arrive(1, 1_000);
    hands.connection(false, false);
    hands.press(FilePress::Remove, 1);
    assert_eq!(detail(&hands.desk, 0), Message::UploadRemoving.into());
    assert!(!may_submit(&hands.desk), "the service still has it");
    hands.connection(true, false);
    hands.wait();
    assert_eq!((rows(&hands.desk), hands.held.len()), (Vec::new(), 0));
}

#[test]
fn a_new_session_goes_on_with_what_is_missing() {
    let mut hands = hands();
    hands.pick(FileSlot::Page, 1_000);
    hands.arrive(1, 500);
    hands.renew();
    assert_eq!(hands.sending, [1]);
    hands.arrive(1, 500);
    assert!(may_submit(&hands.desk));
}

#[test]
fn a_session_that_the_service_no_longer_accepts_pauses() {
    let mut hands = hands();
    hands.pick(FileSlot::Page, 1_000);
    hands.pick(FileSlot::Page, 2_000);
    let order =
        tell(&mut hands.desk, FileFact::Cut { handle: 1, status: 401, file_fault: None, retry_in_ms: 0 });
    assert!(order.contains(&Effect::File(FileOrder::Stop { handle: 2 })), "{order:?}");
    assert!(!order.iter().any(|effect| matches!(effect, Effect::File(FileOrder::Send { .. }))), "{order:?}");
    assert_eq!(hands.desk.overlay_heading(), Some(Message::ExpiredTitle));
}

#[test]
fn progress_is_said_by_quarters() {
    let mut hands = hands();
    hands.pick(FileSlot::Page, 1_000);
    let mut said = Vec::new();
    for _ in 0..10 {
        let before = hands.desk.view().announcement.turn;
        hands.arrive(1, 100);
        let announcement = hands.desk.view().announcement;
        if announcement.turn != before {
            said.push(announcement.text.unwrap());
        }
    }
    let quarter =
        |percent: u32| Text::with(Message::UploadAnnounce, vec!["page-1.pdf".into(), percent.into()]);
    assert_eq!(said, [25, 50, 75, 100].map(quarter));
}

#[test]
fn an_archive_is_made_once_however_long_its_answer_takes() {
    let mut hands = hands();
    hands.answers = false;
    hands.pick(FileSlot::Page, 1_000);
    let effects = hands.desk.send(Event::File(FileFact::Picked {
        handle: 9,
        slot: FileSlot::Page,
        name: "b".to_owned(),
        size_bytes: 1,
    }));
    assert_eq!(effects, []);
    assert_eq!(hands.sending, [0_u32; 0]);
    hands.answer_now();
    assert_eq!(hands.sending, [1]);
}

#[test]
fn an_archive_that_cannot_be_made_is_asked_for_again() {
    let mut hands = hands();
    hands.answers = false;
    hands.pick(FileSlot::Page, 1_000);
    for _ in 0..3 {
        let refusal = crate::event::Refusal::Unreachable;
        let effects = hands.desk.reply(crate::event::Reply::Archive(Err(refusal)));
        if let [Effect::StartTimer { timer, .. }] = effects[..] {
            hands.send(Event::TimerFired { timer, elapsed_ms: 60_000 });
        }
    }
    let (primary, _) = hands.desk.actions();
    assert_eq!(primary.press, crate::event::Press::Retry);
    hands.send(Event::Pressed(primary.press));
    hands.answer_now();
    assert_eq!(hands.sending, [1]);
}
