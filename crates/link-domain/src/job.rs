//! Work owed to a later moment. A job commits with the change that owes it and is idempotent: running one twice,
//! or after its reason is gone, changes nothing.

use link_types::id::{
    AccountId, ArchiveId, ChallengeId, EventId, InviteId, JobId, RecordId, SignalId, TaskId, UserId,
    WebhookId,
};
use serde::{Deserialize, Serialize};

use crate::change::ErasureScope;
use crate::clock::{TenantTime, Wall};
use crate::context::Context;
use crate::owner::Owner;

/// A job as the store keeps it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Job {
    /// The id.
    pub id: JobId,
    /// At most one unfinished job has this key: putting in another with it replaces the first.
    pub key: String,
    /// Whose account or row it works on.
    pub owner: Owner,
    /// What to do.
    pub kind: JobKind,
    /// When it is due on the tenant's clock.
    pub due_at: TenantTime,
    /// When it is due on the wall: claims look at this alone.
    pub run_at: Wall,
    /// How often it was claimed and did not finish.
    pub attempts: u32,
}

/// What a job does. Stored in clear; a variant once written must stay readable.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum JobKind {
    /// Take the account's next step at its source: [`crate::ports::AccountSource::step`] with the pending input.
    StepAccount {
        /// The account.
        account_id: AccountId,
        /// The account's version that owed the step: a link that waits for another took it already or withdrew it.
        version: u32,
    },
    /// Read the connected account's data: [`crate::ports::AccountSource::read`].
    ReadAccount {
        /// The account.
        account_id: AccountId,
        /// The task that reports the reading.
        task_id: TaskId,
    },
    /// End a challenge that nobody answered in time.
    LapseChallenge {
        /// The account.
        account_id: AccountId,
        /// The challenge.
        challenge_id: ChallengeId,
    },
    /// Remove the account if it never connected and nobody works on it any more.
    RemovePending {
        /// The account.
        account_id: AccountId,
    },
    /// Disconnect the account and erase its data: sixty days have passed.
    ExpireAccount {
        /// The account.
        account_id: AccountId,
    },
    /// Read the submitted archive's files: [`crate::ports::DocumentReader::read`].
    AnalyzeArchive {
        /// The archive.
        archive_id: ArchiveId,
        /// The task that reports the reading.
        task_id: TaskId,
    },
    /// End the archive and erase its data: sixty days have passed, or a day without a submit.
    ExpireArchive {
        /// The archive.
        archive_id: ArchiveId,
    },
    /// Hand over an invitation's mail: [`crate::ports::Mailer::send`].
    SendInvite {
        /// The invitation.
        invite_id: InviteId,
        /// The mail's number: one that a newer mail has overtaken is not sent.
        mail: u32,
    },
    /// Remove what is kept of the mails of an invitation that was revoked or is over: [`crate::ports::Mailer::forget`].
    ForgetMail {
        /// The invitation; it may be gone.
        invite_id: InviteId,
    },
    /// Remove the invitation: sixty days have passed since its end.
    ExpireInvite {
        /// The invitation.
        invite_id: InviteId,
    },
    /// End the rotation of a webhook's secret.
    EndRotation {
        /// The webhook.
        webhook_id: WebhookId,
    },
    /// Send to a webhook what did not arrive there.
    RecoverDeliveries {
        /// The webhook.
        webhook_id: WebhookId,
        /// The first moment of the events.
        since: TenantTime,
        /// The moment after the last.
        until: TenantTime,
        /// The last event that was seen to.
        after: Option<EventId>,
    },
    /// Erase what is left of a user who is gone already.
    EraseUser {
        /// The user.
        user_id: UserId,
    },
    /// Remove the objects under the archive's name that no segment refers to.
    SweepFiles {
        /// The archive; it may be gone.
        archive_id: ArchiveId,
    },
    /// Ask the source what the record is of: [`crate::ports::RecordSource::social_security`].
    CompleteRecord {
        /// The record; it may be gone.
        record_id: RecordId,
    },
    /// Ask the source for the signal: [`crate::ports::RecordSource::signal`]. A synchronous one has its result long
    /// before, unless the service went down while it asked.
    CompleteSignal {
        /// The signal; it may be gone.
        signal_id: SignalId,
    },
    /// Erase the thing: its sixty days have passed. For things of which nothing stays.
    ExpireScope {
        /// The thing; it may be gone.
        scope: ErasureScope,
    },
}

/// Jobs that wait for the same thing: those of a lane are claimed by workers of its own, so that what hangs in one
/// lane keeps no other from its work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JobLane {
    /// [`JobKind::StepAccount`]: somebody sits before the widget.
    Steps,
    /// What asks a source for minutes: [`JobKind::ReadAccount`], [`JobKind::CompleteRecord`],
    /// [`JobKind::CompleteSignal`].
    Sources,
    /// [`JobKind::SendInvite`]: waits for a mail server.
    Mail,
    /// [`JobKind::AnalyzeArchive`]: minutes each, and few at once.
    Readings,
    /// What erases because time has passed: it waits while retention is paused ([`crate::retention`]).
    Retention,
    /// Everything else: erasures that somebody asked for and ends of time, which ask no source.
    Rest,
}

impl JobLane {
    /// Whether its jobs ask no source, and do nothing before their moment.
    pub const fn is_of_time(self) -> bool {
        matches!(self, Self::Retention | Self::Rest)
    }

    /// Every lane.
    pub const ALL: [Self; 6] =
        [Self::Steps, Self::Sources, Self::Mail, Self::Readings, Self::Retention, Self::Rest];

    /// The name, by which the store tells jobs apart.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Steps => "steps",
            Self::Sources => "sources",
            Self::Mail => "mail",
            Self::Readings => "readings",
            Self::Retention => "retention",
            Self::Rest => "rest",
        }
    }
}

impl JobKind {
    /// The lane that it waits in.
    pub const fn lane(&self) -> JobLane {
        match self {
            Self::StepAccount { .. } => JobLane::Steps,
            Self::ReadAccount { .. } | Self::CompleteRecord { .. } | Self::CompleteSignal { .. } => {
                JobLane::Sources
            }
            Self::SendInvite { .. } => JobLane::Mail,
            Self::AnalyzeArchive { .. } => JobLane::Readings,
            Self::RemovePending { .. }
            | Self::ExpireAccount { .. }
            | Self::ExpireArchive { .. }
            | Self::ExpireInvite { .. }
            | Self::ExpireScope { .. } => JobLane::Retention,
            Self::LapseChallenge { .. }
            | Self::ForgetMail { .. }
            | Self::EndRotation { .. }
            | Self::RecoverDeliveries { .. }
            | Self::EraseUser { .. }
            | Self::SweepFiles { .. } => JobLane::Rest,
        }
    }

    /// The thing with a key of its own that it opens; null when it opens none.
    pub fn opens(&self) -> Option<ErasureScope> {
        match self {
            Self::StepAccount { account_id, .. }
            | Self::ReadAccount { account_id, .. }
            | Self::LapseChallenge { account_id, .. }
            | Self::RemovePending { account_id }
            | Self::ExpireAccount { account_id } => Some(ErasureScope::Account(account_id.clone())),
            Self::AnalyzeArchive { archive_id, .. }
            | Self::ExpireArchive { archive_id }
            | Self::SweepFiles { archive_id } => Some(ErasureScope::Archive(archive_id.clone())),
            Self::SendInvite { invite_id, .. } | Self::ExpireInvite { invite_id } => {
                Some(ErasureScope::Invite(invite_id.clone()))
            }
            Self::CompleteRecord { record_id } => Some(ErasureScope::Record(record_id.clone())),
            Self::CompleteSignal { signal_id } => Some(ErasureScope::Signal(signal_id.clone())),
            Self::ForgetMail { .. }
            | Self::EndRotation { .. }
            | Self::RecoverDeliveries { .. }
            | Self::EraseUser { .. }
            | Self::ExpireScope { .. } => None,
        }
    }

    /// The key of a job that does this.
    pub(crate) fn key(&self) -> String {
        match self {
            Self::StepAccount { account_id, .. } => format!("step/{account_id}"),
            Self::ReadAccount { account_id, .. } => format!("read/{account_id}"),
            Self::LapseChallenge { account_id, .. } => format!("lapse/{account_id}"),
            Self::RemovePending { account_id } => format!("pending/{account_id}"),
            Self::ExpireAccount { account_id } => format!("expire/{account_id}"),
            Self::AnalyzeArchive { archive_id, .. } => format!("analyze/{archive_id}"),
            Self::ExpireArchive { archive_id } => format!("expire/{archive_id}"),
            Self::SendInvite { invite_id, .. } => format!("send/{invite_id}"),
            Self::ForgetMail { invite_id } => format!("forget/{invite_id}"),
            Self::ExpireInvite { invite_id } => format!("expire/{invite_id}"),
            Self::EndRotation { webhook_id } => format!("rotation/{webhook_id}"),
            Self::RecoverDeliveries { webhook_id, since, .. } => {
                format!("recover/{webhook_id}/{}", since.micros())
            }
            Self::EraseUser { user_id } => format!("erase-user/{user_id}"),
            Self::SweepFiles { archive_id } => format!("sweep/{archive_id}"),
            Self::CompleteRecord { record_id } => format!("complete/{record_id}"),
            Self::CompleteSignal { signal_id } => format!("complete/{signal_id}"),
            Self::ExpireScope { scope } => format!("expire/{}", scope.as_str()),
        }
    }
}

impl Job {
    /// A job due at `due_at` on the tenant's clock.
    pub fn due(owner: &Owner, kind: JobKind, due_at: TenantTime, context: &mut Context) -> Self {
        Self {
            id: JobId::from_bytes(context.uuid()),
            key: kind.key(),
            owner: owner.clone(),
            kind,
            due_at,
            run_at: context.now().run_at(due_at),
            attempts: 0,
        }
    }

    /// A job due at once.
    pub fn now(owner: &Owner, kind: JobKind, context: &mut Context) -> Self {
        Self::due(owner, kind, context.now().tenant(), context)
    }
}
