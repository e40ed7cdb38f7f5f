//! The days next to a label: which of several in its row are those of this period.

use link_types::archive::ExtractionFaultCode;

use super::{Candidate, PageOf, RIVALLED, Side};
use crate::page::{Line, Word};
use crate::rules::columns::is_elsewhen;
use crate::rules::labels::Label;
use crate::rules::subject::{Subject, is_own};

/// The confidence in the only days that no heading excludes.
const LIKELY: f32 = 0.9;
/// The number of lines above a row among which its headings are.
const LINES_ABOVE: usize = 8;
/// The maximum distance of two lines of a table, in heights of a line.
const MAX_APART: f32 = 2.4;

/// The content of a column.
#[derive(Clone, Copy, PartialEq)]
enum Column {
    Current,
    Other,
    Unknown,
}

impl PageOf<'_> {
    /// Returns whether a label is about the days of a period.
    pub(super) fn is_about_days(label: &Label) -> bool {
        Subject::for_field(label.name) == Some(Subject::Days)
    }

    /// Returns whether the words before a value in its row say that it is of another period than its label above.
    pub(super) fn is_row_of_another(&self, label: &Label, before: &[Word]) -> bool {
        self.is_money(label) && before.iter().any(is_elsewhen)
            || Self::is_about_days(label) && Subject::Days.names_another(before)
    }

    /// Returns the days of this period in the row of a label, which may have columns for several periods. `first` is the first
    /// value of the row.
    pub(super) fn choose_days(&self, label: &Label, first: Candidate, near: f32) -> Candidate {
        let Some(row) = self.lines.get(label.line).filter(|_| Self::is_about_days(label)) else {
            return first;
        };
        let mut from = first.to;
        let mut all = vec![first];
        while row.words.get(from).is_some() && !self.ends_value(label.line, from) {
            let end = self.end_of_value(label.line, from, f32::MAX, row.height() * 2.2);
            all.extend(self.read(label, Side::Right, label.line, from, end, near));
            from = end.max(from + 1);
        }
        let column = |it: &Candidate| {
            let words = row.words.get(it.from..it.to).unwrap_or_default();
            column_of(words, self.lines, label.line)
        };
        let columns: Vec<Column> = all.iter().map(column).collect();
        let only = |wanted: Column| {
            let mut fitting = columns.iter().enumerate().filter(|(_, column)| **column == wanted);
            fitting.next().filter(|_| fitting.next().is_none()).map(|(at, _)| at)
        };
        let is_several =
            all.iter().any(|it| all.first().is_some_and(|one| one.reading.text != it.reading.text));
        let (at, sure) = match (only(Column::Current), only(Column::Unknown)) {
            _ if !is_several => (0, if columns.first() == Some(&Column::Other) { RIVALLED } else { 1.0 }),
            (Some(current), _) => (current, 1.0),
            (None, Some(unknown)) if !columns.contains(&Column::Current) => (unknown, LIKELY),
            (None, _) => (0, RIVALLED),
        };
        let mut chosen = all.swap_remove(at);
        chosen.reading.confidence *= sure;
        if sure == RIVALLED {
            chosen.reading.fault = Some(ExtractionFaultCode::SeveralValues);
        }
        chosen
    }
}

/// Returns the content of the column of these words: the nearest text above them without a digit says it.
fn column_of(words: &[Word], lines: &[Line], row: usize) -> Column {
    let (Some(first), Some(last)) = (words.first(), words.last()) else { return Column::Unknown };
    let height = first.height();
    let mut top = first.top;
    for above in lines.get(..row).unwrap_or_default().iter().rev().take(LINES_ABOVE) {
        if top - above.bottom() > height * MAX_APART {
            break;
        }
        top = above.top();
        let mut cells = above.words.chunk_by(|one, two| two.left - one.right < height * 1.6);
        let is_over = |cell: &&[Word]| {
            cell.first().is_some_and(|word| word.left < last.right)
                && cell.last().is_some_and(|word| word.right > first.left)
        };
        let Some(cell) = cells.find(is_over) else { continue };
        if cell.iter().any(|word| word.text.contains(|c: char| c.is_ascii_digit())) {
            continue;
        }
        return if Subject::Days.names_another(cell) || Subject::Period.names_another(cell) {
            Column::Other
        } else if cell.iter().any(is_own) {
            Column::Current
        } else {
            Column::Unknown
        };
    }
    Column::Unknown
}
