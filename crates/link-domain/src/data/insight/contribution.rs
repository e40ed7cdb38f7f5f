//! Regularity of the person's contributions.

use std::collections::BTreeSet;

use link_types::data::DataPointBody;
use link_types::{Date, Month};

use super::features::{Features, SPANS, rounded};

/// Adds `contributionRegularity<N>Months`: the share of months with a contribution.
pub(super) fn add(bodies: &[DataPointBody], today: Date, features: &mut Features) {
    let contributions: Vec<(Month, bool)> = bodies
        .iter()
        .filter_map(|body| if let DataPointBody::Contribution(it) = body { Some(it) } else { None })
        .filter_map(|it| Some((it.date?.month(), it.amount.hundredths() > 0)))
        .collect();
    let months: BTreeSet<Month> =
        contributions.iter().filter(|(_, paid)| *paid).map(|(month, _)| *month).collect();
    for span in SPANS {
        let first = today.month().plus_months(-span);
        let paid = months.range(first..today.month()).count();
        let share = f64::from(u32::try_from(paid).unwrap_or(u32::MAX)) / f64::from(span);
        let value = if contributions.is_empty() { None } else { rounded(share, 4) };
        features.insert(format!("contributionRegularity{span}Months"), value);
    }
}
