//! Insights: features computed from what one reading brought (`resources.md`, "Computed, never drawn"; the formulas
//! are those of ADR 0091). A feature that cannot be told is null, never a guess.

mod contribution;
mod employment;
mod income;
mod liability;

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use link_types::Timestamp;
use link_types::data::{DataPointBody, Insight};
use link_types::id::InsightId;

use crate::ports::ContributionRate;

/// The spans that features are computed over: so many full months before the month under way.
const SPANS: [i32; 3] = [3, 6, 12];

/// Every feature by its name.
type Features = BTreeMap<String, Option<f64>>;

/// The insight of one reading at a moment; null when no feature can be told. The id is a placeholder.
pub(crate) fn insight(
    bodies: &[DataPointBody],
    rate: Option<ContributionRate>,
    cutoff: Timestamp,
) -> Option<DataPointBody> {
    let today = cutoff.date();
    let incomes = income::Series::of(bodies, rate, today);
    let mut features = Features::new();
    employment::add(bodies, today, &mut features);
    incomes.add(&mut features);
    contribution::add(bodies, today, &mut features);
    liability::add(bodies, &incomes, today, &mut features);
    let id = InsightId::from_bytes([0; 16]);
    features.values().any(Option::is_some).then_some(DataPointBody::Insight(Insight {
        id,
        cutoff_time: cutoff,
        features,
    }))
}

/// A value with so many decimals; null when it is no number.
fn rounded(value: f64, decimals: i32) -> Option<f64> {
    let scale = 10_f64.powi(decimals);
    let rounded = (value * scale).round() / scale;
    // Zero has no sign in what is told.
    rounded.is_finite().then_some(rounded + 0.0)
}
