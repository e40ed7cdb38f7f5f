//! The items of an Income Estimator signal.

use super::item::{ItemSpec, ItemValues};

pub(super) const ITEMS: &[ItemSpec] = &[
    ItemSpec::new(
        "low",
        ItemValues::Hundredths(700_000, 1_500_000),
        "the month's income is hardly below this",
    ),
    ItemSpec::new("amount", ItemValues::Hundredths(700_000, 3_000_000), "the likeliest income of a month")
        .not_below("low"),
    ItemSpec::new(
        "high",
        ItemValues::Hundredths(700_000, 4_500_000),
        "the month's income is hardly above this",
    )
    .not_below("amount"),
    ItemSpec::new("currency", ItemValues::Word(&["MXN"]), "of the three amounts, ISO 4217"),
    ItemSpec::new("confidence", ItemValues::Hundredths(30, 95), "how sure the estimate is; 1 is sure"),
];
