//! The end of an upload: it was read, or it could not be read and the person can correct that.

use link_types::archive::{ArchiveErrorCode, ArchiveType};
use link_types::host::UiEventName;
use link_types::uploading::ArchiveProgress;

use crate::context::Context;
use crate::emit;
use crate::event::Press;
use crate::generated::message::Message;
use crate::input::Input;
use crate::input::Outcome::{self, Go, Stay};
use crate::resume_point;
use crate::route::{Route, UploadRoute};
use crate::screen::deferred::file_types;
use crate::sheet::{Footer, Sheet};
use crate::uploads::kind_name;
use crate::view::Text;
use crate::view::block::{Block, Emblem, Severity};
use crate::view::build::{about, action, heading_with, notice, paragraph, remark};

/// The last page of an upload.
#[derive(Debug)]
pub(crate) struct End {
    kind: ArchiveType,
    /// Why it could not be read; `None` is success.
    error: Option<ArchiveErrorCode>,
}

impl End {
    pub(crate) fn enter(
        archive: ArchiveProgress,
        error: Option<ArchiveErrorCode>,
        context: &mut Context,
    ) -> Self {
        context.turn_page();
        emit::uploads_created(&archive, context);
        context.note_linked(true);
        if error.is_none() {
            resume_point::clear(context);
        }
        let name = match error {
            None => UiEventName::ArchiveSuccessPageOpened,
            Some(_) => UiEventName::ArchiveErrorPageOpened,
        };
        emit::archive_event(name, &archive.archive_id, context);
        Self { kind: archive.archive_type, error }
    }

    pub(crate) fn is_success(&self) -> bool {
        self.error.is_none()
    }

    pub(crate) fn handle(self, input: &Input) -> Outcome<Self> {
        match input {
            Input::Pressed(Press::TryAgain) if self.error.is_some() => {
                Go(Route::Uploads(UploadRoute::Kind(self.kind)))
            }
            Input::Pressed(Press::Upload) => Go(Route::Uploads(UploadRoute::Start)),
            Input::Replied(_)
            | Input::TimerFired { .. }
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

    pub(crate) fn sheet(&self, context: &Context) -> Sheet {
        let Some(error) = self.error else { return self.success(context) };
        let (emblem, title, next) = words(error);
        let again = action(Message::ArchiveAgain, Press::TryAgain);
        let only_one = matches!(file_types::kinds(context), [_]);
        let other = (!only_one).then(|| action(Message::ArchiveOther, Press::Upload));
        // If the document has the wrong kind, the other kinds come first.
        let (primary, secondary) = match (error == ArchiveErrorCode::FileWrongType, other) {
            (true, Some(other)) => (other, Some(again)),
            (true | false, other) => (again, other),
        };
        let blocks = vec![
            heading_with(emblem, title.into()),
            paragraph(next.into()),
            notice(Severity::Info, Some(Message::ArchiveChosen.into()), kind_name(self.kind).into()),
            Block::Actions { primary, secondary },
        ];
        Sheet::new(title.into(), Footer::Consent, blocks)
    }

    fn success(&self, context: &Context) -> Sheet {
        let title = Text::from(Message::ArchiveReadTitle);
        let blocks = vec![
            heading_with(Emblem::Success, title.clone()),
            paragraph(about(Message::ArchiveReadText, context.company())),
            remark(kind_name(self.kind).into()),
            Block::Actions {
                primary: action(Message::ActionDone, Press::Done),
                secondary: Some(action(Message::ArchiveAnother, Press::Upload)),
            },
        ];
        Sheet::new(title, Footer::Consent, blocks)
    }
}

const fn words(error: ArchiveErrorCode) -> (Emblem, Message, Message) {
    match error {
        ArchiveErrorCode::FileUnableToRecognize => {
            (Emblem::Warning, Message::ArchiveUnrecognizedTitle, Message::ArchiveUnrecognizedNext)
        }
        ArchiveErrorCode::FileKindUnknown => {
            (Emblem::Warning, Message::ArchiveUnknownTitle, Message::ArchiveUnknownNext)
        }
        ArchiveErrorCode::FileSeveralPeople => {
            (Emblem::Warning, Message::ArchivePeopleTitle, Message::ArchivePeopleNext)
        }
        ArchiveErrorCode::FileForm => (Emblem::Warning, Message::ArchiveFormTitle, Message::ArchiveFormNext),
        ArchiveErrorCode::FilePortfolio => {
            (Emblem::Warning, Message::ArchivePortfolioTitle, Message::ArchivePortfolioNext)
        }
        ArchiveErrorCode::FileWrongType => {
            (Emblem::Warning, Message::ArchiveWrongTitle, Message::ArchiveWrongNext)
        }
        ArchiveErrorCode::FileUnreadable => {
            (Emblem::Lock, Message::ArchiveUnreadableTitle, Message::ArchiveUnreadableNext)
        }
        ArchiveErrorCode::ServiceUnavailable => {
            (Emblem::Offline, Message::ArchiveAwayTitle, Message::ArchiveAwayNext)
        }
        ArchiveErrorCode::SystemError => {
            (Emblem::Warning, Message::ArchiveFaultTitle, Message::ArchiveFaultNext)
        }
    }
}
