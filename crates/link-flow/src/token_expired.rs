//! The token or session has expired: the flow pauses until the host page gives a new token.

use link_types::Sensitive;
use link_types::host::{LinkMistake, UiEventName};
use link_types::link::LinkSession;

use crate::call::{Ask, Call, Verdict, verdict};
use crate::context::{Context, Identity};
use crate::effect::Effect;
use crate::emit;
use crate::event::{Press, Reply};
use crate::generated::message::Message;
use crate::input::Input;
use crate::screen::parts::{slow_blocks, trouble_blocks};
use crate::sheet::{Footer, Sheet};
use crate::view::block::{Action, ActionState, Block, Emblem};
use crate::view::build::{about, action, heading_with, paragraph};
use crate::view::{FocusTarget, Overlay};

/// How often the host page is asked for a token. The limit ends an endless loop if all its tokens are refused.
const MAX_EXPIRIES: u32 = 3;

/// The wait for a new token: a dialog over the paused screen, or a separate page.
#[derive(Debug)]
pub(crate) struct TokenExpired {
    /// The person, template and environment of the first session. No other session continues here.
    identity: Option<Identity>,
    state: TokenRenewal,
}

#[derive(Debug)]
enum TokenRenewal {
    /// The host page is asked for a token.
    Asking,
    /// A new token is exchanged.
    Renewing {
        call: Call,
        /// The person pressed the retry button, which stays in its place.
        is_retried: bool,
    },
    /// The new session belongs to someone else; all data is cleared.
    Mismatch,
}

/// The result of an input.
#[derive(Debug)]
pub(crate) enum Renewal {
    /// The pause continues.
    Pending(Box<TokenExpired>),
    /// The paused screen continues in this session.
    Renewed(Box<LinkSession>),
    /// The new session belongs to someone else: the paused screen must be dropped.
    Foreign(Box<TokenExpired>),
}

impl TokenExpired {
    /// Starts the wait because the first token had expired.
    pub(crate) fn before_start(context: &mut Context) -> Box<Self> {
        context.turn_page();
        Self::ask(None, context)
    }

    /// Starts the wait because the session of the current screen has ended or is about to.
    pub(crate) fn over(context: &mut Context) -> Box<Self> {
        let identity = context.session.as_ref().map(|session| session.identity());
        context.focus(FocusTarget::Heading);
        match context.spare_token.take() {
            Some(token) => Box::new(Self { identity, state: TokenRenewal::renewing(token, context) }),
            None => Self::ask(identity, context),
        }
    }

    fn ask(identity: Option<Identity>, context: &mut Context) -> Box<Self> {
        if context.expiries < MAX_EXPIRIES {
            emit::token_expired(context);
        }
        emit::ui_event(UiEventName::TokenExpiredPageOpened, None, context);
        Box::new(Self { identity, state: TokenRenewal::Asking })
    }

    /// Exchanges a new token of the host page.
    pub(crate) fn renew(mut self: Box<Self>, token: Sensitive, context: &mut Context) -> Box<Self> {
        context.announce(Message::ExpiredRenewingTitle);
        self.state = TokenRenewal::renewing(token, context);
        self
    }

    pub(crate) fn call(&self) -> Option<&Call> {
        match &self.state {
            TokenRenewal::Renewing { call, .. } => Some(call),
            TokenRenewal::Asking | TokenRenewal::Mismatch => None,
        }
    }

    pub(crate) fn handle(mut self: Box<Self>, input: Input, context: &mut Context) -> Renewal {
        let TokenRenewal::Renewing { call, is_retried } = &mut self.state else {
            return Renewal::Pending(self);
        };
        match input {
            Input::Replied(Reply::Session(Ok(session))) => return self.accept_session(session, context),
            Input::Replied(Reply::Session(Err(refusal))) => match verdict(&refusal) {
                kind @ (Verdict::Expired | Verdict::Unknown) => {
                    let cause = match kind {
                        Verdict::Expired => LinkMistake::TokenExpired,
                        Verdict::Unknown | Verdict::Trouble => LinkMistake::Token,
                    };
                    emit::error(cause, context);
                    return Renewal::Pending(Self::ask(self.identity, context));
                }
                Verdict::Trouble => call.handle_refusal(&refusal, context),
            },
            Input::TimerFired { elapsed_ms, .. } => call.handle_timer(elapsed_ms, context),
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
        Renewal::Pending(self)
    }

    /// Accepts a new session, if it is for the same person, template and environment.
    fn accept_session(self: Box<Self>, session: Box<LinkSession>, context: &mut Context) -> Renewal {
        match self.identity {
            Some(identity) if !identity.is_of(&session) => {
                // This opening must not leave someone else's session open.
                context.effect(Effect::EndSession);
                context.forget();
                context.turn_page();
                Renewal::Foreign(Box::new(Self { identity: Some(identity), state: TokenRenewal::Mismatch }))
            }
            Some(_) | None => Renewal::Renewed(session),
        }
    }

    /// Builds the separate page, for the case that no screen is paused.
    pub(crate) fn sheet(&self, context: &Context) -> Sheet {
        Sheet::new(Message::DialogTitle.into(), Footer::None, self.blocks(false, context))
    }

    /// Builds the alert dialog over a paused screen.
    pub(crate) fn overlay(&self, context: &Context) -> Overlay {
        Overlay { title: self.title(true).into(), blocks: self.blocks(true, context) }
    }

    fn title(&self, is_over: bool) -> Message {
        match (&self.state, is_over) {
            (TokenRenewal::Asking, true) => Message::ExpiredTitle,
            (TokenRenewal::Asking, false) => Message::ExpiredStartTitle,
            (TokenRenewal::Renewing { .. }, _) => Message::ExpiredRenewingTitle,
            (TokenRenewal::Mismatch, _) => Message::ExpiredMismatchTitle,
        }
    }

    fn blocks(&self, is_over: bool, context: &Context) -> Vec<Block> {
        let close = action(Message::ActionClose, Press::Leave);
        let mut buttons = (close, None);
        let (emblem, text) = match (&self.state, is_over) {
            (TokenRenewal::Renewing { call, is_retried }, _) => {
                if let Some(trouble) = call.trouble() {
                    return trouble_blocks(trouble, Some(buttons.0));
                }
                if call.is_slow() {
                    return slow_blocks();
                }
                if *is_retried {
                    let busy =
                        Action { state: ActionState::Busy, ..action(Message::ActionRetry, Press::Retry) };
                    buttons = (busy, Some(buttons.0));
                }
                (Emblem::Clock, Message::ExpiredRenewingText.into())
            }
            (TokenRenewal::Asking, true) => (Emblem::Clock, about(Message::ExpiredText, context.company())),
            (TokenRenewal::Asking, false) => (Emblem::Clock, Message::ExpiredStartText.into()),
            (TokenRenewal::Mismatch, _) => (Emblem::Warning, Message::ExpiredMismatchText.into()),
        };
        vec![
            heading_with(emblem, self.title(is_over).into()),
            paragraph(text),
            Block::Actions { primary: buttons.0, secondary: buttons.1 },
        ]
    }
}

impl TokenRenewal {
    fn renewing(token: Sensitive, context: &mut Context) -> Self {
        Self::Renewing { call: Call::send(Ask::Exchange(token), context), is_retried: false }
    }
}
