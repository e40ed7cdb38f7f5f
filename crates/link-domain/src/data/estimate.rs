//! Estimated incomes, computed from the data that was read. The formulas are in ADR 0028.

use std::collections::BTreeMap;

use link_types::data::{DataPointBody, EstimatedIncome, Income, IncomeFrequency};
use link_types::id::EstimatedIncomeId;
use link_types::{Date, Money, Month};

use crate::data::batch::ContributionRate;

/// Computes monthly estimates, oldest first, from the best available data: contributions with a known rate, otherwise
/// pay, otherwise earnings. `today` determines the current month, which is incomplete. The ids are placeholders.
pub(crate) fn estimate_incomes(
    bodies: &[DataPointBody],
    rate: Option<ContributionRate>,
    today: Date,
) -> Vec<DataPointBody> {
    let best = best_of(bodies, rate, || median_month(earnings(bodies, today)));
    best.into_iter().map(|((month, currency), hundredths)| estimate(month, currency, hundredths)).collect()
}

/// Computes the income of each month from the same data as the estimates. For earnings, it is the sum of the month.
pub(crate) fn monthly_incomes(bodies: &[DataPointBody], rate: Option<ContributionRate>, today: Date) -> Sums {
    best_of(bodies, rate, || earnings(bodies, today))
}

/// Amounts in hundredths of the currency unit, by month and currency.
pub(crate) type Sums = BTreeMap<(Month, String), i128>;

/// Largest amount that can be represented.
const MAX_AMOUNT: i64 = 999_999_999_999_999;

fn best_of(bodies: &[DataPointBody], rate: Option<ContributionRate>, earned: impl FnOnce() -> Sums) -> Sums {
    let from_contributions = rate.map(|rate| by_contributions(bodies, rate)).unwrap_or_default();
    if !from_contributions.is_empty() {
        return from_contributions;
    }
    let from_pay = by_pay(bodies);
    if from_pay.is_empty() { earned() } else { from_pay }
}

/// Divides each month's contributions by the rate.
fn by_contributions(bodies: &[DataPointBody], rate: ContributionRate) -> Sums {
    let mut sums = Sums::new();
    for body in bodies {
        if let DataPointBody::Contribution(it) = body
            && let Some(date) = it.date
        {
            *sums.entry((date.month(), it.currency.clone())).or_default() +=
                i128::from(it.amount.hundredths());
        }
    }
    sums.into_iter().map(|(key, sum)| (key, divide(sum * 10_000, i128::from(rate.basis_points())))).collect()
}

/// Averages the pays of each month, each converted to a twelfth of its yearly value.
fn by_pay(bodies: &[DataPointBody]) -> Sums {
    let mut yearly = BTreeMap::<(Month, String), (i128, i128)>::new();
    for body in bodies {
        if let DataPointBody::Income(it) = body
            && let (Some(date), Some(worth)) = (it.start_date, yearly_value(it))
        {
            let (sum, count) = yearly.entry((date.month(), it.currency.clone())).or_default();
            *sum += worth;
            *count += 1;
        }
    }
    yearly.into_iter().map(|(key, (sum, count))| (key, divide(sum, 12 * count))).collect()
}

fn yearly_value(income: &Income) -> Option<i128> {
    let amount = income.gross_amount.or(income.base_amount).or(income.net_amount)?;
    Some(i128::from(amount.hundredths()) * times_a_year(income.frequency)?)
}

/// Returns how many times a year something is paid, or `None` if the number is not fixed.
pub(crate) const fn times_a_year(frequency: IncomeFrequency) -> Option<i128> {
    match frequency {
        IncomeFrequency::Daily => Some(260),
        IncomeFrequency::Weekly => Some(52),
        IncomeFrequency::Biweekly => Some(26),
        IncomeFrequency::Semimonthly => Some(24),
        IncomeFrequency::Monthly => Some(12),
        IncomeFrequency::Annual => Some(1),
        IncomeFrequency::Hourly | IncomeFrequency::Unspecified => None,
    }
}

/// Sums the positive transactions of each month, without the current month.
fn earnings(bodies: &[DataPointBody], today: Date) -> Sums {
    let mut sums = Sums::new();
    for body in bodies {
        if let DataPointBody::Transaction(it) = body
            && let Some(date) = it.date.filter(|date| date.month() < today.month())
            && it.amount.hundredths() > 0
        {
            *sums.entry((date.month(), it.currency.clone())).or_default() +=
                i128::from(it.amount.hundredths());
        }
    }
    sums
}

/// Computes the median month of each currency, assigned to its last month.
fn median_month(sums: Sums) -> Sums {
    let mut months = BTreeMap::<String, Vec<(Month, i128)>>::new();
    for ((month, currency), sum) in sums {
        months.entry(currency).or_default().push((month, sum));
    }
    months
        .into_iter()
        .filter_map(|(currency, sums)| {
            let (last, _) = *sums.last()?;
            Some(((last, currency), median(sums.into_iter().map(|(_, sum)| sum).collect())?))
        })
        .collect()
}

fn median(mut values: Vec<i128>) -> Option<i128> {
    values.sort_unstable();
    let upper = values.get(values.len() / 2)?;
    let lower = values.get(values.len().checked_sub(1)? / 2)?;
    Some(divide(lower + upper, 2))
}

/// Divides, rounding half away from zero.
fn divide(sum: i128, by: i128) -> i128 {
    let half = if sum < 0 { -by / 2 } else { by / 2 };
    (sum + half).checked_div(by).unwrap_or(0)
}

fn estimate(month: Month, currency: String, hundredths: i128) -> DataPointBody {
    let amount =
        Money::from_hundredths(i64::try_from(hundredths).map_or(MAX_AMOUNT, |it| it.min(MAX_AMOUNT)));
    let id = EstimatedIncomeId::from_bytes([0; 16]);
    DataPointBody::EstimatedIncome(EstimatedIncome { id, month, currency, amount, base_amount: amount })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::bodies::{contribution, day, pay, transaction};
    use rstest::rstest;

    fn check(bodies: &[DataPointBody], rate: Option<u32>, expected: &[(&str, i64)]) {
        let rate = rate.and_then(ContributionRate::from_basis_points);
        let found: Vec<_> = estimate_incomes(bodies, rate, day("2026-11-20"))
            .into_iter()
            .map(|body| {
                let DataPointBody::EstimatedIncome(it) = body else { panic!("not an estimate: {body:?}") };
                (it.month.to_string(), it.amount.hundredths())
            })
            .collect();
        let expected: Vec<_> =
            expected.iter().map(|(month, amount)| ((*month).to_owned(), *amount)).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn contributions_of_each_month_are_divided_by_the_rate() {
        let read = [
            contribution("2026-09-01", 115_000),
            contribution("2026-10-01", 57_500),
            contribution("2026-10-16", 57_501),
        ];
        check(&read, Some(1_150), &[("2026-09", 1_000_000), ("2026-10", 1_000_009)]);
    }

    #[rstest]
    #[case(IncomeFrequency::Annual, 12_000_000, 1_000_000)]
    #[case(IncomeFrequency::Monthly, 1_000_000, 1_000_000)]
    #[case(IncomeFrequency::Semimonthly, 500_000, 1_000_000)]
    #[case(IncomeFrequency::Biweekly, 600_000, 1_300_000)]
    #[case(IncomeFrequency::Weekly, 300_000, 1_300_000)]
    #[case(IncomeFrequency::Daily, 60_000, 1_300_000)]
    fn pay_is_converted_to_a_twelfth_of_its_yearly_value(
        #[case] frequency: IncomeFrequency,
        #[case] gross: i64,
        #[case] monthly: i64,
    ) {
        check(&[pay("2026-10-01", frequency, gross)], None, &[("2026-10", monthly)]);
    }

    #[test]
    fn pays_of_a_month_are_averaged_without_aperiodic_ones() {
        let read = [
            pay("2026-10-01", IncomeFrequency::Weekly, 300_000),
            pay("2026-10-08", IncomeFrequency::Weekly, 360_000),
            pay("2026-10-15", IncomeFrequency::Unspecified, 9),
            pay("2026-10-15", IncomeFrequency::Hourly, 9),
        ];
        check(&read, None, &[("2026-10", 1_430_000)]);
    }

    #[test]
    fn earnings_median_ignores_fees_and_current_month() {
        let read = [
            transaction("2026-07-10", 100_000),
            transaction("2026-08-10", 500_000),
            transaction("2026-09-10", 150_000),
            transaction("2026-09-20", 50_000),
            transaction("2026-09-21", -10_000),
            transaction("2026-10-10", 300_000),
            transaction("2026-11-10", 1),
        ];
        check(&read, None, &[("2026-10", 250_000)]);
    }

    #[test]
    fn only_the_best_available_data_is_used() {
        let mut read = vec![contribution("2026-10-01", 115_000)];
        check(&read, None, &[]);
        read.push(pay("2026-10-01", IncomeFrequency::Monthly, 77));
        check(&read, None, &[("2026-10", 77)]);
        check(&read, Some(1_150), &[("2026-10", 1_000_000)]);
    }

    #[test]
    fn estimate_is_capped_at_the_largest_amount() {
        check(&[contribution("2026-10-01", MAX_AMOUNT)], Some(1), &[("2026-10", MAX_AMOUNT)]);
    }

    #[test]
    fn contribution_rate_of_zero_is_rejected() {
        assert_eq!(ContributionRate::from_basis_points(0), None);
    }
}
