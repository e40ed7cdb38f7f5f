//! Estimated incomes: computed from what was read, never drawn. The formulas are those of ADR 0028.

use std::collections::BTreeMap;

use link_types::data::{DataPointBody, EstimatedIncome, Income, IncomeFrequency};
use link_types::id::EstimatedIncomeId;
use link_types::{Date, Money, Month};

use crate::ports::ContributionRate;

/// Monthly estimates, the oldest first, from the best that was read: contributions with a known rate, else pay, else
/// earnings. `today` tells which month is not over yet. The ids are placeholders.
pub(crate) fn estimated_incomes(
    bodies: &[DataPointBody],
    rate: Option<ContributionRate>,
    today: Date,
) -> Vec<DataPointBody> {
    let from_contributions = rate.map(|rate| by_contributions(bodies, rate)).unwrap_or_default();
    let estimates = [from_contributions, by_pay(bodies), by_earnings(bodies, today)];
    let best = estimates.into_iter().find(|it| !it.is_empty()).unwrap_or_default();
    best.into_iter().map(|((month, currency), hundredths)| estimate(month, currency, hundredths)).collect()
}

/// Hundredths of the currency's unit by month and currency.
type Sums = BTreeMap<(Month, String), i128>;

/// What was contributed for the month, divided by the rate.
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
    sums.into_iter().map(|(key, sum)| (key, divided(sum * 10_000, i128::from(rate.basis_points())))).collect()
}

/// The mean of the month's pays, each as a twelfth of its yearly worth.
fn by_pay(bodies: &[DataPointBody]) -> Sums {
    let mut yearly = BTreeMap::<(Month, String), (i128, i128)>::new();
    for body in bodies {
        if let DataPointBody::Income(it) = body
            && let (Some(date), Some(worth)) = (it.start_date, yearly_worth(it))
        {
            let (sum, count) = yearly.entry((date.month(), it.currency.clone())).or_default();
            *sum += worth;
            *count += 1;
        }
    }
    yearly.into_iter().map(|(key, (sum, count))| (key, divided(sum, 12 * count))).collect()
}

fn yearly_worth(income: &Income) -> Option<i128> {
    let times = match income.frequency {
        IncomeFrequency::Daily => 260,
        IncomeFrequency::Weekly => 52,
        IncomeFrequency::Biweekly => 26,
        IncomeFrequency::Semimonthly => 24,
        IncomeFrequency::Monthly => 12,
        IncomeFrequency::Annual => 1,
        IncomeFrequency::Hourly | IncomeFrequency::Unspecified => return None,
    };
    let amount = income.gross_amount.or(income.base_amount).or(income.net_amount)?;
    Some(i128::from(amount.hundredths()) * times)
}

/// The median of the monthly earnings of the months that are over, said of the last of them.
fn by_earnings(bodies: &[DataPointBody], today: Date) -> Sums {
    let mut months = BTreeMap::<String, BTreeMap<Month, i128>>::new();
    for body in bodies {
        if let DataPointBody::Transaction(it) = body
            && let Some(date) = it.date.filter(|date| date.month() < today.month())
            && it.amount.hundredths() > 0
        {
            *months.entry(it.currency.clone()).or_default().entry(date.month()).or_default() +=
                i128::from(it.amount.hundredths());
        }
    }
    months
        .into_iter()
        .filter_map(|(currency, sums)| {
            let (last, _) = sums.last_key_value()?;
            Some(((*last, currency), median(sums.values().copied().collect())?))
        })
        .collect()
}

fn median(mut values: Vec<i128>) -> Option<i128> {
    values.sort_unstable();
    let upper = values.get(values.len() / 2)?;
    let lower = values.get(values.len().checked_sub(1)? / 2)?;
    Some(divided(lower + upper, 2))
}

/// The quotient, rounded half away from zero.
fn divided(sum: i128, by: i128) -> i128 {
    let half = if sum < 0 { -by / 2 } else { by / 2 };
    (sum + half).checked_div(by).unwrap_or(0)
}

fn estimate(month: Month, currency: String, hundredths: i128) -> DataPointBody {
    let amount = Money::from_hundredths(i64::try_from(hundredths).unwrap_or(i64::MAX));
    let id = EstimatedIncomeId::from_bytes([0; 16]);
    DataPointBody::EstimatedIncome(EstimatedIncome { id, month, currency, amount, base_amount: amount })
}

#[cfg(test)]
mod tests {
    use super::*;
    use link_types::data::{Contribution, Transaction};
    use link_types::id::{ContributionId, IncomeId, TransactionId};
    use rstest::rstest;

    fn day(text: &str) -> Date {
        text.parse().unwrap()
    }

    fn contribution(date: &str, hundredths: i64) -> DataPointBody {
        DataPointBody::Contribution(Contribution {
            id: ContributionId::from_bytes([0; 16]),
            date: Some(day(date)),
            currency: "MXN".into(),
            amount: Money::from_hundredths(hundredths),
            reference_id: None,
        })
    }

    fn pay(date: &str, frequency: IncomeFrequency, hundredths: i64) -> DataPointBody {
        DataPointBody::Income(Income {
            id: IncomeId::from_bytes([0; 16]),
            employer: None,
            start_date: Some(day(date)),
            end_date: None,
            currency: "PHP".into(),
            frequency,
            base_amount: None,
            gross_amount: Some(Money::from_hundredths(hundredths)),
            net_amount: None,
        })
    }

    fn transaction(date: &str, hundredths: i64) -> DataPointBody {
        DataPointBody::Transaction(Transaction {
            id: TransactionId::from_bytes([0; 16]),
            date: Some(day(date)),
            description: None,
            currency: "MXN".into(),
            amount: Money::from_hundredths(hundredths),
            reference_id: None,
        })
    }

    fn check(bodies: &[DataPointBody], rate: Option<u32>, expected: &[(&str, i64)]) {
        let rate = rate.and_then(ContributionRate::from_basis_points);
        let found: Vec<_> = estimated_incomes(bodies, rate, day("2026-11-20"))
            .into_iter()
            .map(|body| {
                let DataPointBody::EstimatedIncome(it) = body else { panic!("{body:?} is no estimate") };
                (it.month.to_string(), it.amount.hundredths())
            })
            .collect();
        let expected: Vec<_> =
            expected.iter().map(|(month, amount)| ((*month).to_owned(), *amount)).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn contributions_are_divided_by_their_rate_month_by_month() {
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
    fn a_pay_is_a_twelfth_of_its_yearly_worth(
        #[case] frequency: IncomeFrequency,
        #[case] gross: i64,
        #[case] monthly: i64,
    ) {
        check(&[pay("2026-10-01", frequency, gross)], None, &[("2026-10", monthly)]);
    }

    #[test]
    fn several_pays_of_a_month_are_averaged_and_those_without_a_period_left_out() {
        let read = [
            pay("2026-10-01", IncomeFrequency::Weekly, 300_000),
            pay("2026-10-08", IncomeFrequency::Weekly, 360_000),
            pay("2026-10-15", IncomeFrequency::Unspecified, 9),
            pay("2026-10-15", IncomeFrequency::Hourly, 9),
        ];
        check(&read, None, &[("2026-10", 1_430_000)]);
    }

    #[test]
    fn earnings_give_the_median_month_without_fees_and_without_the_month_under_way() {
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
    fn contributions_without_a_rate_tell_nothing_and_the_best_source_is_taken_alone() {
        let mut read = vec![contribution("2026-10-01", 115_000)];
        check(&read, None, &[]);
        read.push(pay("2026-10-01", IncomeFrequency::Monthly, 77));
        check(&read, None, &[("2026-10", 77)]);
        check(&read, Some(1_150), &[("2026-10", 1_000_000)]);
    }

    #[test]
    fn a_rate_is_above_nothing() {
        assert_eq!(ContributionRate::from_basis_points(0), None);
    }
}
