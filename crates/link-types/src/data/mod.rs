//! Data points: what the service knows about a person, in the shapes of the interface. Each kind has its own module,
//! and its lines in `kind.rs` and `body.rs`.
//!
//! A stored data point is its body (one of these structs). REST responses add [`Metadata`]; webhook payloads contain
//! only the body.

use serde::{Deserialize, Serialize};

use crate::{
    id::{ProviderId, UserId},
    list::Page,
    time::Timestamp,
};

mod body;
mod contribution;
mod document;
mod employment;
mod estimated_income;
mod identity;
mod income;
mod insight;
mod kind;
mod liability;
mod link;
mod rating;
mod transaction;

pub use body::DataPointBody;
pub use contribution::Contribution;
pub use document::{Document, DocumentStatus, DocumentType};
pub use employment::Employment;
pub use estimated_income::EstimatedIncome;
pub use identity::{Address, EmailAddress, Identity, PhoneNumber, SocialProfile};
pub use income::{Income, IncomeFrequency};
pub use insight::Insight;
pub use kind::DataPointKind;
pub use liability::Liability;
pub use link::{Link, LinkRecord};
pub use rating::Rating;
pub use transaction::Transaction;

words! {
    /// Type of source that a data point comes from.
    SourceType {
        /// A linked account.
        Account = "ACCOUNT",
        /// Documents uploaded by the tenant.
        Upload = "UPLOAD",
        /// Documents uploaded by a person.
        Archive = "ARCHIVE",
    }
}

/// Origin of a data point (interface: Metadata).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct Metadata {
    /// Time at which the account record was created.
    pub created_at: Timestamp,
    /// Time at which this data point was created.
    pub item_created_at: Timestamp,
    /// Deprecated. Same as `sourceId`.
    #[cfg_attr(feature = "schema", schema(deprecated))]
    pub account_id: String,
    /// Account or archive that the data comes from.
    pub source_id: String,
    /// Type of the source.
    pub source_type: SourceType,
    /// Provider of the data.
    pub provider_id: ProviderId,
    /// User that the data belongs to.
    pub user_id: UserId,
}

/// A data point as returned by REST: its body and its metadata in one object.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct WithMetadata<T> {
    /// Body of the data point.
    #[serde(flatten)]
    pub item: T,
    /// Origin of the data point.
    pub metadata: Metadata,
}

/// Data points of a source or a user, under the keys of the interface. Each is null if there is no data.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Default)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct Payload {
    /// Identity of the person.
    pub identity: Option<Identity>,
    /// Rating on a platform.
    pub rating: Option<Rating>,
    /// Documents held by the provider.
    pub documents: Option<Page<Document>>,
    /// Pay.
    pub incomes: Option<Page<Income>>,
    /// Movements of money.
    pub transactions: Option<Page<Transaction>>,
    /// Jobs.
    pub employments: Option<Page<Employment>>,
    /// Contributions to a fund.
    pub contributions: Option<Page<Contribution>>,
    /// Loans.
    pub liabilities: Option<Page<Liability>>,
    /// Monthly income estimates.
    pub eincomes: Option<Page<EstimatedIncome>>,
    /// Earlier links to the same provider.
    pub links: Option<Page<Link>>,
    /// Computed features.
    pub insight: Option<Insight>,
}

/// Maximum number of items in each list of a webhook payload. The list endpoints return the rest.
pub const PAYLOAD_ITEMS: usize = 300;
