//! Cleans the words of a page: specks, letter-spaced words, and what was read as one word but is two.

use super::values::apart;
use crate::page::{Line, Page, Word};

/// The minimum number of single letters in a letter-spaced word.
const MIN_SPACED: usize = 3;

/// Removes specks that come from ruling lines, joins letter-spaced words, and separates a label from a value and an
/// amount from the next one without a space between them.
pub(super) fn tidy_page(page: &Page) -> Page {
    let rule = |word: &Word| word.text.chars().all(|c| "|_~=¦[]{}‘’'\"`“”".contains(c));
    let lines = page.lines.iter().map(|line| {
        let words: Vec<Word> = line.words.iter().filter(|word| !rule(word)).cloned().collect();
        let words = close_up(&words);
        Line { words: words.iter().flat_map(split_label).flat_map(|word| amounts(&word)).collect() }
    });
    page.with(lines)
}

/// Joins single letters at equal distances to words: headings are often letter-spaced. A larger distance is a space.
fn close_up(words: &[Word]) -> Vec<Word> {
    let is_single = |word: &Word| {
        let mut chars = word.text.chars();
        chars.next().is_some_and(|c| c.is_alphanumeric() || ".,&-/".contains(c)) && chars.next().is_none()
    };
    let gap = |one: &Word, two: &Word| two.left - one.right;
    let mut closed = Vec::new();
    for run in words.chunk_by(|one, two| {
        let (is_close, height) = (is_single(one) && is_single(two), one.height().max(two.height()));
        is_close && gap(one, two) < height * 2.5
    }) {
        let gaps: Vec<f32> =
            run.windows(2).filter_map(|pair| Some(gap(pair.first()?, pair.get(1)?))).collect();
        let least = gaps.iter().copied().fold(f32::MAX, f32::min).max(0.0);
        let height = run.first().map_or(0.0, Word::height);
        // The gaps within words differ only by kerning.
        let is_space = |gap: f32| gap > least + height * 0.14;
        let letters = gaps.iter().filter(|gap| !is_space(**gap)).count();
        if run.len() < MIN_SPACED || letters * 2 < run.len() || least > height * 1.2 {
            closed.extend(run.iter().cloned());
            continue;
        }
        for word in run.chunk_by(|one, two| !is_space(gap(one, two))) {
            let Some(first) = word.first() else { continue };
            closed.push(word.iter().skip(1).fold(first.clone(), |mut joined, letter| {
                joined.text.push_str(&letter.text);
                joined.right = letter.right;
                joined.top = joined.top.min(letter.top);
                joined.bottom = joined.bottom.max(letter.bottom);
                joined.confidence = joined.confidence.min(letter.confidence);
                joined
            }));
        }
    }
    closed
}

fn split_label(word: &Word) -> Vec<Word> {
    let trimmed = word.text.trim_matches(|c| "|¦[]{}~".contains(c));
    let glued = trimmed.split_once(':').filter(|(label, value)| {
        label.chars().all(|c| c.is_alphabetic() || c == '.') && label.len() > 1 && !value.is_empty()
    });
    match glued {
        Some((label, value)) => {
            let share = label.len() as f32 / trimmed.len() as f32;
            let middle = word.left + (word.right - word.left) * share;
            vec![
                Word { text: format!("{label}:"), right: middle, ..word.clone() },
                Word { text: value.to_owned(), left: middle, ..word.clone() },
            ]
        }
        None => vec![Word { text: trimmed.to_owned(), ..word.clone() }],
    }
}

/// Splits adjacent amounts.
fn amounts(word: &Word) -> Vec<Word> {
    let width = (word.right - word.left) / word.text.len().max(1) as f32;
    let mut left = word.left;
    apart(&word.text)
        .into_iter()
        .map(|part| {
            let right = left + part.len() as f32 * width;
            let part = Word { text: part.to_owned(), left, right, ..word.clone() };
            left = right;
            part
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a line of words with these left edges, 10 high, with letters 5 wide.
    fn line(words: &[(f32, &str)]) -> Page {
        let words = words.iter().map(|(left, text)| Word {
            text: (*text).to_owned(),
            left: *left,
            top: 0.0,
            right: left + 5.0 * text.chars().count() as f32,
            bottom: 10.0,
            confidence: 1.0,
        });
        Page::from_words(words.collect())
    }

    #[test]
    fn letter_spaced_words_are_joined() {
        let spaced = line(&[
            (0.0, "R"),
            (8.0, "F"),
            (16.0, "C"),
            (33.0, "d"),
            (41.0, "e"),
            (49.0, "l"),
            (66.0, "S"),
            (74.0, "."),
            (82.0, "A"),
            (90.0, "."),
            (120.0, "12"),
        ]);
        assert_eq!(tidy_page(&spaced).lines[0].text(), "RFC del S.A. 12");
        let table = line(&[(0.0, "M"), (40.0, "5"), (80.0, "8"), (120.0, "2")]);
        assert_eq!(tidy_page(&table).lines[0].text(), "M 5 8 2");
    }

    #[test]
    fn amounts_without_space_are_two_words() {
        let glued = line(&[(0.0, "6,300.0075,600.00"), (200.0, "12,345.67")]);
        assert_eq!(tidy_page(&glued).lines[0].text(), "6,300.00 75,600.00 12,345.67");
    }
}
