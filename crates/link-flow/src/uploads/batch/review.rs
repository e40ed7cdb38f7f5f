//! Photos that the person looks at before they are sent.

use link_types::uploading::FileOrder;

use super::super::file::{File, FileStage};
use super::Batch;
use crate::context::Context;
use crate::effect::Effect;

impl Batch {
    /// Returns the photo to look at: the first that waits for it.
    pub(crate) fn reviewed(&self) -> Option<&File> {
        self.files.iter().find(|file| matches!(file.stage, FileStage::Review | FileStage::Editing))
    }

    /// Sends the photo as it is.
    pub(crate) fn accept(&mut self, handle: u32, context: &mut Context) {
        if let Some(file) = self.in_review(handle) {
            file.stage = FileStage::Ready;
        }
        self.pump(context);
    }

    /// Turns the photo a quarter clockwise.
    pub(crate) fn turn(&mut self, handle: u32, context: &mut Context) {
        self.edit(handle, FileOrder::Turn { handle }, context);
    }

    /// Cuts the photo to the frame on the screen.
    pub(crate) fn crop(&mut self, handle: u32, context: &mut Context) {
        self.edit(handle, FileOrder::Crop { handle }, context);
    }

    fn edit(&mut self, handle: u32, order: FileOrder, context: &mut Context) {
        if let Some(file) = self.in_review(handle) {
            file.stage = FileStage::Editing;
            context.effect(Effect::File(order));
        }
    }

    fn in_review(&mut self, handle: u32) -> Option<&mut File> {
        self.file(handle).filter(|file| file.stage == FileStage::Review)
    }
}
