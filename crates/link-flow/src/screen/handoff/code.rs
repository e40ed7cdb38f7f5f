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
use crate::event::{Press, Refusal, Reply, RequestId, TimerId};
use crate::generated::message::Message;
use crate::input::Input;
use crate::outcome::Outcome::{self, Go, Stay};
use crate::poll::Poll;
use crate::route::{Origin, Route, UploadRoute};
use crate::screen::parts::{slow_blocks, trouble_blocks};
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
    /// The code is being created.
    Creating(Call),
    /// The code is shown, and no phone has used it.
    Waiting { picture: Sensitive, poll: Poll },
    /// A phone continues.
    Continued(Poll),
    /// The code has expired, or the phone has left.
    Stopped(Stop),
    /// The step is taken back from the phone.
    TakingBack(Call),
    /// The state of the attempt is loaded, to continue here.
    Loading { call: Call, is_finished: bool },
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

    fn call(&self) -> Option<&Call> {
        match &self.state {
            CodeState::Creating(call) | CodeState::TakingBack(call) | CodeState::Loading { call, .. } => {
                Some(call)
            }
            CodeState::Waiting { .. } | CodeState::Continued(_) | CodeState::Stopped(_) => None,
        }
    }

    fn call_mut(&mut self) -> Option<&mut Call> {
        match &mut self.state {
            CodeState::Creating(call) | CodeState::TakingBack(call) | CodeState::Loading { call, .. } => {
                Some(call)
            }
            CodeState::Waiting { .. } | CodeState::Continued(_) | CodeState::Stopped(_) => None,
        }
    }

    fn poll(&self) -> Option<&Poll> {
        match &self.state {
            CodeState::Waiting { poll, .. } | CodeState::Continued(poll) => Some(poll),
            CodeState::Creating(_)
            | CodeState::Stopped(_)
            | CodeState::TakingBack(_)
            | CodeState::Loading { .. } => None,
        }
    }

    fn poll_mut(&mut self) -> Option<&mut Poll> {
        match &mut self.state {
            CodeState::Waiting { poll, .. } | CodeState::Continued(poll) => Some(poll),
            CodeState::Creating(_)
            | CodeState::Stopped(_)
            | CodeState::TakingBack(_)
            | CodeState::Loading { .. } => None,
        }
    }

    pub(super) fn request(&self) -> Option<RequestId> {
        self.call().and_then(Call::request).or_else(|| self.poll()?.request())
    }

    pub(super) fn timer(&self) -> Option<TimerId> {
        self.call().and_then(Call::timer).or_else(|| self.poll()?.timer())
    }

    /// Returns the text about the data that leaving would lose. Closing this page ends the phone's access.
    pub(super) fn loss(&self) -> Option<Message> {
        match (&self.origin, &self.state) {
            (Origin::Challenge(_), _) => Some(Message::LeaveConnecting),
            (Origin::Upload(_), CodeState::Continued(_)) => Some(Message::UploadLoss),
            (
                Origin::Upload(_),
                CodeState::Creating(_)
                | CodeState::Waiting { .. }
                | CodeState::Stopped(_)
                | CodeState::TakingBack(_)
                | CodeState::Loading { .. },
            ) => None,
        }
    }

    pub(super) fn handle(mut self, input: Input, context: &mut Context) -> Outcome<Self> {
        match input {
            Input::Replied(Reply::Handoff(Ok(handoff))) => self.replied(*handoff, context),
            Input::Replied(Reply::Session(Ok(session))) => {
                return Go(self.back(session.attempt, context));
            }
            Input::Replied(Reply::Handoff(Err(refusal)) | Reply::Session(Err(refusal))) => {
                self.refused(&refusal, context);
            }
            Input::TimerFired { elapsed_ms, .. } => {
                if let Some(call) = self.call_mut() {
                    call.timer_fired(elapsed_ms, context);
                    if call.is_slow() {
                        context.turn_page();
                    }
                } else if let Some(poll) = self.poll_mut() {
                    poll.timer_fired(context);
                }
            }
            Input::Pressed(Press::Retry) => {
                if let Some(call) = self.call_mut() {
                    context.turn_page();
                    call.retry(context);
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

    fn replied(&mut self, handoff: handoff::Handoff, context: &mut Context) {
        let is_finished = matches!(handoff.phase, HandoffPhase::Finished {});
        match (&mut self.state, handoff.phase) {
            (CodeState::Creating(_), HandoffPhase::Waiting { .. }) => {
                let picture = Sensitive::new(handoff.picture.as_ref().map_or("", |it| it.expose()));
                context.turn_page();
                self.state = CodeState::Waiting { picture, poll: Poll::handoff(context) };
            }
            (CodeState::TakingBack(_), _) | (_, HandoffPhase::Finished {}) => {
                self.load(is_finished, context);
            }
            (CodeState::Waiting { poll, .. }, HandoffPhase::Waiting { .. })
            | (CodeState::Continued(poll), HandoffPhase::Continued {}) => poll.unchanged(context),
            (_, HandoffPhase::Continued {}) => {
                context.turn_page();
                self.state = CodeState::Continued(Poll::handoff(context));
            }
            (_, HandoffPhase::Expired {}) => self.stop(Stop::Expired, context),
            (_, HandoffPhase::Ended {} | HandoffPhase::Waiting { .. }) => self.stop(Stop::Left, context),
        }
    }

    fn stop(&mut self, stop: Stop, context: &mut Context) {
        context.turn_page();
        self.state = CodeState::Stopped(stop);
    }

    /// Loads the state of the attempt, to continue here.
    fn load(&mut self, is_finished: bool, context: &mut Context) {
        context.turn_page();
        self.state = CodeState::Loading { call: Call::send(Ask::Session, context), is_finished };
    }

    /// Takes the step back from the phone, unless that is under way.
    fn take_back(&mut self, context: &mut Context) {
        if !matches!(self.state, CodeState::TakingBack(_) | CodeState::Loading { .. }) {
            context.turn_page();
            self.state = CodeState::TakingBack(Call::send(Ask::Handoff(HandoffAsk::End), context));
        }
    }

    fn refused(&mut self, refusal: &Refusal, context: &mut Context) {
        let trouble = Trouble::of(refusal);
        match &mut self.state {
            // The step has ended, or the session has created too many codes.
            CodeState::Creating(_) if trouble == Trouble::Refused => {
                context.stop_handing_off();
                self.load(false, context);
            }
            // The service has no hand-off that could be taken back.
            CodeState::TakingBack(_) if trouble == Trouble::Refused => self.load(false, context),
            CodeState::Creating(call) | CodeState::TakingBack(call) | CodeState::Loading { call, .. } => {
                call.refused(refusal, context);
                if call.trouble().is_some() {
                    context.turn_page();
                }
            }
            CodeState::Waiting { .. } | CodeState::Continued(_) if trouble == Trouble::Refused => {
                self.stop(Stop::Left, context);
            }
            CodeState::Waiting { poll, .. } | CodeState::Continued(poll) => {
                let was_lost = poll.is_lost();
                poll.failed(trouble, context);
                if poll.is_lost() && !was_lost {
                    context.announce(Message::ConnectingLostTitle);
                }
            }
            CodeState::Stopped(_) => {}
        }
    }

    /// Returns the page on which the person continues here.
    pub(super) fn back(self, attempt: AttemptState, context: &Context) -> Route {
        let is_finished = matches!(self.state, CodeState::Loading { is_finished: true, .. });
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
        let mut blocks = match &self.state {
            CodeState::Creating(call) | CodeState::TakingBack(call) | CodeState::Loading { call, .. } => {
                working(call, matches!(self.state, CodeState::Creating(_)).then(here))
            }
            CodeState::Waiting { picture, .. } => vec![
                heading_with(Emblem::Phone, title.clone()),
                paragraph(Message::HandoffScan.into()),
                Block::Picture {
                    src: picture.clone(),
                    alt: Message::HandoffAlt.into(),
                    scan: true,
                    recording: None,
                },
                remark(Message::HandoffOnce.into()),
            ],
            CodeState::Continued(_) => vec![
                heading_with(Emblem::Phone, Message::HandoffContinuedTitle.into()),
                paragraph(Message::HandoffContinuedText.into()),
                notice(Severity::Warning, None, Message::HandoffContinuedWarning.into()),
            ],
            CodeState::Stopped(stop) => {
                let (emblem, title, text) = match stop {
                    Stop::Expired => {
                        (Emblem::Clock, Message::HandoffExpiredTitle, Message::HandoffExpiredText)
                    }
                    Stop::Left => (Emblem::Phone, Message::HandoffLeftTitle, Message::HandoffLeftText),
                };
                vec![heading_with(emblem, title.into()), paragraph(text.into())]
            }
        };
        if self.poll().is_some_and(Poll::is_lost) {
            let title = Message::ConnectingLostTitle.into();
            blocks.push(notice(Severity::Warning, Some(title), Message::ConnectingLostText.into()));
        }
        match &self.state {
            CodeState::Waiting { .. } | CodeState::Continued(_) => {
                blocks.push(Block::Actions { primary: here(), secondary: None });
            }
            CodeState::Stopped(_) => {
                let again = action(Message::HandoffAgain, Press::TryAgain);
                blocks.push(Block::Actions { primary: again, secondary: Some(here()) });
            }
            CodeState::Creating(_) | CodeState::TakingBack(_) | CodeState::Loading { .. } => {}
        }
        Sheet::new(title, Footer::Consent, blocks)
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
    CodeState::Creating(Call::send(Ask::Handoff(ask), context))
}
