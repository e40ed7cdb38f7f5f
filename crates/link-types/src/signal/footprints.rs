//! Items of a Footprints signal.

use super::item::{ItemSpec, ItemValues};

pub(super) const ITEMS: &[ItemSpec] = &[
    ItemSpec::new("mobileFirstSeen", ItemValues::DaysAgo(3_600), "date on which the number was first seen"),
    ItemSpec::new(
        "emailFirstSeen",
        ItemValues::DaysAgo(3_600),
        "date on which the email address was first seen",
    ),
    ItemSpec::new("messagingServices", ItemValues::Integer(0, 6), "messaging services with an account"),
    ItemSpec::new("socialServices", ItemValues::Integer(0, 9), "social networks with an account"),
    ItemSpec::new("professionalServices", ItemValues::Integer(0, 4), "professional networks with an account"),
    ItemSpec::new("shoppingServices", ItemValues::Integer(0, 8), "online shops with an account"),
    ItemSpec::new(
        "entertainmentServices",
        ItemValues::Integer(0, 8),
        "music, film and game services with an account",
    ),
    ItemSpec::new("travelServices", ItemValues::Integer(0, 5), "travel and ride services with an account"),
    ItemSpec::new("financeServices", ItemValues::Integer(0, 5), "wallets and banks with an account"),
    ItemSpec::new(
        "breaches",
        ItemValues::Integer(0, 7),
        "known data breaches that include the email address",
    ),
];
