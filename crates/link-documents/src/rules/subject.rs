//! Words that say that a label is about something else: another period, another person, other days (ADR 224).

use super::plain::plain;
use crate::page::{Line, Page, Word, text_of};

/// The subject of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Subject {
    /// Amounts of this period.
    Period,
    /// The person of the document.
    Person,
    /// The days of this period.
    Days,
}

/// The number of lines above a label among which its block's title is.
const LINES_ABOVE: usize = 14;
/// The maximum distance of two lines of a block, in heights of a line.
const MAX_APART: f32 = 2.0;

/// How words of other periods begin.
const OTHER_PERIOD: [&str; 10] =
    ["ytd", "acumulad", "acum", "anual", "annual", "previous", "anterior", "cumulative", "yearly", "resumen"];
/// Phrases of other periods.
const OTHER_PHRASES: [&str; 6] =
    ["yeartodate", "todate", "alafecha", "delano", "forreference", "priorperiod"];
/// How words begin that say in the title of a block that its amounts are not those that are paid now.
const OTHER_TITLES: [&str; 15] = [
    "proyec",
    "project",
    "estim",
    "ejemplo",
    "sample",
    "example",
    "promedio",
    "average",
    "compar",
    "simul",
    "siguiente",
    "next",
    "antes",
    "before",
    "plantilla",
];
/// Phrases of other days.
const OTHER_DAYS_PHRASES: [&str; 4] = ["lastpay", "lastperiod", "lastmonth", "lastcutoff"];
/// How words of other people begin.
const OTHER_PERSON: [&str; 24] = [
    "autoriz",
    "authoriz",
    "approv",
    "aprob",
    "represent",
    "beneficiari",
    "elabor",
    "reviso",
    "revisado",
    "prepar",
    "guarant",
    "witness",
    "testigo",
    "emergenc",
    "contacto",
    "dependent",
    "dependiente",
    "spouse",
    "conyuge",
    "esposo",
    "esposa",
    "solicitante",
    "applicant",
    "emite",
];
/// Phrases of other people. Their words are also parts of job titles.
const OTHER_PERSON_PHRASES: [&str; 8] = [
    "jefeinmediato",
    "jefedirecto",
    "jefadirecta",
    "immediatesupervisor",
    "immediatesuperior",
    "linemanager",
    "reportsto",
    "issuedby",
];
/// How words of other days begin.
const OTHER_DAYS: [&str; 14] = [
    "anterior",
    "previous",
    "prior",
    "siguiente",
    "vacacion",
    "vacation",
    "leave",
    "incapacidad",
    "permiso",
    "ausencia",
    "absence",
    "attendance",
    "proxim",
    "next",
];
/// How words begin that say that a block is about what it should be.
const OWN: [&str; 9] =
    ["this", "current", "actual", "quincena", "periodo", "trabajador", "empleado", "employee", "colaborador"];

impl Subject {
    /// Returns the subject of a field, if it may be about something else.
    pub fn for_field(field: &str) -> Option<Self> {
        match field {
            "grossAmount" | "deductionsAmount" | "netAmount" | "baseAmount" => Some(Self::Period),
            "fullName"
            | "nationalId"
            | "taxId"
            | "socialSecurityNumber"
            | "employeeNumber"
            | "jobTitle"
            | "dob" => Some(Self::Person),
            "startDate" | "endDate" | "payDate" | "period" => Some(Self::Days),
            _ => None,
        }
    }

    /// Returns whether a line of the pages is about something else.
    pub fn is_another_named(self, pages: &[Page]) -> bool {
        pages.iter().flat_map(|page| &page.lines).any(|line| self.names_another(&line.words))
    }

    /// Returns whether the title of a label's block, or the row before the label, is about something else.
    pub fn is_another(self, lines: &[Line], line: usize, word: usize) -> bool {
        let before = lines.get(line).and_then(|row| row.words.get(..word)).unwrap_or_default();
        self != Self::Period && self.names_another(before) || self.is_in_other_block(lines, line, word)
    }

    /// Returns whether these words are about something else.
    pub fn names_another(self, words: &[Word]) -> bool {
        let (stems, phrases): (&[&str], &[&str]) = match self {
            Self::Period => (&OTHER_PERIOD, &OTHER_PHRASES),
            Self::Person => (&OTHER_PERSON, &OTHER_PERSON_PHRASES),
            Self::Days => (&OTHER_DAYS, &OTHER_DAYS_PHRASES),
        };
        let begins = |word: &Word| {
            let word = plain(&word.text);
            stems.iter().any(|stem| word.starts_with(stem))
        };
        let text = plain(&text_of(words));
        words.iter().any(begins) || phrases.iter().any(|phrase| text.contains(phrase))
    }

    /// Returns whether the nearest title above a label at the same edge is about something else. A title has no value.
    fn is_in_other_block(self, lines: &[Line], line: usize, word: usize) -> bool {
        let Some((row, label)) = lines.get(line).and_then(|row| Some((row, row.words.get(word)?))) else {
            return false;
        };
        let height = row.height();
        let mut top = row.top();
        for above in lines.get(..line).unwrap_or_default().iter().rev().take(LINES_ABOVE) {
            if top - above.bottom() > height * MAX_APART {
                return false;
            }
            top = above.top();
            let mut cells = above.words.chunk_by(|one, two| two.left - one.right < height * 1.6);
            let is_at_edge =
                |cell: &&[Word]| cell.first().is_some_and(|first| (first.left - label.left).abs() < height);
            let Some(cell) = cells.find(is_at_edge) else { continue };
            let next = cells.next();
            let has_colon = cell.iter().any(|word| word.text.contains(':'));
            let has_value = next.is_some_and(|next| has_colon || next.iter().any(has_digit));
            if has_value || has_colon && !cell.last().is_some_and(|last| last.text.ends_with(':')) {
                continue;
            }
            let is_other_title = |word: &Word| {
                let word = plain(&word.text);
                OTHER_TITLES.iter().any(|stem| word.starts_with(stem))
            };
            if self.names_another(cell) || self == Self::Period && cell.iter().any(is_other_title) {
                return true;
            }
            if cell.iter().any(is_own) {
                return false;
            }
        }
        false
    }
}

/// Returns whether a word says that a block or a column is about what it should be.
pub(super) fn is_own(word: &Word) -> bool {
    let word = plain(&word.text);
    OWN.iter().any(|own| word.starts_with(own))
}

/// Returns whether a word after a label is a year, as in `Gross Pay 2025` or `Net Pay ('25)`: the amounts are those of the year.
pub(super) fn is_year(word: &Word) -> bool {
    let text = word.text.trim_matches(|c: char| "().,:".contains(c));
    let digits = text.trim_start_matches(['\'', '’', '‘']);
    let is_number = digits.chars().all(|c| c.is_ascii_digit());
    is_number
        && (digits.len() == 2 && digits.len() < text.len()
            || digits.len() == 4 && (digits.starts_with("19") || digits.starts_with("20")))
}

fn has_digit(word: &Word) -> bool {
    word.text.chars().any(|c| c.is_ascii_digit())
}
