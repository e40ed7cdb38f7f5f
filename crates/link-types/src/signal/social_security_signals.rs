//! The items of a Social Security Signals signal.

use super::item::{ItemSpec, ItemValues};

pub(super) const ITEMS: &[ItemSpec] = &[
    ItemSpec::new("registered", ItemValues::Boolean, "whether social security knows the person"),
    ItemSpec::new("employed", ItemValues::Boolean, "whether an employer contributes at present"),
    ItemSpec::new("monthsInJob", ItemValues::Integer(0, 240), "months with the present or latest employer"),
    ItemSpec::new("employers60Months", ItemValues::Integer(1, 8), "employers in five years"),
    ItemSpec::new(
        "contributionWeeks12Months",
        ItemValues::Integer(0, 52),
        "weeks with contributions in a year",
    ),
    ItemSpec::new("contributionWeeks", ItemValues::Integer(0, 1_600), "weeks with contributions in all")
        .not_below("contributionWeeks12Months"),
    ItemSpec::new(
        "longestGapDays60Months",
        ItemValues::Integer(0, 400),
        "days of the longest gap in five years",
    ),
    ItemSpec::new("baseAmountRising", ItemValues::Boolean, "whether the base salary rose within a year"),
];
