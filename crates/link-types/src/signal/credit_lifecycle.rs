//! Items of a Credit Lifecycle signal.

use super::item::{ItemSpec, ItemValues};

const REASONS: &[&str] = &["STEADY_REPAYMENT", "RECENT_DELAY", "NO_RECENT_LOAN", "FIRST_LOAN"];
const STAGES: &[&str] = &["NEW", "GROWING", "MATURE", "DORMANT", "DELINQUENT"];

pub(super) const ITEMS: &[ItemSpec] = &[
    ItemSpec::new("score", ItemValues::Integer(0, 100), "how sound the person's credit is; 100 is best"),
    ItemSpec::new("scoreReason", ItemValues::Word(REASONS), "main reason for the score"),
    ItemSpec::new("stage", ItemValues::Word(STAGES), "stage of the person's credit history"),
    ItemSpec::new("daysSinceLastLoan", ItemValues::Integer(0, 900), "days since the latest loan"),
    ItemSpec::new("daysSinceFirstLoan", ItemValues::Integer(0, 3_600), "days since the first loan")
        .not_below("daysSinceLastLoan"),
    ItemSpec::new("repaidLoans12Months", ItemValues::Integer(0, 10), "repaid loans among `loans12Months`"),
    ItemSpec::new("loans12Months", ItemValues::Integer(0, 14), "loans in the last 12 months")
        .not_below("repaidLoans12Months"),
    ItemSpec::new("overdueLoans", ItemValues::Integer(0, 3), "loans with an overdue installment"),
    ItemSpec::new(
        "longestDelayDays12Months",
        ItemValues::Integer(0, 90),
        "longest delay in days in the last 12 months",
    ),
];
