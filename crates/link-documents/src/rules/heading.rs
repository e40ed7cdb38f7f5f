//! Names at the top of a page that have no label: an employer or a bank.

use link_types::archive::ArchiveType;

use super::plain::plain;
use super::values::Reading;
use super::{fields, kind};
use crate::page::{Line, Page, Place, Word, confidence_of, text_of};

const COMPANY: [&str; 14] = [
    "sa",
    "cv",
    "inc",
    "corp",
    "corporation",
    "company",
    "co",
    "ltd",
    "sc",
    "srl",
    "rl",
    "llc",
    "group",
    "cv.",
];
const BANK: [&str; 6] = ["banco", "bank", "banca", "financiera", "bancario", "savings"];

/// Returns the employer: a line near the top with a company suffix, or else the first line, if it is not a title or a label.
pub(super) fn employer(page: &Page) -> Option<Reading> {
    let is_name = |cell: &&[Word]| {
        let text = plain(&text_of(cell));
        let fields = ArchiveType::ALL.iter().flat_map(|kind| fields::fields(*kind));
        let is_label = fields.flat_map(|field| field.labels).any(|label| plain(label) == text);
        !is_label && kind::title(&Line { words: cell.to_vec() }).is_none()
    };
    let first = || cells(page).into_iter().find(|cell| plain(&text_of(cell)).len() > 4).filter(is_name);
    find_by_mark(page, &COMPANY).or_else(|| first().map(reading))
}

/// Returns the bank: a line near the top with a bank's word.
pub(super) fn bank(page: &Page) -> Option<Reading> {
    find_by_mark(page, &BANK)
}

fn find_by_mark(page: &Page, marks: &[&str]) -> Option<Reading> {
    let has_mark = |cell: &&[Word]| {
        cell.len() > 1
            && cell.iter().any(|word| marks.contains(&plain(&word.text).as_str()))
            && !cell.iter().any(|word| word.text.ends_with(':'))
    };
    cells(page).into_iter().find(has_mark).map(reading)
}

/// Returns the first lines, split where words are far apart.
fn cells(page: &Page) -> Vec<&[Word]> {
    page.lines
        .iter()
        .take(6)
        .flat_map(|line| {
            let height = line.height();
            line.words.chunk_by(move |one, two| two.left - one.right < height * 1.6)
        })
        .collect()
}

fn reading(cell: &[Word]) -> Reading {
    let least = confidence_of(cell);
    Reading {
        text: text_of(cell).trim().to_owned(),
        confidence: least * 0.9,
        place: Place::around(cell),
        label: None,
        fault: None,
    }
}
