//! Finds each label's value: to its right or below it, whichever is more common on the page.

use std::collections::HashSet;

use link_types::archive::ExtractionFaultCode;

use super::columns::{self, Chosen};
use super::fields::Field;
use super::labels::Label;
use super::plain::plain;
use super::values::{Order, Reading, Value};
use crate::page::{Line, Word};

/// The fields that a document has once. If a page has them with two values, neither is certain.
const ONCE: [&str; 6] =
    ["nationalId", "socialSecurityNumber", "grossAmount", "deductionsAmount", "netAmount", "period"];
/// The factor for such values.
const RIVALLED: f32 = 0.5;

/// The side of a label on which a value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Side {
    Right,
    Under,
}

/// A value that may belong to a label.
#[derive(Debug)]
struct Candidate {
    field: usize,
    side: Side,
    reading: Reading,
    /// Other amounts that are as likely.
    others: Vec<String>,
    /// Whether its label is the beginning of a cell.
    begins: bool,
    score: f32,
    line: usize,
    from: usize,
    to: usize,
}

/// A value with its field.
#[derive(Clone, Debug)]
pub(super) struct FoundField {
    /// The index of the field in the kind's list.
    pub field: usize,
    /// The value.
    pub reading: Reading,
    /// Other amounts that are as likely.
    pub others: Vec<String>,
    /// How likely the value is correct. Only for comparing pages.
    pub score: f32,
}

/// Finds the best value of each field on a page.
pub(super) fn find(lines: &[Line], labels: &[Label], fields: &[Field], order: Order) -> Vec<FoundField> {
    let page = PageOf { lines, labels, fields, order };
    let mut candidates: Vec<Candidate> =
        labels.iter().flat_map(|label| [page.right(label), page.under(label)]).flatten().collect();
    let usual = page.usual_side(&candidates);
    for candidate in &mut candidates {
        if candidate.side == usual {
            candidate.score += 1.2;
        }
    }
    candidates.sort_by(|a, b| b.score.total_cmp(&a.score));
    let rivals: Vec<bool> = candidates.iter().map(|it| page.has_rival(it, &candidates)).collect();
    let mut used: HashSet<(usize, usize)> = HashSet::new();
    let mut found: Vec<FoundField> = Vec::new();
    for (mut candidate, has_rival) in candidates.into_iter().zip(rivals) {
        let words = || (candidate.from..candidate.to).map(|word| (candidate.line, word));
        let name = page.name(candidate.field);
        if found.iter().any(|other| page.name(other.field) == name)
            || words().any(|word| used.contains(&word))
        {
            continue;
        }
        used.extend(words());
        if has_rival {
            candidate.reading.confidence *= RIVALLED;
        }
        if has_rival || !candidate.others.is_empty() {
            candidate.reading.fault = Some(ExtractionFaultCode::SeveralValues);
        }
        let Candidate { field, reading, others, score, .. } = candidate;
        found.push(FoundField { field, reading, others, score });
    }
    found
}

/// A page that is being searched.
struct PageOf<'a> {
    lines: &'a [Line],
    labels: &'a [Label],
    fields: &'a [Field],
    order: Order,
}

impl PageOf<'_> {
    fn name(&self, field: usize) -> &'static str {
        self.fields.get(field).map_or("", |field| field.name)
    }

    /// Returns the side with more values whose form is unambiguous.
    fn usual_side(&self, candidates: &[Candidate]) -> Side {
        let strict = |side| {
            let fits = |candidate: &&Candidate| {
                candidate.side == side
                    && self.fields.get(candidate.field).is_some_and(|field| field.value.is_strict())
            };
            candidates.iter().filter(fits).count()
        };
        if strict(Side::Under) > strict(Side::Right) { Side::Under } else { Side::Right }
    }

    /// Returns whether the same field has another value at another label on the same side.
    fn has_rival(&self, candidate: &Candidate, all: &[Candidate]) -> bool {
        let name = self.name(candidate.field);
        ONCE.contains(&name)
            && all.iter().any(|other| {
                self.name(other.field) == name
                    && other.begins
                    && other.side == candidate.side
                    && other.reading.text != candidate.reading.text
            })
    }

    /// Returns the label that covers a word of a line.
    fn label_at(&self, line: usize, word: usize) -> Option<&Label> {
        self.labels.iter().find(|label| label.line == line && (label.from..label.to).contains(&word))
    }

    /// Returns whether a value cannot continue with this word, because another label begins.
    fn ends_value(&self, line: usize, word: usize) -> bool {
        self.label_at(line, word).is_some_and(|label| label.begins || label.colon)
    }

    fn is_money(&self, label: &Label) -> bool {
        self.fields.get(label.field).is_some_and(|field| field.value == Value::Money)
    }

    fn right(&self, label: &Label) -> Option<Candidate> {
        let line = self.lines.get(label.line)?;
        let height = line.height();
        let mut from = label.to;
        // A translation that is not a known label, up to its colon.
        if line.words.get(from).is_some_and(|word| word.text.starts_with('/'))
            && let Some(colon) =
                line.words.iter().skip(from).take(6).position(|word| word.text.ends_with(':'))
        {
            from += colon + 1;
        }
        while line.words.get(from).is_some_and(|word| plain(&word.text).is_empty() && !has_digit(word)) {
            from += 1;
        }
        let gap = line.words.get(from)?.left - line.words.get(label.to.checked_sub(1)?)?.right;
        let near = if gap < height * 4.0 { 0.3 } else { 0.0 };
        if self.is_money(label) {
            let before = label.from.checked_sub(1).and_then(|before| line.words.get(before));
            if before.is_some_and(columns::is_elsewhen) {
                return None;
            }
            let ends = |word| self.ends_value(label.line, word);
            let Chosen { reading, others, from, to } = columns::choose(self.lines, label.line, from, ends)?;
            let score = label_score(label) + f32::from(u8::from(label.colon)) + 1.0 + near;
            let (field, side, begins) = (label.field, Side::Right, label.begins);
            return Some(Candidate {
                field,
                side,
                reading,
                others,
                begins,
                score,
                line: label.line,
                from,
                to,
            });
        }
        let end = self.end_of_value(label.line, from, f32::MAX, height * 2.2);
        self.read(label, Side::Right, label.line, from, end, near)
    }

    fn under(&self, label: &Label) -> Option<Candidate> {
        let own = self.lines.get(label.line)?;
        let height = own.height();
        let (first, last) = (own.words.get(label.from)?, own.words.get(label.to.checked_sub(1)?)?);
        let next = self.labels.iter().find(|other| other.line == label.line && other.from >= label.to);
        let limit =
            next.and_then(|next| own.words.get(next.from)).map_or(f32::MAX, |word| word.left - height * 0.3);
        let mut above = last.bottom;
        for (at, line) in self.lines.iter().enumerate().skip(label.line + 1).take(3) {
            if line.top() - above > height * 2.4 {
                return None;
            }
            let aligned = |word: &&Word| (word.left - first.left).abs() < height * 1.2;
            let below = |word: &&Word| word.left < last.right && word.right > first.left && word.left < limit;
            let start = line.words.iter().find(aligned).or_else(|| line.words.iter().find(below));
            let Some(from) = start.and_then(|start| line.words.iter().position(|word| word == start)) else {
                continue;
            };
            if line.words.get(from)?.top < last.bottom - height * 0.4 {
                continue;
            }
            if self.label_at(at, from).is_some_and(|other| other.begins) {
                return None;
            }
            if self.is_money(label) && line.words.iter().take(from).any(columns::is_elsewhen) {
                above = line.bottom();
                continue;
            }
            let end = self.end_of_value(at, from, limit, height * 1.8);
            return self.read(label, Side::Under, at, from, end, 0.0);
        }
        None
    }

    /// Returns the index after the last word of a value that begins at `from`.
    fn end_of_value(&self, line: usize, from: usize, limit: f32, gap: f32) -> usize {
        let words = self.lines.get(line).map_or(&[][..], |line| line.words.as_slice());
        let mut end = from;
        while let Some(word) = words.get(end) {
            let apart = end > from && words.get(end - 1).is_some_and(|before| word.left - before.right > gap);
            if apart || word.left >= limit || self.ends_value(line, end) {
                break;
            }
            end += 1;
        }
        end
    }

    fn read(
        &self,
        label: &Label,
        side: Side,
        line: usize,
        from: usize,
        end: usize,
        bonus: f32,
    ) -> Option<Candidate> {
        let field = self.fields.get(label.field)?;
        let words = self.lines.get(line)?.words.get(from..end)?;
        let (reading, to) = match field.value.read(words, self.order) {
            Some(reading) => (reading, end),
            // The words after the value may be something else.
            None if field.value.is_strict() => (1..words.len()).rev().find_map(|count| {
                field.value.read(words.get(..count)?, self.order).map(|reading| (reading, from + count))
            })?,
            None => return None,
        };
        let mut reading = reading;
        let rest = self.lines.get(line)?.words.get(to..end).unwrap_or_default();
        if self.is_money(label) && rest.iter().any(has_digit) {
            reading.confidence *= RIVALLED;
        }
        let score = label_score(label)
            + f32::from(u8::from(label.colon && side == Side::Right)) * 1.0
            + f32::from(u8::from(field.value.is_strict())) * 1.0
            + bonus;
        let (field, begins) = (label.field, label.begins);
        Some(Candidate { field, side, reading, others: Vec::new(), begins, score, line, from, to })
    }
}

fn label_score(label: &Label) -> f32 {
    f32::from(u8::from(label.begins)) * 1.5 + label.letters as f32 * 0.03
}

fn has_digit(word: &Word) -> bool {
    word.text.chars().any(|c| c.is_ascii_digit())
}
