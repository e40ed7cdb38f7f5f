//! Items of a Multiple Application Warning signal.

use super::item::{ItemSpec, ItemValues};

pub(super) const ITEMS: &[ItemSpec] = &[
    ItemSpec::new(
        "applications7Days",
        ItemValues::Integer(0, 12),
        "loan applications in 7 days, at all kinds of lenders",
    ),
    ItemSpec::new(
        "applications30Days",
        ItemValues::Integer(0, 32),
        "loan applications in 30 days, at all kinds of lenders",
    ),
    ItemSpec::new(
        "applications90Days",
        ItemValues::Integer(0, 64),
        "loan applications in 90 days, at all kinds of lenders",
    ),
    ItemSpec::new("bankApplications7Days", ItemValues::Integer(0, 3), "applications at banks in 7 days"),
    ItemSpec::new("bankApplications30Days", ItemValues::Integer(0, 8), "applications at banks in 30 days")
        .not_below("bankApplications7Days"),
    ItemSpec::new("bankApplications90Days", ItemValues::Integer(0, 16), "applications at banks in 90 days")
        .not_below("bankApplications30Days"),
    ItemSpec::new(
        "onlineApplications7Days",
        ItemValues::Integer(0, 3),
        "applications at online lenders in 7 days",
    ),
    ItemSpec::new(
        "onlineApplications30Days",
        ItemValues::Integer(0, 8),
        "applications at online lenders in 30 days",
    )
    .not_below("onlineApplications7Days"),
    ItemSpec::new(
        "onlineApplications90Days",
        ItemValues::Integer(0, 16),
        "applications at online lenders in 90 days",
    )
    .not_below("onlineApplications30Days"),
    ItemSpec::new(
        "microfinanceApplications7Days",
        ItemValues::Integer(0, 3),
        "applications at microlenders in 7 days",
    ),
    ItemSpec::new(
        "microfinanceApplications30Days",
        ItemValues::Integer(0, 8),
        "applications at microlenders in 30 days",
    )
    .not_below("microfinanceApplications7Days"),
    ItemSpec::new(
        "microfinanceApplications90Days",
        ItemValues::Integer(0, 16),
        "applications at microlenders in 90 days",
    )
    .not_below("microfinanceApplications30Days"),
    ItemSpec::new("retailApplications7Days", ItemValues::Integer(0, 3), "applications at shops in 7 days"),
    ItemSpec::new("retailApplications30Days", ItemValues::Integer(0, 8), "applications at shops in 30 days")
        .not_below("retailApplications7Days"),
    ItemSpec::new("retailApplications90Days", ItemValues::Integer(0, 16), "applications at shops in 90 days")
        .not_below("retailApplications30Days"),
];
