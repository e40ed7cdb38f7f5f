//! Stored data points, with their bodies decoded.

use link_types::data::{DataPointBody, DataPointKind};
use serde::de::DeserializeOwned;

use super::DataPoint;
use crate::data::declined_data::DeclinedData;

/// Stored data points of an account, oldest first.
#[derive(Clone, Debug, Default)]
pub struct Known(pub(crate) Vec<(DataPoint, DataPointBody)>);

/// Error for a stored data point whose body cannot be decoded.
#[derive(Debug, thiserror::Error)]
#[error("the body of the stored data point {id} cannot be decoded")]
pub struct UnreadablePoint {
    /// Identifier of the data point.
    id: String,
    /// Cause of the error.
    source: serde_json::Error,
}

impl Known {
    /// Decodes stored data points, which are passed oldest first.
    ///
    /// # Errors
    ///
    /// [`UnreadablePoint`] if a body does not have the shape of its kind.
    pub fn of(points: Vec<DataPoint>) -> Result<Self, UnreadablePoint> {
        let decoded = points.into_iter().map(|point| match body(&point) {
            Ok(body) => Ok((point, body)),
            Err(source) => Err(UnreadablePoint { id: point.id, source }),
        });
        decoded.collect::<Result<_, _>>().map(Self)
    }

    /// Drops data points of declined kinds.
    pub(crate) fn without(self, declined: &DeclinedData) -> Self {
        Self(self.0.into_iter().filter(|(point, _)| declined.shares(point.kind)).collect())
    }
}

fn body(point: &DataPoint) -> Result<DataPointBody, serde_json::Error> {
    let json = point.body.as_slice();
    Ok(match point.kind {
        DataPointKind::Identities => DataPointBody::Identity(decoded(json)?),
        DataPointKind::Documents => DataPointBody::Document(decoded(json)?),
        DataPointKind::Employments => DataPointBody::Employment(decoded(json)?),
        DataPointKind::Incomes => DataPointBody::Income(decoded(json)?),
        DataPointKind::Transactions => DataPointBody::Transaction(decoded(json)?),
        DataPointKind::Contributions => DataPointBody::Contribution(decoded(json)?),
        DataPointKind::Liabilities => DataPointBody::Liability(decoded(json)?),
        DataPointKind::Eincomes => DataPointBody::EstimatedIncome(decoded(json)?),
        DataPointKind::Ratings => DataPointBody::Rating(decoded(json)?),
        DataPointKind::Links => DataPointBody::Link(decoded(json)?),
        DataPointKind::Insights => DataPointBody::Insight(decoded(json)?),
    })
}

fn decoded<T: DeserializeOwned>(json: &[u8]) -> Result<T, serde_json::Error> {
    serde_json::from_slice(json)
}
