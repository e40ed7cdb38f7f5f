//! Choosing several files at once: the first that fit are added.

use link_types::archive::{ArchiveType, FileFormat, FileSlot};
use link_types::id::FileId;
use link_types::uploading::{ArchivePhase, FileFact, UploadFile};

use super::hands::Hands;
use super::{at_upload, fixtures, rows, take_up, tell};
use crate::Event;
use crate::event::{FilePress, Press};
use crate::generated::message::Message;
use crate::view::block::Block;
use crate::view::{Argument, Text};

/// Returns the notice about files that were not added.
fn surplus(hands: &Hands) -> Option<Text> {
    let blocks = hands.harness.view().page.blocks;
    blocks.into_iter().find_map(|block| {
        let Block::Notice { text: text @ Text::Message(Message::UploadSurplus, _), .. } = block else {
            return None;
        };
        Some(text)
    })
}

#[test]
fn first_ten_of_sixty_chosen_files_are_added() {
    let mut hands = Hands::new(at_upload(ArchiveType::Payslip));
    let handles = hands.choose(FileSlot::Page, 60, &[]);
    let listed: Vec<u32> = rows(&hands.harness).iter().map(|row| row.handle).collect();
    assert_eq!(listed, handles[..10]);
    assert!(rows(&hands.harness).iter().all(|row| row.error.is_none()));
    let text = Text::with(Message::UploadSurplus, vec![10.into(), 60.into(), 10.into()]);
    assert_eq!(surplus(&hands), Some(text));
    hands.press(FilePress::Remove, handles[0]);
    assert_eq!(surplus(&hands), None, "the list has room again");
}

#[test]
fn files_that_all_fit_need_no_notice() {
    let mut hands = Hands::new(at_upload(ArchiveType::Payslip));
    hands.choose(FileSlot::Page, 6, &[]);
    hands.choose(FileSlot::Page, 4, &[]);
    assert_eq!((rows(&hands.harness).len(), surplus(&hands)), (10, None));
}

#[test]
fn first_two_pictures_become_card_sides() {
    let mut hands = Hands::new(at_upload(ArchiveType::Identification));
    let handles = hands.choose(FileSlot::Front, 3, &[]);
    let listed: Vec<u32> = rows(&hands.harness).iter().map(|row| row.handle).collect();
    assert_eq!(listed, handles[..2]);
    let text = Text::with(Message::UploadSurplus, vec![2.into(), 3.into(), 2.into()]);
    assert_eq!(surplus(&hands), Some(text));
}

#[test]
fn all_files_of_an_interrupted_upload_can_be_chosen_again() {
    let known = |id: u8| UploadFile {
        file_id: FileId::from_bytes([id; 16]),
        name: format!("page-{id}.pdf"),
        slot: FileSlot::Page,
        format: None,
        size_bytes: 1_000,
        sha256: Some(format!("{id:064}")),
        received_bytes: 500,
    };
    let files = (1..=10).map(known).collect();
    let mut harness = take_up(fixtures::archive(1, ArchivePhase::Uploading {}, files));
    tell(&mut harness, FileFact::Chosen { count: 10 });
    for handle in 1..=10 {
        let name = format!("page-{handle}.pdf");
        tell(
            &mut harness,
            FileFact::Picked { handle, slot: FileSlot::Page, name, size_bytes: 1_000, from_camera: false },
        );
    }
    for handle in 1..=10 {
        tell(
            &mut harness,
            FileFact::Inspected {
                handle,
                size_bytes: 1_000,
                format: Some(FileFormat::Pdf),
                pages: Some(1),
                pixels: None,
                sha256: Some(format!("{handle:064}")),
                fault: None,
                preview: None,
                photo: None,
            },
        );
    }
    let listed: Vec<(u32, bool)> =
        rows(&harness).iter().map(|row| (row.handle, row.error.is_some())).collect();
    assert_eq!(listed, (1..=10).map(|handle| (handle, false)).collect::<Vec<_>>());
}

#[test]
fn rejected_files_are_removed_together() {
    let mut hands = Hands::new(at_upload(ArchiveType::Payslip));
    let offers = |hands: &Hands| {
        let blocks = hands.harness.view().page.blocks;
        blocks.iter().any(|block| matches!(block, Block::Files { clear: Some(_), .. }))
    };
    let handles = hands.choose(FileSlot::Page, 3, &[2]);
    assert!(!offers(&hands), "a single file has its own remove button");
    hands.choose(FileSlot::Page, 1, &[4]);
    assert!(offers(&hands));
    hands.send(Event::Pressed(Press::RemoveRejected(FileSlot::Page)));
    let left: Vec<u32> = rows(&hands.harness).iter().map(|row| row.handle).collect();
    assert_eq!(left, [handles[0], handles[2]]);
}

#[test]
fn summary_counts_the_uploaded_files_before_they_are_submitted() {
    let mut hands = Hands::new(at_upload(ArchiveType::Payslip));
    let summary = |hands: &Hands| {
        let blocks = hands.harness.view().page.blocks;
        blocks.into_iter().find_map(|block| {
            let Block::Paragraph { text: text @ Text::Message(Message::UploadSummary, _), .. } = block else {
                return None;
            };
            Some(text)
        })
    };
    let first = hands.pick(FileSlot::Page, 1_450_000);
    let second = hands.pick(FileSlot::Page, 1_000_001);
    hands.arrive(first, 1_450_000);
    assert_eq!(summary(&hands), None, "a file is still being sent");
    hands.arrive(second, 1_000_001);
    let args = vec![2.into(), Argument::Tenths(25)];
    assert_eq!(summary(&hands), Some(Text::with(Message::UploadSummary, args)));
}
