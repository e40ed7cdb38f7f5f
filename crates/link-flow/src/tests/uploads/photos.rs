//! Photos that a person looks at before they are sent.

use link_types::archive::{ArchiveType, FileFormat, FileSlot};
use link_types::uploading::{FileFact, FileOrder, PhotoFacts};

use super::super::harness::Harness;
use super::{at_upload, detail, tell};
use crate::Effect;
use crate::event::{FilePress, PhotoPress, Press};
use crate::generated::message::Message;
use crate::view::Text;
use crate::view::block::{ActionState, Block, PhotoEdge};

fn pick(harness: &mut Harness, handle: u32, from_camera: bool) {
    let name = format!("photo-{handle}.jpg");
    tell(harness, FileFact::Picked { handle, slot: FileSlot::Page, name, size_bytes: 1_000, from_camera });
}

fn inspect(harness: &mut Harness, handle: u32, sharpness: u32, brightness: u32) -> Vec<Effect> {
    let view = format!("blob:{handle}");
    tell(
        harness,
        FileFact::Inspected {
            handle,
            size_bytes: 900,
            format: Some(FileFormat::Jpeg),
            pages: Some(1),
            pixels: Some(1_000_000),
            sha256: Some(format!("{handle:064}")),
            fault: None,
            preview: None,
            photo: Some(PhotoFacts { view, sharpness: Some(sharpness), brightness }),
        },
    )
}

fn take_photo(handle: u32, sharpness: u32, brightness: u32) -> Harness {
    let mut harness = at_upload(ArchiveType::Payslip);
    pick(&mut harness, handle, true);
    inspect(&mut harness, handle, sharpness, brightness);
    harness
}

/// Returns the words of the dialog: its title, and the advice below it.
fn dialog(harness: &Harness) -> Option<(Text, Text)> {
    let overlay = harness.view().overlay?;
    let advice = overlay.blocks.into_iter().find_map(|block| {
        if let Block::Notice { text, .. } | Block::Paragraph { text, .. } = block { Some(text) } else { None }
    });
    Some((overlay.title, advice.unwrap()))
}

fn photo(harness: &Harness) -> (Vec<PhotoEdge>, usize) {
    let blocks = harness.view().overlay.unwrap().blocks;
    let found = blocks.into_iter().find_map(|block| {
        let Block::Photo { edges, tools, .. } = block else { return None };
        Some((edges.into_iter().map(|it| it.0).collect(), tools.len()))
    });
    found.unwrap()
}

#[test]
fn photo_from_the_camera_is_looked_at_before_it_is_sent() {
    let mut harness = take_photo(1, 60, 60);
    assert_eq!(dialog(&harness), Some((Message::PhotoTitle.into(), Message::PhotoText.into())));
    assert_eq!(detail(&harness, 0), Message::PhotoWaiting.into());
    let effects = harness.press(Press::Photo(PhotoPress::Accept, 1));
    assert!(matches!(effects[..], [Effect::Archive { .. }]), "the archive is created: {effects:?}");
    assert_eq!(dialog(&harness), None);
}

#[test]
fn chosen_photo_is_looked_at_only_if_it_may_be_hard_to_read() {
    for (sharpness, brightness, advice) in
        [(60, 60, None), (10, 60, Some(Message::PhotoBlurred)), (60, 10, Some(Message::PhotoDark))]
    {
        let mut harness = at_upload(ArchiveType::Payslip);
        pick(&mut harness, 1, false);
        inspect(&mut harness, 1, sharpness, brightness);
        assert_eq!(dialog(&harness).map(|it| it.1), advice.map(Text::from), "{sharpness} {brightness}");
    }
}

#[test]
fn turned_photo_is_shown_again_even_if_it_is_sharp() {
    let mut harness = take_photo(1, 60, 60);
    let effects = harness.press(Press::Photo(PhotoPress::Turn, 1));
    assert_eq!(effects, [Effect::File(FileOrder::Turn { handle: 1 })]);
    let overlay = harness.view().overlay.unwrap();
    let Some(Block::Actions { primary, .. }) = overlay.blocks.last() else { panic!("{overlay:?}") };
    assert_eq!(primary.state, ActionState::Busy);
    inspect(&mut harness, 1, 60, 60);
    assert_eq!(photo(&harness), (vec![], 2));
}

#[test]
fn frame_has_four_edges_until_it_is_used_or_cancelled() {
    let mut harness = take_photo(1, 60, 60);
    harness.press(Press::Photo(PhotoPress::Frame, 1));
    let edges = vec![PhotoEdge::Left, PhotoEdge::Top, PhotoEdge::Right, PhotoEdge::Bottom];
    assert_eq!(photo(&harness), (edges, 0));
    harness.press(Press::Photo(PhotoPress::Unframe, 1));
    assert_eq!(photo(&harness), (vec![], 2));
    harness.press(Press::Photo(PhotoPress::Frame, 1));
    let effects = harness.press(Press::Photo(PhotoPress::Crop, 1));
    assert_eq!(effects, [Effect::File(FileOrder::Crop { handle: 1 })]);
    assert_eq!(photo(&harness).0.len(), 4, "uploads.ts reads the frame after this");
    inspect(&mut harness, 1, 60, 60);
    assert_eq!(photo(&harness), (vec![], 2));
}

#[test]
fn photos_are_looked_at_one_after_the_other() {
    let mut harness = take_photo(1, 60, 60);
    pick(&mut harness, 2, true);
    inspect(&mut harness, 2, 10, 60);
    assert_eq!(dialog(&harness).unwrap().1, Message::PhotoText.into());
    harness.press(Press::File(FilePress::Remove, 1));
    assert_eq!(dialog(&harness).unwrap().1, Message::PhotoBlurred.into());
}
