//! A file of an upload: its handle and state. uploads.ts has its bytes.

use link_types::archive::{FileFormat, FileSlot};
use link_types::id::FileId;
use link_types::uploading::{FileOrder, UploadFile};

use super::fault::FileRejection;
use super::photo::Photo;
use crate::context::Context;
use crate::effect::Effect;
use crate::event::TimerId;

/// Delay after the first failure. It doubles up to the longest.
const FIRST_RETRY_DELAY_MS: u32 = 1_000;
const MAX_RETRY_DELAY_MS: u32 = 30_000;
/// Longest delay that the service may ask for; the person may continue earlier.
const MAX_ASKED_MS: u32 = 300_000;

/// A file of an upload.
#[derive(Debug)]
pub(crate) struct File {
    pub(crate) handle: u32,
    pub(crate) slot: FileSlot,
    pub(crate) name: String,
    pub(crate) size: u32,
    pub(crate) format: Option<FileFormat>,
    pub(crate) sha256: Option<String>,
    pub(crate) preview: Option<String>,
    /// Whether the person took it with the camera just now.
    pub(crate) from_camera: bool,
    /// The photo to look at.
    pub(crate) photo: Option<Photo>,
    /// The service's id, once it is known.
    pub(crate) file_id: Option<FileId>,
    pub(crate) sent_bytes: u32,
    pub(crate) stage: FileStage,
    /// Consecutive failures without a byte sent in between.
    pub(crate) failures: u8,
}

/// The progress of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FileStage {
    /// Under inspection.
    Inspecting,
    /// The service has a part of it, but this page does not have its bytes: it must be chosen again.
    Missing,
    /// A photo that waits until the person has looked at it.
    Review,
    /// The person places a frame on the photo, to crop it.
    Framing,
    /// The person turned the photo, and it is inspected again.
    Turning,
    /// The person cropped the photo, and it is inspected again. The frame stays meanwhile: uploads.ts reads it.
    Cropping,
    /// Waits for its turn.
    Ready,
    /// Under way. No other stage sends bytes.
    Sending,
    /// Was cut off; continues when this timer fires.
    BackingOff(TimerId),
    /// Paused by the person.
    Paused,
    /// Rejected by the service for a reason that is not in the file; the person may try again.
    Failed,
    /// Uploaded.
    Sent,
    /// Rejected before or after it was sent.
    Refused(FileRejection),
    /// Removed; the service is asked to delete it, again when this timer fires if that failed.
    Dropping(Option<TimerId>),
}

impl File {
    /// Creates a file that was picked.
    pub(crate) fn new(handle: u32, slot: FileSlot, name: String, size: u32) -> Self {
        Self {
            handle,
            slot,
            name,
            size,
            format: None,
            sha256: None,
            preview: None,
            from_camera: false,
            photo: None,
            file_id: None,
            sent_bytes: 0,
            stage: FileStage::Inspecting,
            failures: 0,
        }
    }

    /// Creates a file that the service already knows. Its handle is not one of uploads.ts's.
    pub(crate) fn from_service(handle: u32, file: UploadFile) -> Self {
        let is_whole = file.received_bytes == file.size_bytes;
        Self {
            format: file.format,
            sha256: file.sha256,
            file_id: Some(file.file_id),
            sent_bytes: file.received_bytes,
            stage: if is_whole { FileStage::Sent } else { FileStage::Missing },
            ..Self::new(handle, file.slot, file.name, file.size_bytes)
        }
    }

    /// Returns whether the service has the file and this page does not.
    pub(crate) fn is_only_at_service(&self) -> bool {
        self.handle > u32::MAX / 2
    }

    /// Returns whether it is part of the upload or may become so.
    pub(crate) fn counts(&self) -> bool {
        !matches!(self.stage, FileStage::Refused(_) | FileStage::Dropping(_))
    }

    /// Returns what the dialog for a photo shows: the photo's handle, and whether it has a frame.
    pub(crate) fn look(&self) -> (u32, bool) {
        (self.handle, self.is_framed())
    }

    /// Returns whether the photo is shown with a frame to crop it.
    pub(crate) fn is_framed(&self) -> bool {
        matches!(self.stage, FileStage::Framing | FileStage::Cropping)
    }

    /// Returns the progress in percent.
    pub(crate) fn percent(&self) -> u32 {
        // A file has at most 15 million bytes.
        self.sent_bytes.min(self.size).saturating_mul(100).checked_div(self.size).unwrap_or(0)
    }

    /// Stops sending it for now.
    pub(crate) fn stop(&mut self, stage: FileStage, context: &mut Context) {
        if self.stage == FileStage::Sending {
            context.effect(Effect::File(FileOrder::Stop { handle: self.handle }));
        }
        self.stage = stage;
    }

    /// Deletes it here and at the service. It leaves the list when that is done.
    pub(crate) fn delete(&mut self, context: &mut Context) {
        self.stage = FileStage::Dropping(None);
        let file_id = self.file_id.clone();
        context.effect(Effect::File(FileOrder::Drop { handle: self.handle, file_id }));
    }

    /// Starts the delay before a retry: longer each time until bytes are sent again, and at least as long as the service
    /// asks.
    pub(crate) fn back_off(&mut self, asked_ms: u32, context: &mut Context) -> TimerId {
        let delay_ms = FIRST_RETRY_DELAY_MS.saturating_mul(1 << self.failures.min(5)).min(MAX_RETRY_DELAY_MS);
        let delay_ms = delay_ms.max(asked_ms.min(MAX_ASKED_MS));
        self.failures = self.failures.saturating_add(1);
        context.start_timer(delay_ms)
    }

    /// Returns the timer under way.
    pub(crate) fn timer(&self) -> Option<TimerId> {
        match self.stage {
            FileStage::BackingOff(timer) => Some(timer),
            FileStage::Dropping(timer) => timer,
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
            | FileStage::Refused(_) => None,
        }
    }
}
