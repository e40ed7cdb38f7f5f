//! Whether the parts of a document show that they belong together (ADR 278).

use link_types::archive::ArchiveType;

use super::documents::Part;
use super::fields::Field;
use super::plain::plain;
use crate::page::text_of;

/// Fields of a person that another part of the document may repeat.
const REPEATED: [&str; 5] = ["fullName", "employeeNumber", "taxId", "nationalId", "socialSecurityNumber"];
/// The minimum number of letters of a value that is not repeated by chance.
const MIN_LETTERS: usize = 4;

/// Returns which parts show that they belong to the document: the first part with its title, and all that repeat the name or a
/// number of the person on such a part. A part without them may be about another person.
pub(super) fn belonging(parts: &[Part], kind: ArchiveType, fields: &[Field]) -> Vec<bool> {
    let first = parts.iter().position(|part| part.is_titled(kind)).unwrap_or(0);
    let texts: Vec<String> = parts.iter().map(text_in).collect();
    let values: Vec<Vec<String>> = parts.iter().map(|part| people_in(part, fields)).collect();
    let repeats = |one: usize, other: usize| {
        let (Some(values), Some(text)) = (values.get(one), texts.get(other)) else { return false };
        values.iter().any(|value| text.contains(value))
    };
    let mut belong: Vec<bool> = (0..parts.len()).map(|at| at == first).collect();
    // Each round adds at least one part.
    for _ in 1..parts.len() {
        let known: Vec<usize> =
            belong.iter().enumerate().filter(|(_, belongs)| **belongs).map(|(at, _)| at).collect();
        let mut is_new = false;
        for (at, belongs) in belong.iter_mut().enumerate().filter(|(_, belongs)| !**belongs) {
            *belongs = known.iter().any(|other| repeats(*other, at) || repeats(at, *other));
            is_new |= *belongs;
        }
        if !is_new {
            break;
        }
    }
    belong
}

/// Returns the name and the numbers of the person on a part, in plain form and with a space around each word.
fn people_in(part: &Part, fields: &[Field]) -> Vec<String> {
    let read = part.found.iter().filter(|it| !it.is_another);
    let named = read.filter(|it| fields.get(it.field).is_some_and(|field| REPEATED.contains(&field.name)));
    named.map(|it| in_words(&it.reading.text)).filter(|value| value.len() >= MIN_LETTERS + 2).collect()
}

/// Returns the words of a part in plain form, with a space around each.
fn text_in(part: &Part) -> String {
    let lines: Vec<String> = part.page.lines.iter().map(|line| text_of(&line.words)).collect();
    in_words(&lines.join(" "))
}

fn in_words(text: &str) -> String {
    let words = text.split_whitespace().map(plain).filter(|word| !word.is_empty());
    format!(" {} ", words.collect::<Vec<_>>().join(" "))
}
