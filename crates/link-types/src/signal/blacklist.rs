//! Items of a Blacklist signal.

use super::item::{ItemSpec, ItemValues};

pub(super) const ITEMS: &[ItemSpec] = &[
    ItemSpec::new("hit", ItemValues::Boolean, "whether a lender has blacklisted the number"),
    ItemSpec::new(
        "dates",
        ItemValues::DayList(720),
        "dates on which it was blacklisted; empty without a hit",
    ),
];
