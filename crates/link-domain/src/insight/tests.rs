//! Each feature in a table, and what is told of nothing.

use link_types::data::{DataPointBody, IncomeFrequency};
use rstest::rstest;

use super::*;
use crate::fixture::bodies::{contribution, job, loan, pay, transaction};

/// The features of what was read, as of noon of the twentieth of November.
fn features(bodies: &[DataPointBody], rate: Option<u32>) -> Features {
    let rate = rate.and_then(ContributionRate::from_basis_points);
    match insight(bodies, rate, "2026-11-20T12:00:00Z".parse().unwrap()) {
        Some(DataPointBody::Insight(it)) => it.features,
        Some(other) => panic!("{other:?} is no insight"),
        None => Features::new(),
    }
}

fn check(bodies: &[DataPointBody], rate: Option<u32>, expected: &[(&str, Option<f64>)]) {
    let found = features(bodies, rate);
    let told: Vec<_> = expected.iter().map(|(name, _)| (*name, found[*name])).collect();
    assert_eq!(told, expected);
}

/// Twelve full months of pay, October the last of them, from the given amounts (the oldest first, then as the last).
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
#[case::no_day_known(&[(None, None)], None)]
#[case::ended(&[(Some("2020-01-01"), Some("2026-11-19"))], None)]
#[case::not_begun(&[(Some("2026-11-21"), None)], None)]
#[case::today(&[(Some("2026-11-20"), None)], Some(0.0))]
#[case::a_month_but_a_day(&[(Some("2026-10-21"), None)], Some(0.0))]
#[case::a_month(&[(Some("2026-10-20"), None)], Some(1.0))]
#[case::years(&[(Some("2020-02-29"), None)], Some(80.0))]
#[case::ends_later(&[(Some("2026-05-20"), Some("2027-01-01"))], Some(6.0))]
#[case::the_longest_counts(&[(Some("2026-05-20"), None), (Some("2025-11-20"), None)], Some(12.0))]
fn tenure_is_the_whole_months_of_the_longest_job_that_lasts(
    #[case] jobs: &[(Option<&str>, Option<&str>)],
    #[case] months: Option<f64>,
) {
    let bodies: Vec<_> = jobs.iter().map(|(start, end)| job(*start, *end)).collect();
    let found = features(&bodies, None);
    assert_eq!(found.get("tenureMonths").copied().flatten(), months);
}

#[rstest]
#[case::one_that_lasts(&[(Some("2020-01-01"), None)], 0.0, 0.0)]
#[case::one_after_the_other(&[(Some("2020-01-01"), Some("2022-01-31")), (Some("2022-02-01"), None)], 0.0, 0.0)]
#[case::a_month_between(&[(Some("2020-01-01"), Some("2022-01-31")), (Some("2022-03-03"), None)], 0.0, 0.0)]
#[case::a_day_more(&[(Some("2020-01-01"), Some("2022-01-31")), (Some("2022-03-04"), None)], 1.0, 31.0)]
#[case::beside_a_longer_one(
    &[(Some("2020-01-01"), None), (Some("2021-01-01"), Some("2021-02-01")), (Some("2022-01-01"), Some("2022-02-01"))],
    0.0, 0.0
)]
#[case::out_of_work(&[(Some("2020-01-01"), Some("2026-09-20"))], 1.0, 61.0)]
#[case::in_any_order(
    &[(Some("2022-01-01"), None), (Some("2018-01-01"), Some("2019-01-31")), (Some("2020-01-31"), Some("2020-12-31"))],
    2.0, 365.0
)]
fn gaps_are_the_spans_of_more_than_thirty_days_without_a_job(
    #[case] jobs: &[(Option<&str>, Option<&str>)],
    #[case] count: f64,
    #[case] longest: f64,
) {
    let bodies: Vec<_> = jobs.iter().map(|(start, end)| job(*start, *end)).collect();
    let expected = [("employmentGapCount", Some(count)), ("longestEmploymentGapDays", Some(longest))];
    check(&bodies, None, &expected);
}

#[rstest]
#[case::even(&[1_000_000], [10_000.0, 10_000.0, 10_000.0], [0.0; 3], [0.0; 3])]
#[case::one_percent_of_the_mean_more_each_month(
    &[945, 955, 965, 975, 985, 995, 1_005, 1_015, 1_025, 1_035, 1_045, 1_055],
    [10.45, 10.3, 10.0],
    [0.0096, 0.0097, 0.01],
    [0.0078, 0.0166, 0.0345]
)]
#[case::more_every_other_month(
    &[100, 300, 100, 300, 100, 300, 100, 300, 100, 300, 100, 300],
    [2.33, 2.0, 2.0],
    [0.0, 0.0857, 0.021],
    [0.4041, 0.5, 0.5]
)]
fn the_mean_its_trend_and_its_variability_speak_of_full_months(
    #[case] amounts: &[i64],
    #[case] means: [f64; 3],
    #[case] trends: [f64; 3],
    #[case] variabilities: [f64; 3],
) {
    let mut bodies = year_of_pay(amounts);
    bodies.push(pay("2026-11-01", IncomeFrequency::Monthly, 99_999_999)); // under way
    bodies.push(pay("2025-10-01", IncomeFrequency::Monthly, 99_999_999)); // before the longest span
    let found = features(&bodies, None);
    let told = |name: &str| SPANS.map(|span| found[&format!("{name}{span}Months")].unwrap());
    assert_eq!(told("incomeMean"), means);
    assert_eq!(told("incomeTrend"), trends);
    assert_eq!(told("incomeVariability"), variabilities);
}

#[test]
fn two_months_have_a_mean_and_neither_trend_nor_variability() {
    let bodies =
        [pay("2026-08-01", IncomeFrequency::Monthly, 100), pay("2026-09-01", IncomeFrequency::Monthly, 300)];
    let expected =
        [("incomeMean3Months", Some(2.0)), ("incomeTrend3Months", None), ("incomeVariability3Months", None)];
    check(&bodies, None, &expected);
}

#[test]
fn incomes_come_from_the_same_source_as_the_estimates() {
    let paid = contribution("2026-10-01", 11_500);
    let earned = [transaction("2026-10-05", 400), transaction("2026-10-25", 600)];
    check(std::slice::from_ref(&paid), Some(1_150), &[("incomeMean12Months", Some(1_000.0))]);
    check(&[paid], None, &[("incomeMean12Months", None), ("contributionRegularity12Months", Some(0.0833))]);
    check(&earned, None, &[("incomeMean12Months", Some(10.0))]);
}

#[test]
fn the_currency_of_most_months_counts_and_no_other_is_mixed_in() {
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
#[case::none_in_the_spans(&["2020-01-01"], [0.0, 0.0, 0.0])]
#[case::the_month_under_way_counts_not(&["2026-11-01"], [0.0, 0.0, 0.0])]
#[case::one_month_twice(&["2026-10-01", "2026-10-16"], [0.3333, 0.1667, 0.0833])]
#[case::every_month_of_three(&["2026-08-01", "2026-09-01", "2026-10-01"], [1.0, 0.5, 0.25])]
#[case::the_oldest_of_twelve(&["2025-11-30"], [0.0, 0.0, 0.0833])]
fn regularity_is_the_share_of_the_months_with_a_contribution(
    #[case] days: &[&str],
    #[case] shares: [f64; 3],
) {
    let bodies: Vec<_> = days.iter().map(|day| contribution(day, 100)).collect();
    let found = features(&bodies, None);
    let told = SPANS.map(|span| found[&format!("contributionRegularity{span}Months")].unwrap());
    assert_eq!(told, shares);
}

#[rstest]
#[case::one(&[(None, "MONTHLY", 250_000, 12_000_000)], Some(0.25), Some(1.0))]
#[case::two(&[(None, "MONTHLY", 250_000, 6_000_000), (None, "ANNUAL", 1_200_000, 0)], Some(0.35), Some(0.5))]
#[case::paid_off(&[(Some("2026-11-19"), "MONTHLY", 250_000, 1)], Some(0.0), Some(0.0))]
#[case::how_often_is_unknown(&[(None, "SOMETIMES", 250_000, 12_000_000)], None, Some(1.0))]
fn liabilities_are_set_beside_the_mean_income_of_a_year(
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
fn liabilities_in_another_currency_or_without_an_income_tell_no_ratio() {
    let names = ["liabilityPaymentsToIncome", "liabilityBalanceToAnnualIncome"];
    let nothing = names.map(|name| (name, None));
    check(&[loan(None, "MONTHLY", 1, 1), transaction("2026-10-05", 400)], None, &nothing);
    check(&[loan(None, "MONTHLY", 1, 1), job(Some("2020-01-01"), None)], None, &nothing);
    check(&year_of_pay(&[100]), None, &nothing);
}

#[test]
fn what_tells_nothing_has_no_insight_and_every_insight_names_every_feature() {
    assert_eq!(features(&[], None), Features::new());
    assert_eq!(features(&[job(None, None)], None), Features::new());
    let some = features(&[job(Some("2020-01-01"), None)], None);
    assert_eq!(some.len(), 17);
    assert_eq!(
        some.keys().collect::<Vec<_>>(),
        features(&year_of_pay(&[1]), None).keys().collect::<Vec<_>>()
    );
}
