//! The trait of all screens of the deferred chunk.
//!
//! The first part of the wasm calls them only through a vtable, so nothing of them can be inlined into it (ADR 213).

use core::any::Any;
use core::fmt;

use link_types::link::AttemptState;
use link_types::uploading::FileFact;

use crate::context::Context;
use crate::event::{RequestId, TimerId};
use crate::generated::message::Message;
use crate::input::Input;
use crate::input::Outcome;
use crate::sheet::Sheet;
use crate::view::Overlay;

/// A screen of the deferred chunk. It is behind a pointer, so that a transition moves only that.
pub(crate) type Deferred = Box<dyn DeferredScreen>;

/// A screen of the deferred chunk, as the flow sees it.
pub(crate) trait DeferredScreen: fmt::Debug + Any {
    /// Handles an input.
    fn handle(self: Box<Self>, input: Input, context: &mut Context) -> Outcome<Deferred>;

    /// The content of the page.
    fn sheet(&self, context: &Context) -> Sheet;

    /// Continues in a new session of the same person, without asking again for what was already submitted.
    fn resume(self: Box<Self>, attempt: AttemptState, context: &mut Context) -> Outcome<Deferred>;

    /// Whether the screen waits for the reply to that request.
    fn awaits_reply(&self, _: RequestId) -> bool {
        false
    }

    /// Whether the screen waits for that timer.
    fn awaits_timer(&self, _: TimerId) -> bool {
        false
    }

    /// Returns the text about the data that the person would lose by leaving now.
    fn loss(&self) -> Option<Message> {
        None
    }

    /// Whether the page has a DONE button, which closes with the reason `exit`.
    fn may_finish(&self) -> bool {
        false
    }

    /// Whether the screen needs a session.
    fn needs_session(&self) -> bool {
        true
    }

    /// Whether the page asks for consent, and therefore shows the link template's name.
    fn is_consent(&self) -> bool {
        false
    }

    /// Whether this is the upload, which has files open.
    fn has_files(&self) -> bool {
        false
    }

    /// The dialog over the page.
    fn overlay(&self) -> Option<Overlay> {
        None
    }

    /// Handles a report of uploads.ts. Returns whether the service no longer accepts the session.
    fn handle_fact(&mut self, _: FileFact, _: &mut Context) -> bool {
        false
    }

    /// Stops a recording, because a dialog covers the page.
    fn silence(&mut self, _: &mut Context) {}

    /// Stops sending, because the session is over.
    fn hold(&mut self, _: &mut Context) {}

    /// Cancels a submission that waits to be sent again, because the person asks to leave.
    fn cancel_submission(&mut self) {}
}
