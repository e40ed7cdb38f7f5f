//! Leave? An alert dialog over a state in which something would be lost.

use link_types::host::UiEventName;

use super::{Input, action, heading_with, paragraph};
use crate::context::Context;
use crate::event::Press;
use crate::generated::message::Message;
use crate::state::State;
use crate::tell;
use crate::view::block::{Action, Block, Emblem};
use crate::view::{FocusTarget, Overlay};

/// The question, over the state that goes on beneath it.
#[derive(Debug)]
pub(crate) struct Leaving {
    pub(crate) under: Box<State>,
    loss: Message,
}

impl Leaving {
    pub(crate) fn ask(under: State, loss: Message, context: &mut Context) -> State {
        context.focus(FocusTarget::Heading);
        tell::ui_event(UiEventName::LeavePageOpened, None, context);
        State::Leaving(Self { under: Box::new(under), loss })
    }

    /// Back to the state beneath.
    pub(crate) fn stay(self, context: &mut Context) -> State {
        context.focus(FocusTarget::Restore);
        *self.under
    }

    pub(crate) fn handle(self, input: Input, context: &mut Context) -> State {
        match input {
            Input::Pressed(Press::Stay) => self.stay(context),
            Input::Replied(_) | Input::TimerFired { .. } => {
                self.beneath(context, |under, context| under.handle(input, context))
            }
            Input::Pressed(_)
            | Input::Chosen { .. }
            | Input::Searched { .. }
            | Input::Filtered { .. }
            | Input::Edited { .. }
            | Input::Left { .. }
            | Input::SecretLeft { .. }
            | Input::Submitted(_) => State::Leaving(self),
        }
    }

    /// The state beneath goes on. What it takes the focus for does not take it out of the question.
    pub(crate) fn beneath(
        self,
        context: &mut Context,
        go_on: impl FnOnce(State, &mut Context) -> State,
    ) -> State {
        let focused = context.focused().turn;
        let under = go_on(*self.under, context);
        let Some(loss) = under.loss() else { return under };
        if context.focused().turn != focused {
            context.focus(FocusTarget::Heading);
        }
        State::Leaving(Self { under: Box::new(under), loss })
    }

    pub(crate) fn overlay(&self) -> Overlay {
        let leave = Action { destructive: true, ..action(Message::LeaveLeave, Press::Leave) };
        Overlay {
            title: Message::LeaveTitle.into(),
            blocks: vec![
                heading_with(Emblem::Warning, Message::LeaveTitle.into()),
                paragraph(self.loss.into()),
                Block::Actions { primary: action(Message::LeaveStay, Press::Stay), secondary: Some(leave) },
            ],
        }
    }
}
