//! Files added, cut, paused, removed, the connection and the session lost at any point: the promises that `Hands` checks
//! hold, and when all is well again everything that was added arrives and can be submitted.

use link_types::archive::{ArchiveType, FileFault, FileSlot};
use proptest::prelude::*;

use super::hands::Hands;
use super::{at_upload, may_submit, rows};
use crate::event::FilePress;

#[derive(Clone, Debug)]
enum Move {
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

fn moves() -> impl Strategy<Value = Vec<Move>> {
    let press = prop::sample::select(&[FilePress::Pause, FilePress::Continue, FilePress::Remove][..]);
    let status = prop::sample::select(&[0_u16, 404, 408, 409, 410, 423, 429, 500, 502, 503, 400, 403][..]);
    let nth = || 0..6_usize;
    let one = prop_oneof![
        4 => (1..15_000_000_u32).prop_map(Move::Pick),
        1 => Just(Move::PickBad),
        8 => (nth(), 1..6_000_000_u32).prop_map(|(nth, bytes)| Move::Arrive(nth, bytes)),
        4 => (nth(), status).prop_map(|(nth, status)| Move::Cut(nth, status)),
        1 => nth().prop_map(Move::Refuse),
        2 => (any::<bool>(), any::<bool>()).prop_map(|(online, save)| Move::Connection(online, save)),
        4 => (press, nth()).prop_map(|(press, nth)| Move::Press(press, nth)),
        3 => Just(Move::Wait),
        1 => Just(Move::Renew),
        1 => Just(Move::Submit),
    ];
    prop::collection::vec(one, 1..80)
}

fn play(hands: &mut Hands, step: Move) {
    let handle = |hands: &Hands, nth: usize| hands.held.get(nth).map_or(0, |held| held.handle);
    match step {
        Move::Pick(size) => drop(hands.pick(FileSlot::Page, size)),
        Move::PickBad => {
            let handle = hands.picked(FileSlot::Page, 10);
            hands.inspected(handle, 10, Some(FileFault::Damaged), "bad");
        }
        Move::Arrive(nth, bytes) => hands.arrive(handle(hands, nth), bytes),
        Move::Cut(nth, status) => hands.cut(handle(hands, nth), status, None),
        Move::Refuse(nth) => hands.cut(handle(hands, nth), 422, Some(FileFault::Damaged)),
        Move::Connection(online, save_data) => {
            // A device that begins to save data while two files are on their way does not stop one.
            if hands.sending.len() < 2 || !save_data || !online {
                hands.connection(online, save_data);
            }
        }
        Move::Press(press, nth) => hands.press(press, handle(hands, nth)),
        Move::Wait => hands.wait(),
        Move::Renew => hands.renew(),
        Move::Submit => hands.submit(),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, ..ProptestConfig::default() })]

    #[test]
    fn nothing_is_sent_twice_and_everything_arrives(moves in moves()) {
        let mut hands = Hands::new(at_upload(ArchiveType::Payslip));
        for step in moves {
            play(&mut hands, step);
            if hands.submitted {
                return Ok(());
            }
        }
        hands.connection(true, false);
        for _ in 0..200 {
            for row in rows(&hands.desk) {
                if row.actions.iter().any(|(press, _)| *press == FilePress::Continue) {
                    hands.press(FilePress::Continue, row.handle);
                }
            }
            hands.wait();
            for handle in hands.sending.clone() {
                hands.arrive(handle, 5_000_000);
            }
        }
        let rows = rows(&hands.desk);
        prop_assert!(rows.iter().all(|row| row.done || row.error.is_some()), "{rows:#?}");
        prop_assert_eq!(may_submit(&hands.desk), rows.iter().any(|row| row.done));
        if may_submit(&hands.desk) {
            hands.submit();
            prop_assert!(hands.submitted);
        }
    }
}
