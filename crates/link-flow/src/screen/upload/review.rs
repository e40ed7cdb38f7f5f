//! Builds the dialog in which a person looks at a photo before it is sent.

use crate::event::{FilePress, Press};
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

pub(super) fn overlay(file: &File, is_framing: bool) -> Option<Overlay> {
    let photo = file.photo.as_ref()?;
    let is_busy = file.stage == FileStage::Editing;
    let press = |press| Press::File(press, file.handle);
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
            (press(FilePress::Turn), Message::PhotoTurn.into()),
            (press(FilePress::Frame), Message::PhotoFrame.into()),
        ]
    };
    blocks.push(Block::Photo {
        src: photo.view.clone(),
        alt: about(Message::PhotoAlt, &file.name),
        edges: if is_framing { EDGES.map(|(edge, label)| (edge, label.into())).to_vec() } else { Vec::new() },
        tools,
    });
    let state = if is_busy { ActionState::Busy } else { ActionState::Ready };
    let pair = |label, does, other_label, other| {
        let primary = Action { state, ..action(label, press(does)) };
        Block::Actions { primary, secondary: Some(action(other_label, press(other))) }
    };
    blocks.push(match (is_framing, file.from_camera) {
        (true, _) => pair(Message::PhotoCrop, FilePress::Crop, Message::PhotoUnframe, FilePress::Unframe),
        (false, true) => pair(Message::PhotoUse, FilePress::Accept, Message::PhotoRetake, FilePress::Remove),
        (false, false) => {
            pair(Message::PhotoUse, FilePress::Accept, Message::PhotoDiscard, FilePress::Remove)
        }
    });
    Some(Overlay { title, blocks })
}
