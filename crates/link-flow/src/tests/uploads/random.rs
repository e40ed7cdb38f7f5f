//! Files are added, cut, paused and removed, and the connection and session are lost, at any time. The promises that
//! `Hands` checks hold, and once everything works again every added file arrives and can be submitted.

use link_types::archive::{ArchiveType, FileFault, FileSlot};
use proptest::prelude::*;

use super::hands::Hands;
use super::{at_upload, may_submit, rows};
use crate::event::FilePress;

#[derive(Clone, Debug)]
enum Action {
    Pick(u32),
    PickBad,
    Arrive(usize, u32),
    Cut(usize, u16),
    Refuse(usize),
    Connection(bool, bool),
    Press(FilePress, usize),
    Wait,
    Renew,
    Submit,
}

fn actions() -> impl Strategy<Value = Vec<Action>> {
    let press = prop::sample::select(&[FilePress::Pause, FilePress::Continue, FilePress::Remove][..]);
    let status = prop::sample::select(&[0_u16, 404, 408, 409, 410, 423, 429, 500, 502, 503, 400, 403][..]);
    let nth = || 0..6_usize;
    let one = prop_oneof![
        4 => (1..15_000_000_u32).prop_map(Action::Pick),
        1 => Just(Action::PickBad),
        8 => (nth(), 1..6_000_000_u32).prop_map(|(nth, bytes)| Action::Arrive(nth, bytes)),
        4 => (nth(), status).prop_map(|(nth, status)| Action::Cut(nth, status)),
        1 => nth().prop_map(Action::Refuse),
        2 => (any::<bool>(), any::<bool>()).prop_map(|(online, save)| Action::Connection(online, save)),
        4 => (press, nth()).prop_map(|(press, nth)| Action::Press(press, nth)),
        3 => Just(Action::Wait),
        1 => Just(Action::Renew),
        1 => Just(Action::Submit),
    ];
    prop::collection::vec(one, 1..80)
}

fn play(hands: &mut Hands, step: Action) {
    let handle = |hands: &Hands, nth: usize| hands.held.get(nth).map_or(0, |held| held.handle);
    match step {
        Action::Pick(size) => drop(hands.pick(FileSlot::Page, size)),
        Action::PickBad => {
            let handle = hands.report_picked(FileSlot::Page, 10);
            hands.inspect(handle, 10, Some(FileFault::Damaged), "bad");
        }
        Action::Arrive(nth, bytes) => hands.arrive(handle(hands, nth), bytes),
        Action::Cut(nth, status) => hands.cut(handle(hands, nth), status, None),
        Action::Refuse(nth) => hands.cut(handle(hands, nth), 422, Some(FileFault::Damaged)),
        Action::Connection(online, save_data) => {
            // If the device starts to save data while two files are sent, both continue.
            if hands.sending.len() < 2 || !save_data || !online {
                hands.connection(online, save_data);
            }
        }
        Action::Press(press, nth) => hands.press(press, handle(hands, nth)),
        Action::Wait => hands.wait(),
        Action::Renew => hands.renew(),
        Action::Submit => hands.submit(),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, ..ProptestConfig::default() })]

    #[test]
    fn every_file_arrives_once(actions in actions()) {
        let mut hands = Hands::new(at_upload(ArchiveType::Payslip));
        for step in actions {
            play(&mut hands, step);
            if hands.submitted {
                return Ok(());
            }
        }
        hands.connection(true, false);
        for _ in 0..200 {
            for row in rows(&hands.harness) {
                if row.actions.iter().any(|(press, _)| *press == FilePress::Continue) {
                    hands.press(FilePress::Continue, row.handle);
                }
            }
            hands.wait();
            for handle in hands.sending.clone() {
                hands.arrive(handle, 5_000_000);
            }
        }
        let rows = rows(&hands.harness);
        prop_assert!(rows.iter().all(|row| row.done || row.error.is_some()), "{rows:#?}");
        prop_assert_eq!(may_submit(&hands.harness), rows.iter().any(|row| row.done));
        if may_submit(&hands.harness) {
            hands.submit();
            prop_assert!(hands.submitted);
        }
    }
}
