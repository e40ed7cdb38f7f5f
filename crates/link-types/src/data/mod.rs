//! Data points: what is known of a person, in the interface's shapes. One module a kind, all in one list here.
//!
//! A stored data point is its body (these structs); REST adds [`Metadata`], webhook payloads show the body alone.

use serde::{Deserialize, Serialize};

use crate::{
    id::{ProviderId, UserId},
    list::Page,
    time::Timestamp,
};

mod contribution;
mod document;
mod employment;
mod estimated_income;
mod identity;
mod income;
mod insight;
mod liability;
mod link;
mod rating;
mod transaction;

pub use contribution::Contribution;
pub use document::{Document, DocumentStatus, DocumentType};
pub use employment::Employment;
pub use estimated_income::EstimatedIncome;
pub use identity::{Address, EmailAddress, Identity, PhoneNumber, SocialProfile};
pub use income::{Income, IncomeFrequency};
pub use insight::Insight;
pub use liability::Liability;
pub use link::{Link, LinkRecord};
pub use rating::Rating;
pub use transaction::Transaction;

words! {
    /// A kind of data point, as TASK_FINISHED names it.
    DataPointKind {
        /// Who the person is.
        Identities = "IDENTITIES",
        /// Documents held at the provider.
        Documents = "DOCUMENTS",
        /// Jobs.
        Employments = "EMPLOYMENTS",
        /// Pay.
        Incomes = "INCOMES",
        /// Money movements.
        Transactions = "TRANSACTIONS",
        /// Contributions to a fund.
        Contributions = "CONTRIBUTIONS",
        /// Loans.
        Liabilities = "LIABILITIES",
        /// Monthly income estimates.
        Eincomes = "EINCOMES",
        /// Ratings on a platform.
        Ratings = "RATINGS",
        /// When the person linked the same provider before.
        Links = "LINKS",
        /// Features computed from the others.
        Insights = "INSIGHTS",
    }
}

words! {
    /// Where a data point came from.
    SourceType {
        /// A linked account.
        Account = "ACCOUNT",
        /// A tenant's upload.
        Upload = "UPLOAD",
        /// A person's upload.
        Archive = "ARCHIVE",
    }
}

/// Where a data point came from and when (interface: Metadata).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct Metadata {
    /// Creation of the account record.
    pub created_at: Timestamp,
    /// Creation of this item.
    pub item_created_at: Timestamp,
    /// Deprecated; the same as `sourceId`.
    #[cfg_attr(feature = "schema", schema(deprecated))]
    pub account_id: String,
    /// Account or archive.
    pub source_id: String,
    /// Which of the two.
    pub source_type: SourceType,
    /// The provider.
    pub provider_id: ProviderId,
    /// The user.
    pub user_id: UserId,
}

/// A data point as REST shows it: its body and its metadata in one object.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct WithMetadata<T> {
    /// The body.
    #[serde(flatten)]
    pub item: T,
    /// Where it came from.
    pub metadata: Metadata,
}

/// The data points of a source or a user, in the keys of the interface; each null when absent.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Default)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct Payload {
    /// Who the person is.
    pub identity: Option<Identity>,
    /// Rating on a platform.
    pub rating: Option<Rating>,
    /// Documents.
    pub documents: Option<Page<Document>>,
    /// Pay.
    pub incomes: Option<Page<Income>>,
    /// Money movements.
    pub transactions: Option<Page<Transaction>>,
    /// Jobs.
    pub employments: Option<Page<Employment>>,
    /// Contributions.
    pub contributions: Option<Page<Contribution>>,
    /// Loans.
    pub liabilities: Option<Page<Liability>>,
    /// Monthly income estimates.
    pub eincomes: Option<Page<EstimatedIncome>>,
    /// Earlier links.
    pub links: Option<Page<Link>>,
    /// Computed features.
    pub insight: Option<Insight>,
}

/// Items a list of a webhook payload holds at most; the rest is fetched from the list endpoint.
pub const PAYLOAD_ITEMS: usize = 300;

/// The body of a data point of any kind. It is stored and sent bare; [`DataPointBody::kind`] tells which it is.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
#[expect(missing_docs, reason = "each variant is the data point of its name")]
pub enum DataPointBody {
    Identity(Box<Identity>),
    Document(Document),
    Employment(Employment),
    Income(Income),
    Transaction(Transaction),
    Contribution(Contribution),
    Liability(Liability),
    EstimatedIncome(EstimatedIncome),
    Rating(Rating),
    Link(Link),
    Insight(Insight),
}

impl DataPointBody {
    /// The kind of this body.
    pub const fn kind(&self) -> DataPointKind {
        match self {
            Self::Identity(_) => DataPointKind::Identities,
            Self::Document(_) => DataPointKind::Documents,
            Self::Employment(_) => DataPointKind::Employments,
            Self::Income(_) => DataPointKind::Incomes,
            Self::Transaction(_) => DataPointKind::Transactions,
            Self::Contribution(_) => DataPointKind::Contributions,
            Self::Liability(_) => DataPointKind::Liabilities,
            Self::EstimatedIncome(_) => DataPointKind::Eincomes,
            Self::Rating(_) => DataPointKind::Ratings,
            Self::Link(_) => DataPointKind::Links,
            Self::Insight(_) => DataPointKind::Insights,
        }
    }
}
