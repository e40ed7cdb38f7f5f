//! Photos that the person looks at before they are sent.

use link_types::uploading::FileOrder;

use super::super::file::{File, FileStage};
use super::Batch;
use crate::context::Context;
use crate::effect::Effect;
use crate::event::PhotoPress;

impl Batch {
    /// Returns the photo to look at: the first that waits for it.
    pub(crate) fn file_in_review(&self) -> Option<&File> {
        let is_reviewed = |file: &&File| {
            matches!(
                file.stage,
                FileStage::Review | FileStage::Framing | FileStage::Turning | FileStage::Cropping
            )
        };
        self.files.iter().find(is_reviewed)
    }

    /// Handles an action on the photo that the person looks at.
    pub(crate) fn review(&mut self, press: PhotoPress, handle: u32, context: &mut Context) {
        let Some(file) = self.file(handle) else { return };
        let (stage, order) = match (file.stage, press) {
            (FileStage::Review, PhotoPress::Accept) => (FileStage::Ready, None),
            (FileStage::Review, PhotoPress::Turn) => (FileStage::Turning, Some(FileOrder::Turn { handle })),
            (FileStage::Review, PhotoPress::Frame) => (FileStage::Framing, None),
            (FileStage::Framing, PhotoPress::Unframe) => (FileStage::Review, None),
            (FileStage::Framing, PhotoPress::Crop) => (FileStage::Cropping, Some(FileOrder::Crop { handle })),
            (_, _) => return,
        };
        file.stage = stage;
        order.into_iter().for_each(|order| context.effect(Effect::File(order)));
        self.pump(context);
    }
}
