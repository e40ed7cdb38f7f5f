//! Insights: features computed from the data of one reading (`resources.md`, "Computed, never drawn"; formulas in ADR
//! 0091). A feature that cannot be computed is null. It is never guessed.

use std::collections::{BTreeMap, BTreeSet};

use link_types::data::{DataPointBody, IncomeFrequency, Insight, Liability};
use link_types::id::InsightId;
use link_types::{Date, Money, Month, Timestamp};

use self::income::Series;
use crate::data::batch::ContributionRate;
use crate::data::estimate::times_a_year;

mod income;

#[cfg(test)]
mod tests;

/// Computes the insight of one reading, or `None` if no feature can be computed. The id is a placeholder.
pub(crate) fn insight(
    bodies: &[DataPointBody],
    rate: Option<ContributionRate>,
    cutoff: Timestamp,
) -> Option<DataPointBody> {
    let today = cutoff.date();
    let incomes = income::Series::from_bodies(bodies, rate, today);
    let mut features = Features::new();
    add_employments(bodies, today, &mut features);
    incomes.add(&mut features);
    add_contributions(bodies, today, &mut features);
    add_liabilities(bodies, &incomes, today, &mut features);
    let id = InsightId::from_bytes([0; 16]);
    features.values().any(Option::is_some).then_some(DataPointBody::Insight(Insight {
        id,
        cutoff_time: cutoff,
        features,
    }))
}

/// Periods that features are computed over: this many full months before the current month.
pub(super) const SPANS: [i32; 3] = [3, 6, 12];

/// Feature values by name.
pub(super) type Features = BTreeMap<String, Option<f64>>;

/// Rounds to this many decimals. Returns `None` if the value is not finite.
pub(super) fn round_to(value: f64, decimals: i32) -> Option<f64> {
    let scale = 10_f64.powi(decimals);
    let rounded = (value * scale).round() / scale;
    // Turns -0.0 into 0.0.
    rounded.is_finite().then_some(rounded + 0.0)
}

/// Longest period between two jobs, in days, that does not count as a gap.
const NO_GAP: i64 = 30;

/// Adds `tenureMonths`, `employmentGapCount`, `longestEmploymentGapDays`.
fn add_employments(bodies: &[DataPointBody], today: Date, features: &mut Features) {
    let mut jobs: Vec<(Date, Date)> = bodies
        .iter()
        .filter_map(|body| if let DataPointBody::Employment(it) = body { Some(it) } else { None })
        .filter_map(|job| Some((job.start_date?, job.end_date.unwrap_or(today).min(today))))
        .filter(|(start, end)| start <= end)
        .collect();
    jobs.sort_unstable();
    let current = jobs.iter().filter(|(_, end)| *end == today).map(|(start, _)| *start).min();
    let gaps = (!jobs.is_empty()).then(|| gaps(&jobs, today));
    let count = |gaps: &Vec<i64>| f64::from(u32::try_from(gaps.len()).unwrap_or(u32::MAX));
    let longest = |gaps: &Vec<i64>| {
        let days = gaps.iter().max().copied().unwrap_or(0);
        f64::from(i32::try_from(days).unwrap_or(i32::MAX))
    };
    features.insert("tenureMonths".to_owned(), current.map(|start| f64::from(whole_months(start, today))));
    features.insert("employmentGapCount".to_owned(), gaps.as_ref().map(count));
    features.insert("longestEmploymentGapDays".to_owned(), gaps.as_ref().map(longest));
}

fn whole_months(start: Date, today: Date) -> i32 {
    let begun = today.month().months_since(start.month());
    if today.day() < start.day() { begun - 1 } else { begun }
}

/// Returns the length in days of each gap between the jobs and after the last one. `jobs` must be sorted.
fn gaps(jobs: &[(Date, Date)], today: Date) -> Vec<i64> {
    let mut worked_until: Option<Date> = None;
    let mut gaps = Vec::new();
    for (start, end) in jobs {
        if let Some(until) = worked_until {
            gaps.push(start.days_since(until) - 1);
        }
        worked_until = worked_until.max(Some(*end));
    }
    gaps.extend(worked_until.map(|until| today.days_since(until)));
    gaps.retain(|days| *days > NO_GAP);
    gaps
}

/// Adds `contributionRegularity<N>Months`: the share of months with a contribution.
fn add_contributions(bodies: &[DataPointBody], today: Date, features: &mut Features) {
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
        let value = if contributions.is_empty() { None } else { round_to(share, 4) };
        features.insert(format!("contributionRegularity{span}Months"), value);
    }
}

/// Adds `liabilityPaymentsToIncome` and `liabilityBalanceToAnnualIncome`.
fn add_liabilities(bodies: &[DataPointBody], incomes: &Series, today: Date, features: &mut Features) {
    let all: Vec<&Liability> = bodies
        .iter()
        .filter_map(|body| if let DataPointBody::Liability(it) = body { Some(it) } else { None })
        .collect();
    // Without any liability in the data, "no liabilities" and "liabilities not read" are indistinguishable.
    let income = incomes.mean().filter(|(_, mean)| *mean > 0.0 && !all.is_empty());
    let current: Vec<&Liability> =
        all.into_iter().filter(|it| it.end_date.is_none_or(|end| end >= today)).collect();
    let ratio = |of: fn(&Liability) -> Option<f64>, months: f64| {
        let (currency, mean) = income?;
        let amounts = current.iter().map(|it| if it.currency == currency { of(it) } else { None });
        round_to(amounts.sum::<Option<f64>>()? / (mean * months), 4)
    };
    features.insert("liabilityPaymentsToIncome".to_owned(), ratio(monthly_payment, 1.0));
    features.insert("liabilityBalanceToAnnualIncome".to_owned(), ratio(balance, 12.0));
}

fn monthly_payment(liability: &Liability) -> Option<f64> {
    let frequency: IncomeFrequency = liability.amortization_frequency.as_deref()?.parse().ok()?;
    let times = i32::try_from(times_a_year(frequency)?).ok()?;
    Some(units(liability.amortization_amount?) * f64::from(times) / 12.0)
}

fn balance(liability: &Liability) -> Option<f64> {
    liability.outstanding_balance.map(units)
}

fn units(amount: Money) -> f64 {
    amount.hundredths() as f64 / 100.0
}
