//! The files of an upload: their order, and the consequences of a failure.

mod choice;
mod facts;

use link_types::archive::{FileSlot, MAX_FILES};
use link_types::id::ArchiveId;
use link_types::uploading::{FileOrder, UploadFile};

use self::choice::FileChoice;
use super::file::{File, FileStage};
use crate::context::Context;
use crate::effect::Effect;
use crate::event::{PhotoPress, TimerId};

/// Files that are sent at the same time. More would only share the bandwidth.
const MAX_SENDING: usize = 2;

/// The files of an upload.
#[derive(Debug)]
pub(crate) struct Batch {
    pub(crate) files: Vec<File>,
    pub(crate) archive: Option<ArchiveId>,
    pub(crate) is_online: bool,
    /// Whether uploads.ts is loaded and watches the page.
    pub(crate) is_listening: bool,
    saves_data: bool,
    known: u32,
    /// The files that the person chose together last.
    choice: Option<FileChoice>,
    /// Whether sending is on hold, because the session is over.
    is_held: bool,
}

/// Request that a report of uploads.ts makes necessary.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Asks {
    Nothing,
    /// A file is ready, and it needs an archive.
    Archive,
    /// The service no longer accepts the session.
    Session,
}

impl Batch {
    pub(crate) fn new() -> Self {
        Self {
            files: Vec::new(),
            archive: None,
            is_online: true,
            is_listening: false,
            saves_data: false,
            known: 0,
            choice: None,
            is_held: false,
        }
    }

    /// Creates a batch of files that the service already knows.
    pub(crate) fn from_service(archive: ArchiveId, files: Vec<UploadFile>) -> Self {
        let mut batch = Self { archive: Some(archive), ..Self::new() };
        for file in files {
            let handle = batch.next_known();
            batch.files.push(File::from_service(handle, file));
        }
        batch
    }

    /// Handles of files that only the service has count down from the highest number.
    fn next_known(&mut self) -> u32 {
        self.known += 1;
        u32::MAX - self.known
    }

    /// Returns whether the person picked any file.
    pub(crate) fn has_files(&self) -> bool {
        self.files.iter().any(File::counts)
    }

    /// Returns whether every file is uploaded and the required slot has one.
    pub(crate) fn is_complete(&self, needs: FileSlot) -> bool {
        let is_settled = |file: &File| matches!(file.stage, FileStage::Sent | FileStage::Refused(_));
        let is_needed = |file: &File| file.stage == FileStage::Sent && file.slot == needs;
        self.files.iter().all(is_settled) && self.files.iter().any(is_needed)
    }

    /// Returns whether no file is being inspected, sent or removed, or waits for that.
    pub(crate) fn is_idle(&self) -> bool {
        let is_idle =
            |file: &File| matches!(file.stage, FileStage::Sent | FileStage::Missing | FileStage::Refused(_));
        self.files.iter().all(is_idle)
    }

    /// Returns whether only removals are under way.
    pub(crate) fn awaits_removals_alone(&self) -> bool {
        let is_over = |file: &File| {
            matches!(file.stage, FileStage::Sent | FileStage::Refused(_) | FileStage::Dropping(_))
        };
        self.files.iter().all(is_over)
    }

    /// Returns whether the service is being asked to delete a file for the first time.
    pub(crate) fn is_removing(&self) -> bool {
        self.files.iter().any(|file| file.stage == FileStage::Dropping(None) && file.failures == 0)
    }

    /// Returns whether there is a session to send in.
    pub(crate) fn has_session(&self) -> bool {
        !self.is_held
    }

    /// Returns whether a slot takes another file, if all files under inspection are accepted.
    pub(crate) fn has_room(&self, slot: FileSlot) -> bool {
        self.files.iter().filter(|file| file.counts() && file.slot == slot).count() < capacity(slot)
    }

    /// Returns whether a slot takes an inspected file. Those under inspection come after it.
    fn accepts(&self, slot: FileSlot) -> bool {
        let is_accepted =
            |file: &&File| file.counts() && file.stage != FileStage::Inspecting && file.slot == slot;
        self.files.iter().filter(is_accepted).count() < capacity(slot)
    }

    /// Returns the files of a slot that were rejected.
    pub(crate) fn rejected_files(&self, slot: FileSlot) -> impl Iterator<Item = &File> {
        self.files.iter().filter(move |file| file.slot == slot && matches!(file.stage, FileStage::Refused(_)))
    }

    /// Returns the number of uploaded files, and their total size in bytes.
    pub(crate) fn upload_totals(&self) -> (u32, u32) {
        let sent = self.files.iter().filter(|file| file.stage == FileStage::Sent);
        sent.fold((0, 0), |(files, bytes), file| (files + 1, file.size.saturating_add(bytes)))
    }

    /// Returns whether a file of the slot must be chosen again.
    pub(crate) fn misses(&self, slot: FileSlot) -> bool {
        self.files.iter().any(|file| file.stage == FileStage::Missing && file.slot == slot)
    }

    pub(crate) fn awaits_timer(&self, timer: TimerId) -> bool {
        self.files.iter().any(|file| file.timer() == Some(timer))
    }

    /// Handles the timer of a delay.
    pub(crate) fn handle_timer(&mut self, timer: TimerId, context: &mut Context) {
        let Some(file) = self.files.iter_mut().find(|file| file.timer() == Some(timer)) else { return };
        if matches!(file.stage, FileStage::Dropping(_)) {
            file.delete(context);
        } else {
            file.stage = FileStage::Ready;
        }
        self.pump(context);
    }

    /// Pauses a file.
    pub(crate) fn pause(&mut self, handle: u32, context: &mut Context) {
        let Some(file) = self.file(handle) else { return };
        if matches!(file.stage, FileStage::Ready | FileStage::Sending | FileStage::BackingOff(_)) {
            file.stop(FileStage::Paused, context);
        }
        self.pump(context);
    }

    /// Continues a paused file.
    pub(crate) fn resume(&mut self, handle: u32, context: &mut Context) {
        let Some(file) = self.file(handle) else { return };
        if matches!(file.stage, FileStage::Paused | FileStage::Failed | FileStage::BackingOff(_)) {
            file.stage = FileStage::Ready;
        }
        self.pump(context);
    }

    /// Removes a file from the list and from the service.
    pub(crate) fn remove(&mut self, handle: u32, context: &mut Context) {
        self.choice = None;
        let Some(file) = self.file(handle) else { return };
        if !matches!(file.stage, FileStage::Dropping(_)) {
            file.delete(context);
            self.pump(context);
        }
    }

    /// Removes all rejected files of a slot.
    pub(crate) fn remove_rejected(&mut self, slot: FileSlot, context: &mut Context) {
        let rejected: Vec<u32> = self.rejected_files(slot).map(|file| file.handle).collect();
        for handle in rejected {
            self.remove(handle, context);
        }
    }

    /// Stops sending, because the session is over.
    pub(crate) fn hold(&mut self, context: &mut Context) {
        self.is_held = true;
        self.stop_all(context);
    }

    /// Continues in a new session.
    pub(crate) fn release(&mut self, context: &mut Context) {
        self.is_held = false;
        for file in &mut self.files {
            match file.stage {
                FileStage::BackingOff(_) => file.stage = FileStage::Ready,
                FileStage::Dropping(_) => file.delete(context),
                FileStage::Inspecting
                | FileStage::Missing
                | FileStage::Review
                | FileStage::Framing
                | FileStage::Turning
                | FileStage::Cropping
                | FileStage::Ready
                | FileStage::Sending
                | FileStage::Paused
                | FileStage::Failed
                | FileStage::Sent
                | FileStage::Refused(_) => {}
            }
        }
        self.pump(context);
    }

    fn stop_all(&mut self, context: &mut Context) {
        for file in &mut self.files {
            if file.stage == FileStage::Sending {
                file.stop(FileStage::Ready, context);
            }
        }
    }

    /// Starts the files that may be sent, in the order of the list.
    pub(crate) fn pump(&mut self, context: &mut Context) {
        let Some(archive) = self.archive.as_ref().filter(|_| self.is_online && !self.is_held) else { return };
        let most = if self.saves_data { 1 } else { MAX_SENDING };
        let mut free =
            most.saturating_sub(self.files.iter().filter(|file| file.stage == FileStage::Sending).count());
        for file in self.files.iter_mut().filter(|file| file.stage == FileStage::Ready) {
            if free == 0 {
                return;
            }
            free -= 1;
            file.stage = FileStage::Sending;
            context.effect(Effect::File(FileOrder::Send {
                handle: file.handle,
                archive_id: archive.clone(),
                slot: file.slot,
                file_id: file.file_id.clone(),
            }));
        }
    }

    /// Returns whether a file is ready and there is no archive.
    pub(crate) fn needs_archive(&self) -> bool {
        self.archive.is_none()
            && !self.is_held
            && self.files.iter().any(|file| file.stage == FileStage::Ready)
    }

    /// Compares with the files that the service has. Missing bytes are sent again, or the file must be chosen again.
    pub(crate) fn agree(&mut self, known: Vec<UploadFile>, context: &mut Context) {
        let has = |file: &File| known.iter().any(|known| Some(&known.file_id) == file.file_id.as_ref());
        self.files.retain(|file| !file.is_only_at_service() || has(file));
        for file in &mut self.files {
            if file.stage == FileStage::Sent && !has(file) {
                file.file_id = None;
                file.sent_bytes = 0;
                file.stage = FileStage::Ready;
            }
        }
        for stray in known {
            if self.files.iter().any(|file| file.file_id.as_ref() == Some(&stray.file_id)) {
                continue;
            }
            // A browser that lost the first reply announced the file twice; this copy is never sent.
            let is_twin = self.files.iter().any(|file| file.sha256.is_some() && file.sha256 == stray.sha256);
            let mut file = File::from_service(self.next_known(), stray);
            if is_twin {
                file.delete(context);
            }
            self.files.push(file);
        }
        self.pump(context);
    }

    /// Sends all files into another archive, because the service no longer has this one.
    pub(crate) fn forget_archive(&mut self) {
        self.archive = None;
        self.files.retain(|file| file.stage != FileStage::Missing && !file.is_only_at_service());
        for file in &mut self.files {
            file.file_id = None;
            file.sent_bytes = 0;
            if matches!(file.stage, FileStage::Sent | FileStage::Sending) {
                file.stage = FileStage::Ready;
            }
        }
    }

    fn file(&mut self, handle: u32) -> Option<&mut File> {
        self.files.iter_mut().find(|file| file.handle == handle)
    }

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

/// Returns the number of files that a slot takes.
const fn capacity(slot: FileSlot) -> usize {
    match slot {
        FileSlot::Page => MAX_FILES as usize,
        FileSlot::Front | FileSlot::Back => 1,
    }
}
