//! Items of a Borrower Screening signal.

use super::item::{ItemSpec, ItemValues};

const REASONS: &[&str] = &["LONG_HELD_NUMBER", "NEW_NUMBER", "CHANGED_SIM", "FEW_TRACES"];
const LEVELS: &[&str] = &["LOW", "MEDIUM", "HIGH"];

pub(super) const ITEMS: &[ItemSpec] = &[
    ItemSpec::new("score", ItemValues::Integer(0, 100), "how trustworthy the number looks; 100 is best"),
    ItemSpec::new("scoreReason", ItemValues::Word(REASONS), "main reason for the score"),
    ItemSpec::new(
        "riskLevel",
        ItemValues::Word(LEVELS),
        "risk by score: LOW from 70, MEDIUM from 40, HIGH below 40",
    ),
    ItemSpec::new("numberActive", ItemValues::Boolean, "whether the number is in use"),
    ItemSpec::new("numberAgeMonths", ItemValues::Integer(0, 360), "months since the number was first seen"),
    ItemSpec::new("numberPorted", ItemValues::Boolean, "whether it was ported to another carrier"),
    ItemSpec::new("simChanged30Days", ItemValues::Boolean, "whether its SIM changed in the last 30 days"),
    ItemSpec::new("knownToLenders", ItemValues::Boolean, "whether a lender has seen it before"),
];
