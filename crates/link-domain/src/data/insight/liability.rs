//! The person's liabilities relative to their income.

use link_types::data::{DataPointBody, IncomeFrequency, Liability};
use link_types::{Date, Money};

use super::features::{Features, rounded};
use super::income::Series;
use crate::data::estimate::times_a_year;

/// Adds `liabilityPaymentsToIncome` and `liabilityBalanceToAnnualIncome`.
pub(super) fn add(bodies: &[DataPointBody], incomes: &Series, today: Date, features: &mut Features) {
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
        rounded(amounts.sum::<Option<f64>>()? / (mean * months), 4)
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
