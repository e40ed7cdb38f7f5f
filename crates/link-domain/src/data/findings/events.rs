//! Events of a reading: `*_ADDED`, `*_UPDATED`, TASK_FINISHED, ACCOUNT_SYNC_TASK_FINISHED.

use link_types::Date;
use link_types::account::MonitorStatus;
use link_types::data::{DataPointBody, DataPointKind, Payload};
use link_types::event::{
    AccountSyncTaskFinished, DataPointsAdded, DataPointsUpdated, EventData, EventPayload, IdentityAdded,
    InsightAdded, LinkAdded, RatingAdded, TaskFinished,
};
use link_types::id::DocumentId;

use super::merge::Novelty;
use super::{Findings, Point};
use crate::data::data_point::Origin;
use crate::data::payload::{PayloadLinks, payload};
use crate::data::task::{Task, TaskEnding};
use crate::kernel::clock::TenantTime;
use crate::kernel::source::Source;
use crate::kernel::stored_at::StoredAt;

impl Findings {
    /// Returns the `*_ADDED` events in the order of the kinds, then the `*_UPDATED` events.
    pub(crate) fn events(&self, origin: &Origin, at: TenantTime) -> Vec<EventData> {
        let kinds = || DataPointKind::ALL.iter();
        let added = kinds().filter_map(|kind| self.added_event(*kind, origin));
        added.chain(kinds().filter_map(|kind| self.updated_event(*kind, origin, at))).collect()
    }

    /// Returns the TASK_FINISHED event of a task with these findings.
    pub(crate) fn finished_event(
        &self,
        task: &Task,
        ending: TaskEnding,
        links: Option<&dyn PayloadLinks>,
    ) -> TaskFinished {
        let kinds = self.kinds();
        TaskFinished {
            user_id: task.user_id.clone(),
            source_id: task.source.as_str().to_owned(),
            source_type: task.source.source_type(),
            task_type: task.task_type,
            status: ending.status(),
            error_code: ending.error_code(),
            providers: vec![task.provider_id.clone()],
            payload: self.payload(&kinds, task, links),
            datapoints: kinds,
        }
    }

    /// Returns the ACCOUNT_SYNC_TASK_FINISHED event of a task that changed data points of these kinds.
    pub(crate) fn synced_event(
        &self,
        task: &Task,
        ending: TaskEnding,
        (monitor_status, changed): (MonitorStatus, &[DataPointKind]),
        links: Option<&dyn PayloadLinks>,
    ) -> AccountSyncTaskFinished {
        AccountSyncTaskFinished {
            user_id: task.user_id.clone(),
            source_id: task.source.as_str().to_owned(),
            source_type: task.source.source_type(),
            providers: vec![task.provider_id.clone()],
            status: ending.status(),
            monitor_status,
            payload: self.payload(changed, task, links),
            data_points: changed.to_vec(),
        }
    }

    /// Returns the payload with the data points of these kinds, also those that did not change: a list is the first
    /// page of the list endpoint, so that its cursor continues it. Without cursors, the source is gone and the
    /// payload has no data.
    fn payload(
        &self,
        kinds: &[DataPointKind],
        task: &Task,
        links: Option<&dyn PayloadLinks>,
    ) -> EventPayload {
        let full = links.map_or_else(Payload::default, |links| {
            let points = self.0.iter().filter(|point| kinds.contains(&point.row.kind));
            let bodies: Vec<_> = points.map(|point| (&point.body, point.row.created_at)).collect();
            payload(&bodies, task.source.as_str(), (links, &|id| self.file(id, task, links)))
        });
        EventPayload::Full(Box::new(full))
    }

    /// Returns where the file of a document is stored, if it has one.
    fn file(&self, id: &DocumentId, task: &Task, links: &dyn PayloadLinks) -> Option<StoredAt> {
        let point = self.0.iter().find(|point| point.row.id == id.as_str())?;
        let stored = || match &task.source {
            Source::Account(account) if links.has_file(id) => {
                Some(StoredAt::Account(account.clone(), id.clone()))
            }
            Source::Account(_) | Source::Archive(_) | Source::Upload(_) => None,
        };
        point.file.clone().or_else(stored)
    }

    fn added_event(&self, kind: DataPointKind, origin: &Origin) -> Option<EventData> {
        let is_reported = |point: &&Point| match point.novelty {
            Novelty::Added => true,
            Novelty::Updated => kind.updated_event().is_none(),
            Novelty::Same => false,
        };
        let of_kind: Vec<&Point> =
            self.0.iter().filter(|it| it.row.kind == kind).filter(is_reported).collect();
        let last = of_kind.last()?;
        let user_id = origin.user_id.clone();
        let source_id = origin.source.as_str().to_owned();
        let (account_id, source_type) = (source_id.clone(), origin.source.source_type());
        let providers = vec![origin.provider_id.clone()];
        let added = DataPointsAdded {
            event_type: kind.added_event(),
            user_id: user_id.clone(),
            account_id: account_id.clone(),
            source_id: source_id.clone(),
            source_type,
            count: count(&of_kind),
            providers: providers.clone(),
        };
        Some(if let DataPointBody::Identity(it) = &last.body {
            EventData::IdentityAdded(IdentityAdded {
                user_id,
                account_id,
                source_id,
                source_type,
                identity_id: it.id.clone(),
                providers,
            })
        } else if let DataPointBody::Rating(it) = &last.body {
            EventData::RatingAdded(RatingAdded {
                user_id,
                account_id,
                source_id,
                source_type,
                rating_id: it.id.clone(),
                providers,
            })
        } else if let DataPointBody::Insight(it) = &last.body {
            EventData::InsightAdded(InsightAdded {
                user_id,
                account_id,
                source_id,
                source_type,
                id: it.id.clone(),
                providers,
            })
        } else if let DataPointBody::Link(it) = &last.body {
            EventData::LinkAdded(LinkAdded {
                user_id,
                account_id,
                source_id,
                source_type,
                id: it.id.clone(),
                providers,
            })
        } else {
            EventData::DataPointsAdded(added)
        })
    }

    fn updated_event(&self, kind: DataPointKind, origin: &Origin, at: TenantTime) -> Option<EventData> {
        let event_type = kind.updated_event()?;
        let is_updated = |it: &&Point| it.row.kind == kind && it.novelty == Novelty::Updated;
        let of_kind: Vec<&Point> = self.0.iter().filter(is_updated).collect();
        if of_kind.is_empty() {
            return None;
        }
        let days = || of_kind.iter().filter_map(|point| days(&point.body));
        let ids = || of_kind.iter().map(|point| point.row.id.clone()).collect();
        Some(EventData::DataPointsUpdated(DataPointsUpdated {
            event_type,
            user_id: origin.user_id.clone(),
            account_id: origin.source.as_str().to_owned(),
            source_id: origin.source.as_str().to_owned(),
            source_type: origin.source.source_type(),
            count: count(&of_kind),
            updated_from: days().map(|(first, _)| first).min(),
            updated_to: days().map(|(_, last)| last).max(),
            updated_at: at.into(),
            providers: vec![origin.provider_id.clone()],
            link_site_session_id: origin.visit_id.clone(),
            updated_ids: (kind == DataPointKind::Documents).then(ids),
        }))
    }
}

fn count(points: &[&Point]) -> u32 {
    u32::try_from(points.len()).unwrap_or(u32::MAX)
}

/// Returns the first and the last day that a data point refers to: its date, or the days of its month.
fn days(body: &DataPointBody) -> Option<(Date, Date)> {
    match (body.date(), body.month()) {
        (Some(date), _) => Some((date, date)),
        (None, Some(month)) => Some((month.first_day()?, month.plus_months(1).first_day()?.plus_days(-1))),
        (None, None) => None,
    }
}
