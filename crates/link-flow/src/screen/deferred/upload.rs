//! The upload of one document kind: gathers files, sends them, and submits them when they are complete.

mod page;
mod review;

use link_types::archive::{ArchiveType, FileSlot};
use link_types::host::UiEventName;
use link_types::link::SubmitArchive;
use link_types::problem::ProblemCode;
use link_types::uploading::{ArchivePhase, ArchiveProgress, CreateArchive, FileFact, FileOrder};

use crate::call::{Ask, Call, Trouble, is_coded};
use crate::context::Context;
use crate::effect::{ArchiveAsk, Effect};
use crate::emit;
use crate::event::{FilePress, Press, Reply, RequestError, RequestId, TimerId};
use crate::generated::message::Message;
use crate::input::Input;
use crate::input::Outcome::{self, Go, Stay};
use crate::route::{AfterConsent, HandoffRoute, Origin, Route, UploadRoute};
use crate::screen::deferred::file_types;
use crate::screen::parts::PHONE;
use crate::sheet::Sheet;
use crate::uploads::{Asks, Batch, File};
use crate::view::block::{Action, Block, Emblem};
use crate::view::build::{action, heading_with, paragraph};
use crate::view::{FocusTarget, Overlay};

/// The upload page.
#[derive(Debug)]
pub(crate) struct Upload {
    kind: ArchiveType,
    pub(crate) batch: Batch,
    /// Creates, submits or removes the archive.
    call: Option<Call>,
    /// Whether the page asks to remove everything.
    is_leaving: bool,
    submit_request: SubmitRequest,
}

/// The person's request to submit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum SubmitRequest {
    /// Not made, or already used.
    NotMade,
    /// Sent to the service. If only the removal of a duplicate file was in the way, it is sent again.
    Sent,
    /// Sent again as soon as the duplicate is deleted.
    WaitsForDeletion,
}

impl Upload {
    /// Creates an upload without files.
    pub(crate) fn enter(kind: ArchiveType, context: &mut Context) -> Self {
        emit::ui_event(UiEventName::FileTypePageOpened, None, context);
        Self::open(kind, Batch::new(), context)
    }

    /// Resumes an upload of an earlier page or session: its files must be chosen again.
    pub(crate) fn resume_known(archive: ArchiveProgress, context: &mut Context) -> Self {
        emit::archive_event(UiEventName::FileTypePageOpened, &archive.archive_id, context);
        Self::open(archive.archive_type, Batch::from_service(archive.archive_id, archive.files), context)
    }

    fn open(kind: ArchiveType, batch: Batch, context: &mut Context) -> Self {
        context.turn_page();
        crate::resume_point::at_documents(Some(kind), context);
        context.effect(Effect::File(FileOrder::Open {}));
        Self { kind, batch, call: None, is_leaving: false, submit_request: SubmitRequest::NotMade }
    }

    /// Resumes in a new session.
    pub(crate) fn resume(mut self, archives: Vec<ArchiveProgress>, context: &mut Context) -> Outcome<Self> {
        let known =
            archives.into_iter().find(|archive| Some(&archive.archive_id) == self.batch.archive.as_ref());
        match known {
            // It was submitted after all.
            Some(archive) if !matches!(archive.phase, ArchivePhase::Uploading {}) => {
                return Self::handle_submitted(archive, context);
            }
            Some(archive) => self.batch.agree(archive.files, context),
            None => self.batch.forget_archive(),
        }
        if self.batch.archive.is_none() && context.consent.receipt().is_none() {
            // A new archive needs a consent to the terms as they are now. An existing one needs it when it is submitted.
            context.effect(Effect::File(FileOrder::Close {}));
            return Go(Route::Consent(AfterConsent::Uploads(UploadRoute::Kind(self.kind))));
        }
        self.call = self.call.map(|call| Call::send(call.ask().clone(), context));
        self.batch.release(context);
        self.make_archive(context);
        self.repeat_submission(context);
        Stay(self)
    }

    /// Stops sending, because the session is over.
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

    /// Handles a report of uploads.ts. Returns whether the service no longer accepts the session.
    pub(crate) fn handle_fact(&mut self, fact: FileFact, context: &mut Context) -> bool {
        if matches!(fact, FileFact::Picked { .. }) {
            self.submit_request = SubmitRequest::NotMade;
        }
        let shown = self.batch.file_in_review().map(File::look);
        let asks = self.batch.handle_fact(fact, context);
        self.follow_review(shown, context);
        match asks {
            Asks::Nothing => {}
            Asks::Archive => self.make_archive(context),
            Asks::Session => return true,
        }
        self.repeat_submission(context);
        false
    }

    /// Cancels a submission that waits to be sent again, because the person may leave.
    pub(crate) fn cancel_submission(&mut self) {
        self.submit_request = SubmitRequest::NotMade;
    }

    /// Sends the submission again, if it is due and nothing is in its way.
    fn repeat_submission(&mut self, context: &mut Context) {
        if self.submit_request == SubmitRequest::WaitsForDeletion
            && self.batch.has_session()
            && self.may_submit()
        {
            self.submit_request = SubmitRequest::NotMade;
            self.send_submission(context);
        }
    }

    /// Creates an archive, if files wait for one.
    fn make_archive(&mut self, context: &mut Context) {
        if self.call.is_some() || !self.batch.needs_archive() {
            return;
        }
        let Some(consent) = context.consent.receipt().cloned() else { return };
        let body = CreateArchive { archive_type: self.kind, consent };
        self.call = Some(Call::send(Ask::Archive(ArchiveAsk::Create(body)), context));
    }

    pub(crate) fn handle(mut self, input: Input, context: &mut Context) -> Outcome<Self> {
        match input {
            Input::Replied(Reply::Archive(Ok(archive))) => {
                self.call = None;
                if !matches!(archive.phase, ArchivePhase::Uploading {}) {
                    return Self::handle_submitted(*archive, context);
                }
                self.batch.archive = Some(archive.archive_id);
                self.batch.agree(archive.files, context);
                let is_waiting =
                    self.submit_request == SubmitRequest::Sent && self.batch.awaits_removals_alone();
                self.submit_request =
                    if is_waiting { SubmitRequest::WaitsForDeletion } else { SubmitRequest::NotMade };
                self.repeat_submission(context);
            }
            Input::Replied(Reply::Done(Ok(()))) => return Self::leave(context),
            Input::Replied(Reply::Archive(Err(refusal)) | Reply::Done(Err(refusal))) => {
                return self.handle_refusal(&refusal, context);
            }
            Input::TimerFired { timer, elapsed_ms } => match &mut self.call {
                Some(call) if call.timer() == Some(timer) => call.handle_timer(elapsed_ms, context),
                Some(_) | None => self.batch.handle_timer(timer, context),
            },
            Input::Pressed(Press::Retry) => {
                if let Some(call) = &mut self.call {
                    call.retry(context);
                }
            }
            Input::Pressed(Press::File(press, handle)) if !self.is_busy() => {
                self.submit_request = SubmitRequest::NotMade;
                let shown = self.batch.file_in_review().map(File::look);
                match press {
                    FilePress::Pause => self.batch.pause(handle, context),
                    FilePress::Continue => self.batch.resume(handle, context),
                    FilePress::Remove => self.batch.remove(handle, context),
                }
                self.follow_review(shown, context);
                self.make_archive(context);
            }
            Input::Pressed(Press::Photo(press, handle)) if !self.is_busy() => {
                self.submit_request = SubmitRequest::NotMade;
                let shown = self.batch.file_in_review().map(File::look);
                self.batch.review(press, handle, context);
                self.follow_review(shown, context);
                self.make_archive(context);
            }
            Input::Pressed(Press::RemoveRejected(slot)) if !self.is_busy() => {
                self.submit_request = SubmitRequest::NotMade;
                self.batch.remove_rejected(slot, context);
            }
            Input::Submitted(_) if self.may_submit() => self.submit(context),
            Input::Pressed(Press::Back) if !self.is_busy() => {
                self.submit_request = SubmitRequest::NotMade;
                if !self.batch.has_files() {
                    return self.remove(context);
                }
                self.is_leaving = true;
                context.focus(FocusTarget::Heading);
            }
            Input::Pressed(Press::Confirm) if self.is_leaving => return self.remove(context),
            Input::Chosen { id } if id == PHONE && self.may_hand_off(context) => {
                context.effect(Effect::File(FileOrder::Close {}));
                return Go(Route::Handoff(HandoffRoute::Offer(Origin::Upload(self.kind))));
            }
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
        Stay(self)
    }

    fn archive_ask(&self) -> Option<&ArchiveAsk> {
        match self.call.as_ref()?.ask() {
            Ask::Archive(ask) => Some(ask),
            Ask::Exchange(_)
            | Ask::Session
            | Ask::Providers { .. }
            | Ask::Provider(_)
            | Ask::Chunk
            | Ask::Linked
            | Ask::Revocation(_)
            | Ask::Revoke(..)
            | Ask::Survey(_)
            | Ask::Handoff(_) => None,
        }
    }

    /// Whether it is being submitted or removed.
    fn is_busy(&self) -> bool {
        let is_over = !matches!(self.archive_ask(), Some(ArchiveAsk::Create(_)) | None);
        let is_waiting = self.submit_request == SubmitRequest::WaitsForDeletion
            && self.batch.is_online
            && self.batch.is_removing();
        is_waiting || is_over && self.trouble().is_none()
    }

    /// Whether the person may continue on their phone: no file is being sent here, and none would have to be chosen again.
    fn may_hand_off(&self, context: &Context) -> bool {
        context.may_hand_off() && self.call.is_none() && self.batch.is_idle()
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
        emit::archive_event(UiEventName::FilesSubmitted, &archive, context);
        self.submit_request = SubmitRequest::Sent;
        self.send_submission(context);
    }

    fn send_submission(&mut self, context: &mut Context) {
        let Some(archive) = self.batch.archive.clone() else { return };
        let body = SubmitArchive { consent: context.consent.receipt().cloned() };
        self.call = Some(Call::send(Ask::Archive(ArchiveAsk::Submit(archive, body)), context));
    }

    /// Hands over to the page of the submitted archive.
    fn handle_submitted(archive: ArchiveProgress, context: &mut Context) -> Outcome<Self> {
        context.effect(Effect::File(FileOrder::Close {}));
        Go(Route::Uploads(UploadRoute::Archive(Box::new(archive))))
    }

    fn handle_refusal(mut self, refusal: &RequestError, context: &mut Context) -> Outcome<Self> {
        let asked = self.archive_ask().cloned();
        if let Some(call) = &mut self.call {
            call.handle_refusal(refusal, context);
        }
        if is_coded(refusal, ProblemCode::ConsentRequired) {
            context.effect(Effect::File(FileOrder::Close {}));
            context.drop_consent();
            return Go(Route::Terms(AfterConsent::Uploads(UploadRoute::Kind(self.kind))));
        }
        match (self.trouble(), asked) {
            // The service no longer has the archive.
            (Some(Trouble::Refused), Some(ArchiveAsk::Remove(_))) => Self::leave(context),
            // An earlier request submitted it and its reply was lost; or a file is missing after all.
            (Some(Trouble::Refused), Some(ArchiveAsk::Submit(archive, _))) => {
                let poll = ArchiveAsk::Poll { archive, after: 0, wait_ms: 0 };
                self.call = Some(Call::send(Ask::Archive(poll), context));
                Stay(self)
            }
            (_, _) => Stay(self),
        }
    }

    /// Removes the upload, then leaves.
    fn remove(mut self, context: &mut Context) -> Outcome<Self> {
        self.is_leaving = false;
        context.effect(Effect::File(FileOrder::Close {}));
        let Some(archive) = self.batch.archive.clone() else { return Self::leave(context) };
        context.turn_page();
        self.batch = Batch::from_service(archive.clone(), Vec::new());
        self.call = Some(Call::send(Ask::Archive(ArchiveAsk::Remove(archive)), context));
        Stay(self)
    }

    fn leave(context: &Context) -> Outcome<Self> {
        Go(match file_types::kinds(context) {
            [_] => Route::Providers,
            _ => Route::Uploads(UploadRoute::Start),
        })
    }

    pub(crate) fn sheet(&self, context: &Context) -> Sheet {
        page::sheet(self, context)
    }

    /// Moves the focus if the dialog shows another photo, or this one in another way, or has closed.
    fn follow_review(&self, shown: Option<(u32, bool)>, context: &mut Context) {
        let next = self.batch.file_in_review().map(File::look);
        if next != shown {
            context.focus(if next.is_some() { FocusTarget::Heading } else { FocusTarget::Restore });
        }
    }

    /// Shows a photo to look at, or asks whether to remove everything.
    pub(crate) fn overlay(&self) -> Option<Overlay> {
        let photo = self.batch.file_in_review().filter(|_| !self.is_leaving);
        if let Some(overlay) = photo.and_then(review::overlay) {
            return Some(overlay);
        }
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

/// Returns the slots of a document kind. The first one must not be empty.
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
