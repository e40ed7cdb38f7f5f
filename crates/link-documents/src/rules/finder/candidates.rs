//! The values at a label, and whether the label is about something else.

use link_types::archive::ExtractionFaultCode;

use super::{Candidate, OF_PERSON, ONCE, PageOf, RIVALLED};
use crate::page::{Place, Word, text_of};
use crate::rules::labels::Label;
use crate::rules::subject::{Subject, is_year};
use crate::rules::values::Value;

/// The score that a value loses if its label is about something else.
const ANOTHER: f32 = 4.0;
/// The maximum confidence in a name that may be longer or shorter.
const MAX_CONFIDENCE_UNENDED: f32 = 0.94;

impl PageOf<'_> {
    /// Returns the values to the right of a label and below it.
    pub(super) fn candidates(&self, label: &Label) -> impl Iterator<Item = Candidate> {
        let words = self.lines.get(label.line).map_or(&[][..], |line| &line.words);
        let is_payslip = self.fields.iter().any(|field| field.name == "netAmount");
        let is_of_year = is_payslip && self.is_money(label) && words.get(label.to).is_some_and(is_year);
        let is_another = Subject::for_field(label.name)
            .is_some_and(|it| it.is_another(self.lines, label.line, label.from))
            && (is_payslip || !self.is_money(label));
        let place = words.get(label.from..label.to).and_then(Place::around);
        [self.right(label), self.under(label)].into_iter().flatten().map(move |mut candidate| {
            candidate.reading.label = place;
            if is_another || is_of_year {
                candidate.is_another = true;
                candidate.score -= ANOTHER;
                candidate.reading.confidence *= RIVALLED;
                candidate.reading.fault = Some(ExtractionFaultCode::SeveralValues);
            }
            candidate
        })
    }

    /// Returns whether the same field has another value at another label on the same side.
    pub(super) fn has_rival(&self, candidate: &Candidate, all: &[Candidate]) -> bool {
        let name = self.name(candidate.field);
        (ONCE.contains(&name) || OF_PERSON.contains(&name))
            && all.iter().any(|other| {
                self.name(other.field) == name
                    && other.begins
                    && !other.is_another
                    && other.side == candidate.side
                    && other.reading.text != candidate.reading.text
            })
    }

    /// Adds words of a name that continue it right below its beginning.
    pub(super) fn complete_name(&self, candidate: &mut Candidate) {
        const MAX_WORDS: usize = 4;
        if self.fields.get(candidate.field).is_none_or(|field| field.value != Value::Name) {
            return;
        }
        let Some(line) = self.lines.get(candidate.line) else { return };
        let words = line.words.get(candidate.from..candidate.to).unwrap_or_default();
        if is_uneven(words) {
            candidate.reading.confidence = candidate.reading.confidence.min(MAX_CONFIDENCE_UNENDED);
        }
        let (Some(first), Some(below)) = (words.first(), self.lines.get(candidate.line + 1)) else { return };
        let height = line.height();
        let end = self.end_of_value(candidate.line + 1, 0, f32::MAX, height * 1.6);
        let more = below.words.get(..end).unwrap_or_default();
        let is_word = |word: &Word| word.text.chars().all(|c| c.is_alphabetic() || ".-'’".contains(c));
        let is_below = more.first().is_some_and(|word| {
            (word.left - first.left).abs() < height * 0.5 && word.top - first.bottom < height * 0.35
        });
        if !is_below || more.len() > MAX_WORDS || !more.iter().all(is_word) {
            return;
        }
        if self.label_at(candidate.line + 1, 0).is_some() {
            return;
        }
        candidate.reading.text = format!("{} {}", candidate.reading.text, text_of(more));
        candidate.reading.confidence = candidate.reading.confidence.min(MAX_CONFIDENCE_UNENDED);
        candidate.reading.place = Place::around(&[words, more].concat());
    }
}

/// Returns whether a name has a wider space than between its other words: another text may follow it.
fn is_uneven(words: &[Word]) -> bool {
    let gaps = || {
        words.windows(2).filter_map(|pair| match pair {
            [one, two] => Some(two.left - one.right),
            _ => None,
        })
    };
    let height = words.first().map_or(0.0, Word::height);
    let least = gaps().fold(f32::MAX, f32::min).max(height * 0.25);
    gaps().any(|gap| gap > least * 1.6)
}
