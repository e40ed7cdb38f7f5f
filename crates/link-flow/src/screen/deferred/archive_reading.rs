//! The service reads a submitted upload: shows the stages and polls for changes.

use link_types::host::UiEventName;
use link_types::uploading::{AnalyzeStep, ArchivePhase, ArchiveProgress};

use crate::call::Trouble;
use crate::context::Context;
use crate::emit;
use crate::event::{Press, Reply};
use crate::generated::message::Message;
use crate::input::Input;
use crate::input::Outcome::{self, Go, Stay};
use crate::poll::Poll;
use crate::route::{Route, UploadRoute};
use crate::screen::parts::lost_notice;
use crate::sheet::{Footer, Sheet};
use crate::uploads::kind_name;
use crate::view::Text;
use crate::view::block::{Block, Stage, StageState};
use crate::view::build::{action, heading, paragraph, remark};

/// The progress page.
#[derive(Debug)]
pub(crate) struct Reading {
    archive: ArchiveProgress,
    step: AnalyzeStep,
    pub(crate) poll: Poll,
}

impl Reading {
    pub(crate) fn enter(archive: ArchiveProgress, step: AnalyzeStep, context: &mut Context) -> Self {
        context.turn_page();
        emit::uploads_created(&archive, context);
        emit::archive_event(UiEventName::ArchiveProgressPageOpened, &archive.archive_id, context);
        let poll = Poll::archive(&archive.archive_id, archive.version, context);
        Self { archive, step, poll }
    }

    /// Resumes in a new session.
    pub(crate) fn resume(mut self, archives: Vec<ArchiveProgress>, context: &mut Context) -> Outcome<Self> {
        match archives.into_iter().find(|archive| archive.archive_id == self.archive.archive_id) {
            Some(archive) => self.handle_progress(archive, context),
            None => {
                self.poll = Poll::archive(&self.archive.archive_id, self.archive.version, context);
                Stay(self)
            }
        }
    }

    pub(crate) fn handle(mut self, input: Input, context: &mut Context) -> Outcome<Self> {
        match input {
            Input::Replied(Reply::Archive(Ok(archive))) if archive.version > self.archive.version => {
                return self.handle_progress(*archive, context);
            }
            Input::Replied(Reply::Archive(Ok(_))) => self.poll.handle_unchanged(context),
            Input::Replied(Reply::Archive(Err(refusal))) => {
                let trouble = Trouble::from_refusal(&refusal);
                if trouble == Trouble::Refused {
                    // The service no longer has the archive, and another poll would not find it.
                    return Go(Route::Uploads(UploadRoute::Start));
                }
                self.poll.handle_failure(trouble, context);
            }
            Input::TimerFired { .. } => self.poll.handle_timer(context),
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
        Stay(self)
    }

    fn handle_progress(mut self, archive: ArchiveProgress, context: &mut Context) -> Outcome<Self> {
        let ArchivePhase::Analyzing { step } = archive.phase else {
            return Go(Route::Uploads(UploadRoute::Archive(Box::new(archive))));
        };
        if step != self.step {
            context.announce(words(step));
        }
        self.step = step;
        self.poll = Poll::archive(&archive.archive_id, archive.version, context);
        self.archive = archive;
        Stay(self)
    }

    pub(crate) fn sheet(&self) -> Sheet {
        let title = Text::from(Message::ReadingTitle);
        let stage = |text: Message, state| Stage { text: text.into(), state };
        let stages = vec![
            stage(Message::ReadingReceived, StageState::Done),
            stage(words(self.step), StageState::Current),
            stage(Message::ReadingChecked, StageState::Waiting),
        ];
        let mut blocks = vec![
            heading(title.clone()),
            paragraph(Message::ReadingText.into()),
            remark(kind_name(self.archive.archive_type).into()),
            Block::Progress { stages },
        ];
        if self.poll.is_lost() {
            blocks.push(lost_notice());
        }
        blocks.push(Block::Actions { primary: action(Message::ActionClose, Press::Leave), secondary: None });
        Sheet::new(title, Footer::Consent, blocks)
    }
}

const fn words(step: AnalyzeStep) -> Message {
    match step {
        AnalyzeStep::Queued => Message::ReadingQueued,
        AnalyzeStep::Reading => Message::ReadingPages,
    }
}
