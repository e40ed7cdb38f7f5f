//! The steps of an advance.

use link_types::Mode;

use super::{Advance, AdvanceError, AdvanceState, AdvanceTo, DueWork, MAX_OFFSET, TIMEOUT};
use crate::change::job::{Job, JobKind};
use crate::change::{Change, Row};
use crate::kernel::clock::Now;
use crate::kernel::context::Context;
use crate::kernel::owner::Owner;
use crate::tenancy::tenant::Tenant;

/// Next step of an advance.
#[derive(Clone, Debug, PartialEq)]
pub enum AdvanceStep {
    /// It waits for work that is due.
    Wait,
    /// The clock moves to the next instant.
    Move(Change),
    /// The advance ends.
    Finish(Change),
}

impl Advance {
    /// Begins an advance of the tenant's sandbox clock. `last` is the tenant's latest advance.
    ///
    /// # Errors
    ///
    /// [`AdvanceError`] if an advance is in progress, or the time is not allowed.
    pub fn begin(
        tenant: &Tenant,
        last: Option<&Self>,
        to: AdvanceTo,
        context: &mut Context,
    ) -> Result<(Self, Change), AdvanceError> {
        let now = context.now();
        if last.is_some_and(Self::is_running) {
            return Err(AdvanceError::InProgress);
        }
        let until = match to {
            AdvanceTo::After(span) => now.tenant() + span,
            AdvanceTo::Until(until) => until,
        };
        if until <= now.tenant() {
            return Err(AdvanceError::NotAhead);
        }
        if now.offset_at(until).micros() > MAX_OFFSET.as_micros().try_into().unwrap_or(i64::MAX) {
            return Err(AdvanceError::TooFar);
        }
        let advance = Self {
            tenant: tenant.id.clone(),
            from: now.tenant(),
            until,
            steps: 0,
            state: AdvanceState::Running { moved_at: now.wall() },
        };
        let owner = Owner { tenant: tenant.id.clone(), mode: Mode::Sandbox };
        let jobs = vec![Job::now(&owner, JobKind::AdvanceClock { tenant: owner.tenant.clone() }, context)];
        let change = Change { rows: vec![Row::Advance(advance.clone())], jobs, ..Change::default() };
        Ok((advance, change))
    }

    /// Stops the advance. The clock stays where it is, and the work that is due there runs. An advance that has ended is
    /// unchanged.
    pub fn stop(self) -> (Self, Change) {
        match self.state {
            AdvanceState::Running { .. } => {
                let stopped = Self { state: AdvanceState::Stopped, ..self };
                (stopped.clone(), Change::row(Row::Advance(stopped)))
            }
            AdvanceState::Finished | AdvanceState::Stopped => (self, Change::default()),
        }
    }

    /// Decides what happens next. The clock moves once nothing is due any more, or after [`TIMEOUT`], to the next
    /// instant at which work is due. Work that becomes due while the clock is at an instant belongs to the instant.
    #[must_use]
    pub fn step(self, tenant: Tenant, due: DueWork, now: Now) -> AdvanceStep {
        let AdvanceState::Running { moved_at } = self.state else {
            return AdvanceStep::Finish(Change::default());
        };
        if due.is_due && now.wall().since(moved_at) < TIMEOUT {
            return AdvanceStep::Wait;
        }
        if now.tenant() >= self.until {
            let finished = Self { state: AdvanceState::Finished, ..self };
            return AdvanceStep::Finish(Change::row(Row::Advance(finished)));
        }
        let next = due.next_at.map_or(self.until, |next| next.min(self.until));
        let moved = Self {
            steps: self.steps.saturating_add(1),
            state: AdvanceState::Running { moved_at: now.wall() },
            ..self
        };
        let tenant = Tenant { sandbox_offset: now.offset_at(next), ..tenant };
        AdvanceStep::Move(Change {
            rows: vec![Row::Tenant(tenant), Row::Advance(moved)],
            ..Change::default()
        })
    }
}
