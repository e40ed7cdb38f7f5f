//! Items of a Borrower Behavior signal.

use super::item::{ItemSpec, ItemValues};

const REASONS: &[&str] = &["PAYS_ON_TIME", "PAYS_LATE", "MANY_LENDERS", "SHORT_HISTORY"];

pub(super) const ITEMS: &[ItemSpec] = &[
    ItemSpec::new("score", ItemValues::Integer(0, 100), "how well the person handles loans; 100 is best"),
    ItemSpec::new("scoreReason", ItemValues::Word(REASONS), "main reason for the score"),
    ItemSpec::new("openLoans", ItemValues::Integer(0, 6), "loans not yet repaid"),
    ItemSpec::new("repaidLoans", ItemValues::Integer(0, 40), "repaid loans"),
    ItemSpec::new("onTimeShare", ItemValues::Hundredths(0, 100), "share of installments paid on time"),
    ItemSpec::new("latePayments90Days", ItemValues::Integer(0, 9), "late installments in the last 90 days"),
    ItemSpec::new("longestDelayDays", ItemValues::Integer(0, 120), "longest delay in days"),
    ItemSpec::new(
        "daysBetweenLoans",
        ItemValues::Integer(1, 900),
        "days between two loans; null after the first",
    ),
    ItemSpec::new("lenders", ItemValues::Integer(1, 12), "total number of lenders"),
    ItemSpec::new("repaysEarly", ItemValues::Boolean, "whether most loans were repaid early"),
];
