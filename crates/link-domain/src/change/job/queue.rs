//! The queues of jobs.

/// A queue of jobs that wait for the same thing. Each queue has its own workers, so that jobs that hang in one queue do
/// not block the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JobQueue {
    /// [`super::JobKind::StepAccount`]: a person is waiting in the widget.
    Steps,
    /// Jobs that query a source for minutes: [`super::JobKind::ReadAccount`], [`super::JobKind::CompleteRecord`],
    /// [`super::JobKind::CompleteSignal`].
    Sources,
    /// [`super::JobKind::WithdrawAccess`]: waits for a provider. It goes on while the tenant is suspended, and a deleted
    /// tenant's rows wait for it.
    Withdrawals,
    /// [`super::JobKind::SyncAccount`]: queries a source for minutes, but no one waits for it. Each provider has a share.
    Syncs,
    /// [`super::JobKind::SendInvite`], [`super::JobKind::SendPageLink`], [`super::JobKind::SendCode`]: waits for a mail server.
    Mail,
    /// [`super::JobKind::AnalyzeArchive`]: takes minutes, and only a few run at once.
    Readings,
    /// Erasures due to retention. They wait while retention is paused ([`crate::kernel::retention`]).
    Retention,
    /// [`super::JobKind::AdvanceClock`]: waits for the tenant's due work in the other queues.
    Clock,
    /// All other jobs: requested erasures and expiries. They query no source.
    Maintenance,
}

impl JobQueue {
    /// Returns whether the queue's jobs query no source and do nothing before they are due.
    pub(super) const fn is_of_time(self) -> bool {
        matches!(self, Self::Retention | Self::Maintenance)
    }

    /// Returns whether the queue's jobs wait while their tenant is suspended. Erasures and expiries go on.
    pub const fn stops_with_tenant(self) -> bool {
        match self {
            Self::Steps | Self::Sources | Self::Syncs | Self::Mail | Self::Readings | Self::Clock => true,
            Self::Withdrawals | Self::Retention | Self::Maintenance => false,
        }
    }

    /// Returns whether the shares of tenants and providers count the jobs of all nodes together. Other queues have a share
    /// on each node.
    pub const fn is_shared_by_nodes(self) -> bool {
        matches!(self, Self::Syncs)
    }

    /// Every queue.
    pub const ALL: [Self; 9] = [
        Self::Steps,
        Self::Sources,
        Self::Withdrawals,
        Self::Syncs,
        Self::Mail,
        Self::Readings,
        Self::Retention,
        Self::Clock,
        Self::Maintenance,
    ];

    /// Returns the name by which the store identifies the queue.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Steps => "steps",
            Self::Sources => "sources",
            Self::Withdrawals => "withdrawals",
            Self::Syncs => "syncs",
            Self::Mail => "mail",
            Self::Readings => "readings",
            Self::Retention => "retention",
            Self::Clock => "clock",
            Self::Maintenance => "maintenance",
        }
    }
}
