//! Results of a reading from any source, compared with stored data: rows of data points, and events. They contain nothing
//! that the person declined.

mod events;
mod merge;

#[cfg(test)]
mod tests;

use link_types::Timestamp;
use link_types::data::{DataPointBody, DataPointKind};
use link_types::id::DocumentId;

use merge::{Novelty, merge};

use crate::data::batch::{Batch, ContributionRate};
use crate::data::data_point::{DataPoint, Known, Origin};
use crate::data::declined_data::DeclinedData;
use crate::data::estimate::estimate_incomes;
use crate::data::insight::insight;
use crate::data::provider_file::{DocumentKey, document};
use crate::kernel::context::Context;
use crate::kernel::stored_at::StoredAt;

/// Data points of a source after a reading, including the computed ones. Oldest first of each kind.
pub(crate) struct Findings(Vec<Point>);

/// A data point after a reading.
struct Point {
    row: DataPoint,
    body: DataPointBody,
    novelty: Novelty,
    /// File that this reading stored for a document.
    file: Option<StoredAt>,
}

impl Findings {
    /// Returns the findings of a reading without data.
    pub(crate) const fn none() -> Self {
        Self(Vec::new())
    }

    /// Returns stored data points that a reading did not change.
    pub(crate) fn from_unchanged(known: Known, declined: &DeclinedData) -> Self {
        let known = known.without(declined).0.into_iter();
        let points = known.map(|(row, body)| Point { row, body, novelty: Novelty::Same, file: None });
        Self(points.collect())
    }

    /// Returns the findings of an archive, with computed estimates and an insight.
    pub(crate) fn from_batch(batch: Batch, origin: &Origin, context: &mut Context) -> Self {
        let rate = batch.contribution_rate;
        Self::compare(Known::default(), (batch.bodies, rate), None, origin, context)
    }

    /// Returns the findings of an account, compared with what is stored. Estimates and the insight are computed again if
    /// the data that they are computed from changed or there are none, and the link history if it changed.
    pub(crate) fn of_account(
        known: Known,
        read: (Vec<DataPointBody>, Option<ContributionRate>),
        history: Option<DataPointBody>,
        origin: &Origin,
        context: &mut Context,
    ) -> Self {
        Self::compare(known, read, history, origin, context)
    }

    fn compare(
        known: Known,
        (read, rate): (Vec<DataPointBody>, Option<ContributionRate>),
        link: Option<DataPointBody>,
        origin: &Origin,
        context: &mut Context,
    ) -> Self {
        let declined = &origin.declined;
        let (rows, bodies): (Vec<_>, Vec<_>) = known.without(declined).0.into_iter().unzip();
        let read = declined.without(read);
        let rate = rate.filter(|_| declined.shares(DataPointKind::Contributions));
        if bodies.is_empty() && read.is_empty() {
            return Self::none();
        }
        let merged = merge(bodies, read);
        // Another choice of what to share deletes what was computed.
        let is_changed = merged.iter().any(|(_, novelty)| *novelty != Novelty::Same)
            || !merged.iter().any(|(body, _)| body.kind().is_derived());
        let mut computed = Vec::new();
        if is_changed {
            let given: Vec<_> = merged.iter().map(|(body, _)| body.clone()).collect();
            let now = Timestamp::from(context.now().tenant());
            computed.extend(estimate_incomes(&given, rate, now.date()));
            computed.extend(link);
            computed.extend(insight(&given, rate, now));
        } else {
            computed.extend(link);
        }
        // The second merge marks data points that the first one changed as the same, so their novelty is kept.
        let (bodies, novelties): (Vec<_>, Vec<_>) = merged.into_iter().unzip();
        let merged = merge(bodies, declined.without(computed));
        let earlier = novelties.into_iter().map(Some).chain(std::iter::repeat(None));
        let mut rows = rows.into_iter();
        let points = merged.into_iter().zip(earlier).map(|((body, novelty), earlier)| {
            let novelty = match (earlier, novelty) {
                (Some(earlier), Novelty::Same) => earlier,
                (Some(_) | None, novelty) => novelty,
            };
            match rows.next() {
                Some(row) => Point { row, body, novelty, file: None },
                None => {
                    let body = body.with_id(context.uuid());
                    let row = DataPoint::new(origin, &body, context);
                    Point { row, body, novelty, file: None }
                }
            }
        });
        Self(points.collect())
    }

    /// Returns the rows to write: those of new and changed data points.
    pub(crate) fn rows(&self) -> impl Iterator<Item = DataPoint> {
        self.0.iter().filter_map(|point| match point.novelty {
            Novelty::Same => None,
            Novelty::Added => Some(point.row.clone()),
            Novelty::Updated => Some(point.row.clone().with_body(&point.body)),
        })
    }

    /// Returns the id of the first document with this key.
    pub(crate) fn document(&self, key: &DocumentKey) -> Option<&DocumentId> {
        let mut documents = self.0.iter().filter_map(|point| document(&point.body));
        documents.find(|it| DocumentKey::from_document(it) == *key).map(|it| &it.id)
    }

    /// Sets the files of documents that this reading stored.
    pub(crate) fn store_files(&mut self, file_of: impl Fn(&DocumentId) -> Option<StoredAt>) {
        for point in &mut self.0 {
            point.file = document(&point.body).and_then(|it| file_of(&it.id)).or(point.file.take());
        }
    }

    /// Returns the kinds of all data points.
    pub(crate) fn kinds(&self) -> Vec<DataPointKind> {
        self.kinds_of(|_| true)
    }

    /// Returns the kinds of new and changed data points.
    pub(crate) fn changed_kinds(&self) -> Vec<DataPointKind> {
        self.kinds_of(|point| point.novelty != Novelty::Same)
    }

    fn kinds_of(&self, counts: impl Fn(&Point) -> bool) -> Vec<DataPointKind> {
        let found = |kind: &DataPointKind| self.0.iter().any(|it| it.row.kind == *kind && counts(it));
        DataPointKind::ALL.iter().copied().filter(found).collect()
    }
}
