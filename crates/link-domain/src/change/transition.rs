//! The builder of changes: one application of an input to an entity, and the rows, events and jobs that result.

use link_types::billing::BillingKind;
use link_types::event::EventData;
use link_types::id::UserId;

use crate::change::job::{Job, JobKind};
use crate::change::{Change, Row};
use crate::data::findings::Findings;
use crate::kernel::clock::TenantTime;
use crate::kernel::context::Context;
use crate::kernel::owner::Owner;
use crate::kernel::subject::Subject;
use crate::notifications::event::EventRecord;
use crate::tenancy::billing::BillingRecord;

/// An object that changes by transitions and emits events.
pub(crate) trait Entity {
    /// Returns the tenant and environment of the object.
    fn owner(&self) -> &Owner;

    /// Returns the object as the subject of its events.
    fn subject(&self) -> Subject;

    /// Returns the number of events emitted for the object.
    fn event_count(&mut self) -> &mut u64;

    /// Advances the object to its next version, which begins at `at`.
    fn advance(&mut self, at: TenantTime);
}

/// One application of an input: the object being changed, and its change set.
pub(crate) struct Transition<'c, E> {
    pub(crate) entity: E,
    pub(crate) change: Change,
    pub(crate) context: &'c mut Context,
    pub(crate) at: TenantTime,
}

impl<'c, E: Entity> Transition<'c, E> {
    /// Starts a transition to the next version. A new object starts at version 0.
    pub(crate) fn for_entity(mut entity: E, context: &'c mut Context) -> Self {
        let at = context.now().tenant();
        entity.advance(at);
        Self { entity, change: Change::default(), context, at }
    }

    /// Emits an event about the object.
    pub(crate) fn emit(&mut self, data: EventData) {
        let count = self.entity.event_count();
        *count = count.saturating_add(1);
        let sequence = *count;
        let event =
            EventRecord::new(self.entity.owner(), self.entity.subject(), sequence, data, self.context);
        self.change.events.push(event);
    }

    /// Schedules a job that is due at `due_at`.
    pub(crate) fn schedule(&mut self, kind: JobKind, due_at: TenantTime) {
        let job = Job::due(self.entity.owner(), kind, due_at, self.context);
        self.change.jobs.push(job);
    }

    /// Charges the tenant for the object.
    pub(crate) fn bill(&mut self, kind: BillingKind, user_id: Option<UserId>) {
        let (owner, subject) = (self.entity.owner(), self.entity.subject());
        let billed = BillingRecord::now(owner, kind, subject.as_str(), user_id, self.context);
        self.change.rows.push(Row::Billing(billed));
    }
}

impl<'c, E> Transition<'c, E> {
    /// Writes the new and changed data points of a reading.
    pub(crate) fn write_data_points(&mut self, findings: &Findings) {
        self.change.rows.extend(findings.rows().map(|row| Row::DataPoint(Box::new(row))));
    }

    /// Replaces the object, for example to put its new state into it.
    pub(crate) fn map<F>(self, into: impl FnOnce(E) -> F) -> Transition<'c, F> {
        let Self { entity, change, context, at } = self;
        Transition { entity: into(entity), change, context, at }
    }

    /// Ends the transition. The object's row comes first, because other rows may refer to it.
    pub(crate) fn finish(mut self, row: impl FnOnce(&E) -> Row) -> (E, Change) {
        self.change.rows.insert(0, row(&self.entity));
        (self.entity, self.change)
    }
}
