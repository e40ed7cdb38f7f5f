//! The service links the account: shows the stages and polls for changes.

use link_types::host::UiEventName;
use link_types::link::AttemptState;
use link_types::link::{AccountProgress, ConnectStep, LinkPhase};

use crate::call::Trouble;
use crate::context::Context;
use crate::emit;
use crate::event::RequestId;
use crate::event::TimerId;
use crate::event::{Press, Reply};
use crate::generated::message::Message;
use crate::input::Input;
use crate::input::Outcome::{self, Go, Stay};
use crate::linking::Linking;
use crate::mark::mark;
use crate::poll::Poll;
use crate::route::Route;
use crate::screen::deferred_screen::{Deferred, DeferredScreen};
use crate::screen::parts::lost_notice;
use crate::sheet::{Footer, Sheet};
use crate::view::Text;
use crate::view::block::{Block, Emblem, Stage, StageState};
use crate::view::build::{about, action, heading, heading_with, paragraph};

/// The progress page.
#[derive(Debug)]
pub(crate) struct Connecting {
    linking: Box<Linking>,
    step: ConnectStep,
    pub(crate) poll: Poll,
    /// Whether a whole poll passed without a change.
    is_slow: bool,
    /// Whether the service sent something that this build cannot read, most likely a new kind of challenge.
    is_unreadable: bool,
}

impl Connecting {
    pub(crate) fn enter(linking: Box<Linking>, step: ConnectStep, context: &mut Context) -> Box<Self> {
        context.turn_page();
        emit::ui_event(UiEventName::ConnectProgressPageOpened, Some(linking.subject()), context);
        let poll = Poll::start(&linking.account, linking.version, context);
        Box::new(Self { linking, step, poll, is_slow: false, is_unreadable: false })
    }

    fn handle_progress(
        mut self: Box<Self>,
        progress: AccountProgress,
        context: &mut Context,
    ) -> Outcome<Deferred> {
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
                Stay(self)
            }
            phase @ (LinkPhase::Challenge { .. }
            | LinkPhase::Connected {}
            | LinkPhase::Failed { .. }
            | LinkPhase::Disconnected {}) => Go(Route::linking(self.linking, phase)),
        }
    }

    fn handle_unchanged(&mut self, context: &mut Context) {
        if !self.is_slow {
            context.announce(about(Message::ConnectingSlow, &self.linking.provider.name));
        }
        self.is_slow = true;
        self.poll.handle_unchanged(context);
    }
}

impl DeferredScreen for Connecting {
    fn handle(mut self: Box<Self>, input: Input, context: &mut Context) -> Outcome<Deferred> {
        match input {
            Input::Replied(Reply::Account(Ok(progress))) if self.linking.is_newer(&progress) => {
                self.handle_progress(*progress, context)
            }
            Input::Replied(Reply::Account(Ok(_))) => {
                self.handle_unchanged(context);
                Stay(self)
            }
            Input::Replied(Reply::Account(Err(refusal)))
                if Trouble::from_refusal(&refusal) == Trouble::Unreadable && !self.is_unreadable =>
            {
                context.turn_page();
                self.is_unreadable = true;
                self.poll.handle_failure(Trouble::Unreadable, context);
                Stay(self)
            }
            Input::Pressed(Press::ChooseAnother) if self.is_unreadable => Go(Route::Providers),
            // The service no longer has the account, and another poll would not find it.
            Input::Replied(Reply::Account(Err(refusal)))
                if Trouble::from_refusal(&refusal) == Trouble::Refused =>
            {
                Go(Route::Providers)
            }
            Input::Replied(Reply::Account(Err(refusal))) => {
                self.poll.handle_failure(Trouble::from_refusal(&refusal), context);
                Stay(self)
            }
            Input::TimerFired { .. } => {
                self.poll.handle_timer(context);
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

    fn sheet(&self, _: &Context) -> Sheet {
        let provider = &self.linking.provider;
        if self.is_unreadable {
            return unsupported_sheet(&provider.name);
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
            blocks.push(lost_notice());
        }
        Sheet::new(title, Footer::Consent, blocks)
    }

    fn resume(mut self: Box<Self>, attempt: AttemptState, context: &mut Context) -> Outcome<Deferred> {
        let progress = attempt.account;
        let Some(progress) = progress.filter(|progress| progress.account_id == self.linking.account) else {
            return Go(Route::sign_in_again(self.linking, context));
        };
        if self.linking.is_newer(&progress) {
            return self.handle_progress(progress, context);
        }
        self.poll = Poll::start(&self.linking.account, self.linking.version, context);
        Stay(self)
    }

    fn awaits_reply(&self, request: RequestId) -> bool {
        self.poll.request() == Some(request)
    }

    fn awaits_timer(&self, timer: TimerId) -> bool {
        self.poll.timer() == Some(timer)
    }

    fn loss(&self) -> Option<Message> {
        Some(Message::LeaveConnecting)
    }
}

/// Says that the widget cannot continue, unless the service does by itself: the person cannot answer on this page.
fn unsupported_sheet(provider: &str) -> Sheet {
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
    Sheet::new(title, Footer::Consent, blocks)
}

/// Returns the stages that the service has reported. Later ones are unknown.
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
