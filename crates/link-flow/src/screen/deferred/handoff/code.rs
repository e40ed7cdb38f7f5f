//! The code on the computer: creates it, waits for the phone, and continues when the phone has finished.

use link_types::Sensitive;
use link_types::handoff::{self, HandoffPhase, HandoffSubject};
use link_types::host::UiEventName;
use link_types::link::AttemptState;
use link_types::uploading::ArchivePhase;

use crate::call::{Ask, Call, Trouble};
use crate::context::Context;
use crate::effect::HandoffAsk;
use crate::emit;
use crate::event::{Press, Reply, RequestError, RequestId, TimerId};
use crate::generated::message::Message;
use crate::input::Input;
use crate::input::Outcome::{self, Go, Stay};
use crate::poll::Poll;
use crate::route::{Origin, Route, UploadRoute};
use crate::screen::page_call;
use crate::screen::parts::{lost_notice, slow_blocks, trouble_blocks};
use crate::sheet::{Footer, Sheet};
use crate::view::Text;
use crate::view::block::{Action, Block, Emblem, Severity};
use crate::view::build::{action, heading, heading_with, notice, paragraph, remark};

/// The page with the code.
#[derive(Debug)]
pub(super) struct Code {
    origin: Origin,
    state: CodeState,
}

#[derive(Debug)]
enum CodeState {
    /// A request is under way.
    Working(Call, Work),
    /// A phone may scan the code, or has done so.
    Shown(Poll, Shown),
    /// The code has expired, or the phone has left.
    Stopped(Stop),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Work {
    /// Creates the code.
    Create,
    /// Takes the step back from the phone.
    TakeBack,
    /// Loads the state of the attempt, to continue here.
    Load { is_finished: bool },
}

#[derive(Debug)]
enum Shown {
    /// The picture of the code. No phone has used it.
    Picture(Sensitive),
    /// A phone continues.
    Continued,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stop {
    Expired,
    Left,
}

impl Code {
    pub(super) fn enter(origin: Origin, context: &mut Context) -> Self {
        context.turn_page();
        let subject = match &origin {
            Origin::Challenge(linking) => Some(linking.subject()),
            Origin::Upload(_) => None,
        };
        emit::ui_event(UiEventName::HandoffPageOpened, subject, context);
        let state = create(&origin, context);
        Self { origin, state }
    }

    pub(super) fn request(&self) -> Option<RequestId> {
        match &self.state {
            CodeState::Working(call, _) => call.request(),
            CodeState::Shown(poll, _) => poll.request(),
            CodeState::Stopped(_) => None,
        }
    }

    pub(super) fn timer(&self) -> Option<TimerId> {
        match &self.state {
            CodeState::Working(call, _) => call.timer(),
            CodeState::Shown(poll, _) => poll.timer(),
            CodeState::Stopped(_) => None,
        }
    }

    /// Returns the text about the data that leaving would lose. Closing this page ends the phone's access.
    pub(super) fn loss(&self) -> Option<Message> {
        match (&self.origin, &self.state) {
            (Origin::Challenge(_), _) => Some(Message::LeaveConnecting),
            (Origin::Upload(_), CodeState::Shown(_, Shown::Continued)) => Some(Message::UploadLoss),
            (
                Origin::Upload(_),
                CodeState::Working(..) | CodeState::Shown(_, Shown::Picture(_)) | CodeState::Stopped(_),
            ) => None,
        }
    }

    pub(super) fn handle(mut self, input: Input, context: &mut Context) -> Outcome<Self> {
        match input {
            Input::Replied(Reply::Handoff(Ok(handoff))) => self.handle_reply(*handoff, context),
            Input::Replied(Reply::Session(Ok(session))) => {
                return Go(self.back(session.attempt, context));
            }
            Input::Replied(Reply::Handoff(Err(refusal)) | Reply::Session(Err(refusal))) => {
                self.handle_refusal(&refusal, context);
            }
            Input::TimerFired { elapsed_ms, .. } => match &mut self.state {
                CodeState::Working(call, _) => page_call::handle_timer(call, elapsed_ms, context),
                CodeState::Shown(poll, _) => poll.handle_timer(context),
                CodeState::Stopped(_) => {}
            },
            Input::Pressed(Press::Retry) => {
                if let CodeState::Working(call, _) = &mut self.state {
                    page_call::retry(call, context);
                }
            }
            Input::Pressed(Press::TryAgain) if matches!(self.state, CodeState::Stopped(_)) => {
                context.turn_page();
                self.state = create(&self.origin, context);
            }
            Input::Pressed(Press::Back) => self.take_back(context),
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

    fn handle_reply(&mut self, handoff: handoff::Handoff, context: &mut Context) {
        let is_finished = matches!(handoff.phase, HandoffPhase::Finished {});
        match (&mut self.state, handoff.phase) {
            (CodeState::Working(_, Work::Create), HandoffPhase::Waiting { .. }) => {
                let picture = Sensitive::new(handoff.picture.as_ref().map_or("", |it| it.expose()));
                self.show(Shown::Picture(picture), context);
            }
            (CodeState::Working(_, Work::TakeBack), _) | (_, HandoffPhase::Finished {}) => {
                self.load(is_finished, context);
            }
            (CodeState::Shown(poll, Shown::Picture(_)), HandoffPhase::Waiting { .. })
            | (CodeState::Shown(poll, Shown::Continued), HandoffPhase::Continued {}) => {
                poll.handle_unchanged(context);
            }
            (_, HandoffPhase::Continued {}) => self.show(Shown::Continued, context),
            (_, HandoffPhase::Expired {}) => self.stop(Stop::Expired, context),
            (_, HandoffPhase::Ended {} | HandoffPhase::Waiting { .. }) => self.stop(Stop::Left, context),
        }
    }

    fn show(&mut self, shown: Shown, context: &mut Context) {
        context.turn_page();
        self.state = CodeState::Shown(Poll::handoff(context), shown);
    }

    fn stop(&mut self, stop: Stop, context: &mut Context) {
        context.turn_page();
        self.state = CodeState::Stopped(stop);
    }

    /// Loads the state of the attempt, to continue here.
    fn load(&mut self, is_finished: bool, context: &mut Context) {
        context.turn_page();
        self.state = CodeState::Working(Call::send(Ask::Session, context), Work::Load { is_finished });
    }

    /// Takes the step back from the phone, unless that is under way.
    fn take_back(&mut self, context: &mut Context) {
        if !matches!(self.state, CodeState::Working(_, Work::TakeBack | Work::Load { .. })) {
            context.turn_page();
            let call = Call::send(Ask::Handoff(HandoffAsk::End), context);
            self.state = CodeState::Working(call, Work::TakeBack);
        }
    }

    fn handle_refusal(&mut self, refusal: &RequestError, context: &mut Context) {
        let trouble = Trouble::from_refusal(refusal);
        match &mut self.state {
            // The step has ended, or the session has created too many codes.
            CodeState::Working(_, Work::Create) if trouble == Trouble::Refused => {
                context.stop_handing_off();
                self.load(false, context);
            }
            // The service has no hand-off that could be taken back.
            CodeState::Working(_, Work::TakeBack) if trouble == Trouble::Refused => {
                self.load(false, context);
            }
            CodeState::Working(call, _) => page_call::handle_refusal(call, refusal, context),
            CodeState::Shown(..) if trouble == Trouble::Refused => self.stop(Stop::Left, context),
            CodeState::Shown(poll, _) => poll.handle_failure(trouble, context),
            CodeState::Stopped(_) => {}
        }
    }

    /// Returns the page on which the person continues here.
    pub(super) fn back(self, attempt: AttemptState, context: &Context) -> Route {
        let is_finished = matches!(self.state, CodeState::Working(_, Work::Load { is_finished: true }));
        match self.origin {
            Origin::Challenge(mut linking) => {
                match attempt.account.filter(|it| it.account_id == linking.account) {
                    Some(progress) => {
                        linking.version = progress.version;
                        Route::linking(linking, progress.phase)
                    }
                    None => Route::sign_in_again(linking, context),
                }
            }
            Origin::Upload(kind) => {
                let of_kind = || attempt.archives.iter().rev().filter(|it| it.archive_type == kind);
                let is_sent = |phase: &ArchivePhase| match phase {
                    ArchivePhase::Uploading {} | ArchivePhase::Analyzing { .. } => true,
                    ArchivePhase::Analyzed {} | ArchivePhase::Failed { .. } => is_finished,
                    ArchivePhase::Revoked {} => false,
                };
                let archive = of_kind().find(|it| is_sent(&it.phase)).cloned();
                Route::Uploads(
                    archive.map_or(UploadRoute::Kind(kind), |it| UploadRoute::Archive(Box::new(it))),
                )
            }
        }
    }

    pub(super) fn sheet(&self) -> Sheet {
        let title = Text::from(Message::HandoffTitle);
        let here = || action(Message::HandoffHere, Press::Back);
        let blocks = match &self.state {
            CodeState::Working(call, work) => working(call, (*work == Work::Create).then(here)),
            CodeState::Shown(poll, shown) => {
                let mut blocks = shown_blocks(shown);
                if poll.is_lost() {
                    blocks.push(lost_notice());
                }
                blocks.push(Block::Actions { primary: here(), secondary: None });
                blocks
            }
            CodeState::Stopped(stop) => {
                let (emblem, title, text) = match stop {
                    Stop::Expired => {
                        (Emblem::Clock, Message::HandoffExpiredTitle, Message::HandoffExpiredText)
                    }
                    Stop::Left => (Emblem::Phone, Message::HandoffLeftTitle, Message::HandoffLeftText),
                };
                let again = action(Message::HandoffAgain, Press::TryAgain);
                vec![
                    heading_with(emblem, title.into()),
                    paragraph(text.into()),
                    Block::Actions { primary: again, secondary: Some(here()) },
                ]
            }
        };
        Sheet::new(title, Footer::Consent, blocks)
    }
}

fn shown_blocks(shown: &Shown) -> Vec<Block> {
    match shown {
        Shown::Picture(picture) => vec![
            heading_with(Emblem::Phone, Message::HandoffTitle.into()),
            paragraph(Message::HandoffScan.into()),
            Block::Picture {
                src: picture.clone(),
                alt: Message::HandoffAlt.into(),
                scan: true,
                recording: None,
            },
            remark(Message::HandoffOnce.into()),
        ],
        Shown::Continued => vec![
            heading_with(Emblem::Phone, Message::HandoffContinuedTitle.into()),
            paragraph(Message::HandoffContinuedText.into()),
            notice(Severity::Warning, None, Message::HandoffContinuedWarning.into()),
        ],
    }
}

/// Builds the page of a request, or of its failure.
pub(super) fn working(call: &Call, other_way: Option<Action>) -> Vec<Block> {
    match call.trouble() {
        Some(trouble) => trouble_blocks(trouble, other_way),
        None if call.is_slow() => slow_blocks(),
        None => vec![heading(Message::StartingTitle.into()), Block::Skeleton { rows: 2 }],
    }
}

fn create(origin: &Origin, context: &mut Context) -> CodeState {
    let subject = match origin {
        Origin::Challenge(_) => HandoffSubject::Challenge {},
        Origin::Upload(kind) => HandoffSubject::Upload { archive_type: *kind },
    };
    let ask = HandoffAsk::Create(subject);
    CodeState::Working(Call::send(Ask::Handoff(ask), context), Work::Create)
}
