//! What is already linked: connected accounts and uploads.

use link_types::host::UiEventName;
use link_types::uploading::Linked;

use super::{Footer, Input, Sheet, action, heading, trouble_blocks};
use crate::call::{Ask, Call};
use crate::context::Context;
use crate::event::{Press, Reply, RequestId, TimerId};
use crate::generated::message::Message;
use crate::screen::consent;
use crate::state::State;
use crate::tell;
use crate::view::Text;
use crate::view::block::Block;

/// The accounts page.
#[derive(Debug)]
pub(crate) struct Accounts {
    stage: Stage,
}

#[derive(Debug)]
enum Stage {
    /// What is linked is loaded.
    Loading(Call),
    /// It is there.
    Listing(Box<Linked>),
}

impl Accounts {
    pub(crate) fn enter(context: &mut Context) -> State {
        context.turn_page();
        tell::ui_event(UiEventName::AccountListPageOpened, None, context);
        let call = Call::send(Ask::Linked, context);
        State::Accounts(Box::new(Self { stage: Stage::Loading(call) }))
    }

    /// Goes on after a pause.
    pub(crate) fn resume(self: Box<Self>, context: &mut Context) -> State {
        match self.stage {
            Stage::Loading(_) => Self::enter(context),
            Stage::Listing(_) => State::Accounts(self),
        }
    }

    fn call(&self) -> Option<&Call> {
        match &self.stage {
            Stage::Loading(call) => Some(call),
            Stage::Listing(_) => None,
        }
    }

    pub(crate) fn awaits_reply(&self, request: RequestId) -> bool {
        self.call().and_then(Call::request) == Some(request)
    }

    pub(crate) fn awaits_timer(&self, timer: TimerId) -> bool {
        self.call().and_then(Call::timer) == Some(timer)
    }

    pub(crate) fn handle(mut self: Box<Self>, input: Input, context: &mut Context) -> State {
        match (&mut self.stage, input) {
            (Stage::Loading(_), Input::Replied(Reply::Linked(Ok(linked)))) => {
                self.stage = Stage::Listing(linked);
            }
            (Stage::Loading(call), Input::Replied(Reply::Linked(Err(refusal)))) => {
                call.refused(&refusal, context);
            }
            (Stage::Loading(call), Input::TimerFired { .. }) => call.rested(context),
            (Stage::Loading(call), Input::Pressed(Press::Retry)) => call.retry(context),
            (_, Input::Pressed(Press::ChooseAnother)) => return consent::begin(context),
            (
                Stage::Loading(_) | Stage::Listing(_),
                Input::Replied(_)
                | Input::TimerFired { .. }
                | Input::Pressed(_)
                | Input::Chosen { .. }
                | Input::Searched { .. }
                | Input::Filtered { .. }
                | Input::Edited { .. }
                | Input::Left { .. }
                | Input::SecretLeft { .. }
                | Input::Submitted(_),
            ) => {}
        }
        State::Accounts(self)
    }

    pub(crate) fn sheet(&self, _: &Context) -> Sheet {
        let title = Text::from(Message::AccountsTitle);
        let blocks = match &self.stage {
            Stage::Loading(call) => match call.trouble() {
                Some(trouble) => trouble_blocks(trouble, None),
                None => vec![heading(title.clone()), Block::Skeleton { rows: 3 }],
            },
            Stage::Listing(_) => vec![
                heading(title.clone()),
                Block::Actions {
                    primary: action(Message::SuccessAnother, Press::ChooseAnother),
                    secondary: Some(action(Message::ActionDone, Press::Done)),
                },
            ],
        };
        Sheet::new(title, Footer::Consent, blocks)
    }
}
