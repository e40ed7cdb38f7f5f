//! Compares amounts (ADR 202): of a payslip, what is earned, less the deductions, is what is paid; of a bank statement, the
//! transactions lead from the opening to the closing balance.

use link_types::archive::ExtractionFaultCode;
use link_types::data::Transaction;

use super::fields::Field;
use super::finder::FoundField;
use super::movements::hundredths;
use super::values::Named;

/// The factor for amounts that contradict each other.
const CONTRADICTED: f32 = 0.45;
/// The confidence in one of several amounts, if only that one fits the others.
const FITTING: f32 = 0.85;
/// The maximum number of combinations that are tried.
const MAX_COMBINATIONS: usize = 6;

/// Chooses amounts that fit together, and lowers the confidence in amounts that do not. Returns whether the amounts confirm
/// each other: they fit, and none of them was chosen among several.
pub(super) fn compare(found: &mut [&mut FoundField], fields: &[Field]) -> bool {
    let place = |found: &[&mut FoundField], name: &str| {
        found.iter().position(|it| fields.get(it.field).is_some_and(|field| field.name == name))
    };
    let [gross, deductions, net, base] =
        ["grossAmount", "deductionsAmount", "netAmount", "baseAmount"].map(|name| place(found, name));
    let mut confirmed = false;
    if let (Some(gross), Some(deductions), Some(net)) = (gross, deductions, net) {
        let places = [gross, deductions, net];
        let are_only = places.iter().all(|place| found.get(*place).is_some_and(|it| it.is_only));
        confirmed = settle(found, places) && are_only;
    } else if let (Some(gross), Some(net)) = (gross, net)
        && value(found, gross) < value(found, net)
    {
        doubt(found, &[gross, net]);
    }
    if let (Some(base), Some(other)) = (base, gross.or(net))
        && (gross.is_some() && value(found, base) > value(found, other) || are_misread(found, base, other))
    {
        let places = [base, other];
        doubt(found, places.get(..if confirmed { 1 } else { 2 }).unwrap_or_default());
    }
    confirmed
}

/// Returns whether one of two amounts of a picture was probably read without its first digits, or with others before it.
fn are_misread(found: &[&mut FoundField], base: usize, other: usize) -> bool {
    const APART: i64 = 3;
    let is_picture = |at: usize| found.get(at).is_some_and(|it| it.reading.confidence < 1.0);
    let apart = value(found, base).zip(value(found, other)).is_some_and(|(base, other)| {
        base.abs() > other.abs().saturating_mul(APART) || other.abs() > base.abs().saturating_mul(APART)
    });
    apart && (is_picture(base) || is_picture(other))
}

/// Returns whether the transactions lead from the opening to the closing balance. Doubts both if they do not: some transactions
/// were not read.
pub(super) fn connect_balances(values: &mut [Named], transactions: &[Transaction]) -> bool {
    let balances = amount(values, "openingBalance").zip(amount(values, "closingBalance"));
    let Some((opening, closing)) = balances.filter(|_| !transactions.is_empty()) else { return false };
    let sum: i64 = transactions.iter().map(|it| it.amount.hundredths()).sum();
    if opening + sum == closing {
        return true;
    }
    for (_, reading, _) in values.iter_mut().filter(|(name, ..)| name.ends_with("Balance")) {
        reading.confidence *= CONTRADICTED;
        reading.fault = Some(ExtractionFaultCode::AmountsContradict);
    }
    false
}

/// Returns an amount in hundredths.
pub(super) fn amount(values: &[Named], name: &str) -> Option<i64> {
    values.iter().find(|(other, ..)| *other == name).and_then(|(_, reading, _)| hundredths(&reading.text))
}

/// Settles the amounts at these places: earned, deducted, paid. Returns whether they fit together.
fn settle(found: &mut [&mut FoundField], places: [usize; 3]) -> bool {
    let options = places.map(|place| options(found, place));
    let [earned, deducted, paid] = &options;
    let mut fitting = Vec::new();
    for (e, earned) in earned.iter().enumerate() {
        for (d, deducted) in deducted.iter().enumerate() {
            for (p, paid) in paid.iter().enumerate() {
                // Some payslips print deductions as negative amounts.
                if earned.1 - deducted.1.abs() == paid.1 {
                    fitting.push([e, d, p]);
                }
            }
        }
    }
    match fitting.as_slice() {
        [] => doubt(found, &places),
        [only] => {
            for ((place, options), choice) in places.iter().zip(&options).zip(only) {
                let (Some(it), Some((text, _))) = (found.get_mut(*place), options.get(*choice)) else {
                    continue;
                };
                if options.len() > 1 {
                    it.reading.text.clone_from(text);
                    it.reading.confidence = FITTING;
                    it.reading.fault = None;
                    if *choice > 0 {
                        it.reading.place = None;
                    }
                }
            }
        }
        several if several.contains(&[0, 0, 0]) => {}
        _ => doubt(found, &places),
    }
    !fitting.is_empty()
}

/// Returns the amounts that a field may have, in hundredths. The first one is its value.
fn options(found: &[&mut FoundField], place: usize) -> Vec<(String, i64)> {
    let Some(it) = found.get(place) else { return Vec::new() };
    let texts = std::iter::once(&it.reading.text).chain(&it.others).take(MAX_COMBINATIONS);
    texts.filter_map(|text| Some((text.clone(), hundredths(text)?))).collect()
}

fn value(found: &[&mut FoundField], place: usize) -> Option<i64> {
    options(found, place).first().map(|(_, value)| *value)
}

fn doubt(found: &mut [&mut FoundField], places: &[usize]) {
    for place in places {
        if let Some(it) = found.get_mut(*place) {
            it.reading.confidence *= CONTRADICTED;
            it.reading.fault = Some(ExtractionFaultCode::AmountsContradict);
        }
    }
}
