//! The service is at work: its own stages, and the long poll that brings the next.

use link_types::host::UiEventName;
use link_types::link::{AccountProgress, ConnectStep, LinkPhase};

use super::{Footer, Input, Sheet, about, action, heading, heading_with, notice, paragraph};
use crate::call::Trouble;
use crate::context::Context;
use crate::event::{Press, Reply};
use crate::generated::message::Message;
use crate::linking::Linking;
use crate::mark::mark;
use crate::poll::Poll;
use crate::screen::login::Login;
use crate::screen::providers::Providers;
use crate::state::State;
use crate::tell;
use crate::view::Text;
use crate::view::block::{Block, Emblem, Severity, Stage, StageState};

/// The page of progress.
#[derive(Debug)]
pub(crate) struct Connecting {
    linking: Linking,
    step: ConnectStep,
    pub(crate) poll: Poll,
    /// A whole poll passed without news.
    is_slow: bool,
    /// The service says something that this build cannot read: most likely a challenge of a kind that is new.
    is_unreadable: bool,
}

impl Connecting {
    pub(crate) fn enter(linking: Linking, step: ConnectStep, context: &mut Context) -> State {
        context.turn_page();
        tell::ui_event(UiEventName::ConnectProgressPageOpened, Some(linking.subject()), context);
        let poll = Poll::start(&linking.account, linking.version, context);
        State::Connecting(Box::new(Self { linking, step, poll, is_slow: false, is_unreadable: false }))
    }

    /// Goes on after a pause.
    pub(crate) fn resume(
        mut self: Box<Self>,
        progress: Option<AccountProgress>,
        context: &mut Context,
    ) -> State {
        let Some(progress) = progress.filter(|progress| progress.account_id == self.linking.account) else {
            return Login::again(self.linking, context);
        };
        if self.linking.is_news(&progress) {
            return self.news(progress, context);
        }
        self.poll = Poll::start(&self.linking.account, self.linking.version, context);
        State::Connecting(self)
    }

    pub(crate) fn handle(mut self: Box<Self>, input: Input, context: &mut Context) -> State {
        match input {
            Input::Replied(Reply::Account(Ok(progress))) if self.linking.is_news(&progress) => {
                self.news(*progress, context)
            }
            Input::Replied(Reply::Account(Ok(_))) => self.calm(context),
            Input::Replied(Reply::Account(Err(refusal)))
                if Trouble::of(&refusal) == Trouble::Unreadable && !self.is_unreadable =>
            {
                context.turn_page();
                self.is_unreadable = true;
                self.poll.failed(Trouble::Unreadable, context);
                State::Connecting(self)
            }
            Input::Pressed(Press::ChooseAnother) if self.is_unreadable => Providers::enter(context),
            // The service knows no such account any more, and no poll will ever find it.
            Input::Replied(Reply::Account(Err(refusal))) if Trouble::of(&refusal) == Trouble::Refused => {
                self.linking.follow(LinkPhase::Disconnected {}, context)
            }
            Input::Replied(Reply::Account(Err(refusal))) => {
                let was_lost = self.poll.is_lost();
                self.poll.failed(Trouble::of(&refusal), context);
                if self.poll.is_lost() && !was_lost {
                    context.announce(Message::ConnectingLostTitle);
                }
                State::Connecting(self)
            }
            Input::TimerFired { .. } => {
                self.poll.rested(context);
                State::Connecting(self)
            }
            Input::Replied(_)
            | Input::Pressed(_)
            | Input::Chosen { .. }
            | Input::Searched { .. }
            | Input::Filtered { .. }
            | Input::Edited { .. }
            | Input::Left { .. }
            | Input::SecretLeft { .. }
            | Input::Submitted(_) => State::Connecting(self),
        }
    }

    fn news(mut self: Box<Self>, progress: AccountProgress, context: &mut Context) -> State {
        self.linking.version = progress.version;
        match progress.phase {
            LinkPhase::Connecting { step } => {
                if step != self.step {
                    context.announce(step_text(step, &self.linking.provider.name));
                }
                self.step = step;
                self.is_slow = false;
                self.is_unreadable = false;
                self.poll = Poll::start(&self.linking.account, self.linking.version, context);
                State::Connecting(self)
            }
            phase @ (LinkPhase::Challenge { .. }
            | LinkPhase::Connected {}
            | LinkPhase::Failed { .. }
            | LinkPhase::Disconnected {}) => self.linking.follow(phase, context),
        }
    }

    fn calm(mut self: Box<Self>, context: &mut Context) -> State {
        if !self.is_slow {
            context.announce(about(Message::ConnectingSlow, &self.linking.provider.name));
        }
        self.is_slow = true;
        self.poll.calm(context);
        State::Connecting(self)
    }

    pub(crate) fn sheet(&self, _: &Context) -> Sheet {
        let provider = &self.linking.provider;
        if self.is_unreadable {
            return unsupported(&provider.name);
        }
        let title = about(Message::ConnectingTitle, &provider.name);
        let words = if self.is_slow {
            about(Message::ConnectingSlow, &provider.name)
        } else {
            Message::ConnectingText.into()
        };
        let mut blocks = vec![
            Block::Provider {
                mark: mark(&provider.name, provider.logo_url.as_deref()),
                name: Text::Verbatim(provider.name.clone()),
                detail: None,
            },
            heading(title.clone()),
            paragraph(words),
            Block::Progress { stages: stages(self.step, &provider.name) },
        ];
        if self.poll.is_lost() {
            let title = Message::ConnectingLostTitle.into();
            blocks.push(notice(Severity::Warning, Some(title), Message::ConnectingLostText.into()));
        }
        Sheet::new(title, Footer::Password, blocks)
    }
}

/// An honest end, unless the service goes on by itself: nothing on this page could answer it.
fn unsupported(provider: &str) -> Sheet {
    let title = Text::from(Message::ChallengeUnsupportedTitle);
    let blocks = vec![
        heading_with(Emblem::Warning, title.clone()),
        paragraph(about(Message::ChallengeUnsupportedText, provider)),
        paragraph(about(Message::ChallengeUnsupportedNext, provider)),
        Block::Actions {
            primary: action(Message::ActionChooseAnother, Press::ChooseAnother),
            secondary: Some(action(Message::ActionClose, Press::Leave)),
        },
    ];
    Sheet::new(title, Footer::Password, blocks)
}

/// The stages, as far as the service has told: what comes after the current one is not known to come.
fn stages(step: ConnectStep, provider: &str) -> Vec<Stage> {
    let sent = || (Message::ConnectingStageSent.into(), StageState::Done);
    let rows: Vec<(Text, StageState)> = match step {
        ConnectStep::Queued => {
            vec![sent(), (about(Message::ConnectingStageLogin, provider), StageState::Waiting)]
        }
        ConnectStep::LoggingIn => vec![sent(), (step_text(step, provider), StageState::Current)],
        ConnectStep::CheckingAnswer => vec![
            sent(),
            (about(Message::ConnectingStageLogin, provider), StageState::Done),
            (step_text(step, provider), StageState::Current),
        ],
    };
    let last = (Message::ConnectingStageFinish.into(), StageState::Waiting);
    rows.into_iter().chain([last]).map(|(text, state)| Stage { text, state }).collect()
}

fn step_text(step: ConnectStep, provider: &str) -> Text {
    match step {
        ConnectStep::Queued => Message::ConnectingStageSent.into(),
        ConnectStep::LoggingIn => about(Message::ConnectingStageLogin, provider),
        ConnectStep::CheckingAnswer => Message::ConnectingStageAnswer.into(),
    }
}
