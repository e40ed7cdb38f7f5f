//! The upload of documents: everything from the kinds of documents to what was read from them.
//!
//! Taking back an upload that was submitted is the accounts screen's; this one removes what was not.

mod batch;
mod fault;
mod file;

use link_types::archive::ArchiveType;
use link_types::link::{AttemptState, LinkPhase};
use link_types::uploading::{ArchivePhase, ArchiveProgress, FileFact};

pub(crate) use self::batch::{Asks, Batch};
pub(crate) use self::fault::words as fault_words;
pub(crate) use self::file::{File, Stage as FileStage};
use crate::context::Context;
use crate::event::{RequestId, TimerId};
use crate::generated::message::Message;
use crate::screen::archive_end::End;
use crate::screen::archive_reading::Reading;
use crate::screen::file_types;
use crate::screen::upload::Upload;
use crate::screen::{Input, Sheet};
use crate::state::State;
use crate::view::Overlay;

/// The upload under way.
#[derive(Debug)]
pub(crate) struct Uploads {
    pub(crate) stage: Stage,
}

/// One variant a page.
#[derive(Debug)]
pub(crate) enum Stage {
    /// The kinds of documents to choose from.
    Kinds,
    /// Files are gathered and sent.
    Upload(Upload),
    /// The service reads them.
    Reading(Reading),
    /// It has read them, or could not.
    End(End),
}

impl From<Stage> for State {
    fn from(stage: Stage) -> Self {
        Self::Uploads(Box::new(Uploads { stage }))
    }
}

/// The kind of document in a word or two.
pub(crate) const fn kind_name(kind: ArchiveType) -> Message {
    match kind {
        ArchiveType::Payslip => Message::ArchivePayslip,
        ArchiveType::TaxDocument => Message::ArchiveTax,
        ArchiveType::CompanyId => Message::ArchiveCompany,
        ArchiveType::Identification => Message::ArchiveIdentity,
        ArchiveType::Clearance => Message::ArchiveClearance,
        ArchiveType::Certificate => Message::ArchiveCertificate,
        ArchiveType::BankStatement => Message::ArchiveBank,
    }
}

/// Goes where an archive has come to.
pub(crate) fn follow(archive: ArchiveProgress, context: &mut Context) -> State {
    match archive.phase {
        ArchivePhase::Uploading {} => Upload::known(archive, context),
        ArchivePhase::Analyzing { step } => Reading::enter(archive, step, context),
        ArchivePhase::Analyzed {} => End::enter(archive, None, context),
        ArchivePhase::Failed { error_code } => End::enter(archive, Some(error_code), context),
        ArchivePhase::Revoked {} => Uploads::enter(context),
    }
}

impl Uploads {
    /// The kinds of documents to choose from; where there is but one, its page.
    #[inline(never)]
    pub(crate) fn enter(context: &mut Context) -> State {
        match file_types::kinds(context) {
            [kind] => Upload::enter(*kind, context),
            _ => file_types::enter(context),
        }
    }

    /// Takes up what an earlier page or session began: an archive under way, or a kind of document that was chosen.
    /// `None` when there is nothing of the kind.
    #[inline(never)]
    pub(crate) fn take_up(attempt: &AttemptState, context: &mut Context) -> Option<State> {
        let is_linking = attempt.account.as_ref().is_some_and(|account| {
            matches!(account.phase, LinkPhase::Connecting { .. } | LinkPhase::Challenge { .. })
        });
        let archive = attempt.archives.last().filter(|archive| match archive.phase {
            ArchivePhase::Uploading {} | ArchivePhase::Analyzing { .. } => true,
            ArchivePhase::Analyzed {} | ArchivePhase::Failed { .. } => !is_linking,
            ArchivePhase::Revoked {} => false,
        });
        if let Some(archive) = archive {
            return Some(follow(archive.clone(), context));
        }
        let kind = attempt.place.archive_type.filter(|_| !is_linking && context.may_upload())?;
        context.consent.is_some().then(|| Upload::enter(kind, context))
    }

    /// Goes on after a pause.
    #[inline(never)]
    pub(crate) fn resume(self: Box<Self>, attempt: AttemptState, context: &mut Context) -> State {
        match self.stage {
            Stage::Upload(screen) => screen.resume(attempt.archives, context),
            Stage::Reading(screen) => screen.resume(attempt.archives, context),
            Stage::Kinds | Stage::End(_) => State::Uploads(self),
        }
    }

    /// Takes what uploads.ts reports. Whether the service no longer accepts the session.
    #[inline(never)]
    pub(crate) fn heard(&mut self, fact: FileFact, context: &mut Context) -> bool {
        match &mut self.stage {
            Stage::Upload(screen) => screen.heard(fact, context),
            Stage::Kinds | Stage::Reading(_) | Stage::End(_) => false,
        }
    }

    /// The session is over.
    #[inline(never)]
    pub(crate) fn hold(&mut self, context: &mut Context) {
        match &mut self.stage {
            Stage::Upload(screen) => screen.hold(context),
            Stage::Kinds | Stage::Reading(_) | Stage::End(_) => {}
        }
    }

    /// The person asks to leave.
    pub(crate) fn take_back_word(&mut self) {
        match &mut self.stage {
            Stage::Upload(screen) => screen.take_back_word(),
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

    /// What leaving would lose.
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
    pub(crate) fn handle(self: Box<Self>, input: Input, context: &mut Context) -> State {
        match self.stage {
            Stage::Kinds => file_types::handle(input, context),
            Stage::Upload(screen) => screen.handle(input, context),
            Stage::Reading(screen) => screen.handle(input, context),
            Stage::End(screen) => screen.handle(input, context),
        }
    }

    /// What lies over the page.
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
