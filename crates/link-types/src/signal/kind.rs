//! The table of signals: everything that differs between the kinds, except the request.

use super::item::ItemSpec;
use super::items;
use crate::{billing::BillingKind, record::ResultCode};

words! {
    /// Kind of signal.
    SignalKind {
        /// Whether lenders have blacklisted the number.
        Blacklist = "BLACKLIST",
        /// How well the person handles loans.
        BorrowerBehavior = "BORROWER_BEHAVIOR",
        /// How trustworthy the number looks to a lender.
        BorrowerScreening = "BORROWER_SCREENING",
        /// The stage of the person's credit history.
        CreditLifecycle = "CREDIT_LIFECYCLE",
        /// Services where the number and the email address are registered.
        Footprints = "FOOTPRINTS",
        /// How often the person applied for loans recently.
        MultipleApplicationWarning = "MULTIPLE_APPLICATION_WARNING",
        /// Whether the person is who they claim to be. Asynchronous.
        Verification = "VERIFICATION",
        /// Employment and contributions according to social security.
        SocialSecuritySignals = "SOCIAL_SECURITY_SIGNAL",
        /// Estimate of the person's income.
        IncomeEstimator = "INCOME_ESTIMATOR",
    }
}

/// A line of the table.
struct SignalSpec {
    prefix: &'static str,
    path: &'static str,
    items: &'static [ItemSpec],
    billing_kind: BillingKind,
    is_synchronous: bool,
    /// Results that are charged.
    billed: &'static [ResultCode],
}

impl SignalSpec {
    const fn synchronous(
        prefix: &'static str,
        path: &'static str,
        items: &'static [ItemSpec],
        billing_kind: BillingKind,
    ) -> Self {
        Self { prefix, path, items, billing_kind, is_synchronous: true, billed: &[ResultCode::Success] }
    }
}

impl SignalKind {
    const fn spec(self) -> SignalSpec {
        match self {
            Self::Blacklist => {
                SignalSpec::synchronous("bl-", "/alpha/blacklists", items::BLACKLIST, BillingKind::Blacklist)
            }
            Self::BorrowerBehavior => SignalSpec::synchronous(
                "bb-",
                "/beta/borrowerBehaviors",
                items::BORROWER_BEHAVIOR,
                BillingKind::BorrowerBehavior,
            ),
            Self::BorrowerScreening => SignalSpec::synchronous(
                "bs-",
                "/beta/borrowerScreenings",
                items::BORROWER_SCREENING,
                BillingKind::BorrowerScreening,
            ),
            Self::CreditLifecycle => SignalSpec::synchronous(
                "cl-",
                "/beta/creditLifecycles",
                items::CREDIT_LIFECYCLE,
                BillingKind::CreditLifecycle,
            ),
            Self::Footprints => SignalSpec::synchronous(
                "fp-",
                "/alpha/footprints",
                items::FOOTPRINTS,
                BillingKind::Footprints,
            ),
            Self::MultipleApplicationWarning => SignalSpec::synchronous(
                "maw-",
                "/beta/multipleApplicationWarnings",
                items::MULTIPLE_APPLICATION_WARNING,
                BillingKind::MultipleApplicationWarning,
            ),
            Self::Verification => SignalSpec {
                is_synchronous: false,
                billed: &[ResultCode::Success, ResultCode::NoData],
                ..SignalSpec::synchronous(
                    "vf-",
                    "/alpha/verifications",
                    items::VERIFICATION,
                    BillingKind::Verification,
                )
            },
            Self::SocialSecuritySignals => SignalSpec::synchronous(
                "sss-",
                "/socialSecuritySignals",
                items::SOCIAL_SECURITY_SIGNALS,
                BillingKind::SocialSecuritySignal,
            ),
            Self::IncomeEstimator => SignalSpec::synchronous(
                "ie-",
                "/incomeEstimators",
                items::INCOME_ESTIMATOR,
                BillingKind::IncomeEstimator,
            ),
        }
    }

    /// Returns the prefix of this kind's ids, including the hyphen.
    pub const fn prefix(self) -> &'static str {
        self.spec().prefix
    }

    /// Returns the path of this kind, relative to the base URL.
    pub const fn path(self) -> &'static str {
        self.spec().path
    }

    /// Returns the items of this kind, in the order of a result.
    pub const fn items(self) -> &'static [ItemSpec] {
        self.spec().items
    }

    /// Returns the type of this kind's chargeable event.
    pub const fn billing_kind(self) -> BillingKind {
        self.spec().billing_kind
    }

    /// Returns whether the response to the request already contains the result.
    pub const fn is_synchronous(self) -> bool {
        self.spec().is_synchronous
    }

    /// Returns whether a signal of this kind with this result is charged (interface: "Billing").
    pub fn is_billed(self, code: ResultCode) -> bool {
        self.spec().billed.contains(&code)
    }
}
