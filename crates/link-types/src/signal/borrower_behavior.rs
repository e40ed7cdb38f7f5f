//! The items of a Borrower Behavior signal.

use super::item::{ItemSpec, ItemValues};

const REASONS: &[&str] = &["PAYS_ON_TIME", "PAYS_LATE", "MANY_LENDERS", "SHORT_HISTORY"];

pub(super) const ITEMS: &[ItemSpec] = &[
    ItemSpec::new("score", ItemValues::Integer(0, 100), "how well the person treats loans; 100 is best"),
    ItemSpec::new("scoreReason", ItemValues::Word(REASONS), "what weighed most"),
    ItemSpec::new("openLoans", ItemValues::Integer(0, 6), "loans that are not repaid yet"),
    ItemSpec::new("repaidLoans", ItemValues::Integer(0, 40), "loans that were repaid"),
    ItemSpec::new("onTimeShare", ItemValues::Hundredths(0, 100), "share of instalments paid by their day"),
    ItemSpec::new("latePayments90Days", ItemValues::Integer(0, 9), "late instalments in 90 days"),
    ItemSpec::new("longestDelayDays", ItemValues::Integer(0, 120), "days of the longest delay"),
    ItemSpec::new("daysBetweenLoans", ItemValues::Integer(1, 365), "days between two loans, their median"),
    ItemSpec::new("lenders", ItemValues::Integer(1, 12), "lenders in all"),
    ItemSpec::new("repaysEarly", ItemValues::Boolean, "whether most loans were repaid before their day"),
];
