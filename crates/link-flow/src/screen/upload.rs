//! The upload of one kind of document: its files are gathered, sent, and submitted when all of them are there.

mod page;

use link_types::archive::{ArchiveType, FileSlot};
use link_types::host::UiEventName;
use link_types::uploading::{ArchivePhase, ArchiveProgress, CreateArchive, FileFact, FileOrder};

use super::{Input, Sheet, action, heading_with, paragraph};
use crate::call::{Ask, Call, Trouble};
use crate::context::Context;
use crate::effect::{ArchiveAsk, Effect};
use crate::event::{FilePress, Press, Refusal, Reply, RequestId, TimerId};
use crate::generated::message::Message;
use crate::screen::file_types;
use crate::screen::providers::Providers;
use crate::state::State;
use crate::tell;
use crate::uploads::{Asks, Batch, Stage, follow};
use crate::view::block::{Action, Block, Emblem};
use crate::view::{FocusTarget, Overlay};

/// The upload page.
#[derive(Debug)]
pub(crate) struct Upload {
    kind: ArchiveType,
    pub(crate) batch: Batch,
    /// The archive is made, submitted or removed.
    call: Option<Call>,
    /// The person is asked whether to remove it all.
    is_leaving: bool,
    word: Word,
}

/// The person's word to submit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Word {
    /// Not given, or used up.
    Wanted,
    /// Given, and sent on: when nothing but a twin of a file was in the way, it counts once more.
    Given,
    /// It is sent again as soon as the twin is gone.
    Kept,
}

impl Upload {
    /// An upload without files.
    pub(crate) fn enter(kind: ArchiveType, context: &mut Context) -> State {
        tell::ui_event(UiEventName::FileTypePageOpened, None, context);
        Self::open(kind, Batch::new(), context)
    }

    /// An upload that an earlier page or session began: its files have to be chosen again.
    pub(crate) fn known(archive: ArchiveProgress, context: &mut Context) -> State {
        tell::archive_event(UiEventName::FileTypePageOpened, &archive.archive_id, context);
        Self::open(archive.archive_type, Batch::known(archive.archive_id, archive.files), context)
    }

    fn open(kind: ArchiveType, batch: Batch, context: &mut Context) -> State {
        context.turn_page();
        crate::place::at_documents(Some(kind), context);
        context.effect(Effect::File(FileOrder::Open {}));
        Stage::Upload(Self { kind, batch, call: None, is_leaving: false, word: Word::Wanted }).into()
    }

    /// Goes on in a new session.
    pub(crate) fn resume(mut self, archives: Vec<ArchiveProgress>, context: &mut Context) -> State {
        let known =
            archives.into_iter().find(|archive| Some(&archive.archive_id) == self.batch.archive.as_ref());
        match known {
            // Submitted after all.
            Some(archive) if !matches!(archive.phase, ArchivePhase::Uploading {}) => {
                return Self::submitted(archive, context);
            }
            Some(archive) => self.batch.agree(archive.files, context),
            None => self.batch.forget_archive(),
        }
        self.call = self.call.map(|call| Call::send(call.ask().clone(), context));
        self.batch.release(context);
        self.make_archive(context);
        self.keep_word(context);
        Stage::Upload(self).into()
    }

    /// The session is over.
    pub(crate) fn hold(&mut self, context: &mut Context) {
        self.batch.hold(context);
    }

    pub(crate) fn awaits_reply(&self, request: RequestId) -> bool {
        self.call.as_ref().and_then(Call::request) == Some(request)
    }

    pub(crate) fn awaits_timer(&self, timer: TimerId) -> bool {
        self.call.as_ref().and_then(Call::timer) == Some(timer) || self.batch.awaits_timer(timer)
    }

    pub(crate) fn loss(&self) -> Option<Message> {
        self.batch.has_files().then_some(Message::UploadLoss)
    }

    /// Whether the service no longer accepts the session.
    pub(crate) fn heard(&mut self, fact: FileFact, context: &mut Context) -> bool {
        if matches!(fact, FileFact::Picked { .. }) {
            self.word = Word::Wanted;
        }
        match self.batch.heard(fact, context) {
            Asks::Nothing => {}
            Asks::Archive => self.make_archive(context),
            Asks::Session => return true,
        }
        self.keep_word(context);
        false
    }

    /// The person may be about to leave: nothing more is sent on a word given before.
    pub(crate) fn take_back_word(&mut self) {
        self.word = Word::Wanted;
    }

    /// Sends the submission again, if that is owed and nothing is in its way any more.
    fn keep_word(&mut self, context: &mut Context) {
        if self.word == Word::Kept && self.batch.has_session() && self.may_submit() {
            self.word = Word::Wanted;
            self.send_submission(context);
        }
    }

    /// Files wait, and there is nothing yet to put them into.
    fn make_archive(&mut self, context: &mut Context) {
        if self.call.is_some() || !self.batch.needs_archive() {
            return;
        }
        let Some(consent) = context.receipt() else { return };
        let body = CreateArchive { archive_type: self.kind, consent };
        self.call = Some(Call::send(Ask::Archive(ArchiveAsk::Create(body)), context));
    }

    pub(crate) fn handle(mut self, input: Input, context: &mut Context) -> State {
        match input {
            Input::Replied(Reply::Archive(Ok(archive))) => {
                self.call = None;
                if !matches!(archive.phase, ArchivePhase::Uploading {}) {
                    return Self::submitted(*archive, context);
                }
                self.batch.archive = Some(archive.archive_id);
                self.batch.agree(archive.files, context);
                let is_kept = self.word == Word::Given && self.batch.awaits_removals_alone();
                self.word = if is_kept { Word::Kept } else { Word::Wanted };
                self.keep_word(context);
            }
            Input::Replied(Reply::Done(Ok(()))) => return self.leave(context),
            Input::Replied(Reply::Archive(Err(refusal)) | Reply::Done(Err(refusal))) => {
                return self.refused(&refusal, context);
            }
            Input::TimerFired { timer, elapsed_ms } => match &mut self.call {
                Some(call) if call.timer() == Some(timer) => call.rested(elapsed_ms, context),
                Some(_) | None => self.batch.rested(timer, context),
            },
            Input::Pressed(Press::Retry) => {
                if let Some(call) = &mut self.call {
                    call.retry(context);
                }
            }
            Input::Pressed(Press::File(press, handle)) if !self.is_busy() => {
                self.word = Word::Wanted;
                match press {
                    FilePress::Pause => self.batch.pause(handle, context),
                    FilePress::Continue => self.batch.go_on(handle, context),
                    FilePress::Remove => self.batch.remove(handle, context),
                }
            }
            Input::Submitted(_) if self.may_submit() => self.submit(context),
            Input::Pressed(Press::Back) if !self.is_busy() => {
                self.word = Word::Wanted;
                if !self.batch.has_files() {
                    return self.remove(context);
                }
                self.is_leaving = true;
                context.focus(FocusTarget::Heading);
            }
            Input::Pressed(Press::Confirm) if self.is_leaving => return self.remove(context),
            Input::Pressed(Press::Stay) => {
                self.is_leaving = false;
                context.focus(FocusTarget::Restore);
            }
            Input::Replied(_)
            | Input::Pressed(_)
            | Input::Chosen { .. }
            | Input::Searched { .. }
            | Input::Filtered { .. }
            | Input::Edited { .. }
            | Input::Left { .. }
            | Input::SecretLeft { .. }
            | Input::Submitted(_) => {}
        }
        Stage::Upload(self).into()
    }

    fn asked(&self) -> Option<&ArchiveAsk> {
        match self.call.as_ref()?.ask() {
            Ask::Archive(ask) => Some(ask),
            Ask::Exchange(_)
            | Ask::Session
            | Ask::Providers { .. }
            | Ask::Provider(_)
            | Ask::Rest
            | Ask::Linked
            | Ask::Revocation(_)
            | Ask::Revoke(..)
            | Ask::Survey(_) => None,
        }
    }

    /// It is submitted or removed just now.
    fn is_busy(&self) -> bool {
        let is_over = !matches!(self.asked(), Some(ArchiveAsk::Create(_)) | None);
        let is_kept = self.word == Word::Kept && self.batch.is_online && self.batch.is_removing();
        is_kept || is_over && self.trouble().is_none()
    }

    fn trouble(&self) -> Option<Trouble> {
        self.call.as_ref()?.trouble()
    }

    fn may_submit(&self) -> bool {
        let may_ask = self.call.is_none() || self.trouble().is_some_and(|trouble| !trouble.is_limited());
        may_ask && self.batch.archive.is_some() && self.batch.is_complete(slots(self.kind)[0])
    }

    fn submit(&mut self, context: &mut Context) {
        let Some(archive) = self.batch.archive.clone() else { return };
        tell::archive_event(UiEventName::FilesSubmitted, &archive, context);
        self.word = Word::Given;
        self.send_submission(context);
    }

    fn send_submission(&mut self, context: &mut Context) {
        let Some(archive) = self.batch.archive.clone() else { return };
        self.call = Some(Call::send(Ask::Archive(ArchiveAsk::Submit(archive)), context));
    }

    /// The files are the service's now.
    fn submitted(archive: ArchiveProgress, context: &mut Context) -> State {
        context.effect(Effect::File(FileOrder::Close {}));
        follow(archive, context)
    }

    fn refused(mut self, refusal: &Refusal, context: &mut Context) -> State {
        let asked = self.asked().cloned();
        if let Some(call) = &mut self.call {
            call.refused(refusal, context);
        }
        match (self.trouble(), asked) {
            // The service has it no more.
            (Some(Trouble::Refused), Some(ArchiveAsk::Remove(_))) => self.leave(context),
            // Submitted before, by a request whose answer was lost; or not all of it is there after all.
            (Some(Trouble::Refused), Some(ArchiveAsk::Submit(archive))) => {
                let poll = ArchiveAsk::Poll { archive, after: 0, wait_ms: 0 };
                self.call = Some(Call::send(Ask::Archive(poll), context));
                Stage::Upload(self).into()
            }
            (_, _) => Stage::Upload(self).into(),
        }
    }

    /// Removes the upload, and goes when that is done.
    fn remove(mut self, context: &mut Context) -> State {
        self.is_leaving = false;
        context.effect(Effect::File(FileOrder::Close {}));
        let Some(archive) = self.batch.archive.clone() else { return self.leave(context) };
        context.turn_page();
        self.batch = Batch::known(archive.clone(), Vec::new());
        self.call = Some(Call::send(Ask::Archive(ArchiveAsk::Remove(archive)), context));
        Stage::Upload(self).into()
    }

    fn leave(self, context: &mut Context) -> State {
        match file_types::kinds(context) {
            [_] => Providers::enter(context),
            _ => file_types::enter(context),
        }
    }

    pub(crate) fn sheet(&self) -> Sheet {
        page::sheet(self)
    }

    /// Remove it all?
    pub(crate) fn overlay(&self) -> Option<Overlay> {
        let remove = Action { destructive: true, ..action(Message::UploadRemoveYes, Press::Confirm) };
        self.is_leaving.then(|| Overlay {
            title: Message::UploadRemoveTitle.into(),
            blocks: vec![
                heading_with(Emblem::Warning, Message::UploadRemoveTitle.into()),
                paragraph(Message::UploadRemoveText.into()),
                Block::Actions {
                    primary: action(Message::UploadRemoveNo, Press::Stay),
                    secondary: Some(remove),
                },
            ],
        })
    }
}

/// Where the files of a kind of document go; the first is the one that must not be empty.
const fn slots(kind: ArchiveType) -> &'static [FileSlot] {
    match kind {
        ArchiveType::Identification | ArchiveType::CompanyId => &[FileSlot::Front, FileSlot::Back],
        ArchiveType::Payslip
        | ArchiveType::TaxDocument
        | ArchiveType::Clearance
        | ArchiveType::Certificate
        | ArchiveType::BankStatement => &[FileSlot::Page],
    }
}
