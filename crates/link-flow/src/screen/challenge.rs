//! The provider asks for something: to type it, to choose it, or to confirm it elsewhere while this page waits.

mod ask;
mod clock;
mod more;
mod send;
mod work;

use std::mem::discriminant;

use link_types::challenge::Challenge;
use link_types::host::UiEventName;
use link_types::link::{AccountProgress, ConnectStep, LinkPhase};

use super::{Input, Sheet};
use crate::call::{Ask, Call, Trouble};
use crate::context::Context;
use crate::event::{Press, Refusal, Reply, RequestId, TimerId};
use crate::fault::Fault;
use crate::generated::message::Message;
use crate::linking::Linking;
use crate::poll::Poll;
use crate::screen::connecting::Connecting;
use crate::screen::login::Login;
use crate::state::State;
use crate::tell;
use crate::view::FocusTarget;
use crate::wait::Wait;
use clock::Clock;
use work::Work;

/// The id of the one input of a challenge.
pub(crate) const ANSWER: &str = "answer";

/// The page of a challenge.
#[derive(Debug)]
pub(crate) struct ChallengeScreen {
    linking: Linking,
    challenge: Challenge,
    clock: Clock,
    selected: Option<String>,
    remark: Option<Remark>,
    /// Until the service accepts another answer.
    wait: Option<Wait>,
    work: Work,
}

/// What is said about the answer before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Remark {
    /// It was wrong.
    Wrong,
    /// It does not have the form of an answer.
    Fault(Fault),
    /// No choice was made.
    NoChoice,
    /// It did not reach the service.
    NotSent,
    /// Too many answers were wrong.
    TooManyTries,
    /// The service did not take it.
    Trouble(Trouble),
}

impl ChallengeScreen {
    #[inline(never)]
    pub(crate) fn enter(linking: Linking, challenge: Challenge, context: &mut Context) -> State {
        context.turn_page();
        tell::ui_event(UiEventName::MfaPageOpened, Some(linking.subject()), context);
        Self::show(linking, challenge, context)
    }

    fn show(linking: Linking, challenge: Challenge, context: &mut Context) -> State {
        let clock = Clock::start(&challenge, context);
        let remark = remark(&challenge);
        let work = Work::Answering(None);
        Box::new(Self { linking, challenge, clock, selected: None, remark, wait: None, work })
            .answering(context)
    }

    /// Another challenge after this one. After a wrong answer or with a new code it is the same page, its input empty.
    fn next(mut self: Box<Self>, challenge: Challenge, context: &mut Context) -> State {
        let is_renewed = matches!(self.work, Work::Resending(_) | Work::Renewing(_));
        let is_extended = matches!(self.work, Work::Extending(_));
        let is_same_kind = discriminant(&self.challenge.kind) == discriminant(&challenge.kind);
        let is_same = is_same_kind && challenge.id == self.challenge.id && !is_renewed;
        if is_same && (is_extended || !challenge.wrong_answer) {
            if is_extended {
                context.announce(Message::ChallengeExtended);
            }
            return self.keep(challenge, context);
        }
        if !is_same_kind || !(is_renewed || challenge.wrong_answer) {
            return Self::enter(self.linking, challenge, context);
        }
        context.turn_page();
        context.announce(if is_renewed {
            Message::ChallengeResent.into()
        } else {
            ask::wrong_text(&challenge)
        });
        if ask::has_input(&challenge) {
            context.focus(FocusTarget::Field(ANSWER.to_owned()));
        }
        self.clock = Clock::start(&challenge, context);
        self.remark = remark(&challenge);
        self.selected = None;
        self.challenge = challenge;
        self.answering(context)
    }

    /// The same challenge with other times: what was typed stays.
    fn keep(mut self: Box<Self>, challenge: Challenge, context: &mut Context) -> State {
        self.clock = Clock::start(&challenge, context);
        self.wait = self.wait.and_then(|wait| wait.resume(context));
        self.challenge = challenge;
        self.answering(context)
    }

    /// Goes on after a pause. A challenge that still stands keeps its page, and with it what was typed.
    #[inline(never)]
    pub(crate) fn resume(
        mut self: Box<Self>,
        progress: Option<AccountProgress>,
        context: &mut Context,
    ) -> State {
        let Some(progress) = progress.filter(|progress| progress.account_id == self.linking.account) else {
            return Login::again(self.linking, context);
        };
        match progress.phase {
            LinkPhase::Challenge { challenge } if challenge.id == self.challenge.id => {
                self.linking.version = progress.version;
                self.keep(challenge, context)
            }
            LinkPhase::Connecting { .. }
            | LinkPhase::Challenge { .. }
            | LinkPhase::Connected {}
            | LinkPhase::Failed { .. }
            | LinkPhase::Disconnected {} => self.news(progress, context),
        }
    }

    #[inline(never)]
    pub(crate) fn awaits_reply(&self, request: RequestId) -> bool {
        self.work.request() == Some(request)
    }

    #[inline(never)]
    pub(crate) fn awaits_timer(&self, timer: TimerId) -> bool {
        self.clock.timer() == Some(timer)
            || self.wait.as_ref().is_some_and(|wait| wait.timer() == timer)
            || self.work.timer() == Some(timer)
    }

    #[inline(never)]
    pub(crate) fn handle(self: Box<Self>, input: Input, context: &mut Context) -> State {
        match input {
            Input::Replied(Reply::Account(Ok(progress))) => self.replied(*progress, context),
            Input::Replied(Reply::Account(Err(refusal))) => self.refused(&refusal, context),
            Input::Replied(Reply::Session(reply)) => match reply {
                Ok(session) => self.settle(session.attempt.account, context),
                Err(refusal) => self.asked_in_vain(&refusal, context),
            },
            Input::TimerFired { timer, elapsed_ms } => self.timer_fired(timer, elapsed_ms, context),
            Input::Chosen { id } if self.is_answering() => self.choose(id, context),
            Input::Submitted(secrets) if self.is_answering() && self.wait.is_none() => {
                self.submit(secrets, context)
            }
            Input::Pressed(Press::Resend) if self.is_answering() => {
                let channel = more::usual_channel(&self.challenge);
                self.resend(channel, context)
            }
            Input::Replied(_)
            | Input::Pressed(_)
            | Input::Chosen { .. }
            | Input::Searched { .. }
            | Input::Filtered { .. }
            | Input::Edited { .. }
            | Input::Left { .. }
            | Input::SecretLeft { .. }
            | Input::Submitted(_) => State::Challenge(self),
        }
    }

    fn is_answering(&self) -> bool {
        matches!(self.work, Work::Answering(_) | Work::Extending(_))
    }

    fn is_renewing(&self) -> bool {
        matches!(self.work, Work::Resending(_) | Work::Renewing(_))
    }

    /// The person answers. Where they do so elsewhere, and when the time is over, nothing they do here brings news, so
    /// the service is asked for it.
    fn answering(self: Box<Self>, context: &mut Context) -> State {
        let poll = (self.clock.has_run_out() || !ask::is_answered_here(&self.challenge))
            .then(|| Poll::start(&self.linking.account, self.linking.version, context));
        self.stay(Work::Answering(poll))
    }

    fn stay(mut self: Box<Self>, work: Work) -> State {
        self.work = work;
        State::Challenge(self)
    }

    fn replied(mut self: Box<Self>, progress: AccountProgress, context: &mut Context) -> State {
        if self.linking.is_news(&progress) {
            return self.news(progress, context);
        }
        let Linking { account, version, .. } = &self.linking;
        self.work.without_news(account, *version, context);
        State::Challenge(self)
    }

    fn news(mut self: Box<Self>, progress: AccountProgress, context: &mut Context) -> State {
        self.linking.version = progress.version;
        let phase = match progress.phase {
            LinkPhase::Challenge { challenge } => return self.next(challenge, context),
            phase @ (LinkPhase::Connecting { .. }
            | LinkPhase::Connected {}
            | LinkPhase::Failed { .. }
            | LinkPhase::Disconnected {}) => phase,
        };
        let stays = ask::is_answered_here(&self.challenge) || self.is_renewing();
        if !matches!(phase, LinkPhase::Connecting { .. }) || !stays {
            return self.linking.follow(phase, context);
        }
        // While the provider checks an answer or sends a code, this page stays: leaving and coming back would flicker.
        let poll = Poll::start(&self.linking.account, self.linking.version, context);
        let work = match self.work {
            Work::Resending(_) | Work::Renewing(_) => Work::Renewing(poll),
            Work::Answering(_)
            | Work::Extending(_)
            | Work::Sending(_)
            | Work::Checking(_)
            | Work::Asking(_) => Work::Checking(poll),
        };
        self.stay(work)
    }

    fn refused(mut self: Box<Self>, refusal: &Refusal, context: &mut Context) -> State {
        let trouble = Trouble::of(refusal);
        match (&self.work, trouble) {
            (Work::Resending(_) | Work::Extending(_), _) | (Work::Sending(_), Trouble::Busy(_)) => {
                if let Trouble::Busy(retry_in_ms) = trouble {
                    self.wait = Wait::start(retry_in_ms, context);
                }
                let is_guessing = matches!(refusal, Refusal::LoginLimited { .. });
                let remark = if is_guessing { Remark::TooManyTries } else { Remark::Trouble(trouble) };
                self.remarked(remark, context)
            }
            (
                Work::Sending(_),
                Trouble::Offline | Trouble::Unavailable | Trouble::Unreadable | Trouble::Refused,
            ) => {
                let call = Call::send(Ask::Session, context);
                self.stay(Work::Asking(call))
            }
            // A poll: the service knows no such account any more, and none will ever find it.
            (Work::Answering(_) | Work::Checking(_) | Work::Renewing(_), Trouble::Refused) => {
                self.linking.follow(LinkPhase::Disconnected {}, context)
            }
            // A poll was answered with what this build cannot read: that page knows how to wait for the next.
            (Work::Answering(_) | Work::Checking(_) | Work::Renewing(_), Trouble::Unreadable) => {
                Connecting::enter(self.linking, ConnectStep::CheckingAnswer, context)
            }
            (Work::Answering(_) | Work::Checking(_) | Work::Renewing(_) | Work::Asking(_), _) => {
                self.work.unanswered(trouble, context);
                State::Challenge(self)
            }
        }
    }

    /// The answer was lost: the attempt tells what became of it.
    fn settle(self: Box<Self>, progress: Option<AccountProgress>, context: &mut Context) -> State {
        match progress {
            Some(progress) if self.linking.is_news(&progress) => self.news(progress, context),
            Some(_) | None => self.remarked(Remark::NotSent, context),
        }
    }

    fn asked_in_vain(mut self: Box<Self>, refusal: &Refusal, context: &mut Context) -> State {
        let Work::Asking(call) = &mut self.work else { return State::Challenge(self) };
        call.refused(refusal, context);
        if call.trouble().is_some() {
            self.remarked(Remark::NotSent, context)
        } else {
            State::Challenge(self)
        }
    }

    fn remarked(mut self: Box<Self>, remark: Remark, context: &mut Context) -> State {
        context.announce(ask::remark_title(remark, &self.challenge, &self.linking.provider.name));
        self.remark = Some(remark);
        self.answering(context)
    }

    fn timer_fired(mut self: Box<Self>, timer: TimerId, elapsed_ms: u32, context: &mut Context) -> State {
        if self.clock.timer() == Some(timer) {
            self.clock.tick(elapsed_ms, context);
            return if matches!(self.work, Work::Answering(None)) {
                self.answering(context)
            } else {
                State::Challenge(self)
            };
        }
        if let Some(wait) = self.wait.take() {
            if wait.timer() == timer {
                self.wait = wait.tick(elapsed_ms, context);
                if self.wait.is_none() {
                    self.remark = None;
                }
                return State::Challenge(self);
            }
            self.wait = Some(wait);
        }
        self.work.rested(elapsed_ms, context);
        State::Challenge(self)
    }

    #[inline(never)]
    pub(crate) fn sheet(&self, _: &Context) -> Sheet {
        ask::sheet(self)
    }
}

fn remark(challenge: &Challenge) -> Option<Remark> {
    challenge.wrong_answer.then_some(Remark::Wrong)
}
