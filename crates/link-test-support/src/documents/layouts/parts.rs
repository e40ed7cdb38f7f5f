//! Parts that layouts share: the head and the transactions of a bank statement.

use super::look::Look;
use super::surroundings;
use crate::documents::sheet::Sheet;
use crate::documents::truth::{Country, Truth};

/// Puts issuer and title; returns the next base line.
pub(super) fn head(sheet: &mut Sheet, truth: &Truth, look: &Look, centred: bool) -> f32 {
    let (large, larger) = (look.size * 1.25, look.size * 1.5);
    let mut y = look.margin + larger + surroundings::letterhead_height(look);
    if centred {
        sheet.put_middle(look.width / 2.0, y, larger, look.bold, &truth.issuer);
        y += larger * 1.5;
        sheet.put_middle(look.width / 2.0, y, large, look.plain, &truth.title);
    } else {
        sheet.put(look.margin, y, larger, look.bold, &truth.issuer);
        y += larger * 1.4;
        sheet.put(look.margin, y, large, look.bold, &truth.title.to_uppercase());
        sheet.fill(look.margin, y + large * 0.5, look.right() - look.margin, 1.0, 0.2);
    }
    y + look.step() * 1.5
}

/// Puts the photo at the right of a card.
pub(super) fn photo(sheet: &mut Sheet, look: &Look) {
    if look.card {
        sheet.fill(look.width, look.height - look.margin - 78.0, 62.0, 78.0, 0.75);
        sheet.fill(look.width + 18.0, look.height - look.margin - 62.0, 26.0, 30.0, 0.5);
    }
}

/// How the transactions of a bank statement are printed.
pub(super) struct Movements {
    /// Separate columns for debits and credits, instead of one with signs.
    pub split: bool,
    /// With a border around each row.
    pub ruled: bool,
}

/// Puts the transactions of a bank statement; returns the next base line.
pub(super) fn movements(sheet: &mut Sheet, truth: &Truth, look: &Look, mut y: f32, how: &Movements) -> f32 {
    if truth.movements.is_empty() {
        return y;
    }
    let span = look.right() - look.margin;
    let at = |share: f32| look.margin + span * share;
    let spanish = truth.country == Country::Mx;
    let words = if spanish {
        ["Fecha", "Descripción", "Cargos", "Abonos", "Saldo", "Importe"]
    } else {
        ["Date", "Description", "Debit", "Credit", "Balance", "Amount"]
    };
    let size = look.size * 0.95;
    let rule = |sheet: &mut Sheet, y: f32| {
        if how.ruled {
            sheet.frame(look.margin, y - size * 1.25, span, look.step());
        }
    };
    rule(sheet, y);
    sheet.put(at(0.01), y, size, look.bold, words[0]);
    sheet.put(at(0.25), y, size, look.bold, words[1]);
    if how.split {
        sheet.put_right(at(0.68), y, size, look.bold, words[2]);
        sheet.put_right(at(0.83), y, size, look.bold, words[3]);
    } else {
        sheet.put_right(at(0.79), y, size, look.bold, words[5]);
    }
    sheet.put_right(at(0.99), y, size, look.bold, words[4]);
    for movement in &truth.movements {
        y += look.step();
        rule(sheet, y);
        let amount = super::super::truth::group_digits(movement.hundredths);
        sheet.put(at(0.01), y, size, look.plain, &movement.shown_date);
        sheet.put(at(0.25), y, size, look.plain, &movement.description);
        if how.split {
            let right = if movement.hundredths < 0 { at(0.68) } else { at(0.83) };
            sheet.put_right(right, y, size, look.plain, amount.trim_start_matches('-'));
        } else {
            sheet.put_right(at(0.79), y, size, look.plain, &amount);
        }
        sheet.put_right(at(0.99), y, size, look.plain, &super::super::truth::group_digits(movement.balance));
    }
    y + look.step() * 1.4
}

/// Draws the closing sentence.
pub(super) fn note(sheet: &mut Sheet, truth: &Truth, look: &Look, y: f32) {
    if !truth.note.is_empty() && !look.card {
        sheet.put(look.margin, y + look.step(), look.size * 0.9, look.plain, &truth.note);
    }
}
