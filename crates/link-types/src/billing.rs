//! Events that the tenant is charged for (interface: "Billing (chargeable events)").

use serde::{Deserialize, Serialize};

use crate::{
    id::{BillingEventId, UserId},
    time::{Month, Timestamp},
};

words! {
    /// Kind of chargeable event.
    BillingKind {
        /// An account became CONNECTED for the first time.
        AccountConnected = "ACCOUNT_CONNECTED",
        /// A social security record completed with SUCCESS.
        SocialSecurityRecord = "SOCIAL_SECURITY_RECORD",
        /// A Blacklist signal completed with SUCCESS.
        Blacklist = "BLACKLIST",
        /// A Borrower Behavior signal completed with SUCCESS.
        BorrowerBehavior = "BORROWER_BEHAVIOR",
        /// A Borrower Screening signal completed with SUCCESS.
        BorrowerScreening = "BORROWER_SCREENING",
        /// A Credit Lifecycle signal completed with SUCCESS.
        CreditLifecycle = "CREDIT_LIFECYCLE",
        /// A Footprints signal completed with SUCCESS.
        Footprints = "FOOTPRINTS",
        /// A Multiple Application Warning signal completed with SUCCESS.
        MultipleApplicationWarning = "MULTIPLE_APPLICATION_WARNING",
        /// A verification completed with SUCCESS or NO_DATA.
        Verification = "VERIFICATION",
        /// A Social Security signal completed with SUCCESS.
        SocialSecuritySignal = "SOCIAL_SECURITY_SIGNAL",
        /// An Income Estimator signal completed with SUCCESS.
        IncomeEstimator = "INCOME_ESTIMATOR",
    }
}

/// A chargeable event. It remains after its account, record or signal is erased.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct BillingEvent {
    /// Unique identifier of the event, with the prefix `bill-`.
    pub id: BillingEventId,
    /// Time at which the charge was incurred.
    pub created_at: Timestamp,
    /// Kind of chargeable event.
    #[serde(rename = "type")]
    pub kind: BillingKind,
    /// Id of the account, record or signal that is charged.
    pub subject_id: String,
    /// User that the charge relates to. Null if it relates to no user.
    pub user_id: Option<UserId>,
}

/// Chargeable events of one month.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct BillingSummary {
    /// Month, in UTC.
    pub month: Month,
    /// Number of chargeable events of all kinds.
    pub total: u64,
    /// One line per kind, in the order of the interface. Kinds without events have a count of 0.
    pub items: Vec<BillingLine>,
}

/// Number of chargeable events of one kind in a month.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct BillingLine {
    /// Kind of chargeable event.
    #[serde(rename = "type")]
    pub kind: BillingKind,
    /// Number of events of this kind.
    pub count: u64,
}
