//! Tables of expected values for each feature, and the results without data.

use link_types::data::{DataPointBody, IncomeFrequency};
use rstest::rstest;

use super::SPANS;
use super::*;
use crate::fixture::bodies::{contribution, job, loan, pay, transaction};

/// Returns the features of the data as of noon on November 20.
fn features(bodies: &[DataPointBody], rate: Option<u32>) -> Features {
    let rate = rate.and_then(ContributionRate::from_basis_points);
    match insight(bodies, rate, "2026-11-20T12:00:00Z".parse().unwrap()) {
        Some(DataPointBody::Insight(it)) => it.features,
        Some(other) => panic!("not an insight: {other:?}"),
        None => Features::new(),
    }
}

fn check(bodies: &[DataPointBody], rate: Option<u32>, expected: &[(&str, Option<f64>)]) {
    let found = features(bodies, rate);
    let values: Vec<_> = expected.iter().map(|(name, _)| (*name, found[*name])).collect();
    assert_eq!(values, expected);
}

/// Returns pay for twelve full months ending in October. `amounts` are used oldest first; the last one is repeated.
fn year_of_pay(amounts: &[i64]) -> Vec<DataPointBody> {
    let october = "2026-10".parse::<link_types::Month>().unwrap();
    (0..12)
        .map(|index| {
            let amount = amounts.get(index).or(amounts.last()).copied().unwrap();
            let month = october.plus_months(i32::try_from(index).unwrap() - 11);
            pay(&format!("{month}-01"), IncomeFrequency::Monthly, amount)
        })
        .collect()
}

#[rstest]
#[case::no_dates(&[(None, None)], None)]
#[case::ended(&[(Some("2020-01-01"), Some("2026-11-19"))], None)]
#[case::not_started(&[(Some("2026-11-21"), None)], None)]
#[case::today(&[(Some("2026-11-20"), None)], Some(0.0))]
#[case::one_day_less_than_a_month(&[(Some("2026-10-21"), None)], Some(0.0))]
#[case::one_month(&[(Some("2026-10-20"), None)], Some(1.0))]
#[case::years(&[(Some("2020-02-29"), None)], Some(80.0))]
#[case::ends_in_the_future(&[(Some("2026-05-20"), Some("2027-01-01"))], Some(6.0))]
#[case::longest_job_counts(&[(Some("2026-05-20"), None), (Some("2025-11-20"), None)], Some(12.0))]
fn tenure_is_the_whole_months_of_the_longest_current_job(
    #[case] jobs: &[(Option<&str>, Option<&str>)],
    #[case] months: Option<f64>,
) {
    let bodies: Vec<_> = jobs.iter().map(|(start, end)| job(*start, *end)).collect();
    let found = features(&bodies, None);
    assert_eq!(found.get("tenureMonths").copied().flatten(), months);
}

#[rstest]
#[case::one_current_job(&[(Some("2020-01-01"), None)], 0.0, 0.0)]
#[case::consecutive_jobs(&[(Some("2020-01-01"), Some("2022-01-31")), (Some("2022-02-01"), None)], 0.0, 0.0)]
#[case::thirty_days_between(&[(Some("2020-01-01"), Some("2022-01-31")), (Some("2022-03-03"), None)], 0.0, 0.0)]
#[case::thirty_one_days_between(&[(Some("2020-01-01"), Some("2022-01-31")), (Some("2022-03-04"), None)], 1.0, 31.0)]
#[case::during_a_longer_job(
    &[(Some("2020-01-01"), None), (Some("2021-01-01"), Some("2021-02-01")), (Some("2022-01-01"), Some("2022-02-01"))],
    0.0, 0.0
)]
#[case::out_of_work(&[(Some("2020-01-01"), Some("2026-09-20"))], 1.0, 61.0)]
#[case::unsorted(
    &[(Some("2022-01-01"), None), (Some("2018-01-01"), Some("2019-01-31")), (Some("2020-01-31"), Some("2020-12-31"))],
    2.0, 365.0
)]
fn gaps_are_periods_of_over_30_days_without_a_job(
    #[case] jobs: &[(Option<&str>, Option<&str>)],
    #[case] count: f64,
    #[case] longest: f64,
) {
    let bodies: Vec<_> = jobs.iter().map(|(start, end)| job(*start, *end)).collect();
    let expected = [("employmentGapCount", Some(count)), ("longestEmploymentGapDays", Some(longest))];
    check(&bodies, None, &expected);
}

#[rstest]
#[case::constant(&[1_000_000], [10_000.0, 10_000.0, 10_000.0], [0.0; 3], [0.0; 3])]
#[case::steady_rise(
    &[945, 955, 965, 975, 985, 995, 1_005, 1_015, 1_025, 1_035, 1_045, 1_055],
    [10.45, 10.3, 10.0],
    [0.0096, 0.0097, 0.01],
    [0.0078, 0.0166, 0.0345]
)]
#[case::alternating(
    &[100, 300, 100, 300, 100, 300, 100, 300, 100, 300, 100, 300],
    [2.33, 2.0, 2.0],
    [0.0, 0.0857, 0.021],
    [0.4041, 0.5, 0.5]
)]
fn income_features_use_only_full_months(
    #[case] amounts: &[i64],
    #[case] means: [f64; 3],
    #[case] trends: [f64; 3],
    #[case] variabilities: [f64; 3],
) {
    let mut bodies = year_of_pay(amounts);
    bodies.push(pay("2026-11-01", IncomeFrequency::Monthly, 99_999_999)); // the current month
    bodies.push(pay("2025-10-01", IncomeFrequency::Monthly, 99_999_999)); // before the longest period
    let found = features(&bodies, None);
    let values = |name: &str| SPANS.map(|span| found[&format!("{name}{span}Months")].unwrap());
    assert_eq!(values("incomeMean"), means);
    assert_eq!(values("incomeTrend"), trends);
    assert_eq!(values("incomeVariability"), variabilities);
}

#[test]
fn two_months_give_a_mean_but_no_trend_or_variability() {
    let bodies =
        [pay("2026-08-01", IncomeFrequency::Monthly, 100), pay("2026-09-01", IncomeFrequency::Monthly, 300)];
    let expected =
        [("incomeMean3Months", Some(2.0)), ("incomeTrend3Months", None), ("incomeVariability3Months", None)];
    check(&bodies, None, &expected);
}

#[test]
fn income_features_use_the_same_data_as_the_estimates() {
    let paid = contribution("2026-10-01", 11_500);
    let earned = [transaction("2026-10-05", 400), transaction("2026-10-25", 600)];
    check(std::slice::from_ref(&paid), Some(1_150), &[("incomeMean12Months", Some(1_000.0))]);
    check(&[paid], None, &[("incomeMean12Months", None), ("contributionRegularity12Months", Some(0.0833))]);
    check(&earned, None, &[("incomeMean12Months", Some(10.0))]);
}

#[test]
fn income_features_use_only_the_most_frequent_currency() {
    let mut bodies = vec![transaction("2026-10-05", 700_000)];
    bodies.extend([8, 9].map(|month| {
        let DataPointBody::Transaction(it) = transaction(&format!("2026-{month:02}-05"), 100) else {
            unreachable!()
        };
        DataPointBody::Transaction(link_types::data::Transaction { currency: "USD".into(), ..it })
    }));
    check(&bodies, None, &[("incomeMean12Months", Some(1.0))]);
}

#[rstest]
#[case::outside_the_periods(&["2020-01-01"], [0.0, 0.0, 0.0])]
#[case::current_month_is_ignored(&["2026-11-01"], [0.0, 0.0, 0.0])]
#[case::one_month_twice(&["2026-10-01", "2026-10-16"], [0.3333, 0.1667, 0.0833])]
#[case::all_of_three_months(&["2026-08-01", "2026-09-01", "2026-10-01"], [1.0, 0.5, 0.25])]
#[case::oldest_of_twelve_months(&["2025-11-30"], [0.0, 0.0, 0.0833])]
fn regularity_is_the_share_of_months_with_a_contribution(#[case] days: &[&str], #[case] shares: [f64; 3]) {
    let bodies: Vec<_> = days.iter().map(|day| contribution(day, 100)).collect();
    let found = features(&bodies, None);
    let values = SPANS.map(|span| found[&format!("contributionRegularity{span}Months")].unwrap());
    assert_eq!(values, shares);
}

#[rstest]
#[case::one(&[(None, "MONTHLY", 250_000, 12_000_000)], Some(0.25), Some(1.0))]
#[case::two(&[(None, "MONTHLY", 250_000, 6_000_000), (None, "ANNUAL", 1_200_000, 0)], Some(0.35), Some(0.5))]
#[case::paid_off(&[(Some("2026-11-19"), "MONTHLY", 250_000, 1)], Some(0.0), Some(0.0))]
#[case::unknown_frequency(&[(None, "SOMETIMES", 250_000, 12_000_000)], None, Some(1.0))]
fn liability_ratios_use_the_mean_income_of_a_year(
    #[case] loans: &[(Option<&str>, &str, i64, i64)],
    #[case] payments: Option<f64>,
    #[case] balance: Option<f64>,
) {
    let mut bodies = year_of_pay(&[1_000_000]);
    bodies.extend(loans.iter().map(|(end, frequency, payment, left)| loan(*end, frequency, *payment, *left)));
    let expected = [("liabilityPaymentsToIncome", payments), ("liabilityBalanceToAnnualIncome", balance)];
    check(&bodies, None, &expected);
}

#[test]
fn liability_ratios_need_income_in_the_same_currency() {
    let names = ["liabilityPaymentsToIncome", "liabilityBalanceToAnnualIncome"];
    let nothing = names.map(|name| (name, None));
    check(&[loan(None, "MONTHLY", 1, 1), transaction("2026-10-05", 400)], None, &nothing);
    check(&[loan(None, "MONTHLY", 1, 1), job(Some("2020-01-01"), None)], None, &nothing);
    check(&year_of_pay(&[100]), None, &nothing);
}

#[test]
fn insight_has_all_features_or_does_not_exist() {
    assert_eq!(features(&[], None), Features::new());
    assert_eq!(features(&[job(None, None)], None), Features::new());
    let some = features(&[job(Some("2020-01-01"), None)], None);
    assert_eq!(some.len(), 17);
    assert_eq!(
        some.keys().collect::<Vec<_>>(),
        features(&year_of_pay(&[1]), None).keys().collect::<Vec<_>>()
    );
}
