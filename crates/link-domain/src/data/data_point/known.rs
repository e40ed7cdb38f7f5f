//! Stored data points, with their bodies decoded.

use link_types::data::DataPointBody;

use super::DataPoint;
use crate::data::declined_data::DeclinedData;

/// Stored data points of an account, oldest first.
#[derive(Clone, Debug, Default)]
pub struct Known(pub(crate) Vec<(DataPoint, DataPointBody)>);

/// Error for a stored data point whose body cannot be decoded.
#[derive(Debug, thiserror::Error)]
#[error("the body of the stored data point {id} cannot be decoded")]
pub struct UnreadablePointError {
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
    /// [`UnreadablePointError`] if a body does not have the shape of its kind.
    pub fn of(points: Vec<DataPoint>) -> Result<Self, UnreadablePointError> {
        let decoded = points.into_iter().map(|point| match body(&point) {
            Ok(body) => Ok((point, body)),
            Err(source) => Err(UnreadablePointError { id: point.id, source }),
        });
        decoded.collect::<Result<_, _>>().map(Self)
    }

    /// Drops data points of declined kinds.
    pub(crate) fn without(self, declined: &DeclinedData) -> Self {
        Self(self.0.into_iter().filter(|(point, _)| declined.shares(point.kind)).collect())
    }
}

fn body(point: &DataPoint) -> Result<DataPointBody, serde_json::Error> {
    let mut json = serde_json::Deserializer::from_slice(&point.body);
    let body = DataPointBody::decode(point.kind, &mut json)?;
    json.end()?;
    Ok(body)
}
