//! After a reload: the service has part of it, the device has the files, and only what is missing is sent.

use link_types::archive::FileSlot;
use link_types::uploading::{ArchivePhase, FileFact, FileOrder, UploadFile};

use super::hands::{Hands, Held};
use super::{detail, may_submit, rows, stock, taken_up, zones};
use crate::Event;
use crate::effect::Effect;
use crate::event::FilePress;
use crate::generated::message::Message;
use crate::view::Text;
use link_types::id::FileId;

fn known(id: u8, size_bytes: u32, received_bytes: u32) -> UploadFile {
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

/// Somebody who comes back to two files: one whole, one half.
fn back() -> Hands {
    let files = vec![known(1, 1_000, 1_000), known(2, 2_000, 1_000)];
    Hands::new(taken_up(stock::archive(4, ArchivePhase::Uploading {}, files)))
}

#[test]
fn what_is_half_there_is_to_be_chosen_again() {
    let hands = back();
    assert_eq!(detail(&hands.desk, 0), Text::with(Message::UploadSent, vec![1.into()]));
    assert_eq!(detail(&hands.desk, 1), Text::with(Message::UploadMissing, vec![50.into()]));
    assert_eq!(zones(&hands.desk), 1);
    assert!(!may_submit(&hands.desk));
}

#[test]
fn a_file_chosen_again_is_known_by_its_hash_and_goes_on_where_it_was() {
    let mut hands = back();
    let handle = hands.picked(FileSlot::Page, 2_000);
    let at = hands.held.iter().position(|it| it.handle == handle).unwrap();
    hands.held[at] =
        Held { received: 1_000, file_id: Some(known(2, 0, 0).file_id), ..hands.held[at].clone() };
    hands.inspected(handle, 2_000, None, &format!("{:064}", 2));
    assert_eq!((rows(&hands.desk).len(), &hands.sending[..]), (2, &[handle][..]));
    hands.arrive(handle, 1_000);
    assert!(may_submit(&hands.desk));
}

#[test]
fn another_file_is_a_new_one() {
    let mut hands = back();
    hands.pick(FileSlot::Page, 2_000);
    let handle = hands.picked(FileSlot::Page, 3_000);
    hands.inspected(handle, 3_000, None, &format!("{:064}", 2));
    assert_eq!(rows(&hands.desk).len(), 4, "the same hash and another size is another file");
    assert!(!may_submit(&hands.desk));
}

#[test]
fn a_whole_file_chosen_again_is_not_sent_again() {
    let mut hands = back();
    let handle = hands.picked(FileSlot::Page, 1_000);
    hands.inspected(handle, 1_000, None, &format!("{:064}", 1));
    assert_eq!((rows(&hands.desk).len(), hands.sending.len()), (2, 0));
    assert!(rows(&hands.desk)[0].done);
}

#[test]
fn what_is_half_there_can_be_given_up() {
    let mut hands = back();
    let handle = rows(&hands.desk)[1].handle;
    let effects = hands.desk.send(Event::Pressed(crate::event::Press::File(FilePress::Remove, handle)));
    let file_id = Some(known(2, 0, 0).file_id);
    assert_eq!(effects, [Effect::File(FileOrder::Drop { handle, file_id })]);
    hands.send(Event::File(FileFact::Dropped { handle }));
    assert!(may_submit(&hands.desk));
}

#[test]
fn an_upload_that_was_lost_to_another_page_is_sent_into_a_new_archive() {
    let mut hands = back();
    let handle = hands.pick(FileSlot::Page, 500);
    hands.arrive(handle, 500);
    hands.desk.session_ends();
    hands.send(Event::TokenSet { token: crate::tests::desk::token("next") });
    // The service forgot all of it.
    hands.held.iter_mut().for_each(|it| it.file_id = None);
    hands.held.iter_mut().for_each(|it| it.received = 0);
    let effects = hands.desk.reply_session(super::session(&[]));
    assert!(
        effects.iter().any(|effect| matches!(
            effect,
            Effect::Archive { ask: crate::effect::ArchiveAsk::Create(_), .. }
        )),
        "{effects:?}"
    );
    assert_eq!(rows(&hands.desk).len(), 1, "what is not here is gone");
}
