//! Files that the person chose together. The first ones that fit are added, the others are not even listed.

use link_types::archive::{FileSlot, MAX_FILES};

use super::Batch;
use crate::generated::message::Message;
use crate::uploads::file::File;
use crate::view::Text;

/// Files that the person chose together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct FileChoice {
    offered: u32,
    seen: u32,
    added: u32,
    limit: u32,
}

impl FileChoice {
    pub(super) fn new(offered: u32) -> Self {
        Self { offered, seen: 0, added: 0, limit: 0 }
    }

    /// Returns whether files of this choice are still to be reported.
    fn is_open(self) -> bool {
        self.seen < self.offered
    }

    /// Returns how many files were added, if some were not.
    fn surplus(self) -> Option<Text> {
        let args = vec![self.added.into(), self.offered.into(), self.limit.into()];
        (!self.is_open() && self.added < self.offered).then(|| Text::with(Message::UploadSurplus, args))
    }
}

impl Batch {
    /// Decides whether to add the next file of the choice. Files that are reported again after a restart of the program
    /// belong to no choice.
    pub(super) fn takes(&mut self, slot: FileSlot) -> bool {
        let limit = limit(slot);
        // A file of an earlier page may be among the chosen ones, which then replaces it.
        let is_taken =
            |file: &&File| file.counts() && !file.is_only_at_service() && same_limit(file.slot, slot);
        let fits = self.files.iter().filter(is_taken).count() < limit as usize;
        let Some(choice) = self.choice.as_mut().filter(|choice| choice.is_open()) else { return true };
        choice.seen += 1;
        choice.added += u32::from(fits);
        choice.limit = limit;
        fits
    }

    /// Returns the sentence about files that were not added, once all files of the choice are reported.
    pub(crate) fn surplus(&self) -> Option<Text> {
        self.choice?.surplus()
    }
}

/// Returns the number of files that a person can choose for a slot. Two pictures for one side of a card are its two
/// sides.
const fn limit(slot: FileSlot) -> u32 {
    match slot {
        FileSlot::Page => MAX_FILES as u32,
        FileSlot::Front | FileSlot::Back => 2,
    }
}

fn same_limit(one: FileSlot, other: FileSlot) -> bool {
    (one == FileSlot::Page) == (other == FileSlot::Page)
}
