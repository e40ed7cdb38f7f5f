//! The upload of documents: everything from the kinds of documents to what was read from them.
//!
//! Taking back an upload that was submitted is the accounts screen's; this one removes what was not.

use link_types::link::AttemptState;
use link_types::uploading::FileFact;

use crate::context::Context;
use crate::event::{Press, RequestId, TimerId};
use crate::generated::message::Message;
use crate::screen::providers::Providers;
use crate::screen::{Footer, Input, Sheet, action, heading};
use crate::state::State;
use crate::view::Overlay;
use crate::view::block::Block;

/// The upload under way.
#[derive(Debug)]
pub(crate) struct Uploads {}

impl Uploads {
    /// The kinds of documents to choose from.
    pub(crate) fn enter(context: &mut Context) -> State {
        context.turn_page();
        State::Uploads(Box::new(Self {}))
    }

    /// Takes up what an earlier page or session began: an archive under way, or a kind of document that was chosen.
    /// `None` when there is nothing of the kind.
    pub(crate) fn take_up(_: &AttemptState, _: &mut Context) -> Option<State> {
        None
    }

    /// Goes on after a pause.
    pub(crate) fn resume(self: Box<Self>, _: AttemptState, _: &mut Context) -> State {
        State::Uploads(self)
    }

    /// Takes what uploads.ts reports. Whether the service no longer accepts the session.
    pub(crate) fn heard(&mut self, _: FileFact, _: &mut Context) -> bool {
        false
    }

    /// The session is over.
    pub(crate) fn hold(&mut self, _: &mut Context) {}

    /// What lies over the page.
    pub(crate) fn overlay(&self) -> Option<Overlay> {
        None
    }

    pub(crate) fn awaits_reply(&self, _: RequestId) -> bool {
        false
    }

    pub(crate) fn awaits_timer(&self, _: TimerId) -> bool {
        false
    }

    /// What leaving would lose.
    pub(crate) fn loss(&self) -> Option<Message> {
        None
    }

    /// Whether the page has a DONE button.
    pub(crate) fn may_finish(&self) -> bool {
        false
    }

    pub(crate) fn handle(self: Box<Self>, input: Input, context: &mut Context) -> State {
        match input {
            Input::Pressed(Press::Back) => Providers::enter(context),
            Input::Replied(_)
            | Input::TimerFired { .. }
            | Input::Pressed(_)
            | Input::Chosen { .. }
            | Input::Searched { .. }
            | Input::Filtered { .. }
            | Input::Edited { .. }
            | Input::Left { .. }
            | Input::SecretLeft { .. }
            | Input::Submitted(_) => State::Uploads(self),
        }
    }

    pub(crate) fn sheet(&self, _: &Context) -> Sheet {
        let close = Block::Actions { primary: action(Message::ActionClose, Press::Leave), secondary: None };
        let blocks = vec![heading(Message::UploadsTitle.into()), close];
        Sheet { back: true, ..Sheet::new(Message::UploadsTitle.into(), Footer::Consent, blocks) }
    }
}
