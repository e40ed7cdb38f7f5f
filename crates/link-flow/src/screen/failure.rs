//! Linking failed: what happened, why, and what to do next, for each code.

mod words;

use link_types::ErrorCode;
use link_types::host::UiEventName;

use super::{Footer, Input, Sheet, action, heading_with, paragraph};
use crate::context::Context;
use crate::event::{Press, TimerId};
use crate::generated::message::Message;
use crate::linking::Linking;
use crate::screen::login::Login;
use crate::screen::providers::Providers;
use crate::state::State;
use crate::tell;
use crate::view::Text;
use crate::view::block::{Action, ActionState, Block};
use words::{Advice, Words};

const TICK_MS: u32 = 1_000;

/// The error page.
#[derive(Debug)]
pub(crate) struct Failure {
    linking: Linking,
    code: ErrorCode,
    /// Until the service accepts another try.
    wait: Option<Wait>,
}

#[derive(Debug)]
struct Wait {
    left_ms: u32,
    timer: TimerId,
}

impl Failure {
    pub(crate) fn enter(linking: Linking, code: ErrorCode, retry_in_ms: u32, context: &mut Context) -> State {
        context.turn_page();
        tell::account_error(linking.subject(), linking.version, code.clone(), context);
        tell::ui_event(UiEventName::ConnectErrorPageOpened, Some(linking.subject()), context);
        let wait = wait(retry_in_ms, context);
        State::Failure(Box::new(Self { linking, code, wait }))
    }

    /// Goes on after a pause. How long the pause was is not known, so the wait goes on where it was.
    pub(crate) fn resume(mut self: Box<Self>, context: &mut Context) -> State {
        self.wait = wait(self.wait.as_ref().map_or(0, |wait| wait.left_ms), context);
        State::Failure(self)
    }

    pub(crate) fn awaits_timer(&self, timer: TimerId) -> bool {
        self.wait.as_ref().is_some_and(|wait| wait.timer == timer)
    }

    pub(crate) fn handle(mut self: Box<Self>, input: Input, context: &mut Context) -> State {
        match input {
            Input::Pressed(Press::TryAgain) if self.wait.is_none() => Login::again(self.linking, context),
            Input::Pressed(Press::ChooseAnother) if context.preferences.provider.is_none() => {
                Providers::enter(context)
            }
            Input::TimerFired { elapsed_ms, .. } => {
                let left_ms = self.wait.as_ref().map_or(0, |wait| wait.left_ms.saturating_sub(elapsed_ms));
                self.wait = wait(left_ms, context);
                State::Failure(self)
            }
            Input::Replied(_)
            | Input::Pressed(_)
            | Input::Chosen { .. }
            | Input::Searched { .. }
            | Input::Filtered { .. }
            | Input::Edited { .. }
            | Input::Left { .. }
            | Input::SecretLeft { .. }
            | Input::Submitted(_) => State::Failure(self),
        }
    }

    pub(crate) fn sheet(&self, context: &Context) -> Sheet {
        let Words { emblem, title, cause, next, advice } =
            words::of(&self.code, &self.linking.provider.name, context.company());
        let mut blocks = vec![heading_with(emblem, title.clone()), paragraph(cause), paragraph(next)];
        if let Some(wait) = &self.wait {
            let seconds = wait.left_ms.div_ceil(1_000);
            blocks.push(super::remark(Text::with(Message::LoginWait, vec![seconds.into()])));
        }
        let (primary, secondary) = self.actions(advice, context);
        blocks.push(Block::Actions { primary, secondary: Some(secondary) });
        Sheet::new(title, Footer::Consent, blocks)
    }

    fn actions(&self, advice: Advice, context: &Context) -> (Action, Action) {
        let state = if self.wait.is_some() { ActionState::Off } else { ActionState::Ready };
        let try_again = |label| Action { state, ..action(label, Press::TryAgain) };
        let elsewhere = if context.preferences.provider.is_some() {
            action(Message::ActionClose, Press::Leave)
        } else {
            action(Message::ActionChooseAnother, Press::ChooseAnother)
        };
        match advice {
            Advice::EnterAgain => (try_again(Message::ErrorTryAgain), elsewhere),
            Advice::Retry => (try_again(Message::ActionRetry), elsewhere),
            Advice::OtherLogin => (try_again(Message::ActionAnotherLogin), elsewhere),
            Advice::Elsewhere => (elsewhere, try_again(Message::ActionAnotherLogin)),
            Advice::AfterMending => (elsewhere, try_again(Message::ActionRetry)),
        }
    }
}

fn wait(left_ms: u32, context: &mut Context) -> Option<Wait> {
    (left_ms > 0).then(|| Wait { left_ms, timer: context.start_timer(TICK_MS) })
}
