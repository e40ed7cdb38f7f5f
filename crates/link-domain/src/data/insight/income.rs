//! The person's monthly income: its mean, trend and variability.

use std::collections::BTreeMap;

use link_types::data::DataPointBody;
use link_types::{Date, Month};

use super::{Features, SPANS, round_to};
use crate::data::batch::ContributionRate;
use crate::data::estimate::monthly_incomes;

/// Minimum number of months for a trend or a variability.
const MIN_MONTHS: usize = 3;

/// Months of the longest period with known income, in one currency, oldest first.
pub(super) struct Series {
    currency: Option<String>,
    months: Vec<(Month, f64)>,
    today: Date,
}

impl Series {
    /// Selects the incomes in the currency with the most known months.
    pub(super) fn from_bodies(bodies: &[DataPointBody], rate: Option<ContributionRate>, today: Date) -> Self {
        let longest = SPANS.into_iter().max().unwrap_or_default();
        let (from, until) = (today.month().plus_months(-longest), today.month());
        let mut by_currency = BTreeMap::<String, Vec<(Month, f64)>>::new();
        for ((month, currency), hundredths) in monthly_incomes(bodies, rate, today) {
            if (from..until).contains(&month) {
                by_currency.entry(currency).or_default().push((month, units(hundredths)));
            }
        }
        let best = by_currency.into_iter().rev().max_by_key(|(_, months)| months.len());
        let (currency, months) = best.map_or((None, Vec::new()), |(code, months)| (Some(code), months));
        Self { currency, months, today }
    }

    /// Returns the mean monthly income over the longest period, and its currency.
    pub(super) fn mean(&self) -> Option<(&str, f64)> {
        let values: Vec<f64> = self.months.iter().map(|(_, value)| *value).collect();
        Some((self.currency.as_deref()?, mean(&values)?))
    }

    /// Adds `incomeMean<N>Months`, `incomeTrend<N>Months`, `incomeVariability<N>Months`.
    pub(super) fn add(&self, features: &mut Features) {
        for span in SPANS {
            let first = self.today.month().plus_months(-span);
            let known = self.months.iter().filter(|(month, _)| *month >= first);
            let points: Vec<(f64, f64)> =
                known.map(|(month, value)| (f64::from(month.months_since(first)), *value)).collect();
            let values: Vec<f64> = points.iter().map(|(_, value)| *value).collect();
            let mean = mean(&values);
            let enough = mean.filter(|mean| *mean > 0.0 && values.len() >= MIN_MONTHS);
            features.insert(format!("incomeMean{span}Months"), mean.and_then(|it| round_to(it, 2)));
            features.insert(
                format!("incomeTrend{span}Months"),
                enough.and_then(|mean| round_to(slope(&points)? / mean, 4)),
            );
            features.insert(
                format!("incomeVariability{span}Months"),
                enough.and_then(|mean| round_to(deviation(&values, mean)? / mean, 4)),
            );
        }
    }
}

/// Converts an amount to the currency unit. Amounts are small enough for `f64` to represent them exactly.
fn units(hundredths: i128) -> f64 {
    hundredths as f64 / 100.0
}

fn mean(values: &[f64]) -> Option<f64> {
    let count = u32::try_from(values.len()).ok().filter(|count| *count > 0)?;
    Some(values.iter().sum::<f64>() / f64::from(count))
}

/// Returns the population standard deviation, because the values are not a sample.
fn deviation(values: &[f64], of: f64) -> Option<f64> {
    let squares: Vec<f64> = values.iter().map(|value| (value - of).powi(2)).collect();
    mean(&squares).map(f64::sqrt)
}

/// Returns the slope of the least-squares regression line.
fn slope(points: &[(f64, f64)]) -> Option<f64> {
    let (xs, ys): (Vec<f64>, Vec<f64>) = points.iter().copied().unzip();
    let (x_mean, y_mean) = (mean(&xs)?, mean(&ys)?);
    let rise: f64 = points.iter().map(|(x, y)| (x - x_mean) * (y - y_mean)).sum();
    let run: f64 = xs.iter().map(|x| (x - x_mean).powi(2)).sum();
    (run > 0.0).then(|| rise / run)
}
