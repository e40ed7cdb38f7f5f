//! What the person earned month by month: its mean, where it is going, how much it varies.

use std::collections::BTreeMap;

use link_types::data::DataPointBody;
use link_types::{Date, Month};

use super::{Features, SPANS, rounded};
use crate::estimate::monthly_incomes;
use crate::ports::ContributionRate;

/// Months that a trend or a variability needs at least.
const FEWEST_MONTHS: usize = 3;

/// The months of the longest span whose income is known, in one currency, the oldest first.
pub(super) struct Series {
    currency: Option<String>,
    months: Vec<(Month, f64)>,
    today: Date,
}

impl Series {
    /// The incomes in the currency that most months are known in.
    pub(super) fn of(bodies: &[DataPointBody], rate: Option<ContributionRate>, today: Date) -> Self {
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

    /// The mean income of a month of the longest span, and its currency.
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
            let enough = mean.filter(|mean| *mean > 0.0 && values.len() >= FEWEST_MONTHS);
            features.insert(format!("incomeMean{span}Months"), mean.and_then(|it| rounded(it, 2)));
            features.insert(
                format!("incomeTrend{span}Months"),
                enough.and_then(|mean| rounded(slope(&points)? / mean, 4)),
            );
            features.insert(
                format!("incomeVariability{span}Months"),
                enough.and_then(|mean| rounded(deviation(&values, mean)? / mean, 4)),
            );
        }
    }
}

/// An amount in its currency's unit. Amounts are far below what an `f64` holds exactly.
fn units(hundredths: i128) -> f64 {
    hundredths as f64 / 100.0
}

fn mean(values: &[f64]) -> Option<f64> {
    let count = u32::try_from(values.len()).ok().filter(|count| *count > 0)?;
    Some(values.iter().sum::<f64>() / f64::from(count))
}

/// The standard deviation of these very values: they are all there is, not a sample.
fn deviation(values: &[f64], of: f64) -> Option<f64> {
    let squares: Vec<f64> = values.iter().map(|value| (value - of).powi(2)).collect();
    mean(&squares).map(f64::sqrt)
}

/// The slope of the straight line that fits best (least squares).
fn slope(points: &[(f64, f64)]) -> Option<f64> {
    let (xs, ys): (Vec<f64>, Vec<f64>) = points.iter().copied().unzip();
    let (x_mean, y_mean) = (mean(&xs)?, mean(&ys)?);
    let rise: f64 = points.iter().map(|(x, y)| (x - x_mean) * (y - y_mean)).sum();
    let run: f64 = xs.iter().map(|x| (x - x_mean).powi(2)).sum();
    (run > 0.0).then(|| rise / run)
}
