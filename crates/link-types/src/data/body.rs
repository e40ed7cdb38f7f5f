//! The body of a data point of any kind.

use serde::{Deserialize as _, Deserializer, Serialize};

use super::{
    Contribution, DataPointKind, Document, Employment, EstimatedIncome, Identity, Income, Insight, Liability,
    Link, Rating, Transaction,
};
use crate::{
    id::{
        ContributionId, DocumentId, EmploymentId, EstimatedIncomeId, IdentityId, IncomeId, InsightId,
        LiabilityId, LinkId, RatingId, TransactionId,
    },
    time::{Date, Month},
};

/// Defines [`DataPointBody`] from one line per kind: the body, the kind, the type of its id, and the date it refers to.
macro_rules! bodies {
    ($($variant:ident($body:ty) of $kind:ident, $id:ident, |$it:ident| $date:expr;)+) => {
        /// Body of a data point of any kind. It is stored and sent without a tag; [`DataPointBody::kind`] returns the kind.
        #[derive(Debug, Clone, PartialEq, Serialize)]
        #[serde(untagged)]
        #[expect(missing_docs, reason = "each variant is the data point of its name")]
        pub enum DataPointBody {
            $($variant($body)),+
        }

        impl DataPointBody {
            /// Returns the kind of this body.
            pub const fn kind(&self) -> DataPointKind {
                match self {
                    $(Self::$variant(_) => DataPointKind::$kind),+
                }
            }

            /// Returns the id of the data point.
            pub fn id(&self) -> String {
                match self {
                    $(Self::$variant(it) => it.id.to_string()),+
                }
            }

            /// Returns the body with its id replaced by one built from these bytes.
            #[must_use]
            pub fn identified(mut self, bytes: [u8; 16]) -> Self {
                match &mut self {
                    $(Self::$variant(it) => it.id = $id::from_bytes(bytes)),+
                }
                self
            }

            /// Decodes the body of a kind.
            ///
            /// # Errors
            /// If the input does not have the shape of the kind.
            pub fn decode<'de, D: Deserializer<'de>>(kind: DataPointKind, input: D) -> Result<Self, D::Error> {
                match kind {
                    $(DataPointKind::$kind => <$body>::deserialize(input).map(Self::$variant)),+
                }
            }

            /// Returns the date that the data point refers to.
            pub fn date(&self) -> Option<Date> {
                match self {
                    $(Self::$variant($it) => $date),+
                }
            }
        }
    };
}

bodies! {
    Identity(Box<Identity>) of Identities, IdentityId, |_it| None;
    Document(Document) of Documents, DocumentId, |it| it.issue_date;
    Employment(Employment) of Employments, EmploymentId, |it| it.start_date;
    Income(Income) of Incomes, IncomeId, |it| it.start_date;
    Transaction(Transaction) of Transactions, TransactionId, |it| it.date;
    Contribution(Contribution) of Contributions, ContributionId, |it| it.date;
    Liability(Liability) of Liabilities, LiabilityId, |it| it.start_date;
    EstimatedIncome(EstimatedIncome) of Eincomes, EstimatedIncomeId, |_it| None;
    Rating(Rating) of Ratings, RatingId, |_it| None;
    Link(Link) of Links, LinkId, |it| it.start_date;
    Insight(Insight) of Insights, InsightId, |it| Some(it.cutoff_time.date());
}

impl DataPointBody {
    /// Returns the month that the data point refers to.
    pub fn month(&self) -> Option<Month> {
        if let Self::EstimatedIncome(it) = self {
            return Some(it.month);
        }
        self.date().map(Date::month)
    }
}
