//! The documents in a file: its pages may belong to several, of one person or of several people (ADR 203).

use link_types::archive::ArchiveType;

use super::fields::Field;
use super::finder::FoundField;
use super::kind;
use super::plain::{alike, far, plain};
use crate::page::{Line, Page, text_of};

/// The minimum number of lines from one title to the next one on a page.
const LINES_BETWEEN: usize = 4;
/// Values below this confidence do not show that documents are different.
const SURE: f32 = 0.7;

/// Numbers of a person.
const NUMBERS: [&str; 2] = ["nationalId", "socialSecurityNumber"];
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
pub(super) struct SeveralPeople;

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
            && at - before > LINES_BETWEEN
        {
            let gap = |at: &usize| {
                let (above, below) = (page.lines.get(at.wrapping_sub(1)), page.lines.get(*at));
                above.zip(below).map_or(0.0, |(above, below)| below.top() - above.bottom())
            };
            let first = at.saturating_sub(LINES_BETWEEN - 1).max(before + 1);
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

/// Returns the parts of the first document of this kind, and the number of parts of other documents.
///
/// # Errors
/// If documents of the same kind are about different people.
pub(super) fn first(
    parts: Vec<Part>,
    kind: ArchiveType,
    fields: &[Field],
) -> Result<(Vec<Part>, u16), SeveralPeople> {
    let mut first: Vec<Part> = Vec::new();
    let (mut others, mut ended) = (0, false);
    for part in parts {
        let titles: Vec<ArchiveType> = part.page.lines.iter().filter_map(kind::title).collect();
        let is_titled = titles.contains(&kind);
        if !titles.is_empty() && !is_titled {
            // A document of another kind.
            others += 1;
            ended |= !first.is_empty();
            continue;
        }
        let value = |names: &[&str], found: &[FoundField]| -> Vec<(String, String)> {
            found
                .iter()
                .filter(|it| it.reading.confidence >= SURE)
                .filter_map(|it| Some((fields.get(it.field)?.name, it)))
                .filter(|(name, _)| names.contains(name))
                .map(|(name, it)| (name.to_owned(), it.reading.text.clone()))
                .collect()
        };
        let differing = |names: &[&str], differ: &dyn Fn(&str, &str) -> bool| {
            let new = value(names, &part.found);
            new.iter()
                .filter(|(name, text)| {
                    first.iter().any(|it| {
                        value(&[name.as_str()], &it.found).iter().any(|(_, known)| differ(known, text))
                    })
                })
                .count()
        };
        let numbers = differing(&NUMBERS, &|a, b| far(&plain(a), &plain(b)));
        let names = differing(&["fullName"], &other_name);
        if numbers > 0 || is_titled && names > 0 {
            return Err(SeveralPeople);
        }
        let once = differing(&ONCE, &|a, b| a != b);
        ended |= once > 1 || is_titled && once > 0;
        if ended {
            others += 1;
        } else {
            first.push(part);
        }
    }
    Ok((first, others))
}

/// Returns whether two names are names of different people: each has a word that the other one lacks.
fn other_name(one: &str, other: &str) -> bool {
    let words = |name: &str| -> Vec<String> {
        name.split_whitespace().map(plain).filter(|word| word.len() > 1).collect()
    };
    let (one, other) = (words(one), words(other));
    let similar = |a: &str, b: &str| a.starts_with(b) || b.starts_with(a) || alike(a, b) || !far(a, b);
    let lacks = |from: &[String], in_: &[String]| from.iter().any(|a| !in_.iter().any(|b| similar(a, b)));
    lacks(&one, &other) && lacks(&other, &one)
}

#[cfg(test)]
mod tests {
    use super::other_name;

    #[test]
    fn names_of_different_people_differ() {
        assert!(other_name("Rosa Elena Ficticia Prueba", "María Fernanda Ibáñez Ejemplar"));
        assert!(other_name("Rosa Ficticia Prueba", "Juan Ficticia Prueba"));
        for (one, other) in [
            ("Rosa Elena Ficticia Prueba", "FICTICIA PRUEBA ROSA ELENA"),
            ("Rosa E. Ficticia", "Rosa Elena Ficticia Prueba"),
            ("Rosa Elena Ficticia", "Rosa Elema Ficticia Prueba"),
        ] {
            assert!(!other_name(one, other), "{one} and {other}");
        }
    }
}
