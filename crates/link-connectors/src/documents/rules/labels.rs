//! Where labels stand on a page.

use super::super::page::{Line, Word};
use super::fields::Field;
use super::kind;
use super::plain::{misread, plain};

/// A label, found.
#[derive(Clone, Debug)]
pub(super) struct Label {
    /// The field's place in the kind's list.
    pub field: usize,
    /// The field's name.
    pub name: &'static str,
    /// The line.
    pub line: usize,
    /// Its first word in the line.
    pub from: usize,
    /// The word behind its last.
    pub to: usize,
    /// Letters it has: a long label is found by accident less often.
    pub letters: usize,
    /// Whether nothing stands close before it.
    pub begins: bool,
    /// Whether it ends in a colon.
    pub colon: bool,
}

/// A label in plain letters, ready to be compared.
struct Known {
    field: usize,
    /// Fields of one name are one, whatever form their values have.
    name: &'static str,
    plain: String,
    words: usize,
}

/// The labels of these fields, from top to bottom and left to right.
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
        let Some(mut label) = longest(line, words, at, height, known) else {
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

/// Whether the words between two labels only part languages.
fn joins(between: &[Word]) -> bool {
    between.iter().all(|word| plain(&word.text).is_empty())
}

fn longest(line: usize, words: &[Word], from: usize, height: f32, known: &[Known]) -> Option<Label> {
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
            // A mark parts languages.
            break;
        }
        joined.push_str(&piece);
        let few = known.iter().filter(|known| to - from <= known.words + 2);
        let near = few.filter_map(|known| misread(&joined, &known.plain).map(|by| (by, known)));
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
