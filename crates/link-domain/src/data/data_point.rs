//! Data points: one row each, of any kind.

use link_types::data::{DataPointBody, DataPointKind, Document, Metadata, SourceType};
use link_types::id::{LinkSiteSessionId, ProviderId, UserId};
use link_types::{Date, Month};

use crate::data::declined_data::DeclinedData;
use crate::kernel::clock::TenantTime;
use crate::kernel::context::Context;
use crate::kernel::owner::Owner;
use crate::kernel::scope::ErasureScope;
use crate::kernel::source::Source;

/// A data point. `body` is encrypted with the key of `scope`; the other columns are unencrypted, so that lists can
/// filter.
#[derive(Clone, PartialEq)]
pub struct DataPoint {
    /// Identifier of the data point, with its kind's prefix.
    pub id: String,
    /// Kind of data point.
    pub kind: DataPointKind,
    /// Tenant and environment of the data point.
    pub owner: Owner,
    /// User that the data belongs to.
    pub user_id: UserId,
    /// Provider of the data.
    pub provider_id: ProviderId,
    /// Account or archive that the data comes from.
    pub source_id: String,
    /// Type of the source.
    pub source_type: SourceType,
    /// When the source was created.
    pub source_created_at: TenantTime,
    /// When the data point was created. Lists are sorted by this and the id, newest first.
    pub created_at: TenantTime,
    /// Date that the data point refers to, for filters.
    pub date: Option<Date>,
    /// Month that the data point refers to, for filters.
    pub month: Option<Month>,
    /// Erasure scope that the data point belongs to.
    pub scope: ErasureScope,
    /// Body as JSON: the object that webhook payloads contain, without metadata.
    pub body: Vec<u8>,
}

/// Fields that all data points of one reading share.
pub(crate) struct Origin {
    /// Tenant and environment of the data points.
    pub(crate) owner: Owner,
    /// User that the data belongs to.
    pub(crate) user_id: UserId,
    /// Provider of the data.
    pub(crate) provider_id: ProviderId,
    /// Account or archive that the data comes from.
    pub(crate) source: Source,
    /// Visit of the hosted pages in which the source was created.
    pub(crate) visit_id: Option<LinkSiteSessionId>,
    /// When the source was created.
    pub(crate) created_at: TenantTime,
    /// Kinds that the consent for the source does not cover.
    pub(crate) declined: DeclinedData,
}

impl std::fmt::Debug for DataPoint {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("DataPoint").field("id", &self.id).field("kind", &self.kind).finish_non_exhaustive()
    }
}

impl DataPoint {
    /// Creates the row of a body, which must already have its final id.
    pub(crate) fn new(origin: &Origin, body: &DataPointBody, context: &Context) -> Self {
        Self {
            id: body.id(),
            kind: body.kind(),
            owner: origin.owner.clone(),
            user_id: origin.user_id.clone(),
            provider_id: origin.provider_id.clone(),
            source_id: origin.source.as_str().to_owned(),
            source_type: origin.source.source_type(),
            source_created_at: origin.created_at,
            created_at: context.now().tenant(),
            date: body.date(),
            month: body.month(),
            scope: origin.source.scope(),
            body: json(body),
        }
    }

    /// Replaces the body by a later one of the same data point.
    pub(crate) fn with_body(self, body: &DataPointBody) -> Self {
        Self { date: body.date(), month: body.month(), body: json(body), ..self }
    }

    /// Returns the data point with the URL of its file. A data point that is not a document, or that has a URL of the
    /// source, is unchanged.
    pub fn with_file_url(self, url: impl FnOnce() -> String) -> Self {
        let is_document = self.kind == DataPointKind::Documents;
        let document = is_document.then(|| serde_json::from_slice::<Document>(&self.body).ok()).flatten();
        match document.filter(|it| it.file_url.is_none()) {
            Some(document) => Self { body: json(&Document { file_url: Some(url()), ..document }), ..self },
            None => self,
        }
    }

    /// Returns the origin of the data point as REST shows it.
    pub fn metadata(&self) -> Metadata {
        Metadata {
            created_at: self.source_created_at.into(),
            item_created_at: self.created_at.into(),
            account_id: self.source_id.clone(),
            source_id: self.source_id.clone(),
            source_type: self.source_type,
            provider_id: self.provider_id.clone(),
            user_id: self.user_id.clone(),
        }
    }

    /// Returns the data point as REST shows it: the body's fields, then `metadata`. Does not decode the body.
    pub fn rest_json(&self) -> Vec<u8> {
        let open = self.body.strip_suffix(b"}").unwrap_or(&self.body);
        [open, b",\"metadata\":", &json(&self.metadata()), b"}"].concat()
    }
}

/// Serializes a value to JSON. The value must have only string keys, so that this cannot fail.
pub(crate) fn json(value: &impl serde::Serialize) -> Vec<u8> {
    match serde_json::to_vec(value) {
        Ok(bytes) => bytes,
        Err(_) => unreachable!("a wire value always serializes to JSON"),
    }
}

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
    pub fn from_points(points: Vec<DataPoint>) -> Result<Self, UnreadablePointError> {
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
