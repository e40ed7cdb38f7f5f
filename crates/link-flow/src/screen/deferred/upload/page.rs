//! Builds the upload page.

use link_types::archive::{FileFormat, FileSlot, MAX_FILES};

use super::{Upload, slots};
use crate::context::Context;
use crate::effect::ArchiveAsk;
use crate::event::{FilePress, Press};
use crate::generated::message::Message;
use crate::mark::mark;
use crate::screen::deferred::file_types;
use crate::screen::parts::{PHONE, retry, trouble_blocks, trouble_notice};
use crate::sheet::{Footer, Sheet};
use crate::uploads::{File, FileStage, fault_words, kind_name};
use crate::view::block::{Action, ActionState, Block, FileRow, Mark, Severity};
use crate::view::build::{self, about, action, heading, notice, paragraph, remark, rows};
use crate::view::{Argument, Text};

pub(super) fn sheet(upload: &Upload, context: &Context) -> Sheet {
    let title = Text::from(kind_name(upload.kind));
    let is_removal = matches!(upload.archive_ask(), Some(ArchiveAsk::Remove(_)));
    let mut blocks = match (upload.trouble(), is_removal) {
        (Some(trouble), true) => trouble_blocks(trouble, None),
        (None, true) => vec![heading(Message::UploadRemoving.into()), Block::Skeleton { rows: 1 }],
        (trouble, false) => {
            let mut blocks = vec![
                heading(title.clone()),
                paragraph(file_types::hint(upload.kind).into()),
                remark(rules(upload)),
            ];
            if !upload.batch.is_online {
                blocks.push(notice(Severity::Warning, None, Message::UploadOffline.into()));
            } else if let Some(trouble) = trouble {
                blocks.push(trouble_notice(trouble, None));
            }
            blocks.extend(upload.batch.surplus().map(|text| notice(Severity::Warning, None, text)));
            blocks
        }
    };
    if !is_removal {
        for slot in slots(upload.kind) {
            push_gathered(upload, *slot, &mut blocks);
        }
        if upload.may_submit() {
            let (files, bytes) = upload.batch.upload_totals();
            blocks.push(remark(Text::with(Message::UploadSummary, vec![files.into(), megabytes(bytes)])));
        }
        if upload.may_hand_off(context) {
            blocks.push(rows(vec![build::row(PHONE, Message::HandoffOffer.into())], false));
        }
        blocks.push(actions(upload));
    }
    let back = !upload.is_busy() && !is_removal;
    Sheet { title, blocks, back, form: true, footer: Footer::Consent }
}

/// Adds the files of a slot and the target for the next one.
fn push_gathered(upload: &Upload, slot: FileSlot, blocks: &mut Vec<Block>) {
    let batch = &upload.batch;
    let (title, text) = match slot {
        FileSlot::Front => (Message::UploadFront, Message::UploadPagesText),
        FileSlot::Back => (Message::UploadBack, Message::UploadBackText),
        FileSlot::Page => (Message::UploadPages, Message::UploadPagesText),
    };
    let rows: Vec<FileRow> =
        batch.files.iter().filter(|file| file.slot == slot).map(|file| row(file, upload.is_busy())).collect();
    if !rows.is_empty() {
        let label = if slot == FileSlot::Page { Message::UploadFiles } else { title };
        let many_rejected = batch.rejected_files(slot).nth(1).is_some() && !upload.is_busy();
        let clear = many_rejected.then(|| (slot, Message::UploadClear.into()));
        blocks.push(Block::Files { label: label.into(), rows, clear });
    }
    let misses = batch.misses(slot);
    if !batch.is_listening {
        blocks.push(Block::Skeleton { rows: 1 });
    } else if (batch.has_room(slot) || misses) && !upload.is_busy() {
        blocks.push(Block::DropZone {
            slot,
            title: title.into(),
            text: if misses { Message::UploadAgain } else { text }.into(),
            choose: Message::UploadChoose.into(),
            camera: Message::UploadCamera.into(),
            camera_help: Message::PhotoHelp.into(),
        });
    }
}

fn actions(upload: &Upload) -> Block {
    let trouble = upload.trouble().filter(|_| !matches!(upload.archive_ask(), Some(ArchiveAsk::Submit(..))));
    let state = match (upload.is_busy(), upload.may_submit()) {
        (true, _) => ActionState::Busy,
        (false, true) => ActionState::Ready,
        (false, false) => ActionState::Off,
    };
    let submit = Action { state, ..action(Message::UploadSubmit, Press::Submit) };
    Block::Actions { primary: trouble.map_or(submit, retry), secondary: None }
}

fn row(file: &File, is_busy: bool) -> FileRow {
    let counted = |message, number: u32| Text::with(message, vec![number.into()]);
    let sized = |message| Text::with(message, vec![megabytes(file.size)]);
    let percent = file.percent();
    let (mut bar, mut error, mut press) = (None, None, None);
    let detail = match file.stage {
        FileStage::Inspecting => Message::UploadLooking.into(),
        FileStage::Missing => counted(Message::UploadMissing, percent),
        FileStage::Ready => {
            press = Some(FilePress::Pause);
            Message::UploadWaiting.into()
        }
        FileStage::Review | FileStage::Framing | FileStage::Turning | FileStage::Cropping => {
            Message::PhotoWaiting.into()
        }
        FileStage::Sending => {
            bar = Some(percent);
            press = Some(FilePress::Pause);
            Text::with(Message::UploadSending, vec![percent.into(), megabytes(file.size)])
        }
        FileStage::BackingOff(_) => {
            bar = Some(percent);
            press = Some(FilePress::Pause);
            Message::UploadRetrying.into()
        }
        FileStage::Paused => {
            bar = Some(percent);
            press = Some(FilePress::Continue);
            counted(Message::UploadPaused, percent)
        }
        FileStage::Failed => {
            press = Some(FilePress::Continue);
            Message::UploadStuck.into()
        }
        FileStage::Sent => sized(Message::UploadSent),
        FileStage::Refused(fault) => {
            error = Some(fault_words(fault).into());
            sized(Message::UploadRefused)
        }
        FileStage::Dropping(_) => Message::UploadRemoving.into(),
    };
    let mut actions = Vec::new();
    if !is_busy && !matches!(file.stage, FileStage::Dropping(_)) {
        match press {
            Some(FilePress::Pause) => {
                actions.push((FilePress::Pause, about(Message::UploadPause, &file.name)));
            }
            Some(FilePress::Continue) => {
                actions.push((FilePress::Continue, about(Message::UploadContinue, &file.name)));
            }
            Some(FilePress::Remove) | None => {}
        }
        actions.push((FilePress::Remove, about(Message::UploadRemove, &file.name)));
    }
    FileRow {
        handle: file.handle,
        mark: sign(file),
        name: Text::Verbatim(file.name.clone()),
        detail,
        percent: bar,
        error,
        done: file.stage == FileStage::Sent,
        actions,
    }
}

/// Returns a preview of the file, or the letters of its format.
fn sign(file: &File) -> Mark {
    let letters = file.format.map_or("", FileFormat::as_str);
    Mark { monogram: letters.to_owned(), ..mark(letters, file.preview.as_deref()) }
}

/// Returns the formats and limits of the files.
fn rules(upload: &Upload) -> Text {
    if slots(upload.kind).contains(&FileSlot::Page) {
        Text::with(Message::UploadRulesPages, vec![u32::from(MAX_FILES).into()])
    } else {
        Message::UploadRules.into()
    }
}

/// Returns a size in megabytes, rounded up to a tenth.
const fn megabytes(bytes: u32) -> Argument {
    Argument::Tenths(bytes.div_ceil(100_000))
}
