//! A housing loan with consistent figures.

use link_types::Money;
use link_types::data::Liability;
use link_types::id::LiabilityId;

use super::scene::{PLACEHOLDER, Scene};
use crate::sandbox::draw::{Draw, epoch};

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
