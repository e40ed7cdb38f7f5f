//! Handles the reports of uploads.ts.

use link_types::archive::{FileFault, FileSlot};
use link_types::uploading::{FileFact, FileOrder};

use super::super::fault::{self, FileRejection, InspectedFile};
use super::super::file::{File, FileStage};
use super::super::photo::Photo;
use super::choice::FileChoice;
use super::{Asks, Batch};
use crate::context::Context;
use crate::effect::Effect;
use crate::generated::message::Message;
use crate::session;
use crate::view::Text;

impl Batch {
    /// Handles a report of uploads.ts.
    pub(crate) fn handle_fact(&mut self, fact: FileFact, context: &mut Context) -> Asks {
        match fact {
            FileFact::Connection { online, save_data } => self.handle_connection(online, save_data, context),
            FileFact::Chosen { count } => self.choice = Some(FileChoice::new(count)),
            FileFact::Picked { handle, slot, name, size_bytes, from_camera } => {
                // The first report about a file, or a repeated one after the program was restarted.
                if self.takes(slot) {
                    self.files.push(File { from_camera, ..File::new(handle, slot, name, size_bytes) });
                } else {
                    context.effect(Effect::File(FileOrder::Drop { handle, file_id: None }));
                }
                if let Some(surplus) = self.surplus() {
                    context.announce(surplus);
                }
            }
            FileFact::Inspected {
                handle,
                size_bytes,
                format,
                pages,
                pixels,
                sha256,
                fault,
                preview,
                photo,
            } => {
                let seen = InspectedFile { size: size_bytes, format, pages, pixels, fault };
                self.handle_inspection(handle, &seen, sha256, (preview, photo.map(Photo::new)), context);
            }
            FileFact::Sending { handle, file_id, offset } => {
                let Some(file) = self.file(handle) else { return Asks::Nothing };
                let name = file.name.clone();
                let before = file.percent() / 25;
                file.file_id = Some(file_id);
                if offset > file.sent_bytes {
                    file.failures = 0;
                }
                file.sent_bytes = offset;
                let after = file.percent() / 25;
                if after > before && after < 4 {
                    let args = vec![name.as_str().into(), (after * 25).into()];
                    context.announce(Text::with(Message::UploadAnnounce, args));
                }
            }
            FileFact::Sent { handle } => {
                let Some(file) = self.file(handle) else { return Asks::Nothing };
                if file.stage == FileStage::Sending {
                    file.sent_bytes = file.size;
                    file.stage = FileStage::Sent;
                    let args = vec![file.name.as_str().into(), 100.into()];
                    context.announce(Text::with(Message::UploadAnnounce, args));
                }
                session::restart_clock(context);
            }
            FileFact::Cut { handle, status, file_fault, retry_in_ms } => {
                let asks = self.cut(handle, (status, retry_in_ms), file_fault, context);
                self.pump(context);
                return asks;
            }
            FileFact::Dropped { handle } => self.files.retain(|file| file.handle != handle),
            FileFact::Played {} | FileFact::Unplayable {} => {}
        }
        self.pump(context);
        if self.needs_archive() { Asks::Archive } else { Asks::Nothing }
    }

    fn handle_connection(&mut self, online: bool, saves_data: bool, context: &mut Context) {
        if online != self.is_online {
            context.announce(if online { Message::UploadOnline } else { Message::UploadOffline });
        }
        self.is_online = online;
        // The frame also reports no connection if it could not load a script.
        self.is_listening |= online;
        self.saves_data = saves_data;
        if !online {
            self.stop_all(context);
            return;
        }
        for file in &mut self.files {
            if matches!(file.stage, FileStage::BackingOff(_)) {
                file.stage = FileStage::Ready;
            }
        }
    }

    fn handle_inspection(
        &mut self,
        handle: u32,
        seen: &InspectedFile,
        sha256: Option<String>,
        (preview, photo): (Option<String>, Option<Photo>),
        context: &mut Context,
    ) {
        let Some(at) = self.files.iter().position(|file| file.handle == handle) else { return };
        if !matches!(self.files[at].stage, FileStage::Inspecting | FileStage::Turning | FileStage::Cropping) {
            return;
        }
        let mut file = self.files.remove(at);
        // An edited photo is shown again, so that the person sees the result.
        let is_shown = matches!(file.stage, FileStage::Turning | FileStage::Cropping);
        file.size = seen.size;
        file.format = seen.format;
        file.preview = preview;
        file.photo = photo;
        file.sha256 = sha256;
        let is_same = |other: &File| {
            file.sha256.is_some() && other.sha256 == file.sha256 && other.size == file.size && other.counts()
        };
        let duplicate = self.files.iter().position(is_same);
        let fault = fault::check(seen).map(FileRejection::Of);
        let (stage, at) = match (fault, duplicate) {
            (Some(fault), _) => (FileStage::Refused(fault), at),
            // Chosen again: only the bytes that the service does not have are sent.
            (None, Some(duplicate)) if self.files[duplicate].is_only_at_service() => {
                let known = self.files.remove(duplicate);
                file.slot = known.slot;
                file.file_id = known.file_id;
                file.sent_bytes = known.sent_bytes;
                (if known.stage == FileStage::Sent { FileStage::Sent } else { FileStage::Ready }, duplicate)
            }
            (None, Some(_)) => (FileStage::Refused(FileRejection::Duplicate), at),
            (None, None) => {
                file.slot = self.slot_for(file.slot);
                let needs_look = |photo: &Photo| is_shown || photo.needs_look(file.from_camera);
                let stage = if !self.accepts(file.slot) {
                    FileStage::Refused(FileRejection::Of(FileFault::TooManyFiles))
                } else if file.photo.as_ref().is_some_and(needs_look) {
                    FileStage::Review
                } else {
                    FileStage::Ready
                };
                (stage, at)
            }
        };
        file.stage = stage;
        if let FileStage::Refused(fault) = stage {
            context.announce(fault::words(fault));
        }
        self.files.insert(at.min(self.files.len()), file);
    }

    /// Returns the slot for a new file. Two pictures dropped on one side of a card are its two sides.
    fn slot_for(&self, slot: FileSlot) -> FileSlot {
        let other = match slot {
            FileSlot::Front => FileSlot::Back,
            FileSlot::Back => FileSlot::Front,
            FileSlot::Page => FileSlot::Page,
        };
        if !self.accepts(slot) && self.accepts(other) { other } else { slot }
    }

    fn cut(
        &mut self,
        handle: u32,
        (status, retry_in_ms): (u16, u32),
        refused: Option<FileFault>,
        context: &mut Context,
    ) -> Asks {
        let Some(file) = self.file(handle) else { return Asks::Nothing };
        if let FileStage::Dropping(_) = file.stage {
            file.stage = FileStage::Dropping(Some(file.back_off(retry_in_ms, context)));
        } else if file.stage == FileStage::Sending {
            file.stage = match (status, refused) {
                (400..=499, Some(fault)) => {
                    context.announce(fault::words(FileRejection::Of(fault)));
                    FileStage::Refused(FileRejection::Of(fault))
                }
                (401, None) => FileStage::Ready,
                // The service no longer has the file: start over.
                (404 | 410, None) if file.file_id.is_some() => {
                    file.file_id = None;
                    file.sent_bytes = 0;
                    FileStage::BackingOff(file.back_off(retry_in_ms, context))
                }
                // The file blocks itself: the service has not noticed the cut yet.
                (409 | 423, None) if file.file_id.is_some() => {
                    FileStage::BackingOff(file.back_off(retry_in_ms, context))
                }
                (408 | 425 | 429, None) => FileStage::BackingOff(file.back_off(retry_in_ms, context)),
                (400..=499, None) => FileStage::Failed,
                (_, _) => FileStage::BackingOff(file.back_off(retry_in_ms, context)),
            };
        }
        if status != 401 {
            return Asks::Nothing;
        }
        self.is_held = true;
        Asks::Session
    }
}
