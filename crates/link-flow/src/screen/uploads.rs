//! The upload of documents, from the document kinds to the result. One stage for each page.
//!
//! This screen removes uploads that were not submitted; the accounts screen removes submitted ones.

use link_types::link::{AttemptState, LinkPhase};
use link_types::uploading::{ArchivePhase, ArchiveProgress, FileFact};

use crate::context::Context;
use crate::event::{RequestId, TimerId};
use crate::generated::message::Message;
use crate::input::Input;
use crate::outcome::Outcome::{self, Go, Stay};
use crate::route::{Route, UploadRoute};
use crate::screen::archive_end::End;
use crate::screen::archive_reading::Reading;
use crate::screen::file_types;
use crate::screen::upload::Upload;
use crate::sheet::Sheet;
use crate::view::Overlay;

/// The upload under way.
#[derive(Debug)]
pub(crate) struct Uploads {
    pub(crate) stage: Stage,
}

/// One variant for each page.
#[derive(Debug)]
pub(crate) enum Stage {
    /// Lists the document kinds.
    Kinds,
    /// Gathers and sends files.
    Upload(Upload),
    /// Waits while the service reads the files.
    Reading(Reading),
    /// Shows the result.
    End(End),
}

impl Uploads {
    /// Enters a page.
    #[inline(never)]
    pub(crate) fn enter(route: UploadRoute, context: &mut Context) -> Box<Self> {
        let stage = match route {
            UploadRoute::Start => start(context),
            UploadRoute::Kind(kind) => Stage::Upload(Upload::enter(kind, context)),
            UploadRoute::Archive(archive) => follow(*archive, context),
        };
        Box::new(Self { stage })
    }

    /// Returns what an earlier page or session began: an archive under way, or a document kind that was chosen.
    #[inline(never)]
    pub(crate) fn resumable(attempt: &AttemptState, context: &Context) -> Option<UploadRoute> {
        let is_linking = attempt.account.as_ref().is_some_and(|account| {
            matches!(account.phase, LinkPhase::Connecting { .. } | LinkPhase::Challenge { .. })
        });
        let archive = attempt.archives.last().filter(|archive| match archive.phase {
            ArchivePhase::Uploading {} | ArchivePhase::Analyzing { .. } => true,
            ArchivePhase::Analyzed {} | ArchivePhase::Failed { .. } => !is_linking,
            ArchivePhase::Revoked {} => false,
        });
        if let Some(archive) = archive {
            return Some(UploadRoute::Archive(Box::new(archive.clone())));
        }
        let kind = attempt.place.archive_type.filter(|_| !is_linking && context.may_upload())?;
        context.consent.is_some().then_some(UploadRoute::Kind(kind))
    }

    /// Resumes after a pause.
    #[inline(never)]
    pub(crate) fn resume(
        self: Box<Self>,
        archives: Vec<ArchiveProgress>,
        context: &mut Context,
    ) -> Outcome<Box<Self>> {
        let outcome = match self.stage {
            Stage::Upload(screen) => screen.resume(archives, context).map(Stage::Upload),
            Stage::Reading(screen) => screen.resume(archives, context).map(Stage::Reading),
            stage @ (Stage::Kinds | Stage::End(_)) => Stay(stage),
        };
        if !matches!(outcome, Go(Route::Consent(_)) | Stay(Stage::Kinds)) {
            // The notice about changed terms says that nothing was sent. This upload was.
            context.terms_changed = false;
        }
        outcome.map(|stage| Box::new(Self { stage }))
    }

    /// Handles a report of uploads.ts. Returns whether the service no longer accepts the session.
    #[inline(never)]
    pub(crate) fn heard(&mut self, fact: FileFact, context: &mut Context) -> bool {
        match &mut self.stage {
            Stage::Upload(screen) => screen.heard(fact, context),
            Stage::Kinds | Stage::Reading(_) | Stage::End(_) => false,
        }
    }

    /// Stops sending, because the session is over.
    #[inline(never)]
    pub(crate) fn hold(&mut self, context: &mut Context) {
        match &mut self.stage {
            Stage::Upload(screen) => screen.hold(context),
            Stage::Kinds | Stage::Reading(_) | Stage::End(_) => {}
        }
    }

    /// Cancels a submission that waits to be sent again, because the person asks to leave.
    pub(crate) fn cancel_submission(&mut self) {
        match &mut self.stage {
            Stage::Upload(screen) => screen.cancel_submission(),
            Stage::Kinds | Stage::Reading(_) | Stage::End(_) => {}
        }
    }

    #[inline(never)]
    pub(crate) fn awaits_reply(&self, request: RequestId) -> bool {
        match &self.stage {
            Stage::Upload(screen) => screen.awaits_reply(request),
            Stage::Reading(screen) => screen.poll.request() == Some(request),
            Stage::Kinds | Stage::End(_) => false,
        }
    }

    #[inline(never)]
    pub(crate) fn awaits_timer(&self, timer: TimerId) -> bool {
        match &self.stage {
            Stage::Upload(screen) => screen.awaits_timer(timer),
            Stage::Reading(screen) => screen.poll.timer() == Some(timer),
            Stage::Kinds | Stage::End(_) => false,
        }
    }

    /// Returns the text about the data that leaving would lose.
    #[inline(never)]
    pub(crate) fn loss(&self) -> Option<Message> {
        match &self.stage {
            Stage::Upload(screen) => screen.loss(),
            Stage::Kinds | Stage::Reading(_) | Stage::End(_) => None,
        }
    }

    /// Whether the page has a DONE button.
    #[inline(never)]
    pub(crate) fn may_finish(&self) -> bool {
        match &self.stage {
            Stage::End(screen) => screen.is_success(),
            Stage::Kinds | Stage::Upload(_) | Stage::Reading(_) => false,
        }
    }

    #[inline(never)]
    pub(crate) fn handle(self: Box<Self>, input: Input, context: &mut Context) -> Outcome<Box<Self>> {
        let outcome = match self.stage {
            Stage::Kinds => file_types::handle(input, context).map(|()| Stage::Kinds),
            Stage::Upload(screen) => screen.handle(input, context).map(Stage::Upload),
            Stage::Reading(screen) => screen.handle(input, context).map(Stage::Reading),
            Stage::End(screen) => screen.handle(&input).map(Stage::End),
        };
        outcome.map(|stage| Box::new(Self { stage }))
    }

    /// The dialog over the page.
    #[inline(never)]
    pub(crate) fn overlay(&self) -> Option<Overlay> {
        match &self.stage {
            Stage::Upload(screen) => screen.overlay(),
            Stage::Kinds | Stage::Reading(_) | Stage::End(_) => None,
        }
    }

    #[inline(never)]
    pub(crate) fn sheet(&self, context: &Context) -> Sheet {
        match &self.stage {
            Stage::Kinds => file_types::sheet(context),
            Stage::Upload(screen) => screen.sheet(),
            Stage::Reading(screen) => screen.sheet(),
            Stage::End(screen) => screen.sheet(context),
        }
    }
}

/// Enters the list of document kinds, or the page of the only kind.
fn start(context: &mut Context) -> Stage {
    match file_types::kinds(context) {
        [kind] => {
            let kind = *kind;
            Stage::Upload(Upload::enter(kind, context))
        }
        _ => {
            file_types::enter(context);
            Stage::Kinds
        }
    }
}

/// Enters the page of an archive's phase.
fn follow(archive: ArchiveProgress, context: &mut Context) -> Stage {
    match archive.phase {
        ArchivePhase::Uploading {} => Stage::Upload(Upload::known(archive, context)),
        ArchivePhase::Analyzing { step } => Stage::Reading(Reading::enter(archive, step, context)),
        ArchivePhase::Analyzed {} => Stage::End(End::enter(archive, None, context)),
        ArchivePhase::Failed { error_code } => Stage::End(End::enter(archive, Some(error_code), context)),
        ArchivePhase::Revoked {} => start(context),
    }
}
