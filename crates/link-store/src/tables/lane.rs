//! Lanes of jobs: the jobs of a queue that share a clock and the same limits.

use std::collections::BTreeMap;

use link_domain::change::job::Job;
use link_domain::kernel::owner::Owner;
use link_types::Mode;
use link_types::id::{ProviderId, TenantId};

use crate::StoreError;
use crate::reader::parse;

/// The clock and the shares that the jobs of one lane use: a tenant's, and possibly a provider's.
pub(super) struct Lane {
    pub(super) name: String,
    pub(super) tenant: TenantId,
    mode: Mode,
    pub(super) provider: Option<(ProviderId, Mode)>,
}

impl Lane {
    pub(super) fn for_job(job: &Job) -> String {
        let environment = Self::for_owner(&job.owner);
        match job.kind.provider() {
            Some(provider) => format!("{environment}/{provider}"),
            None => environment,
        }
    }

    fn for_owner(Owner { tenant, mode }: &Owner) -> String {
        format!("{tenant}/{}", mode.as_str())
    }

    pub(super) fn parse(name: String) -> Result<Self, StoreError> {
        let mut parts = name.splitn(3, '/');
        let mut next = || parts.next().unwrap_or_default();
        let (tenant, mode) = (parse("jobs", next())?, parse("jobs", next())?);
        let provider = parts.next().map(|provider| parse("jobs", provider)).transpose()?;
        let provider = provider.map(|provider| (provider, mode));
        Ok(Self { tenant, mode, provider, name })
    }
}

/// Returns the first lane of an environment, and the end of its lanes, exclusive.
pub(super) fn lanes_of(owner: &Owner) -> (String, String) {
    let first = Lane::for_owner(owner);
    // Its other lanes continue with a slash, which is the character before the zero.
    let end = format!("{first}0");
    (first, end)
}

/// Returns how far the clock of a lane is ahead.
pub(super) fn offset(offsets: &BTreeMap<TenantId, i64>, lane: &Lane) -> i64 {
    match lane.mode {
        Mode::Sandbox => offsets.get(&lane.tenant).copied().unwrap_or_default(),
        Mode::Production => 0,
    }
}
