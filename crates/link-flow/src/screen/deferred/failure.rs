//! Linking failed: what happened, why, and what to do next, for each error code.

mod words;

use link_types::ErrorCode;
use link_types::host::UiEventName;
use link_types::link::AttemptState;

use crate::context::Context;
use crate::emit;
use crate::event::{Press, TimerId};
use crate::generated::message::Message;
use crate::input::Input;
use crate::input::Outcome::{self, Go, Stay};
use crate::linking::Linking;
use crate::route::{Route, UploadRoute};
use crate::screen::deferred_screen::{Deferred, DeferredScreen};
use crate::screen::parts::{UPLOAD, elsewhere, limit_notice};
use crate::sheet::{Footer, Sheet};
use crate::view::block::{Action, ActionState, Block};
use crate::view::build::{action, heading_with, paragraph, row, rows};
use crate::wait::Wait;
use words::{Advice, Words};

/// The error page.
#[derive(Debug)]
pub(crate) struct Failure {
    linking: Box<Linking>,
    code: ErrorCode,
    /// Whether the person declined the request in the provider's app.
    declined: bool,
    /// Runs until the service accepts another attempt.
    wait: Option<Wait>,
}

impl Failure {
    pub(crate) fn enter(
        linking: Box<Linking>,
        (code, declined): (ErrorCode, bool),
        retry_in_ms: u32,
        context: &mut Context,
    ) -> Box<Self> {
        context.turn_page();
        emit::account_error(linking.subject(), linking.version, code.clone(), context);
        emit::ui_event(UiEventName::ConnectErrorPageOpened, Some(linking.subject()), context);
        let wait = Wait::start(retry_in_ms, context);
        Box::new(Self { linking, code, declined, wait })
    }

    /// Documents are an alternative, unless the person only mistyped the login.
    fn may_upload(&self, context: &Context) -> bool {
        context.may_upload() && words::advice(&self.code, self.declined) != Advice::EnterAgain
    }

    fn actions(&self, advice: Advice, context: &Context) -> (Action, Action) {
        let state = if self.wait.is_some() { ActionState::Off } else { ActionState::Ready };
        let try_again = |label| Action { state, ..action(label, Press::TryAgain) };
        let elsewhere = elsewhere(context);
        match advice {
            Advice::EnterAgain => (try_again(Message::ErrorTryAgain), elsewhere),
            Advice::Retry => (try_again(Message::ActionRetry), elsewhere),
            Advice::OtherLogin => (try_again(Message::ActionAnotherLogin), elsewhere),
            Advice::Elsewhere => (elsewhere, try_again(Message::ActionAnotherLogin)),
            Advice::AfterMending => (elsewhere, try_again(Message::ActionRetry)),
        }
    }
}

impl DeferredScreen for Failure {
    fn handle(mut self: Box<Self>, input: Input, context: &mut Context) -> Outcome<Deferred> {
        match input {
            Input::Pressed(Press::TryAgain) if self.wait.is_none() => {
                Go(Route::sign_in_again(self.linking, context))
            }
            Input::Chosen { id } if id == UPLOAD && self.may_upload(context) => {
                Go(Route::Uploads(UploadRoute::Start))
            }
            Input::Pressed(Press::ChooseAnother) if !context.preferences.is_fixed() => Go(Route::Providers),
            Input::TimerFired { elapsed_ms, .. } => {
                self.wait = self.wait.and_then(|wait| wait.tick(elapsed_ms, context));
                Stay(self)
            }
            Input::Replied(_)
            | Input::Pressed(_)
            | Input::Chosen { .. }
            | Input::Searched { .. }
            | Input::Filtered { .. }
            | Input::Edited { .. }
            | Input::Left { .. }
            | Input::SecretLeft { .. }
            | Input::Submitted(_) => Stay(self),
        }
    }

    fn sheet(&self, context: &Context) -> Sheet {
        let Words { emblem, title, cause, next, advice } =
            words::for_code((&self.code, self.declined), &self.linking.provider.name, context.company());
        let mut blocks = vec![heading_with(emblem, title.clone()), paragraph(cause), paragraph(next)];
        if self.wait.is_some() {
            blocks.push(limit_notice(self.wait.as_ref()));
        }
        if self.may_upload(context) {
            blocks.push(rows(vec![row(UPLOAD, Message::ActionUpload.into())], false));
        }
        let (primary, secondary) = self.actions(advice, context);
        blocks.push(Block::Actions { primary, secondary: Some(secondary) });
        Sheet::new(title, Footer::Consent, blocks)
    }

    fn resume(mut self: Box<Self>, _: AttemptState, context: &mut Context) -> Outcome<Deferred> {
        self.wait = self.wait.and_then(|wait| wait.resume(context));
        Stay(self)
    }

    fn awaits_timer(&self, timer: TimerId) -> bool {
        self.wait.as_ref().is_some_and(|wait| wait.timer() == timer)
    }
}
