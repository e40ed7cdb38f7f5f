//! The documents in a file: its pages may belong to several, of one person or of several people (ADR 203).

use link_types::archive::ArchiveType;

use super::fields::Field;
use super::finder::FoundField;
use super::kind;
use super::plain::{alike, far, plain};
use crate::page::{Line, Page, text_of};

/// The minimum number of lines from one title to the next one on a page.
const MIN_LINES_BETWEEN: usize = 4;
/// Values below this confidence do not show that documents are different.
const SURE: f32 = 0.7;

/// The maximum number of documents that are read.
const MAX_DOCUMENTS: usize = 24;

/// Numbers of a person.
const NUMBERS: [&str; 2] = ["nationalId", "socialSecurityNumber"];
/// Numbers of a person or an employer that a document may have for others, too, like that of a bank.
const OWN: [&str; 3] = ["taxId", "employeeNumber", "employerTaxId"];
/// Values that a document has once.
const ONCE: [&str; 9] = [
    "period",
    "startDate",
    "endDate",
    "payDate",
    "year",
    "netAmount",
    "grossAmount",
    "accountNumber",
    "documentNumber",
];

/// The files contain documents of several people.
#[derive(Debug)]
pub(super) struct SeveralPeopleError;

/// A part of the files: a page, or one of several documents on a page.
#[derive(Debug)]
pub(super) struct Part {
    /// The number of the page.
    pub number: u16,
    /// The part's lines.
    pub page: Page,
    /// The values on it.
    pub found: Vec<FoundField>,
}

impl Part {
    /// Returns whether it has the title of this kind of document.
    pub fn is_titled(&self, kind: ArchiveType) -> bool {
        self.page.lines.iter().any(|line| kind::title(line) == Some(kind))
    }
}

/// Returns the parts of the pages, without their values.
pub(super) fn parts(pages: &[Page]) -> Vec<Part> {
    let numbered = pages.iter().zip(1..);
    let halves =
        numbered.flat_map(|(page, number)| side_by_side(page).into_iter().map(move |half| (half, number)));
    halves
        .flat_map(|(page, number)| one_below_another(&page).into_iter().map(move |page| (page, number)))
        .map(|(page, number)| Part { number, page, found: Vec::new() })
        .collect()
}

/// Splits a page with the same title twice next to each other.
fn side_by_side(page: &Page) -> Vec<Page> {
    let middle = page.lines.iter().find_map(|line| {
        let height = line.height();
        let cells: Vec<_> = line.words.chunk_by(|one, two| two.left - one.right < height * 1.6).collect();
        cells.windows(2).find_map(|pair| {
            let [one, two] = pair else { return None };
            let title = |cell: &[_]| kind::title(&Line { words: cell.to_vec() });
            let same = plain(&text_of(one)) == plain(&text_of(two));
            (same && title(one).is_some()).then(|| two.first().map(|word| word.left - height * 0.5))?
        })
    });
    let Some(middle) = middle else { return vec![page.clone()] };
    let half = |is_left: bool| {
        let lines = page.lines.iter().map(|line| Line {
            words: line.words.iter().filter(|word| (word.left < middle) == is_left).cloned().collect(),
        });
        page.with(lines)
    };
    vec![half(true), half(false)]
}

/// Splits a page with the title of one kind several times, at the widest gap above each title.
fn one_below_another(page: &Page) -> Vec<Page> {
    let mut starts = vec![0];
    let mut last: Option<(usize, ArchiveType)> = None;
    for (at, line) in page.lines.iter().enumerate() {
        let Some(title) = kind::title(line) else { continue };
        if let Some((before, kind)) = last
            && kind == title
            && at - before > MIN_LINES_BETWEEN
        {
            let gap = |at: &usize| {
                let (above, below) = (page.lines.get(at.wrapping_sub(1)), page.lines.get(*at));
                above.zip(below).map_or(0.0, |(above, below)| below.top() - above.bottom())
            };
            let first = at.saturating_sub(MIN_LINES_BETWEEN - 1).max(before + 1);
            starts.extend((first..=at).max_by(|a, b| gap(a).total_cmp(&gap(b))));
        }
        last = Some((at, title));
    }
    starts.push(page.lines.len());
    let part = |span: &[usize]| match span {
        [from, to] => page.lines.get(*from..*to).map(|lines| page.with(lines.iter().cloned())),
        _ => None,
    };
    starts.windows(2).filter_map(part).collect()
}

/// Returns the parts of each document of this kind, and the number of parts of documents of other kinds.
///
/// # Errors
/// If documents of the same kind are about different people.
pub(super) fn split(
    parts: Vec<Part>,
    kind: ArchiveType,
    fields: &[Field],
) -> Result<(Vec<Vec<Part>>, u16), SeveralPeopleError> {
    let mut documents: Vec<Vec<Part>> = Vec::new();
    let (mut others, mut is_other) = (0, false);
    for part in parts {
        let titles: Vec<ArchiveType> = part.page.lines.iter().filter_map(kind::title).collect();
        let is_titled = titles.contains(&kind);
        is_other = !is_titled && (!titles.is_empty() || is_other && !documents.is_empty());
        if is_other {
            others += 1;
            continue;
        }
        let is_picture = |known: &[Part]| {
            let mut lines = known.iter().chain([&part]).flat_map(|it| &it.page.lines);
            lines.any(|line| line.words.iter().any(|word| word.confidence < 1.0))
        };
        let numbers =
            |known: &[Part]| differing(known, &part, fields, &NUMBERS, &other_number(is_picture(known)));
        let names = |known: &[Part]| {
            let is_picture = is_picture(known);
            differing(known, &part, fields, &["fullName"], &|a, b| other_name(a, b, is_picture))
        };
        let unsure_names = |known: &[Part]| {
            differing_at(0.0, known, &part, fields, &["fullName"], &|a, b| other_name(a, b, true))
        };
        if documents.iter().any(|known| numbers(known) > 0 || is_titled && names(known) > 0) {
            return Err(SeveralPeopleError);
        }
        if is_titled && documents.iter().any(|known| unsure_names(known) > 0) {
            // A name that is hardly legible does not show that the person is the same.
            is_other = true;
            others += 1;
            continue;
        }
        let own = |known: &[Part]| differing(known, &part, fields, &OWN, &other_number(is_picture(known)));
        if !is_titled && documents.iter().any(|known| names(known) + own(known) > 0) {
            // About another person, like a covering letter.
            is_other = true;
            others += 1;
            continue;
        }
        let once = |known: &Vec<Part>| differing(known, &part, fields, &ONCE, &|a, b| a != b);
        // A page without a title may have another number of the same name, like an amount of a note.
        let most = usize::from(!is_titled);
        let same = documents.iter().rposition(|known| once(known) <= most && own(known) == 0);
        let begins = is_titled || documents.is_empty();
        match same.and_then(|at| documents.get_mut(at)) {
            Some(known) => known.push(part),
            None if begins => documents.push(vec![part]),
            // Several values contradict the documents before it, but nothing says that it is a document: an appendix.
            None => {
                is_other = true;
                others += 1;
            }
        }
    }
    others += leave_out_untitled(&mut documents, kind);
    if documents.len() > MAX_DOCUMENTS {
        let left_out = documents.drain(MAX_DOCUMENTS..).map(|parts| parts.len()).sum::<usize>();
        others += u16::try_from(left_out).unwrap_or(u16::MAX);
    }
    Ok((documents, others))
}

/// Leaves out documents without a title if another one has it: what comes before the first document is a covering letter or an
/// application. Returns the number of their parts.
fn leave_out_untitled(documents: &mut Vec<Vec<Part>>, kind: ArchiveType) -> u16 {
    let is_titled = |parts: &Vec<Part>| parts.iter().any(|part| part.is_titled(kind));
    if !documents.iter().any(is_titled) {
        return 0;
    }
    let parts: usize = documents.iter().filter(|it| !is_titled(it)).map(Vec::len).sum();
    documents.retain(is_titled);
    u16::try_from(parts).unwrap_or(u16::MAX)
}

/// Returns the number of these values that differ between a part and the known parts of a document, if both are sure.
fn differing(
    known: &[Part],
    part: &Part,
    fields: &[Field],
    names: &[&str],
    differ: &dyn Fn(&str, &str) -> bool,
) -> usize {
    differing_at(SURE, known, part, fields, names, differ)
}

/// Like [`differing`], for values of at least this confidence.
fn differing_at(
    least: f32,
    known: &[Part],
    part: &Part,
    fields: &[Field],
    names: &[&str],
    differ: &dyn Fn(&str, &str) -> bool,
) -> usize {
    let values = |part: &Part| -> Vec<(&str, String)> {
        let read = part.found.iter().filter(|it| it.is_another || it.reading.confidence >= least);
        read.filter_map(|it| Some((fields.get(it.field)?.name, it.reading.text.clone())))
            .filter(|(name, _)| names.contains(name))
            .collect()
    };
    let known: Vec<_> = known.iter().flat_map(&values).collect();
    let of_part = values(part);
    let differs = |(name, text): &&(&str, String)| {
        known.iter().any(|(other, known)| other == name && differ(known, text))
    };
    of_part.iter().filter(differs).count()
}

/// Returns whether two numbers are different. One may lack zeros or letters before it, and those of a picture may be misread.
fn other_number(is_picture: bool) -> impl Fn(&str, &str) -> bool {
    move |one, other| {
        let (one, other) = (plain(one), plain(other));
        let (one, other) = (one.trim_start_matches('0'), other.trim_start_matches('0'));
        let is_same = one.ends_with(other) || other.ends_with(one) || is_picture && !far(one, other);
        !is_same
    }
}

/// Returns whether two names are names of different people: each has a word that the other one lacks.
/// Letters of a picture may be misread.
fn other_name(one: &str, other: &str, is_picture: bool) -> bool {
    let words = |name: &str| -> Vec<String> {
        name.split_whitespace().map(plain).filter(|word| word.len() > 1).collect()
    };
    let (one, other) = (words(one), words(other));
    // Short words and last words may be abbreviated.
    let is_part = |part: &str, whole: &str, is_last: bool| {
        whole.starts_with(part) && (is_picture || is_last || part.len() < 3 || part.len() == whole.len())
    };
    let lacks = |from: &[String], in_: &[String]| {
        let last = |words: &[String], word: &String| words.last() == Some(word);
        let similar = |a: &String, b: &String| {
            is_part(a, b, last(from, a))
                || is_part(b, a, last(in_, b))
                || is_picture && (alike(a, b) || !far(a, b))
        };
        from.iter().any(|a| !in_.iter().any(|b| similar(a, b)))
    };
    lacks(&one, &other) && lacks(&other, &one)
}

#[cfg(test)]
mod tests {
    use super::{other_name, other_number};

    #[test]
    fn names_of_different_people_differ() {
        assert!(other_name("Rosa Elena Ficticia Prueba", "María Fernanda Ibáñez Ejemplar", true));
        assert!(other_name("Rosa Ficticia Prueba", "Juan Ficticia Prueba", true));
        for (one, other) in [
            ("Rosa Elena Ficticia Prueba", "FICTICIA PRUEBA ROSA ELENA"),
            ("Rosa E. Ficticia", "Rosa Elena Ficticia Prueba"),
            ("Rosa Elena Ficticia", "Rosa Elema Ficticia Prueba"),
        ] {
            assert!(!other_name(one, other, true), "{one} and {other}");
        }
        for (one, other) in [("Mario Robles", "Maria Robles"), ("Ana Robles", "Ena Robles")] {
            assert!(other_name(one, other, false), "no letter of a text is misread: {one} and {other}");
        }
    }

    #[test]
    fn numbers_differ_unless_they_are_misread_or_padded() {
        let (text, picture) = (other_number(false), other_number(true));
        assert!(text("20881", "20887") && text("20881", "31740") && picture("20881", "31740"));
        assert!(!picture("20881", "20887"), "a digit is misread");
        assert!(!text("20881", "0020881") && !text("EMP-20881", "20881"), "the same number");
    }
}
