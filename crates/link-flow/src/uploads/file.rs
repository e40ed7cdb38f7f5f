//! One file of an upload. Its bytes are with uploads.ts; here it is a handle and what is known of it.

use link_types::archive::{FileFormat, FileSlot};
use link_types::id::FileId;
use link_types::uploading::{FileOrder, UploadFile};

use super::fault::Fault;
use crate::context::Context;
use crate::effect::Effect;
use crate::event::TimerId;

/// The rest after the first cut; doubles up to the longest.
const FIRST_REST_MS: u32 = 1_000;
const LONGEST_REST_MS: u32 = 30_000;
/// The longest rest that the service may ask for: the person may go on earlier.
const LONGEST_ASKED_MS: u32 = 300_000;

/// A file of the upload.
#[derive(Debug)]
pub(crate) struct File {
    pub(crate) handle: u32,
    pub(crate) slot: FileSlot,
    pub(crate) name: String,
    pub(crate) size: u32,
    pub(crate) format: Option<FileFormat>,
    pub(crate) sha256: Option<String>,
    pub(crate) preview: Option<String>,
    /// What the service calls it, once it knows it.
    pub(crate) file_id: Option<FileId>,
    /// Bytes that have gone.
    pub(crate) gone: u32,
    pub(crate) stage: Stage,
    /// Cuts in a row without a byte gone between them.
    pub(crate) cuts: u8,
}

/// How far a file has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stage {
    /// It is being looked at.
    Looking,
    /// The service has some of it, and its bytes are not here: it has to be chosen again.
    Missing,
    /// It waits for its turn.
    Ready,
    /// It is on its way. The only stage in which it is.
    Sending,
    /// It was cut off and is sent on when this timer has run out.
    Resting(TimerId),
    /// The person holds it.
    Paused,
    /// The service does not take it, for no reason of the file's own; the person may have it tried again.
    Stuck,
    /// The service has all of it.
    Sent,
    /// It is not sent, or was sent for nothing.
    Refused(Fault),
    /// It was removed, and the service is being told; after a failure again when this timer has run out.
    Dropping(Option<TimerId>),
}

impl File {
    /// A file that was picked.
    pub(crate) fn picked(handle: u32, slot: FileSlot, name: String, size: u32) -> Self {
        Self {
            handle,
            slot,
            name,
            size,
            format: None,
            sha256: None,
            preview: None,
            file_id: None,
            gone: 0,
            stage: Stage::Looking,
            cuts: 0,
        }
    }

    /// A file that the service knows from before. Its handle is none of uploads.ts's.
    pub(crate) fn known(handle: u32, file: UploadFile) -> Self {
        let is_whole = file.received_bytes == file.size_bytes;
        Self {
            format: file.format,
            sha256: file.sha256,
            file_id: Some(file.file_id),
            gone: file.received_bytes,
            stage: if is_whole { Stage::Sent } else { Stage::Missing },
            ..Self::picked(handle, file.slot, file.name, file.size_bytes)
        }
    }

    /// Whether it is known from the service alone.
    pub(crate) fn is_of_before(&self) -> bool {
        self.handle > u32::MAX / 2
    }

    /// Whether it is, or may become, part of the upload.
    pub(crate) fn counts(&self) -> bool {
        !matches!(self.stage, Stage::Refused(_) | Stage::Dropping(_))
    }

    /// How much of it has gone, in percent.
    pub(crate) fn percent(&self) -> u32 {
        // At most 15 million bytes are ever sent.
        self.gone.min(self.size).saturating_mul(100).checked_div(self.size).unwrap_or(0)
    }

    /// Stops sending it, for now.
    pub(crate) fn stop(&mut self, stage: Stage, context: &mut Context) {
        if self.stage == Stage::Sending {
            context.effect(Effect::File(FileOrder::Stop { handle: self.handle }));
        }
        self.stage = stage;
    }

    /// Has it forgotten, here and at the service; it goes from the list when that is done.
    pub(crate) fn drop_it(&mut self, context: &mut Context) {
        self.stage = Stage::Dropping(None);
        let file_id = self.file_id.clone();
        context.effect(Effect::File(FileOrder::Drop { handle: self.handle, file_id }));
    }

    /// Rests after a cut, each time longer until bytes go again, and at least as long as the service asks.
    pub(crate) fn rest(&mut self, asked_ms: u32, context: &mut Context) -> TimerId {
        let rest = FIRST_REST_MS.saturating_mul(1 << self.cuts.min(5)).min(LONGEST_REST_MS);
        let rest = rest.max(asked_ms.min(LONGEST_ASKED_MS));
        self.cuts = self.cuts.saturating_add(1);
        context.start_timer(rest)
    }

    /// The timer it waits for.
    pub(crate) fn timer(&self) -> Option<TimerId> {
        match self.stage {
            Stage::Resting(timer) => Some(timer),
            Stage::Dropping(timer) => timer,
            Stage::Looking
            | Stage::Missing
            | Stage::Ready
            | Stage::Sending
            | Stage::Paused
            | Stage::Stuck
            | Stage::Sent
            | Stage::Refused(_) => None,
        }
    }
}
