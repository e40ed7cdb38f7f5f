//! Insights: features computed from the data of one reading (`resources.md`, "Computed, never drawn"; formulas in ADR
//! 0091). A feature that cannot be computed is null. It is never guessed.

mod contribution;
mod employment;
mod features;
mod income;
mod liability;

#[cfg(test)]
mod tests;

use link_types::Timestamp;
use link_types::data::{DataPointBody, Insight};
use link_types::id::InsightId;

use features::Features;

use crate::data::batch::ContributionRate;

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
