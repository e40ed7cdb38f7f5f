//! The table of data points: everything that differs between the kinds, except their bodies.

use crate::id::{
    ContributionId, DocumentId, EmploymentId, EstimatedIncomeId, IdentityId, IncomeId, InsightId,
    LiabilityId, LinkId, RatingId, TransactionId,
};

words! {
    /// Kind of data point.
    DataPointKind {
        /// Identity of the person.
        Identities = "IDENTITIES",
        /// Documents held by the provider.
        Documents = "DOCUMENTS",
        /// Jobs.
        Employments = "EMPLOYMENTS",
        /// Pay.
        Incomes = "INCOMES",
        /// Movements of money.
        Transactions = "TRANSACTIONS",
        /// Contributions to a fund.
        Contributions = "CONTRIBUTIONS",
        /// Loans.
        Liabilities = "LIABILITIES",
        /// Monthly income estimates.
        Eincomes = "EINCOMES",
        /// Ratings on a platform.
        Ratings = "RATINGS",
        /// Times at which the person linked the same provider before.
        Links = "LINKS",
        /// Features computed from the other data points.
        Insights = "INSIGHTS",
    }
}

/// Where data points of a kind come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Origin {
    /// Sources return them.
    Source,
    /// The service records them.
    Service,
    /// The service computes them from other data points, so that they depend on what is shared.
    OtherData,
}

/// A line of the table.
struct DataPointSpec {
    /// Key in [`Payload`](super::Payload).
    key: &'static str,
    /// Prefix of the ids, including the hyphen.
    prefix: &'static str,
    /// Whether a source has at most one.
    is_single: bool,
    /// Whether it refers to a date. Lists filter other kinds by their creation.
    has_date: bool,
    /// Whether the interface has an `*_UPDATED` event. Otherwise `*_ADDED` reports changes too.
    has_updated_event: bool,
    origin: Origin,
}

impl DataPointSpec {
    /// Items of a list, which sources return.
    const fn list(key: &'static str, prefix: &'static str) -> Self {
        Self {
            key,
            prefix,
            is_single: false,
            has_date: true,
            has_updated_event: true,
            origin: Origin::Source,
        }
    }

    /// A data point of which a source has at most one.
    const fn single(key: &'static str, prefix: &'static str) -> Self {
        Self { is_single: true, has_updated_event: false, ..Self::list(key, prefix) }
    }
}

impl DataPointKind {
    const fn spec(self) -> DataPointSpec {
        type Spec = DataPointSpec;
        match self {
            Self::Identities => Spec { has_date: false, ..Spec::single("identity", IdentityId::PREFIX) },
            Self::Documents => Spec::list("documents", DocumentId::PREFIX),
            Self::Employments => Spec::list("employments", EmploymentId::PREFIX),
            Self::Incomes => Spec::list("incomes", IncomeId::PREFIX),
            Self::Transactions => {
                Spec { has_updated_event: false, ..Spec::list("transactions", TransactionId::PREFIX) }
            }
            Self::Contributions => Spec::list("contributions", ContributionId::PREFIX),
            Self::Liabilities => Spec::list("liabilities", LiabilityId::PREFIX),
            Self::Eincomes => Spec {
                has_date: false,
                origin: Origin::OtherData,
                ..Spec::list("eincomes", EstimatedIncomeId::PREFIX)
            },
            Self::Ratings => Spec { has_date: false, ..Spec::single("rating", RatingId::PREFIX) },
            Self::Links => Spec {
                has_updated_event: false,
                origin: Origin::Service,
                ..Spec::list("links", LinkId::PREFIX)
            },
            Self::Insights => {
                Spec { origin: Origin::OtherData, ..Spec::single("insight", InsightId::PREFIX) }
            }
        }
    }

    /// Returns the kind's key in [`Payload`](super::Payload).
    pub const fn key(self) -> &'static str {
        self.spec().key
    }

    /// Returns the prefix of the kind's ids, including the hyphen.
    pub const fn prefix(self) -> &'static str {
        self.spec().prefix
    }

    /// Returns whether a source has at most one data point of the kind.
    pub const fn is_single(self) -> bool {
        self.spec().is_single
    }

    /// Returns whether data points of the kind refer to a date. Lists filter other kinds by their creation.
    pub const fn has_date(self) -> bool {
        self.spec().has_date
    }

    /// Returns whether the interface has an `*_UPDATED` event for the kind. Otherwise `*_ADDED` reports changes too.
    pub const fn has_updated_event(self) -> bool {
        self.spec().has_updated_event
    }

    /// Returns whether the service makes data points of the kind. Sources return the others.
    pub const fn is_computed(self) -> bool {
        !matches!(self.spec().origin, Origin::Source)
    }

    /// Returns whether data points of the kind are computed from others, so that they depend on what is shared.
    pub const fn is_derived(self) -> bool {
        matches!(self.spec().origin, Origin::OtherData)
    }
}
