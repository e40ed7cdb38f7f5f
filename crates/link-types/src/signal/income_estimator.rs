//! Items of an Income Estimator signal.

use super::item::{ItemSpec, ItemValues};

pub(super) const ITEMS: &[ItemSpec] = &[
    ItemSpec::new(
        "low",
        ItemValues::Hundredths(700_000, 3_000_000),
        "lower bound of the likely monthly income",
    ),
    ItemSpec::new("amount", ItemValues::Hundredths(700_000, 3_000_000), "most likely monthly income")
        .not_below("low"),
    ItemSpec::new(
        "high",
        ItemValues::Hundredths(700_000, 4_500_000),
        "upper bound of the likely monthly income",
    )
    .not_below("amount"),
    ItemSpec::new("currency", ItemValues::Word(&["MXN"]), "ISO 4217 currency of the three amounts"),
    ItemSpec::new("confidence", ItemValues::Hundredths(30, 95), "confidence in the estimate, up to 1"),
];
