//! The pages of an upload, from the document kinds to the result.
//!
//! This screen removes uploads that were not submitted; the accounts screen removes submitted ones.

use link_types::link::{AttemptState, LinkPhase};
use link_types::uploading::{ArchivePhase, ArchiveProgress, FileFact};

use crate::context::Context;
use crate::event::{RequestId, TimerId};
use crate::generated::message::Message;
use crate::input::Input;
use crate::input::Outcome::{self, Stay};
use crate::route::UploadRoute;
use crate::screen::deferred::archive_end::End;
use crate::screen::deferred::archive_reading::Reading;
use crate::screen::deferred::file_types;
use crate::screen::deferred::upload::Upload;
use crate::screen::deferred_screen::{Deferred, DeferredScreen};
use crate::sheet::Sheet;
use crate::view::Overlay;

/// The upload under way.
#[derive(Debug)]
pub(crate) struct Uploads {
    pub(crate) page: UploadsPage,
}

/// One variant for each page.
#[derive(Debug)]
pub(crate) enum UploadsPage {
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
    pub(crate) fn enter(route: UploadRoute, context: &mut Context) -> Box<Self> {
        let page = match route {
            UploadRoute::Start => start(context),
            UploadRoute::Kind(kind) => UploadsPage::Upload(Upload::enter(kind, context)),
            UploadRoute::Archive(archive) => follow(*archive, context),
        };
        Box::new(Self { page })
    }

    /// Returns what an earlier page or session began: an archive under way, or a document kind that was chosen.
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
        Some(UploadRoute::Kind(kind))
    }

    /// Returns whether the person must consent before a page: to a new upload, and to one that was not submitted in an
    /// earlier session or on another device.
    pub(crate) fn needs_consent(route: &UploadRoute, context: &Context) -> bool {
        let is_new = match route {
            UploadRoute::Start | UploadRoute::Kind(_) => true,
            UploadRoute::Archive(archive) => is_uploading(archive),
        };
        is_new && context.consent.receipt().is_none()
    }

    /// Returns the page in an attempt with these archives. The upload of a kind continues the archive that it has.
    pub(crate) fn continue_route(route: UploadRoute, archives: Vec<ArchiveProgress>) -> UploadRoute {
        match route {
            UploadRoute::Kind(kind) => {
                let is_open = |it: &ArchiveProgress| it.archive_type == kind && is_uploading(it);
                let archive = archives.into_iter().rfind(is_open).map(Box::new);
                archive.map_or(UploadRoute::Kind(kind), UploadRoute::Archive)
            }
            route @ (UploadRoute::Start | UploadRoute::Archive(_)) => route,
        }
    }
}

impl DeferredScreen for Uploads {
    fn resume(self: Box<Self>, attempt: AttemptState, context: &mut Context) -> Outcome<Deferred> {
        match self.page {
            UploadsPage::Upload(screen) => screen.resume(attempt.archives, context).map(UploadsPage::Upload),
            UploadsPage::Reading(screen) => {
                screen.resume(attempt.archives, context).map(UploadsPage::Reading)
            }
            page @ (UploadsPage::Kinds | UploadsPage::End(_)) => Stay(page),
        }
        .map(page)
    }

    fn has_files(&self) -> bool {
        true
    }

    fn handle_fact(&mut self, fact: FileFact, context: &mut Context) -> bool {
        match &mut self.page {
            UploadsPage::Upload(screen) => screen.handle_fact(fact, context),
            UploadsPage::Kinds | UploadsPage::Reading(_) | UploadsPage::End(_) => false,
        }
    }

    fn hold(&mut self, context: &mut Context) {
        match &mut self.page {
            UploadsPage::Upload(screen) => screen.hold(context),
            UploadsPage::Kinds | UploadsPage::Reading(_) | UploadsPage::End(_) => {}
        }
    }

    fn cancel_submission(&mut self) {
        match &mut self.page {
            UploadsPage::Upload(screen) => screen.cancel_submission(),
            UploadsPage::Kinds | UploadsPage::Reading(_) | UploadsPage::End(_) => {}
        }
    }

    fn awaits_reply(&self, request: RequestId) -> bool {
        match &self.page {
            UploadsPage::Upload(screen) => screen.awaits_reply(request),
            UploadsPage::Reading(screen) => screen.poll.request() == Some(request),
            UploadsPage::Kinds | UploadsPage::End(_) => false,
        }
    }

    fn awaits_timer(&self, timer: TimerId) -> bool {
        match &self.page {
            UploadsPage::Upload(screen) => screen.awaits_timer(timer),
            UploadsPage::Reading(screen) => screen.poll.timer() == Some(timer),
            UploadsPage::Kinds | UploadsPage::End(_) => false,
        }
    }

    fn loss(&self) -> Option<Message> {
        match &self.page {
            UploadsPage::Upload(screen) => screen.loss(),
            UploadsPage::Kinds | UploadsPage::Reading(_) | UploadsPage::End(_) => None,
        }
    }

    fn may_finish(&self) -> bool {
        match &self.page {
            UploadsPage::End(screen) => screen.is_success(),
            UploadsPage::Kinds | UploadsPage::Upload(_) | UploadsPage::Reading(_) => false,
        }
    }

    fn handle(self: Box<Self>, input: Input, context: &mut Context) -> Outcome<Deferred> {
        let outcome = match self.page {
            UploadsPage::Kinds => file_types::handle(input, context).map(|()| UploadsPage::Kinds),
            UploadsPage::Upload(screen) => screen.handle(input, context).map(UploadsPage::Upload),
            UploadsPage::Reading(screen) => screen.handle(input, context).map(UploadsPage::Reading),
            UploadsPage::End(screen) => screen.handle(&input).map(UploadsPage::End),
        };
        outcome.map(page)
    }

    fn overlay(&self) -> Option<Overlay> {
        match &self.page {
            UploadsPage::Upload(screen) => screen.overlay(),
            UploadsPage::Kinds | UploadsPage::Reading(_) | UploadsPage::End(_) => None,
        }
    }

    fn sheet(&self, context: &Context) -> Sheet {
        match &self.page {
            UploadsPage::Kinds => file_types::sheet(context),
            UploadsPage::Upload(screen) => screen.sheet(context),
            UploadsPage::Reading(screen) => screen.sheet(),
            UploadsPage::End(screen) => screen.sheet(context),
        }
    }
}

fn page(page: UploadsPage) -> Deferred {
    Box::new(Uploads { page })
}

fn is_uploading(archive: &ArchiveProgress) -> bool {
    matches!(archive.phase, ArchivePhase::Uploading {})
}

/// Enters the list of document kinds, or the page of the only kind.
fn start(context: &mut Context) -> UploadsPage {
    match file_types::kinds(context) {
        [kind] => {
            let kind = *kind;
            UploadsPage::Upload(Upload::enter(kind, context))
        }
        _ => {
            file_types::enter(context);
            UploadsPage::Kinds
        }
    }
}

/// Enters the page of an archive's phase.
fn follow(archive: ArchiveProgress, context: &mut Context) -> UploadsPage {
    match archive.phase {
        ArchivePhase::Uploading {} => UploadsPage::Upload(Upload::resume_known(archive, context)),
        ArchivePhase::Analyzing { step } => UploadsPage::Reading(Reading::enter(archive, step, context)),
        ArchivePhase::Analyzed {} => UploadsPage::End(End::enter(archive, None, context)),
        ArchivePhase::Failed { error_code } => {
            UploadsPage::End(End::enter(archive, Some(error_code), context))
        }
        ArchivePhase::Revoked {} => start(context),
    }
}
