//! The question whether to leave: an alert dialog over a state in which something would be lost.

use link_types::host::UiEventName;

use crate::context::Context;
use crate::emit;
use crate::event::Press;
use crate::generated::message::Message;
use crate::state::State;
use crate::view::block::{Action, Block, Emblem};
use crate::view::build::{action, heading_with, paragraph};
use crate::view::{FocusTarget, Overlay};

/// Opens the dialog over a state.
pub(crate) fn ask(mut under: State, loss: Message, context: &mut Context) -> State {
    under.silence(context);
    context.focus(FocusTarget::Heading);
    emit::ui_event(UiEventName::LeavePageOpened, None, context);
    State::Leaving { under: Box::new(under), loss }
}

/// Closes the dialog.
pub(crate) fn stay(under: State, context: &mut Context) -> State {
    context.focus(FocusTarget::Restore);
    under
}

/// Continues with the state below the dialog. The focus stays in the dialog if leaving would still lose data.
pub(crate) fn beneath(
    under: State,
    context: &mut Context,
    resume: impl FnOnce(State, &mut Context) -> State,
) -> State {
    let focused = context.current_focus().turn;
    let under = resume(under, context);
    let Some(loss) = under.loss() else { return under };
    if context.current_focus().turn != focused {
        context.focus(FocusTarget::Heading);
    }
    State::Leaving { under: Box::new(under), loss }
}

/// Builds the dialog.
pub(crate) fn overlay(loss: Message) -> Overlay {
    let leave = Action { destructive: true, ..action(Message::LeaveLeave, Press::Leave) };
    Overlay {
        title: Message::LeaveTitle.into(),
        blocks: vec![
            heading_with(Emblem::Warning, Message::LeaveTitle.into()),
            paragraph(loss.into()),
            Block::Actions { primary: action(Message::LeaveStay, Press::Stay), secondary: Some(leave) },
        ],
    }
}
