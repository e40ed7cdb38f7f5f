//! Finds the labels on a page.

use super::fields::Field;
use super::kind;
use super::plain::{count_misread, plain};
use crate::page::{Line, Word};

/// A label on a page.
#[derive(Clone, Debug)]
pub(super) struct Label {
    /// The index of the field in the kind's list.
    pub field: usize,
    /// The field's name.
    pub name: &'static str,
    /// The index of the line.
    pub line: usize,
    /// The index of its first word in the line.
    pub from: usize,
    /// The index after its last word.
    pub to: usize,
    /// The number of letters. Long labels are rarely found by accident.
    pub letters: usize,
    /// Whether there is a gap before it.
    pub begins: bool,
    /// Whether it ends with a colon.
    pub colon: bool,
}

/// A known label in plain form.
struct Known {
    field: usize,
    /// Fields with the same name are one field, even if their values have different forms.
    name: &'static str,
    plain: String,
    words: usize,
}

/// Finds the labels of these fields, from top to bottom and left to right.
pub(super) fn labels(lines: &[Line], fields: &'static [Field]) -> Vec<Label> {
    let known: Vec<Known> = fields
        .iter()
        .enumerate()
        .flat_map(|(field, spec)| spec.labels.iter().map(move |label| (field, spec.name, label)))
        .map(|(field, name, label)| Known {
            field,
            name,
            plain: plain(label),
            words: label.split(' ').count(),
        })
        .collect();
    lines
        .iter()
        .enumerate()
        .filter(|(_, line)| !kind::is_title(line))
        .flat_map(|(line, words)| in_line(line, &words.words, words.height(), &known))
        .collect()
}

fn in_line(line: usize, words: &[Word], height: f32, known: &[Known]) -> Vec<Label> {
    let mut found: Vec<Label> = Vec::new();
    let mut at = 0;
    while at < words.len() {
        let Some(mut label) = find_longest(line, words, at, height, known) else {
            at += 1;
            continue;
        };
        at = label.to;
        match found.last_mut() {
            // The same label in a second language.
            Some(last)
                if last.name == label.name && joins(words.get(last.to..label.from).unwrap_or_default()) =>
            {
                last.to = label.to;
                last.colon = label.colon;
            }
            last => {
                label.begins |= last.is_some_and(|last| last.to == label.from);
                found.push(label);
            }
        }
    }
    found
}

/// Returns whether the words between two labels only separate languages.
fn joins(between: &[Word]) -> bool {
    between.iter().all(|word| plain(&word.text).is_empty())
}

fn find_longest(line: usize, words: &[Word], from: usize, height: f32, known: &[Known]) -> Option<Label> {
    let mut best: Option<Label> = None;
    let mut joined = String::new();
    for to in from + 1..=words.len().min(from + 7) {
        let word = words.get(to - 1)?;
        let apart =
            to > from + 1 && words.get(to - 2).is_some_and(|before| word.left - before.right > height * 1.6);
        let over = to > from + 1 && words.get(to - 2).is_some_and(|before| before.text.ends_with(':'));
        if apart || over {
            break;
        }
        let piece = plain(&word.text);
        if piece.is_empty() {
            // A punctuation mark separates languages.
            break;
        }
        joined.push_str(&piece);
        let few = known.iter().filter(|known| to - from <= known.words + 2);
        let near = few.filter_map(|known| count_misread(&joined, &known.plain).map(|by| (by, known)));
        if let Some((by, known)) = near.min_by_key(|(by, _)| *by) {
            if by > 0 && best.as_ref().is_some_and(|best| best.letters == known.plain.len()) {
                continue;
            }
            let before = from.checked_sub(1).and_then(|before| words.get(before));
            let first = words.get(from)?;
            best = Some(Label {
                field: known.field,
                name: known.name,
                line,
                from,
                to,
                letters: known.plain.len(),
                begins: before.is_none_or(|before| {
                    first.left - before.right > height * 0.9 || plain(&before.text).is_empty()
                }),
                colon: word.text.ends_with(':'),
            });
        }
    }
    best
}
