//! Finds each label's value: to its right or below it, whichever is more common on the page.

mod candidates;
mod days;

use std::collections::HashSet;

use link_types::archive::ExtractionFaultCode;

use super::columns::{self, Chosen};
use super::fields::Field;
use super::labels::Label;
use super::plain::plain;
use super::values::{Order, Reading, Value};
use crate::page::{Line, Word};

/// The fields of a person. If a page has one of them with two values, neither is certain.
const OF_PERSON: [&str; 8] = [
    "fullName",
    "employeeNumber",
    "taxId",
    "nationalId",
    "socialSecurityNumber",
    "jobTitle",
    "department",
    "dob",
];
/// Other fields that a document has once.
const ONCE: [&str; 6] =
    ["documentNumber", "grossAmount", "deductionsAmount", "netAmount", "period", "payDate"];
/// The factor for values that have a rival.
const RIVALLED: f32 = 0.45;
/// Headings of tables, which are never values.
const HEADINGS: [&str; 13] = [
    "total", "share", "abono", "abonos", "cargo", "cargos", "importe", "amount", "balance", "saldo",
    "titular", "fecha", "date",
];
/// Fields whose labels are also headings of tables with several rows.
const TABLED: [&str; 4] = ["department", "jobTitle", "startDate", "endDate"];
/// The minimum distance of a value from a label without a colon, in heights of the line: wider than a space.
const MIN_SPACE: f32 = 0.55;

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
    /// Whether no other amount in its row or column can be it.
    is_only: bool,
    /// Whether its label is about something else, such as another period.
    is_another: bool,
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
    /// Whether it is an amount, and no other one in its row or column can be it.
    pub is_only: bool,
    /// Whether its label is about something else, such as another person.
    pub is_another: bool,
    /// How likely the value is correct. Only for comparing pages.
    pub score: f32,
}

/// Finds the best value of each field on a page.
pub(super) fn find(lines: &[Line], labels: &[Label], fields: &[Field], order: Order) -> Vec<FoundField> {
    let page = PageOf { lines, labels, fields, order };
    let mut candidates: Vec<Candidate> = labels.iter().flat_map(|label| page.candidates(label)).collect();
    let usual = page.usual_side(&candidates);
    for candidate in &mut candidates {
        if candidate.side == usual {
            candidate.score += 1.2;
        }
    }
    candidates.sort_by(|a, b| b.score.total_cmp(&a.score));
    let rivals: Vec<bool> = candidates.iter().map(|it| page.has_rival(it, &candidates)).collect();
    let others_are_named =
        candidates.iter().zip(&rivals).any(|(it, has_rival)| *has_rival && page.name(it.field) == "fullName");
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
        let Candidate { field, reading, others, is_only, is_another, score, .. } = candidate;
        found.push(FoundField { field, reading, others, is_only: is_only && !has_rival, is_another, score });
    }
    if others_are_named {
        // Nothing says which of the people a number belongs to.
        for it in found.iter_mut().filter(|it| OF_PERSON.contains(&page.name(it.field))) {
            it.reading.confidence = it.reading.confidence.min(RIVALLED);
            it.reading.fault = Some(ExtractionFaultCode::SeveralValues);
        }
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

    /// Returns the label that covers a word of a line.
    fn label_at(&self, line: usize, word: usize) -> Option<&Label> {
        self.labels.iter().find(|label| label.line == line && (label.from..label.to).contains(&word))
    }

    /// Returns whether a value cannot continue with this word, because another label begins.
    fn ends_value(&self, line: usize, word: usize) -> bool {
        self.label_at(line, word).is_some_and(|label| label.begins || label.colon)
    }

    /// Returns whether several words are right before a label, so that it is a word of their sentence.
    fn is_in_sentence(&self, label: &Label) -> bool {
        const WORDS: usize = 3;
        let words = self.lines.get(label.line).and_then(|line| line.words.get(..=label.from));
        let close = words.unwrap_or_default().windows(2).rev().take_while(|pair| match pair {
            [one, two] => two.left - one.right < two.height() && one.text.chars().all(char::is_alphabetic),
            _ => false,
        });
        !label.begins && close.count() >= WORDS
    }

    fn is_heading(&self, text: &str) -> bool {
        let text = plain(text);
        HEADINGS.contains(&text.as_str())
            || self.fields.iter().flat_map(|field| field.labels).any(|label| plain(label) == text)
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
        // A dash is a sign or separates the label from its amount.
        let mut is_signed = false;
        while let Some(word) =
            line.words.get(from).filter(|word| plain(&word.text).is_empty() && !has_digit(word))
        {
            is_signed |= word.text.contains(['-', '−', '–', '—', '(']);
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
            let Chosen { mut reading, others, is_only, from, to } =
                columns::choose(self.lines, label.line, from, ends)?;
            if is_signed || self.is_in_sentence(label) {
                reading.confidence *= RIVALLED;
            }
            let score = label_score(label) + f32::from(u8::from(label.colon)) + 1.0 + near;
            let (field, side, begins) = (label.field, Side::Right, label.begins);
            return Some(Candidate {
                field,
                side,
                reading,
                others,
                begins,
                is_only,
                is_another: false,
                score,
                line: label.line,
                from,
                to,
            });
        }
        let end = self.end_of_value(label.line, from, f32::MAX, height * 2.2);
        let first = self.read(label, Side::Right, label.line, from, end, near)?;
        let mut candidate = self.choose_days(label, first, near);
        self.complete_name(&mut candidate);
        let is_strict = self.fields.get(label.field).is_some_and(|field| field.value.is_strict());
        if !is_strict && !label.colon && from == label.to && gap < height * MIN_SPACE {
            // The label is the beginning of a longer one, or a word of a sentence.
            candidate.reading.confidence *= RIVALLED;
            candidate.score -= 1.5;
        }
        Some(candidate)
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
            if self.is_row_of_another(label, line.words.get(..from).unwrap_or_default()) {
                above = line.bottom();
                continue;
            }
            let end = self.end_of_value(at, from, limit, height * 1.8);
            let mut candidate = self.read(label, Side::Under, at, from, end, 0.0)?;
            let is_row = from > 0 && self.label_at(label.line, 0).is_none() && label.from > 0;
            if TABLED.contains(&label.name) && (is_row || self.is_list(at, line, from)) {
                candidate.reading.confidence *= RIVALLED;
                candidate.reading.fault = Some(ExtractionFaultCode::SeveralValues);
            }
            if self.is_money(label) {
                candidate.is_only = !self.continues(at, line, from, end);
                if !candidate.is_only {
                    candidate.reading.confidence *= RIVALLED;
                    candidate.reading.fault = Some(ExtractionFaultCode::SeveralValues);
                }
            }
            return Some(candidate);
        }
        None
    }

    /// Returns whether there is another amount below these words: they are a cell of a table with several rows.
    fn continues(&self, at: usize, line: &Line, from: usize, end: usize) -> bool {
        let Some(words) = line.words.get(from..end) else { return false };
        let (Some(first), Some(last)) = (words.first(), words.last()) else { return false };
        let below = self.lines.iter().skip(at + 1).take(2);
        let near = below.take_while(|below| below.top() - line.bottom() < line.height() * 3.0);
        near.flat_map(|below| &below.words).any(|word| {
            word.left < last.right
                && word.right > first.left
                && Value::Money.read(std::slice::from_ref(word), self.order).is_some()
        })
    }

    /// Returns whether there is another text, which is not a label, right below a word: they are rows of a table.
    fn is_list(&self, at: usize, line: &Line, from: usize) -> bool {
        let (Some(first), Some(below)) = (line.words.get(from), self.lines.get(at + 1)) else { return false };
        let is_near = below.top() - line.bottom() < line.height() * 1.6;
        let aligned =
            below.words.iter().position(|word| (word.left - first.left).abs() < first.height() * 0.3);
        is_near && aligned.is_some_and(|word| self.label_at(at + 1, word).is_none())
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
        if !field.value.is_strict() && self.is_heading(&reading.text) {
            return None;
        }
        let mut reading = reading;
        if field.name == "fullName" && !reading.text.contains(' ') {
            reading.confidence *= RIVALLED;
        }
        let rest = self.lines.get(line)?.words.get(to..end).unwrap_or_default();
        if self.is_money(label) && rest.iter().any(has_digit) {
            reading.confidence *= RIVALLED;
        }
        let score = label_score(label)
            + f32::from(u8::from(label.colon && side == Side::Right)) * 1.0
            + f32::from(u8::from(field.value.is_strict())) * 1.0
            + bonus;
        let (field, begins) = (label.field, label.begins);
        let others = Vec::new();
        Some(Candidate {
            field,
            side,
            reading,
            others,
            begins,
            is_only: false,
            is_another: false,
            score,
            line,
            from,
            to,
        })
    }
}

fn label_score(label: &Label) -> f32 {
    f32::from(u8::from(label.begins)) * 1.5 + label.letters as f32 * 0.03
}

fn has_digit(word: &Word) -> bool {
    word.text.chars().any(|c| c.is_ascii_digit())
}
