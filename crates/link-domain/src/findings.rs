//! Results of a reading from any source: rows of data points, the `*_ADDED` events, TASK_FINISHED.

use link_types::Timestamp;
use link_types::data::{DataPointBody, DataPointKind};
use link_types::event::{
    DataPointsAdded, EventData, EventPayload, IdentityAdded, InsightAdded, LinkAdded, RatingAdded,
    TaskFinished, TaskFinishedDataPoint,
};

use crate::change::Row;
use crate::clock::TenantTime;
use crate::context::Context;
use crate::data_point::{DataPoint, Origin, identified};
use crate::estimate::estimated_incomes;
use crate::event::{PageCursors, payload};
use crate::insight::insight;
use crate::link_history::LinkHistory;
use crate::ports::Batch;
use crate::task::{Task, TaskEnding};

/// Data points of one reading, including the computed ones. Each has its id.
pub(crate) struct Findings(Vec<DataPointBody>);

impl Findings {
    /// Returns the findings of a reading without data.
    pub(crate) const fn none() -> Self {
        Self(Vec::new())
    }

    /// Returns the findings of an archive, with computed estimates and an insight.
    pub(crate) fn of(batch: Batch, context: &mut Context) -> Self {
        Self::with(batch, None, context)
    }

    /// Returns the findings of an account, with computed estimates, the link history and an insight.
    pub(crate) fn of_account(batch: Batch, history: &LinkHistory, context: &mut Context) -> Self {
        let link = history.data_point();
        Self::with(batch, link, context)
    }

    fn with(batch: Batch, link: Option<DataPointBody>, context: &mut Context) -> Self {
        if batch.bodies.is_empty() {
            return Self::none();
        }
        let now = Timestamp::from(context.now().tenant());
        let estimates = estimated_incomes(&batch.bodies, batch.contribution_rate, now.date());
        let insight = insight(&batch.bodies, batch.contribution_rate, now);
        let all = batch.bodies.into_iter().chain(estimates).chain(link).chain(insight);
        Self(all.map(|body| identified(body, context.uuid())).collect())
    }

    pub(crate) fn rows(&self, origin: &Origin, context: &Context) -> Vec<Row> {
        let rows = self.0.iter().map(|body| DataPoint::new(origin, body, context));
        rows.map(|row| Row::DataPoint(Box::new(row))).collect()
    }

    pub(crate) fn kinds(&self) -> Vec<DataPointKind> {
        let found = |kind: &DataPointKind| self.0.iter().any(|it| it.kind() == *kind);
        DataPointKind::ALL.iter().copied().filter(found).collect()
    }

    /// Returns the `*_ADDED` events, in the order of the kinds.
    pub(crate) fn added(&self, origin: &Origin) -> Vec<EventData> {
        DataPointKind::ALL.iter().filter_map(|kind| self.added_of(*kind, origin)).collect()
    }

    /// Returns the TASK_FINISHED event of the task with these findings.
    pub(crate) fn finished_event(
        &self,
        task: &Task,
        ending: TaskEnding,
        at: TenantTime,
        cursors: Option<&dyn PageCursors>,
    ) -> TaskFinished {
        let source_id = task.source.as_str().to_owned();
        let payload = cursors.map_or(EventPayload::Empty {}, |cursors| {
            EventPayload::Full(Box::new(payload(&self.0, &source_id, at, cursors)))
        });
        TaskFinished {
            user_id: task.user_id.clone(),
            source_id,
            source_type: task.source.source_type(),
            task_type: task.task_type,
            status: ending.status(),
            error_code: ending.error_code(),
            providers: vec![task.provider_id.clone()],
            datapoints: self.kinds().into_iter().filter_map(TaskFinishedDataPoint::of).collect(),
            payload,
        }
    }

    fn added_of(&self, kind: DataPointKind, origin: &Origin) -> Option<EventData> {
        let user_id = origin.user_id.clone();
        let account_id = origin.source.as_str().to_owned();
        let providers = vec![origin.provider_id.clone()];
        let of_kind: Vec<&DataPointBody> = self.0.iter().filter(|body| body.kind() == kind).collect();
        let last = of_kind.last()?;
        let count = u32::try_from(of_kind.len()).unwrap_or(u32::MAX);
        let added = DataPointsAdded {
            user_id: user_id.clone(),
            account_id: account_id.clone(),
            count,
            providers: providers.clone(),
        };
        Some(match last {
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
        })
    }
}
