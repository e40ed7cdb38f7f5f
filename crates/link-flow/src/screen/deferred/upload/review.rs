//! Builds the dialog in which a person looks at a photo before it is sent.

use crate::event::{FilePress, PhotoPress, Press};
use crate::generated::message::Message;
use crate::uploads::{File, FileStage};
use crate::view::block::{Action, ActionState, Block, PhotoEdge, Severity};
use crate::view::build::{about, action, heading, notice, paragraph};
use crate::view::{Overlay, Text};

/// The edges of the frame, in the order in which the keyboard reaches them.
const EDGES: [(PhotoEdge, Message); 4] = [
    (PhotoEdge::Left, Message::PhotoLeft),
    (PhotoEdge::Top, Message::PhotoTop),
    (PhotoEdge::Right, Message::PhotoRight),
    (PhotoEdge::Bottom, Message::PhotoBottom),
];

pub(super) fn overlay(file: &File) -> Option<Overlay> {
    let photo = file.photo.as_ref()?;
    let is_framing = file.is_framed();
    let is_busy = matches!(file.stage, FileStage::Turning | FileStage::Cropping);
    let press = |press| Press::Photo(press, file.handle);
    let title = Text::from(if is_framing { Message::PhotoFrameTitle } else { Message::PhotoTitle });
    let mut blocks = vec![heading(title.clone())];
    if is_framing {
        blocks.push(paragraph(Message::PhotoFrameText.into()));
    } else if photo.is_blurred {
        blocks.push(notice(Severity::Warning, None, Message::PhotoBlurred.into()));
    } else if photo.is_dark {
        blocks.push(notice(Severity::Warning, None, Message::PhotoDark.into()));
    } else {
        blocks.push(paragraph(Message::PhotoText.into()));
    }
    let tools = if is_framing || is_busy {
        Vec::new()
    } else {
        vec![
            (press(PhotoPress::Turn), Message::PhotoTurn.into()),
            (press(PhotoPress::Frame), Message::PhotoFrame.into()),
        ]
    };
    blocks.push(Block::Photo {
        src: photo.view.clone(),
        alt: about(Message::PhotoAlt, &file.name),
        edges: if is_framing { EDGES.map(|(edge, label)| (edge, label.into())).to_vec() } else { Vec::new() },
        tools,
    });
    let state = if is_busy { ActionState::Busy } else { ActionState::Ready };
    let remove = if file.from_camera { Message::PhotoRetake } else { Message::PhotoDiscard };
    let ((label, does), other) = if is_framing {
        let cancel = action(Message::PhotoUnframe, press(PhotoPress::Unframe));
        ((Message::PhotoCrop, PhotoPress::Crop), cancel)
    } else {
        let discard = action(remove, Press::File(FilePress::Remove, file.handle));
        ((Message::PhotoUse, PhotoPress::Accept), discard)
    };
    let primary = Action { state, ..action(label, press(does)) };
    blocks.push(Block::Actions { primary, secondary: Some(other) });
    Some(Overlay { title, blocks })
}
