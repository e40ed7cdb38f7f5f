//! The table of earnings, deductions and totals of a payslip, in several styles.

use super::layout::Style;
use super::look::Look;
use crate::documents::fonts::Face;
use crate::documents::sheet::Sheet;
use crate::documents::truth::{Country, Truth, group_digits};

/// The hours of the base salary, in hundredths.
const HOURS: i64 = 8_000;
/// The hours of all earnings, in hundredths.
const ALL_HOURS: i64 = 8_200;

/// The amounts of one row, each with the place of its right edge as a share of the width.
type Cells = Vec<(f32, String)>;

/// Returns whether the totals are rows of the table, and not labeled values.
pub(super) fn has_table(truth: &Truth, look: &Look) -> bool {
    look.style != Style::Plain && !truth.earnings.is_empty()
}

/// Puts items and totals; returns the next base line.
pub(super) fn table(sheet: &mut Sheet, truth: &Truth, look: &Look, y: f32, ruled: bool) -> f32 {
    if !has_table(truth, look) {
        let y = items(sheet, truth, look, y, ruled);
        return totals(sheet, truth, look, y);
    }
    if look.style == Style::SideBySide {
        return side_by_side(sheet, truth, look, y, ruled);
    }
    let (name, headings) = headings(truth, look);
    let mut rows = vec![Row::new(look.bold, name, headings)];
    for (at, (name, amount)) in truth.earnings.iter().enumerate() {
        rows.push(Row::new(look.plain, name, cells(look, amount, (at == 0).then_some(HOURS))));
    }
    for (name, amount) in &truth.deductions {
        rows.push(Row::new(look.plain, name, cells(look, amount, None)));
    }
    for (at, fact) in truth.totals.iter().enumerate() {
        rows.push(Row::new(
            look.bold,
            look.label(fact),
            cells(look, &fact.shown, (at == 0).then_some(ALL_HOURS)),
        ));
    }
    let mut y = y + look.step() * 0.4;
    for row in rows {
        row.put(sheet, look, y, (look.margin, look.right()), ruled);
        y += look.step();
    }
    y + look.step() * 0.4
}

/// Puts items, with names left and amounts right; returns the next base line.
pub(super) fn items(sheet: &mut Sheet, truth: &Truth, look: &Look, mut y: f32, ruled: bool) -> f32 {
    let right = look.margin + (look.right() - look.margin) * 0.62;
    for (name, amount) in truth.earnings.iter().chain(&truth.deductions) {
        sheet.put(look.margin + 6.0, y, look.size, look.plain, name);
        sheet.put_right(right, y, look.size, look.plain, amount);
        if ruled {
            sheet.frame(look.margin, y - look.size * 1.2, right + 6.0 - look.margin, look.step());
        }
        y += look.step();
    }
    y + look.step() * 0.4
}

/// Puts totals in bold, with the amount at the right; returns the next base line.
fn totals(sheet: &mut Sheet, truth: &Truth, look: &Look, mut y: f32) -> f32 {
    let right = look.margin + (look.right() - look.margin) * 0.62;
    for fact in &truth.totals {
        sheet.put(look.margin + 6.0, y, look.size, look.bold, &look.label(fact));
        sheet.put_right(right, y, look.size, look.bold, &fact.shown);
        y += look.step();
    }
    y
}

/// Puts earnings left and deductions right, their totals below them, and what is paid at the end.
fn side_by_side(sheet: &mut Sheet, truth: &Truth, look: &Look, y: f32, ruled: bool) -> f32 {
    let middle = f32::midpoint(look.margin, look.right());
    let halves = [(look.margin, middle - look.size), (middle + look.size, look.right())];
    let (left, right) = if truth.country == Country::Mx {
        ("Percepciones", "Deducciones")
    } else {
        ("Earnings", "Deductions")
    };
    let rows = 1 + truth.earnings.len().max(truth.deductions.len());
    let top = y + look.step() * 0.4;
    for (half, title, items, total) in
        [(halves[0], left, &truth.earnings, 0), (halves[1], right, &truth.deductions, 1)]
    {
        Row::new(look.bold, title, Vec::new()).put(sheet, look, top, half, ruled);
        for (at, (name, amount)) in (1_u8..).zip(items) {
            let y = top + look.step() * f32::from(at);
            Row::new(look.plain, name, vec![(0.98, amount.clone())]).put(sheet, look, y, half, ruled);
        }
        let (fact, y) = (&truth.totals[total], top + look.step() * rows as f32);
        let total = Row::new(look.bold, look.label(fact), vec![(0.98, fact.shown.clone())]);
        total.put(sheet, look, y, half, ruled);
    }
    let mut y = top + look.step() * (rows as f32 + 1.4);
    for fact in &truth.totals[2..] {
        let paid = Row::new(look.bold, look.label(fact), vec![(0.98, fact.shown.clone())]);
        paid.put(sheet, look, y, halves[1], ruled);
        y += look.step();
    }
    y + look.step() * 0.4
}

/// Returns the heading of the names and the headings of the columns.
fn headings(truth: &Truth, look: &Look) -> (&'static str, Cells) {
    let is_spanish = truth.country == Country::Mx;
    let either = |spanish: &str, english: &str| if is_spanish { spanish } else { english }.to_owned();
    let name = if is_spanish { "Concepto" } else { "Description" };
    let (this, year) = (either("Importe", "Current"), either("Acumulado", "Year to Date"));
    let cells = match look.style {
        Style::Rates => vec![
            (0.56, either("Horas", "Hours")),
            (0.76, either("Tarifa", "Rate")),
            (0.98, either("Importe", "Amount")),
        ],
        Style::YearToDateFirst => vec![(0.72, year), (0.98, this)],
        Style::YearToDate | Style::Plain | Style::SideBySide => vec![(0.72, this), (0.98, year)],
    };
    (name, cells)
}

/// Returns the cells of a row, with the hours, in hundredths, where there are some.
fn cells(look: &Look, amount: &str, hours: Option<i64>) -> Cells {
    let digits: String = amount.chars().filter(char::is_ascii_digit).collect();
    let hundredths: i64 = digits.parse().unwrap();
    let mut cells = match look.style {
        Style::Rates => match hours {
            // Totals have hours, but not a rate.
            Some(ALL_HOURS) => vec![(0.56, group_digits(ALL_HOURS))],
            Some(hours) => vec![(0.56, group_digits(hours)), (0.76, group_digits(hundredths * 100 / hours))],
            None => Vec::new(),
        },
        // The eleventh pay period of a year.
        Style::YearToDate => vec![(0.72, amount.to_owned()), (0.98, group_digits(hundredths * 11))],
        Style::YearToDateFirst => vec![(0.72, group_digits(hundredths * 11))],
        Style::Plain | Style::SideBySide => Vec::new(),
    };
    if look.style != Style::YearToDate {
        cells.push((0.98, amount.to_owned()));
    }
    cells
}

/// A row of the table.
struct Row {
    face: Face,
    name: String,
    cells: Cells,
}

impl Row {
    fn new(face: Face, name: impl Into<String>, cells: Cells) -> Self {
        Self { face, name: name.into(), cells }
    }

    /// Puts the row from the first to the second of `edges`.
    fn put(&self, sheet: &mut Sheet, look: &Look, y: f32, edges: (f32, f32), ruled: bool) {
        let (left, right) = edges;
        sheet.put(left + 6.0, y, look.size, self.face, &self.name);
        for (share, text) in &self.cells {
            sheet.put_right(left + (right - left) * share, y, look.size, self.face, text);
        }
        if ruled {
            sheet.frame(left, y - look.size * 1.2, right - left, look.step());
        }
    }
}
