//! The items of a Footprints signal.

use super::item::{ItemSpec, ItemValues};

pub(super) const ITEMS: &[ItemSpec] = &[
    ItemSpec::new(
        "mobileFirstSeen",
        ItemValues::DaysAgo(3_600),
        "the first day the number was seen anywhere",
    ),
    ItemSpec::new(
        "emailFirstSeen",
        ItemValues::DaysAgo(3_600),
        "the first day the address was seen anywhere",
    ),
    ItemSpec::new("messagingServices", ItemValues::Integer(0, 6), "messengers with an account"),
    ItemSpec::new("socialServices", ItemValues::Integer(0, 9), "social networks with an account"),
    ItemSpec::new("professionalServices", ItemValues::Integer(0, 4), "networks of work with an account"),
    ItemSpec::new("shoppingServices", ItemValues::Integer(0, 8), "shops with an account"),
    ItemSpec::new(
        "entertainmentServices",
        ItemValues::Integer(0, 8),
        "music, film and games with an account",
    ),
    ItemSpec::new("travelServices", ItemValues::Integer(0, 5), "travel and rides with an account"),
    ItemSpec::new("financeServices", ItemValues::Integer(0, 5), "wallets and banks with an account"),
    ItemSpec::new("breaches", ItemValues::Integer(0, 7), "known breaches that the address was in"),
];
