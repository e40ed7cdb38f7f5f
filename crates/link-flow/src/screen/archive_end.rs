//! What was submitted has been read, or could not be: then what to mend, for each code.

use link_types::archive::{ArchiveErrorCode, ArchiveType};
use link_types::host::UiEventName;
use link_types::uploading::ArchiveProgress;

use super::{Footer, Input, Sheet, about, action, heading_with, paragraph, remark};
use crate::context::Context;
use crate::event::Press;
use crate::generated::message::Message;
use crate::place;
use crate::screen::file_types;
use crate::screen::upload::Upload;
use crate::state::State;
use crate::tell;
use crate::uploads::{Stage, Uploads, kind_name};
use crate::view::Text;
use crate::view::block::{Block, Emblem};

/// The last page of an upload.
#[derive(Debug)]
pub(crate) struct End {
    kind: ArchiveType,
    /// Why it could not be read.
    error: Option<ArchiveErrorCode>,
}

impl End {
    pub(crate) fn enter(
        archive: ArchiveProgress,
        error: Option<ArchiveErrorCode>,
        context: &mut Context,
    ) -> State {
        context.turn_page();
        tell::uploads_created(&archive, context);
        context.note_linked(true);
        if error.is_none() {
            place::done(context);
        }
        let name = match error {
            None => UiEventName::ArchiveSuccessPageOpened,
            Some(_) => UiEventName::ArchiveErrorPageOpened,
        };
        tell::archive_event(name, &archive.archive_id, context);
        Stage::End(Self { kind: archive.archive_type, error }).into()
    }

    pub(crate) fn is_success(&self) -> bool {
        self.error.is_none()
    }

    pub(crate) fn handle(self, input: Input, context: &mut Context) -> State {
        match input {
            Input::Pressed(Press::TryAgain) if self.error.is_some() => Upload::enter(self.kind, context),
            Input::Pressed(Press::Upload) => Uploads::enter(context),
            Input::Replied(_)
            | Input::TimerFired { .. }
            | Input::Pressed(_)
            | Input::Chosen { .. }
            | Input::Searched { .. }
            | Input::Filtered { .. }
            | Input::Edited { .. }
            | Input::Left { .. }
            | Input::SecretLeft { .. }
            | Input::Submitted(_) => Stage::End(self).into(),
        }
    }

    pub(crate) fn sheet(&self, context: &Context) -> Sheet {
        let Some(error) = self.error else { return self.success(context) };
        let (emblem, title, next) = words(error);
        let again = action(Message::ArchiveAgain, Press::TryAgain);
        let only_one = matches!(file_types::kinds(context), [_]);
        let other = (!only_one).then(|| action(Message::ArchiveOther, Press::Upload));
        // The wrong kind was chosen: the right one first.
        let (primary, secondary) = match (error == ArchiveErrorCode::FileWrongType, other) {
            (true, Some(other)) => (other, Some(again)),
            (true | false, other) => (again, other),
        };
        let blocks = vec![
            heading_with(emblem, title.into()),
            paragraph(next.into()),
            remark(kind_name(self.kind).into()),
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
