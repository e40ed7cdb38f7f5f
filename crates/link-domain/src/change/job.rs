//! Work scheduled for later. A job commits with the change that schedules it. Jobs are idempotent: running one twice,
//! or after its reason is gone, changes nothing.

use std::time::Duration;

use link_types::id::{
    AccountId, ArchiveId, ChallengeId, EventId, FormId, HostedLinkId, InviteId, JobId, LinkSiteSessionId,
    ProviderId, RecordId, TaskId, TenantId, UserId, WebhookId,
};
use link_types::signal::SignalId;
pub use queue::JobQueue;
use serde::{Deserialize, Serialize};

use crate::documents::archive::FileHolder;
use crate::kernel::clock::{TenantTime, Wall};
use crate::kernel::context::Context;
use crate::kernel::digest::{Digest32, hex};
use crate::kernel::owner::Owner;
use crate::kernel::scope::ErasureScope;

mod queue;

/// A job as the store keeps it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Job {
    /// Identifier of the job.
    pub id: JobId,
    /// Key of the job. At most one unfinished job has a key: inserting another one replaces the first.
    pub key: String,
    /// Tenant and environment that the job works on.
    pub owner: Owner,
    /// The work of the job.
    pub kind: JobKind,
    /// When the job is due on the tenant's clock.
    pub due_at: TenantTime,
    /// Earliest wall time at which the job may run. It delays retries, which must not run earlier if the tenant's clock
    /// advances. A job runs once both times have come.
    pub run_at: Wall,
    /// Number of times the job was claimed without finishing.
    pub attempts: u32,
}

/// Work of a job. It is stored unencrypted. Every variant that was ever stored must remain readable.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum JobKind {
    /// Takes the account's next step at its source: [`crate::linking::account_source::AccountSource::step`] with the pending input.
    StepAccount {
        /// Account to step.
        account_id: AccountId,
        /// Account version that scheduled the step. If the link is waiting for another step, this one was already taken
        /// or cancelled.
        version: u32,
    },
    /// Reads the connected account's data: [`crate::linking::account_source::AccountSource::read`].
    ReadAccount {
        /// Account to read.
        account_id: AccountId,
        /// Task that reports the reading.
        task_id: TaskId,
    },
    /// Reads an account in continuous sync again. The first run starts a task, and a second one reads the source.
    #[serde(rename_all = "camelCase")]
    SyncAccount {
        /// Account to read.
        account_id: AccountId,
        /// Provider of the account.
        provider_id: ProviderId,
    },
    /// Has the provider end an access that an account no longer uses: [`crate::linking::account_source::AccountSource::withdraw`].
    WithdrawAccess {
        /// Account of the access. It may already be deleted.
        account_id: AccountId,
        /// Number of the access at the account.
        number: u64,
    },
    /// Ends a challenge that was not answered in time.
    LapseChallenge {
        /// Account with the challenge.
        account_id: AccountId,
        /// Challenge to end.
        challenge_id: ChallengeId,
    },
    /// Removes the account if it never connected and its link is inactive.
    RemovePending {
        /// Account to remove.
        account_id: AccountId,
    },
    /// Disconnects the account and erases its data after 60 days.
    ExpireAccount {
        /// Account to disconnect.
        account_id: AccountId,
    },
    /// Reads the submitted archive's files: [`crate::documents::document_reader::DocumentReader::read`].
    AnalyzeArchive {
        /// Archive to read.
        archive_id: ArchiveId,
        /// Task that reports the reading.
        task_id: TaskId,
    },
    /// Ends the archive and erases its data after 60 days, or after 1 day if it was not submitted.
    ExpireArchive {
        /// Archive to end.
        archive_id: ArchiveId,
    },
    /// Hands over an invitation's mail: [`crate::notifications::mail::Mailer::send`].
    SendInvite {
        /// Invitation of the mail.
        invite_id: InviteId,
        /// Number of the mail. It is skipped if a newer mail was requested.
        mail: u32,
    },
    /// Removes stored mails of an invitation that was revoked or has ended: [`crate::notifications::mail::Mailer::forget`].
    ForgetMail {
        /// Invitation of the mails. It may already be deleted.
        invite_id: InviteId,
    },
    /// Deletes the invitation 60 days after its end.
    ExpireInvite {
        /// Invitation to delete.
        invite_id: InviteId,
    },
    /// Ends a hosted link that was not opened, or not brought to an end, in time.
    LapseHostedLink {
        /// Hosted link to end.
        hosted_link_id: HostedLinkId,
    },
    /// Deletes the hosted link 60 days after its end.
    ExpireHostedLink {
        /// Hosted link to delete.
        hosted_link_id: HostedLinkId,
    },
    /// Ends the rotation of a webhook's secret.
    EndRotation {
        /// Webhook of the secret.
        webhook_id: WebhookId,
    },
    /// Sends events to a webhook that did not receive them.
    RecoverDeliveries {
        /// Webhook to send to.
        webhook_id: WebhookId,
        /// Start of the period, inclusive.
        since: TenantTime,
        /// End of the period, exclusive.
        until: TenantTime,
        /// Last event that was processed.
        after: Option<EventId>,
    },
    /// Erases the remaining data of a user who was already deleted.
    EraseUser {
        /// Deleted user.
        user_id: UserId,
    },
    /// Removes files that a person uploaded as answers, and did not finish or submit.
    RemovePartialFiles {
        /// Answers of the files. They may already be erased.
        form_id: FormId,
    },
    /// Removes the objects of files that no segment refers to.
    DeleteOrphans {
        /// Object that has the files. It may already be deleted.
        holder: FileHolder,
        /// When the search began. Writes that are in progress then take real time.
        since: Wall,
    },
    /// Queries the source for the record: [`crate::lookups::record_source::RecordSource::social_security`].
    CompleteRecord {
        /// Record to complete. It may already be deleted.
        record_id: RecordId,
    },
    /// Queries the source for the signal: [`crate::lookups::record_source::RecordSource::signal`]. A synchronous signal already has its
    /// result, unless the service stopped during the query.
    CompleteSignal {
        /// Signal to complete. It may already be deleted.
        signal_id: SignalId,
    },
    /// Erases an object completely after its 60 days. For objects that leave no tombstone.
    ExpireScope {
        /// Scope of the object. It may already be erased.
        scope: ErasureScope,
    },
    /// Mails the one-time link to a person's own page, if data belongs to the address. A job of the service, not of a tenant.
    SendPageLink {
        /// Keyed hash of the address.
        address: Digest32,
    },
    /// Mails the code that proves the address of a visitor.
    SendCode {
        /// Visit of the code. It may already be deleted.
        visit_id: LinkSiteSessionId,
    },
    /// Advances the sandbox's clock step by step: [`crate::tenancy::sandbox_clock::Advance`].
    AdvanceClock {
        /// Tenant of the sandbox.
        tenant: TenantId,
    },
    /// Erases all data of a deleted tenant, step by step.
    EraseTenant {
        /// Deleted tenant.
        tenant: TenantId,
    },
}

impl JobKind {
    /// Returns the queue that the job belongs to.
    pub const fn queue(&self) -> JobQueue {
        match self {
            Self::StepAccount { .. } => JobQueue::Steps,
            Self::ReadAccount { .. } | Self::CompleteRecord { .. } | Self::CompleteSignal { .. } => {
                JobQueue::Sources
            }
            Self::WithdrawAccess { .. } => JobQueue::Withdrawals,
            Self::SyncAccount { .. } => JobQueue::Syncs,
            Self::SendInvite { .. } | Self::SendPageLink { .. } | Self::SendCode { .. } => JobQueue::Mail,
            Self::AnalyzeArchive { .. } => JobQueue::Readings,
            Self::RemovePending { .. }
            | Self::ExpireAccount { .. }
            | Self::ExpireArchive { .. }
            | Self::ExpireInvite { .. }
            | Self::ExpireHostedLink { .. }
            | Self::RemovePartialFiles { .. }
            | Self::ExpireScope { .. } => JobQueue::Retention,
            Self::AdvanceClock { .. } => JobQueue::Clock,
            Self::LapseChallenge { .. }
            | Self::ForgetMail { .. }
            | Self::LapseHostedLink { .. }
            | Self::EndRotation { .. }
            | Self::RecoverDeliveries { .. }
            | Self::EraseUser { .. }
            | Self::EraseTenant { .. }
            | Self::DeleteOrphans { .. } => JobQueue::Maintenance,
        }
    }

    /// Returns the scope of the object that the job decrypts, or `None` if it decrypts none.
    pub fn opens(&self) -> Option<ErasureScope> {
        match self {
            Self::StepAccount { account_id, .. }
            | Self::ReadAccount { account_id, .. }
            | Self::SyncAccount { account_id, .. }
            | Self::LapseChallenge { account_id, .. }
            | Self::RemovePending { account_id }
            | Self::ExpireAccount { account_id } => Some(ErasureScope::Account(account_id.clone())),
            Self::AnalyzeArchive { archive_id, .. } | Self::ExpireArchive { archive_id } => {
                Some(ErasureScope::Archive(archive_id.clone()))
            }
            Self::RemovePartialFiles { form_id } => Some(ErasureScope::Form(form_id.clone())),
            Self::DeleteOrphans { holder, .. } => Some(holder.scope()),
            Self::SendInvite { invite_id, .. } | Self::ExpireInvite { invite_id } => {
                Some(ErasureScope::Invite(invite_id.clone()))
            }
            Self::CompleteRecord { record_id } => Some(ErasureScope::Record(record_id.clone())),
            Self::CompleteSignal { signal_id } => Some(ErasureScope::Signal(signal_id.clone())),
            Self::ForgetMail { .. }
            | Self::WithdrawAccess { .. }
            | Self::LapseHostedLink { .. }
            | Self::ExpireHostedLink { .. }
            | Self::SendPageLink { .. }
            | Self::SendCode { .. }
            | Self::EndRotation { .. }
            | Self::RecoverDeliveries { .. }
            | Self::EraseUser { .. }
            | Self::EraseTenant { .. }
            | Self::AdvanceClock { .. }
            | Self::ExpireScope { .. } => None,
        }
    }

    /// Returns the provider whose share the job takes a part of, or `None` if its queue has no such shares.
    pub const fn provider(&self) -> Option<&ProviderId> {
        match self {
            Self::SyncAccount { provider_id, .. } => Some(provider_id),
            Self::StepAccount { .. }
            | Self::ReadAccount { .. }
            | Self::WithdrawAccess { .. }
            | Self::LapseChallenge { .. }
            | Self::RemovePending { .. }
            | Self::ExpireAccount { .. }
            | Self::AnalyzeArchive { .. }
            | Self::ExpireArchive { .. }
            | Self::SendInvite { .. }
            | Self::SendPageLink { .. }
            | Self::SendCode { .. }
            | Self::ForgetMail { .. }
            | Self::ExpireInvite { .. }
            | Self::LapseHostedLink { .. }
            | Self::ExpireHostedLink { .. }
            | Self::EndRotation { .. }
            | Self::RecoverDeliveries { .. }
            | Self::EraseUser { .. }
            | Self::EraseTenant { .. }
            | Self::RemovePartialFiles { .. }
            | Self::DeleteOrphans { .. }
            | Self::CompleteRecord { .. }
            | Self::CompleteSignal { .. }
            | Self::AdvanceClock { .. }
            | Self::ExpireScope { .. } => None,
        }
    }

    /// Returns the key of a job that does this.
    pub(crate) fn key(&self) -> String {
        match self {
            Self::AdvanceClock { tenant } => format!("clock/{tenant}"),
            Self::StepAccount { account_id, .. } => format!("step/{account_id}"),
            Self::ReadAccount { account_id, .. } => format!("read/{account_id}"),
            Self::SyncAccount { account_id, .. } => format!("sync/{account_id}"),
            Self::WithdrawAccess { account_id, number } => format!("withdraw/{account_id}/{number}"),
            Self::LapseChallenge { account_id, .. } => format!("lapse/{account_id}"),
            Self::RemovePending { account_id } => format!("pending/{account_id}"),
            Self::ExpireAccount { account_id } => format!("expire/{account_id}"),
            Self::AnalyzeArchive { archive_id, .. } => format!("analyze/{archive_id}"),
            Self::ExpireArchive { archive_id } => format!("expire/{archive_id}"),
            Self::SendInvite { invite_id, .. } => format!("send/{invite_id}"),
            Self::SendPageLink { address } => format!("page-link/{}", hex(address.as_bytes())),
            Self::SendCode { visit_id } => format!("code/{visit_id}"),
            Self::ForgetMail { invite_id } => format!("forget/{invite_id}"),
            Self::ExpireInvite { invite_id } => format!("expire/{invite_id}"),
            Self::LapseHostedLink { hosted_link_id } => format!("lapse/{hosted_link_id}"),
            Self::ExpireHostedLink { hosted_link_id } => format!("expire/{hosted_link_id}"),
            Self::EndRotation { webhook_id } => format!("rotation/{webhook_id}"),
            Self::RecoverDeliveries { webhook_id, since, .. } => {
                format!("recover/{webhook_id}/{}", since.micros())
            }
            Self::EraseUser { user_id } => format!("erase-user/{user_id}"),
            Self::EraseTenant { tenant } => format!("erase-tenant/{tenant}"),
            Self::RemovePartialFiles { form_id } => format!("partial-files/{form_id}"),
            Self::DeleteOrphans { holder, .. } => format!("delete-orphans/{holder}"),
            Self::CompleteRecord { record_id } => format!("complete/{record_id}"),
            Self::CompleteSignal { signal_id } => format!("complete/{signal_id}"),
            Self::ExpireScope { scope } => format!("expire/{}", scope.as_str()),
        }
    }
}

impl Job {
    /// Creates a job that is due at `due_at` on the tenant's clock.
    pub fn due(owner: &Owner, kind: JobKind, due_at: TenantTime, context: &mut Context) -> Self {
        Self {
            id: JobId::from_bytes(context.uuid()),
            key: kind.key(),
            owner: owner.clone(),
            kind,
            due_at,
            run_at: context.now().wall(),
            attempts: 0,
        }
    }

    /// Returns whether the job must not run yet, although it was claimed. Only jobs that do nothing before they are due
    /// check the time again: the result of a call must not be lost because the clock went back.
    pub fn is_early(&self, now: TenantTime) -> bool {
        self.kind.queue().is_of_time() && now < self.due_at
    }

    /// Returns how long a failed job waits before it runs again: 2 seconds after the first attempt, then twice as long
    /// each time, up to 256 seconds.
    pub fn retry_wait(&self) -> Duration {
        Duration::from_secs(1 << self.attempts.min(8))
    }

    /// Creates a job that is due immediately.
    pub fn now(owner: &Owner, kind: JobKind, context: &mut Context) -> Self {
        Self::due(owner, kind, context.now().tenant(), context)
    }
}

#[cfg(test)]
mod tests;
