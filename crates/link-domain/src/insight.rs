//! Insights: features computed from the data of one reading (`resources.md`, "Computed, never drawn"; formulas in ADR
//! 0091). A feature that cannot be computed is null. It is never guessed.

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

/// Periods that features are computed over: this many full months before the current month.
const SPANS: [i32; 3] = [3, 6, 12];

/// Feature values by name.
type Features = BTreeMap<String, Option<f64>>;

/// Computes the insight of one reading, or `None` if no feature can be computed. The id is a placeholder.
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

/// Rounds to this many decimals. Returns `None` if the value is not finite.
fn rounded(value: f64, decimals: i32) -> Option<f64> {
    let scale = 10_f64.powi(decimals);
    let rounded = (value * scale).round() / scale;
    // Turns -0.0 into 0.0.
    rounded.is_finite().then_some(rounded + 0.0)
}
