//! The provider challenges the person: to type something, to choose, or to confirm elsewhere while this page waits.

mod ask;
mod clock;
mod listening;
mod more;
mod redirect;
mod send;
mod work;

use std::mem::discriminant;

use link_types::challenge::{Challenge, ChallengeKind};
use link_types::host::UiEventName;
use link_types::link::AttemptState;
use link_types::link::{AccountProgress, ConnectStep, LinkPhase};
use link_types::uploading::{FileFact, FileOrder};

use crate::call::{Ask, Call, Trouble};
use crate::context::Context;
use crate::effect::Effect;
use crate::emit;
use crate::event::{Press, Reply, RequestError, RequestId, TimerId};
use crate::fault::FieldError;
use crate::generated::message::Message;
use crate::input::Input;
use crate::input::Outcome::{self, Go, Stay};
use crate::linking::Linking;
use crate::poll::Poll;
use crate::route::{HandoffRoute, Origin, Route};
use crate::screen::deferred_screen::{Deferred, DeferredScreen};
use crate::screen::parts::PHONE;
use crate::sheet::Sheet;
use crate::view::FocusTarget;
use crate::wait::Wait;
use clock::Clock;
use listening::Listening;
use work::Work;

/// The id of the only input of a challenge.
pub(crate) const ANSWER: &str = "answer";

/// The page of a challenge.
#[derive(Debug)]
pub(crate) struct ChallengeScreen {
    linking: Box<Linking>,
    challenge: Challenge,
    clock: Clock,
    listening: Listening,
    selected: Option<String>,
    notice: Option<Notice>,
    /// Runs until the service accepts another answer.
    wait: Option<Wait>,
    work: Work,
    /// Whether the person opened the provider's page.
    has_left: bool,
}

/// The notice about the previous answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Notice {
    /// The answer was wrong.
    Wrong,
    /// The answer does not match the format.
    Error(FieldError),
    /// No choice was selected.
    NoChoice,
    /// The answer did not reach the service.
    NotSent,
    /// Too many answers were wrong.
    TooManyTries,
    /// The service did not accept the request.
    Trouble(Trouble),
    /// The provider has not sent the person back yet.
    NothingYet,
}

impl ChallengeScreen {
    pub(crate) fn enter(linking: Box<Linking>, challenge: Challenge, context: &mut Context) -> Box<Self> {
        context.turn_page();
        emit::ui_event(UiEventName::MfaPageOpened, Some(linking.subject()), context);
        let clock = Clock::start(&challenge, context);
        let listening = Listening::start(&challenge, context);
        let notice = notice(&challenge);
        let work = Work::Answering(None);
        if matches!(challenge.kind, ChallengeKind::OneTimeCode { .. }) {
            // The person types the code at once. The announcement replaces the heading, which the focus skips.
            context.focus(FocusTarget::Field(ANSWER.to_owned()));
            context.announce(ask::text(&challenge.kind, &linking.provider.name));
        }
        let (selected, wait, has_left) = (None, None, false);
        let mut screen =
            Box::new(Self { linking, challenge, clock, listening, selected, notice, wait, work, has_left });
        screen.answering(context);
        screen
    }

    /// Shows the next challenge. After a wrong answer or with a new code it is the same page with an empty input.
    fn next(mut self: Box<Self>, challenge: Challenge, context: &mut Context) -> Box<Self> {
        let is_renewed = matches!(self.work, Work::Resending(_) | Work::Renewing(_));
        let is_extended = matches!(self.work, Work::Extending(_));
        let is_same_kind = discriminant(&self.challenge.kind) == discriminant(&challenge.kind);
        let is_same = is_same_kind && challenge.id == self.challenge.id && !is_renewed;
        if is_same && (is_extended || !challenge.wrong_answer) {
            if is_extended {
                context.announce(Message::ChallengeExtended);
            }
            self.keep(challenge, context);
            return self;
        }
        self.listening.stop(context);
        if !is_same_kind || !(is_renewed || challenge.wrong_answer) {
            return Self::enter(self.linking, challenge, context);
        }
        context.turn_page();
        context.announce(if is_renewed {
            ask::renewed_text(&challenge.kind)
        } else {
            ask::wrong_text(&challenge)
        });
        if ask::has_input(&challenge) {
            context.focus(FocusTarget::Field(ANSWER.to_owned()));
        }
        self.clock = Clock::start(&challenge, context);
        self.listening = Listening::Silent;
        self.notice = notice(&challenge);
        self.selected = None;
        self.challenge = challenge;
        self.answering(context);
        self
    }

    /// Takes the new times of the same challenge and keeps the typed text.
    fn keep(&mut self, challenge: Challenge, context: &mut Context) {
        self.clock = Clock::start(&challenge, context);
        self.wait = self.wait.take().and_then(|wait| wait.resume(context));
        self.challenge = challenge;
        self.answering(context);
    }

    fn react(mut self: Box<Self>, input: Input, context: &mut Context) -> Outcome<Box<Self>> {
        match input {
            Input::Replied(Reply::Account(Ok(progress))) => return self.handle_reply(*progress, context),
            Input::Replied(Reply::Account(Err(refusal))) => return self.handle_refusal(&refusal, context),
            Input::Replied(Reply::Session(reply)) => match reply {
                Ok(session) => return self.settle(session.attempt.account, context),
                Err(refusal) => self.handle_rejection(&refusal, context),
            },
            Input::TimerFired { timer, elapsed_ms } => self.handle_timer(timer, elapsed_ms, context),
            Input::Chosen { id } if id == PHONE && self.is_answering() && context.may_hand_off() => {
                return Go(Route::Handoff(HandoffRoute::Offer(Origin::Challenge(self.linking))));
            }
            Input::Chosen { id } => match more::route(&self, &id, context) {
                Some(route) => return Go(route),
                None if self.is_answering() => self.choose(id, context),
                None => {}
            },
            Input::Submitted(secrets) if self.is_answering() && self.wait.is_none() => {
                self.submit(secrets, context);
            }
            Input::Pressed(Press::Resend) if self.is_answering() => {
                let channel = more::usual_channel(&self.challenge);
                self.resend(channel, context);
            }
            Input::Pressed(Press::Listen) if self.is_answering() => {
                self.listening.handle_press(&self.challenge, context);
            }
            Input::Pressed(Press::OpenTab) => self.open_tab(context),
            Input::Pressed(Press::Retry) => self.come_back(context),
            Input::Pressed(Press::ChooseAnother) if more::may_choose_another(&self, context) => {
                return Go(Route::Providers);
            }
            Input::Replied(_)
            | Input::Pressed(_)
            | Input::Searched { .. }
            | Input::Filtered { .. }
            | Input::Edited { .. }
            | Input::Left { .. }
            | Input::SecretLeft { .. }
            | Input::Submitted(_) => {}
        }
        Stay(self)
    }

    fn is_answering(&self) -> bool {
        matches!(self.work, Work::Answering(_) | Work::Extending(_))
    }

    fn is_renewing(&self) -> bool {
        matches!(self.work, Work::Resending(_) | Work::Renewing(_))
    }

    /// Waits for the answer. If the person answers elsewhere or the time is over, only a poll reports the result.
    fn answering(&mut self, context: &mut Context) {
        let poll = (self.clock.has_run_out() || !ask::is_answered_here(&self.challenge))
            .then(|| Poll::start(&self.linking.account, self.linking.version, context));
        self.work = Work::Answering(poll);
    }

    fn handle_reply(
        mut self: Box<Self>,
        progress: AccountProgress,
        context: &mut Context,
    ) -> Outcome<Box<Self>> {
        if self.linking.is_newer(&progress) {
            return self.handle_progress(progress, context);
        }
        let Linking { account, version, .. } = &*self.linking;
        self.work.handle_unchanged(account, *version, context);
        Stay(self)
    }

    fn handle_progress(
        mut self: Box<Self>,
        progress: AccountProgress,
        context: &mut Context,
    ) -> Outcome<Box<Self>> {
        self.linking.version = progress.version;
        let phase = match progress.phase {
            LinkPhase::Challenge { challenge } => return Stay(self.next(challenge, context)),
            phase @ (LinkPhase::Connecting { .. }
            | LinkPhase::Connected {}
            | LinkPhase::Failed { .. }
            | LinkPhase::Disconnected {}) => phase,
        };
        let stays = ask::is_answered_here(&self.challenge) || self.is_renewing();
        if !matches!(phase, LinkPhase::Connecting { .. }) || !stays {
            return Go(Route::linking(self.linking, phase));
        }
        // This page stays while the provider checks an answer or sends a code: another page in between would flicker.
        let poll = Poll::start(&self.linking.account, self.linking.version, context);
        self.work = match self.work {
            Work::Resending(_) | Work::Renewing(_) => Work::Renewing(poll),
            Work::Answering(_)
            | Work::Extending(_)
            | Work::Sending(_)
            | Work::Checking(_)
            | Work::Asking(_) => Work::Checking(poll),
        };
        Stay(self)
    }

    fn handle_refusal(
        mut self: Box<Self>,
        refusal: &RequestError,
        context: &mut Context,
    ) -> Outcome<Box<Self>> {
        let trouble = Trouble::from_refusal(refusal);
        match (&self.work, trouble) {
            (Work::Resending(_) | Work::Extending(_), _) | (Work::Sending(_), Trouble::Busy(_)) => {
                if let Trouble::Busy(retry_in_ms) = trouble {
                    self.wait = Wait::start(retry_in_ms, context);
                }
                let is_guessing = matches!(refusal, RequestError::LoginLimited { .. });
                let notice = if is_guessing { Notice::TooManyTries } else { Notice::Trouble(trouble) };
                self.show_notice(notice, context);
            }
            (
                Work::Sending(_),
                Trouble::Offline | Trouble::Unavailable | Trouble::Unreadable | Trouble::Refused,
            ) => self.work = Work::Asking(Call::send(Ask::Session, context)),
            // A refused poll: the service no longer has the account, and another poll would not find it.
            (Work::Answering(_) | Work::Checking(_) | Work::Renewing(_), Trouble::Refused) => {
                return Go(Route::Providers);
            }
            // This build cannot read the reply to a poll. The page of progress waits for the next one.
            (Work::Answering(_) | Work::Checking(_) | Work::Renewing(_), Trouble::Unreadable) => {
                let phase = LinkPhase::Connecting { step: ConnectStep::CheckingAnswer };
                return Go(Route::linking(self.linking, phase));
            }
            (Work::Answering(_) | Work::Checking(_) | Work::Renewing(_) | Work::Asking(_), _) => {
                self.work.handle_failure(trouble, context);
            }
        }
        Stay(self)
    }

    /// The reply to the answer was lost, or the person came back: the attempt shows what became of it.
    fn settle(
        mut self: Box<Self>,
        progress: Option<AccountProgress>,
        context: &mut Context,
    ) -> Outcome<Box<Self>> {
        match progress {
            Some(progress) if self.linking.is_newer(&progress) => self.handle_progress(progress, context),
            Some(_) | None => {
                let notice = if self.is_redirect() { Notice::NothingYet } else { Notice::NotSent };
                self.show_notice(notice, context);
                Stay(self)
            }
        }
    }

    fn handle_rejection(&mut self, refusal: &RequestError, context: &mut Context) {
        if let Work::Asking(call) = &mut self.work {
            call.handle_refusal(refusal, context);
            match call.trouble() {
                Some(trouble) if self.is_redirect() => self.show_notice(Notice::Trouble(trouble), context),
                Some(_) => self.show_notice(Notice::NotSent, context),
                None => {}
            }
        }
    }

    fn show_notice(&mut self, notice: Notice, context: &mut Context) {
        context.announce(ask::notice_title(notice, &self.challenge, &self.linking.provider.name));
        self.notice = Some(notice);
        self.answering(context);
    }

    fn handle_timer(&mut self, timer: TimerId, elapsed_ms: u32, context: &mut Context) {
        if self.clock.timer() == Some(timer) {
            self.clock.tick(elapsed_ms, context);
            if matches!(self.work, Work::Answering(None)) {
                self.answering(context);
            }
        } else if self.wait.as_ref().is_some_and(|wait| wait.timer() == timer) {
            self.wait = self.wait.take().and_then(|wait| wait.tick(elapsed_ms, context));
            if self.wait.is_none() {
                self.notice = None;
            }
        } else {
            self.work.handle_timer(elapsed_ms, context);
        }
    }
}

impl DeferredScreen for ChallengeScreen {
    fn handle(self: Box<Self>, input: Input, context: &mut Context) -> Outcome<Deferred> {
        let is_playing = self.listening == Listening::Playing;
        match self.react(input, context) {
            Stay(mut screen) => {
                if !screen.is_answering() {
                    screen.listening.stop(context);
                }
                Stay(screen)
            }
            Go(route) => {
                if is_playing {
                    context.effect(Effect::File(FileOrder::Silence {}));
                }
                Go(route)
            }
        }
    }

    fn sheet(&self, context: &Context) -> Sheet {
        ask::sheet(self, context)
    }

    fn resume(mut self: Box<Self>, attempt: AttemptState, context: &mut Context) -> Outcome<Deferred> {
        let progress = attempt.account;
        let Some(progress) = progress.filter(|progress| progress.account_id == self.linking.account) else {
            return Go(Route::sign_in_again(self.linking, context));
        };
        match progress.phase {
            LinkPhase::Challenge { challenge } if challenge.id == self.challenge.id => {
                self.linking.version = progress.version;
                self.keep(challenge, context);
                Stay(self)
            }
            LinkPhase::Connecting { .. }
            | LinkPhase::Challenge { .. }
            | LinkPhase::Connected {}
            | LinkPhase::Failed { .. }
            | LinkPhase::Disconnected {} => {
                self.handle_progress(progress, context).map(|screen| screen as Deferred)
            }
        }
    }

    fn awaits_reply(&self, request: RequestId) -> bool {
        self.work.request() == Some(request)
    }

    fn awaits_timer(&self, timer: TimerId) -> bool {
        self.clock.timer() == Some(timer)
            || self.wait.as_ref().is_some_and(|wait| wait.timer() == timer)
            || self.work.timer() == Some(timer)
    }

    fn loss(&self) -> Option<Message> {
        Some(Message::LeaveConnecting)
    }

    fn handle_fact(&mut self, fact: FileFact, context: &mut Context) -> bool {
        self.listening.handle_report(&fact, context);
        false
    }

    fn silence(&mut self, context: &mut Context) {
        self.listening.stop(context);
    }
}

fn notice(challenge: &Challenge) -> Option<Notice> {
    challenge.wrong_answer.then_some(Notice::Wrong)
}
