//! Contributions, pay and earnings.

use link_types::data::{Contribution, Income, IncomeFrequency, Liability, Transaction};
use link_types::id::{ContributionId, IncomeId, LiabilityId, TransactionId};
use link_types::{Date, Money, Month};

use crate::sandbox::data::jobs::{employer, has_next_job};
use crate::sandbox::data::person::{PLACEHOLDER, Scene};
use crate::sandbox::draw::{Draw, epoch};

const A_YEAR_OF_MONTHS: i32 = 12;
const MANY_MONTHS: i32 = 360;
const A_YEAR_OF_WEEKS: i64 = 52;
const MANY_WEEKS: i64 = 420;
/// The contributed share of the salary, in hundredths of a percent.
pub(super) const CONTRIBUTION_RATE: u32 = 1_150;

/// The share of the newest contribution that is booked at first, in hundredths of a percent. A month later, the provider
/// corrects it.
const PROVISIONAL: u32 = 9_800;

/// Returns one contribution per month, oldest first.
pub(super) fn contributions(scene: &Scene<'_>) -> Vec<Contribution> {
    months(scene)
        .map(|(back, month_start)| Contribution {
            id: ContributionId::from_bytes(PLACEHOLDER),
            date: Some(month_start),
            currency: scene.person.currency().to_owned(),
            amount: provisional(back, share(salary(scene, month_start.month()), CONTRIBUTION_RATE)),
            reference_id: Some(format!("C{}", month_start.month().to_string().replace('-', ""))),
        })
        .collect()
}

/// Returns one pay per month, oldest first.
pub(super) fn incomes(scene: &Scene<'_>) -> Vec<Income> {
    months(scene)
        .map(|(back, month_start)| {
            let base = provisional(back, salary(scene, month_start.month()));
            let gross = Money::from_hundredths(base.hundredths() + share(base, 400).hundredths());
            let net = Money::from_hundredths(gross.hundredths() - share(gross, 1_480).hundredths());
            Income {
                id: IncomeId::from_bytes(PLACEHOLDER),
                employer: Some(employer(scene, month_start.month()).to_owned()),
                start_date: Some(month_start),
                end_date: month_start.month().plus_months(1).first_day().map(|next| next.plus_days(-1)),
                currency: scene.person.currency().to_owned(),
                frequency: IncomeFrequency::Monthly,
                base_amount: Some(base),
                gross_amount: Some(gross),
                net_amount: Some(net),
            }
        })
        .collect()
}

/// Returns weekly payouts with occasional fees, oldest first.
pub(super) fn transactions(scene: &Scene<'_>) -> Vec<Transaction> {
    let count = if scene.many { MANY_WEEKS } else { A_YEAR_OF_WEEKS };
    let weekly = scene.person.monthly_salary.hundredths() / 4;
    let this_week = scene.today.days_since(epoch()).div_euclid(7);
    (1..=count)
        .rev()
        .map(|back| this_week - back)
        .flat_map(|week| {
            let day = epoch().plus_days(7 * week);
            let earned = weekly * scene.draw(&format!("payout {day}")).number(70, 130) / 100;
            let payout = transaction(scene, day, "Weekly trips", earned);
            let fee = transaction(scene, day.plus_days(1), "Service fee", -earned / 20);
            std::iter::once(payout).chain((week % 4 == 0).then_some(fee))
        })
        .collect()
}

fn transaction(scene: &Scene<'_>, day: Date, what: &str, hundredths: i64) -> Transaction {
    Transaction {
        id: TransactionId::from_bytes(PLACEHOLDER),
        date: Some(day),
        description: Some(what.to_owned()),
        currency: scene.person.currency().to_owned(),
        amount: Money::from_hundredths(hundredths),
        reference_id: Some(format!("P{}", day.to_string().replace('-', ""))),
    }
}

/// Returns the months with data, oldest first: the number of months back, and the first day.
fn months(scene: &Scene<'_>) -> impl Iterator<Item = (i32, Date)> {
    let count = if scene.many { MANY_MONTHS } else { A_YEAR_OF_MONTHS };
    let this_month = scene.today.month();
    (1..=count).rev().filter_map(move |back| Some((back, this_month.plus_months(-back).first_day()?)))
}

/// Returns the salary in a month. It rises by 4 percent each year, and by 10 percent with the next job.
fn salary(scene: &Scene<'_>, month: Month) -> Money {
    let person = &scene.person;
    let years = (month.months_since(epoch().month()) + person.raise_month).div_euclid(12);
    let at_epoch = person.monthly_salary.hundredths();
    let then = match years {
        0.. => (0..years).fold(at_epoch, |salary, _| salary * 104 / 100),
        _ => (years..0).fold(at_epoch, |salary, _| salary * 100 / 104),
    };
    let then = if has_next_job(scene, month) { then * 110 / 100 } else { then };
    Money::from_hundredths(then / 100 * 100)
}

/// Returns an amount of a month as it is booked this number of months later.
fn provisional(months_back: i32, amount: Money) -> Money {
    if months_back > 1 { amount } else { share(amount, PROVISIONAL) }
}

fn share(of: Money, basis_points: u32) -> Money {
    Money::from_hundredths(of.hundredths() * i64::from(basis_points) / 10_000)
}

const TERM_MONTHS: i32 = 240;

/// Returns the loans: one, paid on time.
pub(super) fn liabilities(scene: &Scene<'_>, draw: &mut Draw) -> Vec<Liability> {
    let paid_months = i32::try_from(draw.number(14, 90)).unwrap_or(14);
    // The loan begins after the first job.
    let start = epoch().month().plus_months(-paid_months).max(scene.person.first_job());
    let paid_months = scene.today.month().months_since(start);
    let payment = Money::from_hundredths(draw.number(28, 64) * 10_000);
    let owed_months = i64::from(TERM_MONTHS - paid_months).max(0);
    let next_payment = times(payment, owed_months.min(1));
    vec![Liability {
        id: LiabilityId::from_bytes(PLACEHOLDER),
        liability_type: Some("HOUSING_LOAN".to_owned()),
        reference_id: Some(format!("HL-{:07}", draw.number(1, 9_999_999))),
        start_date: start.first_day(),
        end_date: start.plus_months(TERM_MONTHS).first_day(),
        first_amortization_date: start.plus_months(1).first_day(),
        amortization_frequency: Some("MONTHLY".to_owned()),
        currency: scene.person.currency().to_owned(),
        loan_amount: Some(times(payment, i64::from(TERM_MONTHS))),
        amortization_amount: Some(payment),
        outstanding_balance: Some(times(payment, owed_months)),
        next_payment_amount: Some(next_payment),
        overdue_payment_amount: Some(Money::from_hundredths(0)),
    }]
}

fn times(amount: Money, count: i64) -> Money {
    Money::from_hundredths(amount.hundredths() * count)
}
