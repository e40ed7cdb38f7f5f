//! Data points: what the service knows about a person, in the shapes of the interface. Each kind has its own module, and
//! its lines in the tables of [`data_points!`](crate::data_points).
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

pub use body::{Body, DataPointBody};
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

/// Passes the tables of data points to a macro. A kind is one line of the first, one entry of the second, and its events in
/// the third. Each table has an order of its consumers, which readers see: the kinds' words, a payload, the events' words.
///
/// `data_points!(words m)` and `data_points!(events m)` pass a table in braces, and after it what follows `m`:
///
/// - a word has the kind, its string on the wire, its meaning, and its names in the portal in English and Spanish;
/// - an event has its string on the wire, the type of its data, and its meaning in English and Spanish.
///
/// `data_points!(all m)` passes every entry. `data_points!(shaped m)` passes four blocks of entries: what a source has at
/// most one of, the lists of sources, the lists that the service makes, and what the service makes at most one of.
///
/// An entry has the kind, its body, the key in [`Payload`](crate::data::Payload) with its meaning, and in braces:
///
/// - how [`DataPointBody`](crate::data::DataPointBody) holds the body, the type of the id, and its prefix;
/// - the `*_ADDED` and the `*_UPDATED` event. Without the latter, the former reports changes too;
/// - how lists filter by date, the widget's text, and the text of the page `/me/data`;
/// - for the endpoints: the path, the name of one item and of several, and a sentence about them.
#[macro_export]
macro_rules! data_points {
    (words $then:ident $($rest:tt)*) => {
        $then! {
            {
                Identities = "IDENTITIES" "Identity of the person." "Name and contact details" "Nombre y datos de contacto"
                Documents = "DOCUMENTS" "Documents held by the provider." "Documents and their files" "Documentos y sus archivos"
                Employments = "EMPLOYMENTS" "Jobs." "Jobs" "Empleos"
                Incomes = "INCOMES" "Pay." "Pay" "Pagos de nómina"
                Transactions = "TRANSACTIONS" "Movements of money." "Payments and transactions" "Pagos y movimientos"
                Contributions = "CONTRIBUTIONS" "Contributions to a fund." "Contributions to funds" "Aportaciones a fondos"
                Liabilities = "LIABILITIES" "Loans." "Loans" "Préstamos"
                Eincomes = "EINCOMES" "Monthly income estimates." "Estimates of monthly income" "Estimaciones del ingreso mensual"
                Ratings = "RATINGS" "Ratings on a platform." "Ratings on platforms" "Calificaciones en plataformas"
                Links = "LINKS" "Times at which the person linked the same provider before." "Earlier links to the provider" "Enlaces anteriores con el proveedor"
                Insights = "INSIGHTS" "Features computed from the other data points." "Figures computed from the data" "Cifras calculadas con los datos"
            }
            $($rest)*
        }
    };
    (events $then:ident $($rest:tt)*) => {
        $then! {
            {
                IdentityAdded = "IDENTITY_ADDED" as IdentityAdded "An identity was added." "Se agregó una identidad."
                RatingAdded = "RATING_ADDED" as RatingAdded "A rating was added." "Se agregó una calificación."
                TransactionsAdded = "TRANSACTIONS_ADDED" as DataPointsAdded "Transactions were added." "Se agregaron transacciones."
                DocumentsAdded = "DOCUMENTS_ADDED" as DataPointsAdded "Documents were added." "Se agregaron documentos."
                EmploymentsAdded = "EMPLOYMENTS_ADDED" as DataPointsAdded "Employments were added." "Se agregaron empleos."
                IncomesAdded = "INCOMES_ADDED" as DataPointsAdded "Incomes were added." "Se agregaron ingresos."
                ContributionsAdded = "CONTRIBUTIONS_ADDED" as DataPointsAdded "Contributions were added." "Se agregaron aportaciones."
                LiabilitiesAdded = "LIABILITIES_ADDED" as DataPointsAdded "Liabilities were added." "Se agregaron créditos."
                EincomesAdded = "EINCOMES_ADDED" as DataPointsAdded "Estimated incomes were computed." "Se calcularon ingresos estimados."
                InsightAdded = "INSIGHT_ADDED" as InsightAdded "An insight was computed." "Se calculó un análisis."
                LinkAdded = "LINK_ADDED" as LinkAdded "A link was detected." "Se detectó un vínculo."
                DocumentsUpdated = "DOCUMENTS_UPDATED" as DataPointsUpdated "Documents were updated." "Se actualizaron documentos."
                EmploymentsUpdated = "EMPLOYMENTS_UPDATED" as DataPointsUpdated "Employments were updated." "Se actualizaron empleos."
                IncomesUpdated = "INCOMES_UPDATED" as DataPointsUpdated "Incomes were updated." "Se actualizaron ingresos."
                EincomesUpdated = "EINCOMES_UPDATED" as DataPointsUpdated "Estimated incomes were updated." "Se actualizaron ingresos estimados."
                ContributionsUpdated = "CONTRIBUTIONS_UPDATED" as DataPointsUpdated "Contributions were updated." "Se actualizaron aportaciones."
                LiabilitiesUpdated = "LIABILITIES_UPDATED" as DataPointsUpdated "Liabilities were updated." "Se actualizaron créditos."
            }
            $($rest)*
        }
    };
    ($which:ident $then:ident) => {
        $crate::data_points! {
            @$which $then
            {
                Identities Identity identity "Identity of the person." {
                    (Box<Identity>) IdentityId "i", [IdentityAdded], Creation, Message::DataIdentities, ServiceText::MeDataIdentities,
                    "/identities" "an identity" "identities"
                    "An identity contains names, contact data and personal details, as the source has them."
                }
                Ratings Rating rating "Rating on a platform." {
                    (Rating) RatingId "r", [RatingAdded], Creation, Message::DataRatings, ServiceText::MeDataRatings,
                    "/ratings" "a rating" "ratings"
                    "A rating is how customers of a platform rate the person."
                }
            }
            {
                Documents Document documents "Documents held by the provider." {
                    (Document) DocumentId "d", [DocumentsAdded DocumentsUpdated], Day, Message::DataDocuments, ServiceText::MeDataDocuments,
                    "/documents" "a document" "documents"
                    "A document is a file that the source holds, with what it certifies."
                }
                Incomes Income incomes "Pay." {
                    (Income) IncomeId "inc", [IncomesAdded IncomesUpdated], Day, Message::DataIncomes, ServiceText::MeDataIncomes,
                    "/incomes" "an income" "incomes"
                    "An income is what an employer paid for a period."
                }
                Transactions Transaction transactions "Movements of money." {
                    (Transaction) TransactionId "t", [TransactionsAdded], Day, Message::DataTransactions, ServiceText::MeDataTransactions,
                    "/transactions" "a transaction" "transactions"
                    "A transaction is a movement on an account or a platform. Its amount can be negative."
                }
                Employments Employment employments "Jobs." {
                    (Employment) EmploymentId "e", [EmploymentsAdded EmploymentsUpdated], Day, Message::DataEmployments, ServiceText::MeDataEmployments,
                    "/employments" "an employment" "employments"
                    "An employment is a job of the person, current or past."
                }
                Contributions Contribution contributions "Contributions to a fund." {
                    (Contribution) ContributionId "con", [ContributionsAdded ContributionsUpdated], Day, Message::DataContributions, ServiceText::MeDataContributions,
                    "/contributions" "a contribution" "contributions"
                    "A contribution is an amount paid to a fund for the person."
                }
                Liabilities Liability liabilities "Loans." {
                    (Liability) LiabilityId "lia", [LiabilitiesAdded LiabilitiesUpdated], Day, Message::DataLiabilities, ServiceText::MeDataLiabilities,
                    "/liabilities" "a liability" "liabilities"
                    "A liability is a loan of the person."
                }
            }
            {
                Eincomes EstimatedIncome eincomes "Monthly income estimates." {
                    (EstimatedIncome) EstimatedIncomeId "einc", [EincomesAdded EincomesUpdated], Month, Message::DataEincomes, ServiceText::MeDataEincomes,
                    "/eincomes" "an estimated income" "estimated incomes"
                    "An estimated income is computed from contributions, annual salaries or transactions. Its amount is monthly."
                }
                Links Link links "Earlier links to the same provider." {
                    (Link) LinkId "link", [LinkAdded], Day, Message::DataLinks, ServiceText::MeDataLinks,
                    "/links" "a link" "links"
                    "A link says how often and when the person linked the provider."
                }
            }
            {
                Insights Insight insight "Computed features." {
                    (Insight) InsightId "insight", [InsightAdded], Day, Message::DataInsights, ServiceText::MeDataInsights,
                    "/insights" "an insight" "insights"
                    "An insight contains figures computed from the data points of the account or archive."
                }
            }
        }
    };
    (@all $then:ident {$($one:tt)*} {$($list:tt)*} {$($made_list:tt)*} {$($made_one:tt)*}) => {
        $then! { $($one)* $($list)* $($made_list)* $($made_one)* }
    };
    (@shaped $then:ident $one:tt $list:tt $made_list:tt $made_one:tt) => {
        $then! { $one $list $made_list $made_one }
    };
}

macro_rules! kinds {
    ({$($kind:ident = $word:literal $about:literal $english:literal $spanish:literal)*}) => {
        words! {
            /// Kind of data point.
            DataPointKind { $(#[doc = $about] $kind = $word),* }
        }
    };
}

data_points!(words kinds);

macro_rules! payload {
    (
        {$($one:ident $One:ident $one_key:ident $one_doc:literal $one_rest:tt)*}
        {$($list:ident $List:ident $list_key:ident $list_doc:literal $list_rest:tt)*}
        {$($made_list:ident $MadeList:ident $made_list_key:ident $made_list_doc:literal $made_list_rest:tt)*}
        {$($made_one:ident $MadeOne:ident $made_one_key:ident $made_one_doc:literal $made_one_rest:tt)*}
    ) => {
        /// Data points of a source or a user, under the keys of the interface. Each is null if there is no data.
        #[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Default)]
        #[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
        #[serde(rename_all = "camelCase")]
        pub struct Payload {
            $(#[doc = $one_doc] pub $one_key: Option<$One>,)*
            $(#[doc = $list_doc] pub $list_key: Option<Page<$List>>,)*
            $(#[doc = $made_list_doc] pub $made_list_key: Option<Page<$MadeList>>,)*
            $(#[doc = $made_one_doc] pub $made_one_key: Option<$MadeOne>,)*
        }

        impl DataPointKind {
            /// Returns whether a source has at most one data point of the kind.
            pub const fn is_single(self) -> bool {
                match self {
                    $(Self::$one)|* | $(Self::$made_one)|* => true,
                    $(Self::$list)|* | $(Self::$made_list)|* => false,
                }
            }

            /// Returns whether the service makes data points of the kind. Sources return the others.
            pub const fn is_computed(self) -> bool {
                match self {
                    $(Self::$made_list)|* | $(Self::$made_one)|* => true,
                    $(Self::$one)|* | $(Self::$list)|* => false,
                }
            }
        }
    };
}

data_points!(shaped payload);

/// Maximum number of items in each list of a webhook payload. The list endpoints return the rest.
pub const MAX_PAYLOAD_ITEMS: usize = 300;
