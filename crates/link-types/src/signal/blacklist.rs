//! The items of a Blacklist signal.

use super::item::{ItemSpec, ItemValues};

pub(super) const ITEMS: &[ItemSpec] = &[
    ItemSpec::new("hit", ItemValues::Boolean, "whether a lender has the number on its list"),
    ItemSpec::new("dates", ItemValues::DayList(720), "when it was put on one; none without a hit"),
];
