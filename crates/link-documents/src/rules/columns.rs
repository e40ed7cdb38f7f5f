//! The columns of amounts next to a label: which of several amounts is the one of this period (ADR 202).

mod words;

use words::{CORRECTIONS, CURRENCY, CURRENT, ELSEWHEN, IN_LABELS, LINKS, OTHER, UNITS};

use super::plain::plain;
use super::values::{Reading, parse_with_confidence};
use crate::page::{Line, Place, Word, confidence_of, text_of};

/// The confidence in the only amount that can be one of this period, although no heading says so.
const LIKELY: f32 = 0.9;
/// The confidence in one of several amounts that are equally likely.
const UNCLEAR: f32 = 0.45;

/// The amount of a row, and what else it may be.
#[derive(Debug)]
pub(super) struct Chosen {
    /// The amount.
    pub reading: Reading,
    /// The other amounts that are as likely.
    pub others: Vec<String>,
    /// Whether it is the only amount of the row.
    pub is_only: bool,
    /// The index of its first word in the line.
    pub from: usize,
    /// The index after its last word.
    pub to: usize,
}

/// An amount in a row.
#[derive(Clone, Debug)]
struct Cell {
    from: usize,
    to: usize,
    reading: Reading,
    /// The content of its column.
    column: Option<Column>,
}

/// The content of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Column {
    Current,
    Other,
}

/// A heading of a column.
#[derive(Clone, Copy, Debug)]
struct Heading {
    column: Column,
    left: f32,
    right: f32,
}

/// Returns the amount of this period in a row, from this word on. `ends` says where the row's label no longer applies.
pub(super) fn choose(
    lines: &[Line],
    line: usize,
    from: usize,
    ends: impl Fn(usize) -> bool,
) -> Option<Chosen> {
    let row = lines.get(line)?;
    let mut cells = cells(row, from, ends);
    let headings = headings(lines, line);
    for cell in &mut cells {
        let words = row.words.get(cell.from..cell.to).unwrap_or_default();
        cell.column = cell.column.or_else(|| column_of(words, &headings, row.height()));
    }
    let (first, rest) = cells.split_first()?;
    let chosen = |cell: &Cell, sure: f32| {
        let mut reading = cell.reading.clone();
        reading.confidence *= sure;
        let (from, to) = (cell.from, cell.to);
        Chosen { reading, others: Vec::new(), is_only: rest.is_empty(), from, to }
    };
    if rest.is_empty() {
        // The cell of the column of this period may be empty.
        let is_current = |cell: &Cell, words: &[Word], row: &Line| {
            cell.column.or_else(|| column_of(words, &headings, row.height())) == Some(Column::Current)
        };
        let clear = match first.column {
            Some(Column::Current) if is_beside(lines, line, first, is_current) => UNCLEAR,
            Some(Column::Current) => 1.0,
            Some(Column::Other) => UNCLEAR,
            None if is_in_later_column(lines, line, first) => UNCLEAR,
            None if is_beside(lines, line, first, |_, _, _| true) => LIKELY,
            None => 1.0,
        };
        let is_corrected = is_correction(row.words.get(first.to..).unwrap_or_default());
        return Some(chosen(first, if is_corrected { UNCLEAR } else { clear }));
    }
    let current: Vec<&Cell> = cells.iter().filter(|cell| cell.column == Some(Column::Current)).collect();
    let unknown: Vec<&Cell> = cells.iter().filter(|cell| cell.column.is_none()).collect();
    let equal = cells.iter().all(|cell| cell.reading.text == first.reading.text);
    match (current.as_slice(), unknown.as_slice()) {
        ([only], _) => Some(chosen(only, 1.0)),
        ([], [only]) => Some(chosen(only, LIKELY)),
        _ if equal => Some(chosen(first, 1.0)),
        _ => {
            let likely = if current.is_empty() { unknown } else { current };
            let product = product(&likely);
            let best = product.or_else(|| likely.first().copied()).unwrap_or(first);
            let mut chosen = chosen(best, if product.is_some() { LIKELY } else { UNCLEAR });
            if product.is_none() {
                let others = cells.iter().map(|cell| cell.reading.text.clone());
                chosen.others = others.filter(|text| *text != chosen.reading.text).collect();
            }
            Some(chosen)
        }
    }
}

/// Returns whether the only amount of a row is below or above a second one of a row near it: the cell of the first is empty.
fn is_in_later_column(lines: &[Line], line: usize, cell: &Cell) -> bool {
    let Some(edge) = right_edge(lines, line, cell) else { return false };
    rows_near(lines, line).any(|(row, cells)| cells.iter().skip(1).any(|it| ends_at(row, it, edge)))
}

/// Returns whether the only amount of a row is below or above one of several in a row near it that all `fit`.
fn is_beside(lines: &[Line], line: usize, cell: &Cell, fits: impl Fn(&Cell, &[Word], &Line) -> bool) -> bool {
    let Some(edge) = right_edge(lines, line, cell) else { return false };
    rows_near(lines, line).any(|(row, cells)| {
        let is_fitting = |it: &&Cell| fits(it, row.words.get(it.from..it.to).unwrap_or_default(), row);
        let fitting: Vec<&Cell> = cells.iter().filter(is_fitting).collect();
        fitting.len() > 1 && fitting.iter().any(|it| ends_at(row, it, edge))
    })
}

/// Returns the right edge of a cell and the height of its last word.
fn right_edge(lines: &[Line], line: usize, cell: &Cell) -> Option<(f32, f32)> {
    let last = lines.get(line)?.words.get(cell.to.checked_sub(1)?)?;
    Some((last.right, last.height()))
}

/// Returns the rows near a row, with their amounts up to the next text.
fn rows_near(lines: &[Line], line: usize) -> impl Iterator<Item = (&Line, Vec<Cell>)> {
    const NEAR: usize = 4;
    let begins = |word: &Word| word.text.starts_with(|c: char| c.is_ascii_digit());
    let near = lines.iter().take(line + NEAR + 1).skip(line.saturating_sub(NEAR));
    near.map(move |row| (row, cells(row, row.words.iter().position(begins).unwrap_or(0), |_| false)))
}

/// Returns whether a cell ends at the right edge of a word of this height.
fn ends_at(row: &Line, cell: &Cell, (right, height): (f32, f32)) -> bool {
    let end = row.words.get(cell.to - 1).map_or(f32::MAX, |word| word.right);
    (end - right).abs() < height * 0.6
}

/// Returns whether the words after an amount say that it is corrected or cancelled.
fn is_correction(words: &[Word]) -> bool {
    words.iter().any(|word| {
        let word = plain(&word.text);
        CORRECTIONS.iter().any(|stem| word.starts_with(stem))
    })
}

/// Returns whether a word says that an amount belongs to another period.
pub(super) fn is_elsewhen(word: &Word) -> bool {
    ELSEWHEN.contains(&plain(&word.text).as_str())
}

/// Returns the amounts of a row, up to the next text.
fn cells(row: &Line, from: usize, ends: impl Fn(usize) -> bool) -> Vec<Cell> {
    let height = row.height();
    let words = &row.words;
    let mut cells: Vec<Cell> = Vec::new();
    let mut at = from;
    // Whether the next number is a rate, as in `80.00 hrs @ 99.27`.
    let mut is_rate = false;
    while let Some(word) = words.get(at).filter(|_| !ends(at)) {
        if let Some((to, reading)) = amount_at(words, at, height) {
            let unclear = at.checked_sub(1).and_then(|before| words.get(before)).is_some_and(|before| {
                // Probably the beginning of the same amount, like `6 015.05` or `6,0 15.05`.
                before.text.ends_with(|c: char| c.is_ascii_digit())
                    && parse_with_confidence(&before.text).is_none()
                    && word.left - before.right < height * 1.2
            });
            // A balance with DR is overdrawn, and other amounts with it are not.
            let is_debit = words.get(to).is_some_and(|word| plain(&word.text) == "dr");
            let confidence = reading.confidence * if unclear || is_debit { UNCLEAR } else { 1.0 };
            let column = is_rate.then_some(Column::Other);
            cells.push(Cell { from: at, to, reading: Reading { confidence, ..reading }, column });
            (at, is_rate) = (to, false);
            continue;
        }
        let name = plain(&word.text);
        let is_unit = UNITS.contains(&name.as_str()) || word.text.starts_with(['@', '×', '%', '/']);
        is_rate |= word.text == "@";
        if is_unit && let Some(last) = cells.last_mut() {
            last.column = Some(Column::Other);
        } else if name.chars().filter(|c| c.is_alphabetic()).count() > 1 && !CURRENCY.contains(&name.as_str())
        {
            break;
        }
        at += 1;
    }
    cells
}

/// Returns the amount that begins with this word, and the index after its last word.
fn amount_at(words: &[Word], at: usize, height: f32) -> Option<(usize, Reading)> {
    (1..=4).rev().find_map(|count| {
        let part = words.get(at..at + count)?;
        let is_mark = |word: &Word| !word.text.chars().any(|c| c.is_ascii_digit());
        let together = part.windows(2).all(|pair| match pair {
            [one, two] => two.left - one.right < height * if is_mark(one) { 12.0 } else { 1.0 },
            _ => true,
        });
        // A sign at the end belongs to the next amount if there is one.
        if !together || part.iter().all(is_mark) || count > 1 && part.last().is_some_and(is_mark) {
            return None;
        }
        let (text, sure) = parse_with_confidence(text_of(part).trim_start_matches([':', '.', ' ']))?;
        let least = confidence_of(part);
        Some((
            at + count,
            Reading { text, confidence: least * sure, place: Place::around(part), label: None, fault: None },
        ))
    })
}

/// Returns the headings above a row: the nearest line without numbers that has names of columns, and the lines next to
/// it, because a heading may have two lines.
fn headings(lines: &[Line], row: usize) -> Vec<Heading> {
    let nearest = (0..row).rev().find(|at| lines.get(*at).is_some_and(|line| !names(line).is_empty()));
    let Some(nearest) = nearest else { return Vec::new() };
    let mut words: Vec<(Column, &Word)> = Vec::new();
    let mut top = lines.get(nearest).map_or(0.0, Line::top);
    for line in (0..=nearest).rev().filter_map(|at| lines.get(at)) {
        let named = names(line);
        if named.is_empty() || top - line.bottom() > line.height() {
            break;
        }
        top = line.top();
        words.extend(named);
    }
    let mut headings: Vec<Heading> = Vec::new();
    words.sort_by(|a, b| a.1.left.total_cmp(&b.1.left));
    for (column, word) in words {
        let gap = word.height() * 0.45;
        match headings.iter_mut().find(|other| word.left < other.right + gap && word.right > other.left - gap)
        {
            Some(other) => {
                (other.left, other.right) = (other.left.min(word.left), other.right.max(word.right));
                if column == Column::Other {
                    other.column = column;
                }
            }
            None => headings.push(Heading { column, left: word.left, right: word.right }),
        }
    }
    // A single name may be part of another text.
    if headings.len() < 2 { Vec::new() } else { headings }
}

/// Returns the names of columns in a line without numbers. Words that are also part of labels, like `date`, count only
/// if the whole cell is a heading.
fn names(line: &Line) -> Vec<(Column, &Word)> {
    if line.words.iter().any(|word| word.text.chars().any(|c| c.is_ascii_digit())) {
        return Vec::new();
    }
    let gap = line.height() * 0.45;
    let cells = line.words.chunk_by(|one, two| two.left - one.right < gap);
    cells
        .flat_map(|cell| {
            let is_heading = cell.iter().all(|word| {
                let name = plain(&word.text);
                name.is_empty() || LINKS.contains(&name.as_str()) || column_named(&name).is_some()
            });
            cell.iter().filter_map(move |word| {
                let name = plain(&word.text);
                let counts = is_heading || !IN_LABELS.contains(&name.as_str());
                Some((column_named(&name).filter(|_| counts)?, word))
            })
        })
        .collect()
}

fn column_named(name: &str) -> Option<Column> {
    if OTHER.contains(&name) {
        Some(Column::Other)
    } else {
        CURRENT.contains(&name).then_some(Column::Current)
    }
}

/// Returns what the column of these words contains: the nearest heading, if no other one is about as near.
fn column_of(words: &[Word], headings: &[Heading], height: f32) -> Option<Column> {
    let left = words.iter().find(|word| word.text.chars().any(|c| c.is_ascii_digit()))?.left;
    let right = words.last()?.right;
    let mut apart: Vec<(f32, Column)> = headings
        .iter()
        .map(|heading| ((heading.left - right).max(left - heading.right), heading.column))
        .collect();
    apart.sort_by(|a, b| a.0.total_cmp(&b.0));
    let (nearest, column) = *apart.first()?;
    let clear =
        apart.get(1).is_none_or(|(second, _)| nearest < 0.0 && *second > 0.0 || nearest < second * 0.7);
    // Amounts that reach under both headings belong to the one at whose edge they end.
    let by_edge = || {
        let edge = |heading: &&Heading| (heading.right - right).abs().min((heading.left - left).abs());
        headings.iter().min_by(|a, b| edge(a).total_cmp(&edge(b))).map(|heading| heading.column)
    };
    if clear {
        (nearest < height * 6.0).then_some(column)
    } else if nearest < 0.0 {
        by_edge()
    } else {
        None
    }
}

/// Returns the last of three amounts if it is the product of the others: hours, rate, amount.
fn product<'a>(cells: &[&'a Cell]) -> Option<&'a Cell> {
    let [.., hours, rate, amount] = cells else { return None };
    let number = |cell: &Cell| cell.reading.text.parse::<f64>().ok();
    let (hours, rate, product) = (number(hours)?, number(rate)?, number(amount)?);
    ((hours * rate - product).abs() <= product.abs() * 0.002 + 0.02).then_some(*amount)
}
