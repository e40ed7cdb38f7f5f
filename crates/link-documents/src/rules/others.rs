//! Other amounts of the same document that fit together as those of a payslip do (ADR 278).

use super::movements::hundredths;
use super::sums;
use super::values::{Named, parse_with_confidence};
use crate::page::{Line, Page};

/// The maximum number of lines that three amounts of a block are on.
const MAX_LINES: usize = 8;
/// The maximum number of amounts of a page that are compared. Longer pages are tables of other things.
const MAX_AMOUNTS: usize = 400;

/// An amount of a page, in hundredths, and the index of its line.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Amount {
    line: usize,
    value: i64,
}

/// Returns whether the pages have other amounts than the document's that fit together as earned, deducted and paid: those of
/// another period or of a correction, or those of this period, if the values are the others. Nothing but their unknown titles
/// says which ones are right.
pub(super) fn has_other_amounts(values: &[Named], pages: &[Page]) -> bool {
    let own = ["grossAmount", "deductionsAmount", "netAmount"].map(|name| sums::amount(values, name));
    let [Some(earned), Some(deducted), Some(paid)] = own else { return false };
    let own = [earned, deducted.abs(), paid];
    pages.iter().any(|page| has_other_triple(&amounts(&page.lines), own))
}

fn amounts(lines: &[Line]) -> Vec<Amount> {
    let value = |line: usize, text: &str| {
        let (text, _) = parse_with_confidence(text)?;
        Some(Amount { line, value: hundredths(&text)?.abs() })
    };
    let words = lines.iter().enumerate().flat_map(|(line, it)| it.words.iter().map(move |word| (line, word)));
    let has_cents = |text: &str| text.contains(['.', ',']);
    words
        .filter(|(_, word)| has_cents(&word.text))
        .filter_map(|(line, word)| value(line, &word.text))
        .filter(|amount| amount.value > 0)
        .take(MAX_AMOUNTS)
        .collect()
}

/// Returns whether one amount less another one is a third one near them. Parts of the document's own amounts do not count: what
/// is earned is a sum, too. Another period may have the same deductions.
fn has_other_triple(amounts: &[Amount], [earned, deducted, paid]: [i64; 3]) -> bool {
    let others: Vec<Amount> =
        amounts.iter().filter(|it| ![earned, paid].contains(&it.value)).copied().collect();
    let is_near = |one: &Amount, other: &Amount| one.line.abs_diff(other.line) < MAX_LINES;
    others.iter().enumerate().filter(|(_, most)| most.value != deducted).any(|(first, most)| {
        let near = others.iter().enumerate().filter(|(_, it)| is_near(most, it) && it.value < most.value);
        near.clone().any(|(second, less)| {
            near.clone().any(|(third, rest)| {
                let is_sum = less.value + rest.value == most.value && rest.value != deducted;
                let is_row = most.line == less.line && less.line == rest.line;
                // Of a row, only amounts in this order: other rows have parts and their sum.
                let is_ordered = first < second && second < third;
                is_sum && is_near(less, rest) && second != third && (!is_row || is_ordered)
            })
        })
    })
}

#[cfg(test)]
mod tests {
    use super::{Amount, has_other_triple};

    const OWN: [i64; 3] = [701_505, 100_000, 601_505];

    fn rows(values: &[i64]) -> Vec<Amount> {
        values.iter().enumerate().map(|(line, value)| Amount { line, value: *value }).collect()
    }

    #[test]
    fn parts_of_the_own_amounts_are_not_other_amounts() {
        for own in [
            &[630_000, 71_505, 701_505, 70_000, 30_000, 100_000, 601_505][..],
            &[701_505, 100_000, 601_505, 701_505, 100_000, 601_505],
            &[991_505, 124_866, 866_640],
        ] {
            assert!(!has_other_triple(&rows(own), OWN), "{own:?}");
        }
    }

    #[test]
    fn amounts_that_fit_together_in_a_block_are_other_amounts() {
        for other in [
            &[991_505, 124_866, 866_639][..],
            &[701_505, 991_505, 100_000, 124_866, 601_505, 866_639],
            &[991_505, 100_000, 891_505],
        ] {
            assert!(has_other_triple(&rows(other), OWN), "{other:?}");
        }
        let mut far = rows(&[991_505, 124_866, 866_639]);
        far[2].line = 20;
        assert!(!has_other_triple(&far, OWN), "far from each other");
    }

    #[test]
    fn amounts_of_a_row_are_other_amounts_in_the_order_of_a_payslip() {
        let row = |values: [i64; 3]| values.map(|value| Amount { line: 3, value });
        assert!(has_other_triple(&row([991_505, 124_866, 866_639]), OWN));
        assert!(!has_other_triple(&row([50_000, 10_000, 60_000]), OWN), "taxable, exempt and their sum");
    }
}
