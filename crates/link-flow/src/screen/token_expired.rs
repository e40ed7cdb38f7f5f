//! The token or session has expired: everything pauses until the host page gives a new token.

use link_types::Sensitive;
use link_types::host::UiEventName;
use link_types::link::LinkSession;

use super::{Footer, Input, Sheet, about, action, heading_with, paragraph, trouble_blocks};
use crate::call::{Ask, Call};
use crate::context::{Context, Identity};
use crate::effect::Effect;
use crate::event::{Press, Reply};
use crate::generated::message::Message;
use crate::pause;
use crate::screen::starting::{self, Verdict, verdict};
use crate::state::State;
use crate::tell;
use crate::view::Overlay;
use crate::view::block::{Action, ActionState, Block, Emblem};

/// A host page whose tokens are all refused is asked no more than this, or the two would go round for ever.
const MOST_EXPIRIES: u32 = 3;

/// The page, over what is paused.
#[derive(Debug)]
pub(crate) struct TokenExpired {
    pub(crate) paused: Option<Box<State>>,
    /// Whom the first session was for; a session for anyone else never goes on here.
    identity: Option<Identity>,
    stage: Stage,
}

#[derive(Debug)]
enum Stage {
    /// The host page is asked for a token.
    Asking,
    /// A new token is exchanged.
    Renewing {
        call: Call,
        /// The person asked for it again: the button that they pressed stays where it is.
        is_retried: bool,
    },
    /// The new session was somebody else's: everything is cleared.
    Mismatch,
}

impl TokenExpired {
    /// The very first token had expired.
    pub(crate) fn before_start(context: &mut Context) -> State {
        context.turn_page();
        Self::ask(None, None, context)
    }

    /// The session has ended over a state, or is about to.
    pub(crate) fn over(mut paused: State, context: &mut Context) -> State {
        if let Some(uploads) = paused.uploads() {
            uploads.hold(context);
        }
        let identity = context.session.as_ref().map(|session| session.identity());
        let paused = Some(Box::new(paused));
        context.focus(crate::view::FocusTarget::Heading);
        match context.spare_token.take() {
            Some(token) => {
                let stage = Stage::renewing(token, context);
                State::TokenExpired(Box::new(Self { paused, identity, stage }))
            }
            None => Self::ask(paused, identity, context),
        }
    }

    fn ask(paused: Option<Box<State>>, identity: Option<Identity>, context: &mut Context) -> State {
        if context.expiries < MOST_EXPIRIES {
            tell::token_expired(context);
        }
        tell::ui_event(UiEventName::TokenExpiredPageOpened, None, context);
        State::TokenExpired(Box::new(Self { paused, identity, stage: Stage::Asking }))
    }

    /// The host page gave a new token.
    pub(crate) fn renew(mut self: Box<Self>, token: Sensitive, context: &mut Context) -> State {
        context.announce(Message::ExpiredRenewingTitle);
        self.stage = Stage::renewing(token, context);
        State::TokenExpired(self)
    }

    pub(crate) fn call(&self) -> Option<&Call> {
        match &self.stage {
            Stage::Renewing { call, .. } => Some(call),
            Stage::Asking | Stage::Mismatch => None,
        }
    }

    /// What leaving would lose of what is paused.
    pub(crate) fn loss(&self) -> Option<Message> {
        self.paused.as_ref()?.loss()
    }

    pub(crate) fn handle(mut self: Box<Self>, input: Input, context: &mut Context) -> State {
        let Stage::Renewing { call, is_retried } = &mut self.stage else { return State::TokenExpired(self) };
        match input {
            Input::Replied(Reply::Session(Ok(session))) => {
                return arrived(self.paused, self.identity, *session, context);
            }
            Input::Replied(Reply::Session(Err(refusal))) => match verdict(&refusal) {
                Verdict::Expired | Verdict::Unknown => return Self::ask(self.paused, self.identity, context),
                Verdict::Trouble => call.refused(&refusal, context),
            },
            Input::TimerFired { elapsed_ms, .. } => call.rested(elapsed_ms, context),
            Input::Pressed(Press::Retry) => {
                *is_retried = true;
                call.retry(context);
            }
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
        State::TokenExpired(self)
    }

    /// The page beneath: what is paused, or this screen itself when there is nothing to pause.
    pub(crate) fn sheet(&self, context: &Context) -> Sheet {
        match &self.paused {
            Some(paused) => paused.sheet(context),
            None => Sheet::new(Message::DialogTitle.into(), Footer::None, self.blocks(context)),
        }
    }

    /// The alert dialog over what is paused.
    pub(crate) fn overlay(&self, context: &Context) -> Option<Overlay> {
        self.paused.as_ref()?;
        Some(Overlay { title: self.title().into(), blocks: self.blocks(context) })
    }

    fn title(&self) -> Message {
        match (&self.stage, &self.paused) {
            (Stage::Asking, Some(_)) => Message::ExpiredTitle,
            (Stage::Asking, None) => Message::ExpiredStartTitle,
            (Stage::Renewing { .. }, _) => Message::ExpiredRenewingTitle,
            (Stage::Mismatch, _) => Message::ExpiredMismatchTitle,
        }
    }

    fn blocks(&self, context: &Context) -> Vec<Block> {
        let close = action(Message::ActionClose, Press::Leave);
        let mut buttons = (close, None);
        let (emblem, text) = match (&self.stage, &self.paused) {
            (Stage::Renewing { call, is_retried }, _) => {
                if let Some(trouble) = call.trouble() {
                    return trouble_blocks(trouble, Some(buttons.0));
                }
                if *is_retried {
                    let busy =
                        Action { state: ActionState::Busy, ..action(Message::ActionRetry, Press::Retry) };
                    buttons = (busy, Some(buttons.0));
                }
                (Emblem::Clock, Message::ExpiredRenewingText.into())
            }
            (Stage::Asking, Some(_)) => (Emblem::Clock, about(Message::ExpiredText, context.company())),
            (Stage::Asking, None) => (Emblem::Clock, Message::ExpiredStartText.into()),
            (Stage::Mismatch, _) => (Emblem::Warning, Message::ExpiredMismatchText.into()),
        };
        vec![
            heading_with(emblem, self.title().into()),
            paragraph(text),
            Block::Actions { primary: buttons.0, secondary: buttons.1 },
        ]
    }
}

impl Stage {
    fn renewing(token: Sensitive, context: &mut Context) -> Self {
        Self::Renewing { call: Call::send(Ask::Exchange(token), context), is_retried: false }
    }
}

/// A new session is there: it goes on only for the same person, template and environment.
fn arrived(
    paused: Option<Box<State>>,
    identity: Option<Identity>,
    session: LinkSession,
    context: &mut Context,
) -> State {
    if let Some(identity) = identity.filter(|identity| !identity.is_of(&session)) {
        // The session of somebody else was opened to no purpose; it must not stay open.
        context.effect(Effect::EndSession);
        context.forget();
        context.turn_page();
        let stage = Stage::Mismatch;
        return State::TokenExpired(Box::new(TokenExpired { paused: None, identity: Some(identity), stage }));
    }
    match paused {
        Some(paused) => pause::resume(*paused, session, context),
        None => starting::arrive(session, context),
    }
}
