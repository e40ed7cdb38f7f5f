//! What a reading brings: data points, the `*_ADDED` events, TASK_FINISHED.

use link_types::Timestamp;
use link_types::data::{DataPointBody, DataPointKind, SourceType};
use link_types::event::{
    DataPointsAdded, EventData, EventPayload, IdentityAdded, InsightAdded, LinkAdded, RatingAdded,
    TaskFinished,
};
use link_types::id::TaskId;

use super::turn::Turn;
use super::{AccountState, Connection, IllegalTransition, Reading};
use crate::change::Row;
use crate::data_point::{DataPoint, identified};
use crate::estimate::estimated_incomes;
use crate::event::{PageCursors, payload};
use crate::ports::{Batch, Read, ReadOutcome, SourceState};
use crate::task::{Task, TaskEnding};

impl Turn<'_> {
    pub(super) fn read(
        &mut self,
        connection: Connection,
        task_id: &TaskId,
        (from, read): (&SourceState, Read),
        cursors: &dyn PageCursors,
    ) -> Result<(), IllegalTransition> {
        let task = match &connection.reading {
            Reading::Running { task } if task.id == *task_id => task.clone(),
            Reading::Running { .. } | Reading::Done {} | Reading::Failed {} => {
                return Err(IllegalTransition::StaleReading);
            }
        };
        let (ending, reading, batch) = match read.outcome {
            ReadOutcome::Complete => (TaskEnding::Succeeded, Reading::Done {}, read.batch),
            ReadOutcome::Partial { code } => (TaskEnding::Partial(code), Reading::Done {}, read.batch),
            ReadOutcome::Failed { code } => (TaskEnding::Failed(code), Reading::Failed {}, Batch::default()),
        };
        let today = Timestamp::from(self.at).date();
        let estimates = estimated_incomes(&batch.bodies, batch.contribution_rate, today);
        let all = batch.bodies.into_iter().chain(estimates);
        let bodies: Vec<DataPointBody> = all.map(|body| identified(body, self.context.uuid())).collect();
        let rows = bodies.iter().map(|body| DataPoint::of_account(&self.account, body, self.context));
        self.change.rows.extend(rows.map(|row| Row::DataPoint(Box::new(row))));
        for kind in DataPointKind::ALL {
            self.tell_added(*kind, &bodies);
        }
        // Whoever logged in again while the source read has the newer session.
        let source = if connection.source == *from { read.state } else { connection.source.clone() };
        self.account.state = AccountState::Connected(Box::new(Connection { source, reading, ..connection }));
        self.finish_task(task, ending, &bodies, Some(cursors));
        Ok(())
    }

    /// Ends a task with what it read: its row and TASK_FINISHED.
    pub(super) fn finish_task(
        &mut self,
        task: Task,
        ending: TaskEnding,
        bodies: &[DataPointBody],
        cursors: Option<&dyn PageCursors>,
    ) {
        let kinds: Vec<DataPointKind> = DataPointKind::ALL
            .iter()
            .copied()
            .filter(|kind| bodies.iter().any(|it| it.kind() == *kind))
            .collect();
        let source_id = self.account.id.to_string();
        let payload = cursors.map_or(EventPayload::Empty {}, |cursors| {
            EventPayload::Full(Box::new(payload(bodies, &source_id, self.at, cursors)))
        });
        self.tell(EventData::TaskFinished(TaskFinished {
            user_id: task.user_id.clone(),
            source_id,
            source_type: SourceType::Account,
            task_type: task.task_type,
            status: ending.status(),
            error_code: ending.error_code(),
            providers: vec![task.provider_id.clone()],
            datapoints: kinds.clone(),
            payload,
        }));
        self.change.rows.push(Row::Task(task.finished(self.at, ending, kinds)));
    }

    fn tell_added(&mut self, kind: DataPointKind, bodies: &[DataPointBody]) {
        let user_id = self.account.user_id.clone();
        let account_id = self.account.id.to_string();
        let providers = vec![self.account.provider_id.clone()];
        let of_kind: Vec<&DataPointBody> = bodies.iter().filter(|body| body.kind() == kind).collect();
        let Some(last) = of_kind.last() else { return };
        let count = u32::try_from(of_kind.len()).unwrap_or(u32::MAX);
        let added = DataPointsAdded {
            user_id: user_id.clone(),
            account_id: account_id.clone(),
            count,
            providers: providers.clone(),
        };
        let event = match last {
            DataPointBody::Identity(it) => EventData::IdentityAdded(IdentityAdded {
                user_id,
                account_id,
                identity_id: it.id.clone(),
                providers,
            }),
            DataPointBody::Rating(it) => EventData::RatingAdded(RatingAdded {
                user_id,
                account_id,
                rating_id: it.id.clone(),
                providers,
            }),
            DataPointBody::Insight(it) => {
                EventData::InsightAdded(InsightAdded { user_id, account_id, id: it.id.clone(), providers })
            }
            DataPointBody::Link(it) => {
                EventData::LinkAdded(LinkAdded { user_id, account_id, id: it.id.clone(), providers })
            }
            DataPointBody::Document(_) => EventData::DocumentsAdded(added),
            DataPointBody::Employment(_) => EventData::EmploymentsAdded(added),
            DataPointBody::Income(_) => EventData::IncomesAdded(added),
            DataPointBody::Transaction(_) => EventData::TransactionsAdded(added),
            DataPointBody::Contribution(_) => EventData::ContributionsAdded(added),
            DataPointBody::Liability(_) => EventData::LiabilitiesAdded(added),
            DataPointBody::EstimatedIncome(_) => EventData::EincomesAdded(added),
        };
        self.tell(event);
    }
}
