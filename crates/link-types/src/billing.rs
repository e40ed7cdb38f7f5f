//! What the tenant is charged for (interface: "Billing (chargeable events)").

use serde::{Deserialize, Serialize};

use crate::{
    id::{BillingEventId, UserId},
    time::{Month, Timestamp},
};

words! {
    /// A kind of chargeable event.
    BillingKind {
        /// An account reached CONNECTED for the first time.
        AccountConnected = "ACCOUNT_CONNECTED",
        /// A social security record ended with SUCCESS.
        SocialSecurityRecord = "SOCIAL_SECURITY_RECORD",
        /// A Blacklist signal ended with SUCCESS.
        Blacklist = "BLACKLIST",
        /// A Borrower Behavior signal ended with SUCCESS.
        BorrowerBehavior = "BORROWER_BEHAVIOR",
        /// A Borrower Screening signal ended with SUCCESS.
        BorrowerScreening = "BORROWER_SCREENING",
        /// A Credit Lifecycle signal ended with SUCCESS.
        CreditLifecycle = "CREDIT_LIFECYCLE",
        /// A Footprints signal ended with SUCCESS.
        Footprints = "FOOTPRINTS",
        /// A Multiple Application Warning signal ended with SUCCESS.
        MultipleApplicationWarning = "MULTIPLE_APPLICATION_WARNING",
        /// A verification ended with SUCCESS or NO_DATA.
        Verification = "VERIFICATION",
        /// A Social Security signal ended with SUCCESS.
        SocialSecuritySignal = "SOCIAL_SECURITY_SIGNAL",
        /// An Income Estimator signal ended with SUCCESS.
        IncomeEstimator = "INCOME_ESTIMATOR",
    }
}

/// One chargeable event. It stays when its account, record or signal is erased.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct BillingEvent {
    /// Prefix `bill-`.
    pub id: BillingEventId,
    /// When it became due.
    pub created_at: Timestamp,
    /// What is charged.
    #[serde(rename = "type")]
    pub kind: BillingKind,
    /// Id of the account, record or signal that is charged.
    pub subject_id: String,
    /// The user it was for; null where it was for none.
    pub user_id: Option<UserId>,
}

/// What one month comes to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct BillingSummary {
    /// The month, in UTC.
    pub month: Month,
    /// Chargeable events of all kinds.
    pub total: u64,
    /// One line for each kind, in the order of the interface; kinds without an event have 0.
    pub items: Vec<BillingLine>,
}

/// A line of a month's summary.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct BillingLine {
    /// The kind.
    #[serde(rename = "type")]
    pub kind: BillingKind,
    /// Its chargeable events.
    pub count: u64,
}
