//! Items of a Social Security Signals signal.

use super::item::{ItemSpec, ItemValues};

pub(super) const ITEMS: &[ItemSpec] = &[
    ItemSpec::new("registered", ItemValues::Boolean, "whether the person is registered with social security"),
    ItemSpec::new("employed", ItemValues::Boolean, "whether an employer currently contributes"),
    ItemSpec::new("monthsInJob", ItemValues::Integer(0, 240), "months with the current or latest employer"),
    ItemSpec::new("employers60Months", ItemValues::Integer(0, 8), "employers in the last 5 years"),
    ItemSpec::new(
        "contributionWeeks12Months",
        ItemValues::Integer(0, 52),
        "weeks with contributions in the last 12 months",
    ),
    ItemSpec::new("contributionWeeks", ItemValues::Integer(0, 1_600), "total weeks with contributions")
        .not_below("contributionWeeks12Months"),
    ItemSpec::new(
        "longestGapDays60Months",
        ItemValues::Integer(0, 1_826),
        "longest gap in days in the last 5 years; null without a job",
    ),
    ItemSpec::new(
        "baseAmountRising",
        ItemValues::Boolean,
        "whether the base salary rose in the last 12 months",
    ),
];
